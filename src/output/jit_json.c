// SPDX-License-Identifier: GPL-2.0-only
/* A report as JSON, and back. What is read comes from outside: anything but the expected form is refused with a sentence. */
#include "output/jit_report.h"

#include "base/alloc.h"
#include "output/cell.h"
#include "output/jit_json.h"

#include <string.h>

enum { SCHEMA = 1 };

/* ---- writing ---- */

json_t *nt_jit_sums_json(const struct nt_jit_sums *sums)
{
	return json_pack("{s:I,s:I,s:I,s:I}", "count", (json_int_t)sums->count, "time_ns", (json_int_t)sums->time_ns, "il_bytes",
			 (json_int_t)sums->il_bytes, "native_bytes", (json_int_t)sums->native_bytes);
}

static json_t *of_line(enum nt_jit_section section, const struct nt_jit_line *line)
{
	json_t *object = nt_jit_sums_json(&line->sums);
	json_object_set_new(object, "name", nt_json_text(line->name));
	if (section != NT_JIT_METHODS)
		return object;
	json_object_set_new(object, "module", nt_json_text(line->module));
	json_object_set_new(object, "tier", nt_json_text(line->tier));
	json_object_set_new(object, "trigger", nt_json_text(line->trigger));
	json_object_set_new(object, "max_ns", json_integer((json_int_t)line->max_ns));
	json_object_set_new(object, "rejected_count", json_integer((json_int_t)line->rejected_count));
	return object;
}

static json_t *of_totals(const struct nt_jit_totals *totals)
{
	json_t *object = json_object();
	for (size_t i = 0; i < nt_jit_totals_count; i++) {
		const struct nt_jit_total *total = &nt_jit_totals_table[i];
		json_object_set_new(object, total->key, nt_json_cell(total->unit, nt_jit_total_cell(totals, total)));
	}
	return object;
}

json_t *nt_jit_report_head_json(const struct nt_jit_report *report)
{
	json_t *object = json_object();
	json_object_set_new(object, "program", nt_json_text(report->program));
	json_object_set_new(object, "pid", json_integer((json_int_t)report->pid));
	json_object_set_new(object, "runtime", nt_json_text(report->runtime));
	json_object_set_new(object, "from_start", json_boolean(report->from_start));
	json_object_set_new(object, "complete", json_boolean(report->complete));
	json_object_set_new(object, "end", nt_json_text(report->end));
	return object;
}

char *nt_jit_json_dump(json_t *object)
{
	char *text = json_dumps(object, JSON_COMPACT | JSON_REAL_PRECISION(9));
	json_decref(object);
	return text;
}

char *nt_jit_report_json(const struct nt_jit_report *report)
{
	json_t *object = nt_jit_report_head_json(report);
	json_object_set_new(object, "type", nt_json_text("jit"));
	json_object_set_new(object, "schema", json_integer(SCHEMA));
	json_object_set_new(object, "total", of_totals(&report->totals));
	for (enum nt_jit_section section = 0; section < NT_JIT_SECTION_COUNT; section++) {
		json_t *array = json_array();
		for (size_t i = 0; i < report->counts[section]; i++)
			json_array_append_new(array, of_line(section, &report->lines[section][i]));
		json_object_set_new(object, nt_jit_section_key(section), array);
	}
	return nt_jit_json_dump(object);
}

/* ---- reading ---- */

/* A number that is not there, or below 0, is not known. */
static struct nt_u64 number_at(const json_t *object, const char *key)
{
	const json_t *value = json_object_get(object, key);
	bool known = json_is_integer(value) && json_integer_value(value) >= 0;
	return known ? nt_u64_of((uint64_t)json_integer_value(value)) : (struct nt_u64){ 0 };
}

static const char *text_at(struct nt_jit_report *report, const json_t *object, const char *key)
{
	return nt_jit_report_text(report, json_string_value(json_object_get(object, key)));
}

static void read_totals(const json_t *object, struct nt_jit_totals *totals)
{
	for (size_t i = 0; i < nt_jit_totals_count; i++) {
		const struct nt_jit_total *total = &nt_jit_totals_table[i];
		void *place = (char *)totals + total->offset;
		const json_t *value = json_object_get(object, total->key);
		if (total->unit != NT_UNIT_PCT)
			*(struct nt_u64 *)place = number_at(object, total->key);
		else if (json_is_number(value))
			*(struct nt_f64 *)place = nt_f64_of(json_number_value(value));
	}
}

static bool read_line(struct nt_jit_report *report, enum nt_jit_section section, const json_t *object)
{
	struct nt_u64 count = number_at(object, "count"), time_ns = number_at(object, "time_ns");
	const char *name = json_string_value(json_object_get(object, "name"));
	if (!name || !count.known || !time_ns.known)
		return false;
	struct nt_jit_line *line = nt_jit_report_add(report, section, name);
	line->sums = (struct nt_jit_sums){ count.v, time_ns.v, number_at(object, "il_bytes").v, number_at(object, "native_bytes").v };
	line->module = text_at(report, object, "module");
	line->tier = text_at(report, object, "tier");
	line->trigger = text_at(report, object, "trigger");
	line->max_ns = number_at(object, "max_ns").v;
	line->rejected_count = number_at(object, "rejected_count").v;
	return true;
}

static bool read_report(struct nt_jit_report *report, const json_t *object)
{
	const char *type = json_string_value(json_object_get(object, "type"));
	if (!type || strcmp(type, "jit") != 0 || number_at(object, "schema").v != SCHEMA)
		return false;
	report->program = text_at(report, object, "program");
	report->runtime = text_at(report, object, "runtime");
	report->pid = number_at(object, "pid").v;
	report->from_start = json_is_true(json_object_get(object, "from_start"));
	report->complete = json_is_true(json_object_get(object, "complete"));
	report->end = text_at(report, object, "end");
	read_totals(json_object_get(object, "total"), &report->totals);
	for (enum nt_jit_section section = 0; section < NT_JIT_SECTION_COUNT; section++) {
		const json_t *array = json_object_get(object, nt_jit_section_key(section));
		for (size_t i = 0; i < json_array_size(array); i++)
			if (!read_line(report, section, json_array_get(array, i)))
				return false;
	}
	return report->totals.method_count.known && report->totals.time_ns.known;
}

enum nt_status nt_jit_report_read(const char *path, struct nt_jit_report **out, struct nt_error *err)
{
	json_error_t wrong;
	json_t *object = json_load_file(path, JSON_REJECT_DUPLICATES, &wrong);
	if (!object && json_error_code(&wrong) == json_error_cannot_open_file)
		return nt_error_set(err, NT_ERR_USAGE, "cannot read the report to compare with: %s", wrong.text);
	struct nt_jit_report *report = nt_jit_report_new();
	bool good = object && read_report(report, object);
	if (!object)
		nt_error_set(err, NT_ERR_USAGE, "%s is not JSON, line %d: %s", path, wrong.line, wrong.text);
	else if (!good)
		nt_error_set(err, NT_ERR_USAGE, "%s is not a report of nettop jit --json", path);
	json_decref(object);
	if (!good) {
		nt_jit_report_free(report);
		return NT_ERR_USAGE;
	}
	*out = report;
	return NT_OK;
}
