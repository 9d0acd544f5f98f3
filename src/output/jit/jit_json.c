// SPDX-License-Identifier: GPL-2.0-only
/* A report as JSON, and back. What is read comes from outside: anything but the expected form is refused with a sentence. */
#include "output/jit/jit_report.h"

#include "base/alloc.h"
#include "output/columns/cell.h"
#include "output/frame/json_jit.h"
#include "output/jit/jit_json.h"

#include <string.h>

enum { SCHEMA = 1 };

/* ---- writing ---- */

json_t *nt_jit_sums_json(const struct nt_jit_sums *sums)
{
	json_t *object = json_object();
	json_object_set_new(object, "count", json_integer((json_int_t)sums->count));
	json_object_set_new(object, "time_ns", json_integer((json_int_t)sums->time_ns));
	json_object_set_new(object, "il_bytes", json_integer((json_int_t)sums->il_bytes));
	json_object_set_new(object, "native_bytes", json_integer((json_int_t)sums->native_bytes));
	json_object_set_new(object, "cpu_count", json_integer((json_int_t)sums->cpu_count));
	json_object_set_new(object, "cpu_ns", sums->cpu_count ? json_integer((json_int_t)sums->cpu_ns) : json_null());
	return object;
}

static const struct spread_member {
	const char *key;
	size_t offset;
} spreads[] = { { "count_spread", offsetof(struct nt_jit_line, count) },
		{ "time_ns_spread", offsetof(struct nt_jit_line, time_ns) },
		{ "cpu_ns_spread", offsetof(struct nt_jit_line, cpu_ns) } };
enum { SPREADS = sizeof(spreads) / sizeof(spreads[0]) };

/* [least, most] of each. */
static void add_spreads(json_t *object, const struct nt_jit_line *line)
{
	for (size_t i = 0; i < SPREADS; i++) {
		const struct nt_jit_spread *spread = (const void *)((const char *)line + spreads[i].offset);
		json_t *pair = json_array();
		json_array_append_new(pair, json_integer((json_int_t)spread->least));
		json_array_append_new(pair, json_integer((json_int_t)spread->most));
		json_object_set_new(object, spreads[i].key, pair);
	}
}

static json_t *of_line(enum nt_jit_section section, const struct nt_jit_line *line, bool spread)
{
	json_t *object = nt_jit_sums_json(&line->sums);
	if (spread)
		add_spreads(object, line);
	json_object_set_new(object, "name", nt_json_text(line->name));
	if (section == NT_JIT_CAUSES) {
		json_object_set_new(object, "cause", nt_json_text(line->cause));
		json_object_set_new(object, "module", nt_json_text(line->module));
		json_object_set_new(object, "remedy", nt_json_text(line->remedy));
	}
	if (section != NT_JIT_METHODS)
		return object;
	json_object_set_new(object, "module", nt_json_text(line->module));
	json_object_set_new(object, "tier", nt_json_text(line->tier));
	json_object_set_new(object, "trigger", nt_json_text(line->trigger));
	json_object_set_new(object, "max_ns", json_integer((json_int_t)line->max_ns));
	json_object_set_new(object, "rejected_count", json_integer((json_int_t)line->rejected_count));
	return object;
}

/* null: the start was not seen. */
static json_t *of_start(const struct nt_jit_report *report)
{
	if (!report->start_seen)
		return json_null();
	json_t *array = json_array();
	for (size_t i = 0; i < report->start_count; i++) {
		const struct nt_jit_start_line *line = &report->start[i];
		json_t *object = json_object();
		json_object_set_new(object, "at_ns", json_integer((json_int_t)line->at_ns));
		json_object_set_new(object, "time_ns", json_integer((json_int_t)line->time_ns));
		json_object_set_new(object, "self_ns", json_integer((json_int_t)line->self_ns));
		json_object_set_new(object, "cpu_ns", line->cpu_ns.known ? json_integer((json_int_t)line->cpu_ns.v) : json_null());
		json_object_set_new(object, "cause", nt_json_text(line->cause));
		json_object_set_new(object, "tier", nt_json_text(line->tier));
		json_object_set_new(object, "module", nt_json_text(line->module));
		json_object_set_new(object, "name", nt_json_text(line->name));
		json_array_append_new(array, object);
	}
	return array;
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

static json_t *of_settings(const struct nt_jit_report *report, bool overruled)
{
	if (!report->settings_known || (overruled && !report->file_settings_known))
		return json_null();
	json_t *object = json_object();
	for (size_t i = 0; i < report->setting_count; i++)
		if (report->settings[i].overruled == overruled)
			json_object_set_new(object, report->settings[i].name, nt_json_text(report->settings[i].value));
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
	json_object_set_new(object, "runs", json_integer((json_int_t)report->runs));
	json_object_set_new(object, "cpu_ns_partial", json_boolean(report->totals.cpu_is_partial));
	json_object_set_new(object, "jit_cpu_reason", nt_json_text(report->cpu_reason));
	json_object_set_new(object, "settings", of_settings(report, false));
	json_object_set_new(object, "settings_overruled", of_settings(report, true));
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
	if (report->runs > 1) {
		json_object_set_new(object, "least", of_totals(&report->least));
		json_object_set_new(object, "most", of_totals(&report->most));
	}
	for (enum nt_jit_section section = 0; section < NT_JIT_SECTION_COUNT; section++) {
		json_t *array = json_array();
		for (size_t i = 0; i < report->counts[section]; i++)
			json_array_append_new(array, of_line(section, &report->lines[section][i], report->runs > 1));
		json_object_set_new(object, nt_jit_section_key(section), array);
	}
	json_object_set_new(object, "startup", of_start(report));
	json_object_set_new(object, "startup_setting", nt_json_jit_setting(&report->start_setting, report->start_seen));
	json_object_set_new(object, "startup_beyond_count",
			    report->start_seen ? json_integer((json_int_t)report->start_beyond_count) : json_null());
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

/* What nettop 0.1 called the share was one of time by the clock: such a report has no CPU time of compiling. */
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
	totals->jit_cpu_ns.known &= totals->jit_cpu_count.known;
	if (!totals->jit_cpu_ns.known)
		totals->cpu_pct = (struct nt_f64){ 0 };
}

static void read_spread(const json_t *pair, struct nt_jit_spread *out)
{
	json_int_t least = json_integer_value(json_array_get(pair, 0)), most = json_integer_value(json_array_get(pair, 1));
	if (least >= 0 && most >= least)
		*out = (struct nt_jit_spread){ (uint64_t)least, (uint64_t)most };
}

/* False: they are not known. */
static bool read_settings(struct nt_jit_report *report, json_t *object,
			  void (*add)(struct nt_jit_report *report, const char *name, const char *value))
{
	const char *name;
	json_t *value;
	json_object_foreach(object, name, value)
	{
		if (json_is_string(value))
			add(report, name, json_string_value(value));
	}
	return json_is_object(object);
}

static bool read_line(struct nt_jit_report *report, enum nt_jit_section section, const json_t *object)
{
	struct nt_u64 count = number_at(object, "count"), time_ns = number_at(object, "time_ns");
	const char *name = json_string_value(json_object_get(object, "name"));
	if (!name || !count.known || !time_ns.known)
		return false;
	struct nt_jit_line *line = nt_jit_report_add(report, section, name);
	line->sums = (struct nt_jit_sums){ .count = count.v,
					   .time_ns = time_ns.v,
					   .il_bytes = number_at(object, "il_bytes").v,
					   .native_bytes = number_at(object, "native_bytes").v,
					   .cpu_count = number_at(object, "cpu_count").v,
					   .cpu_ns = number_at(object, "cpu_ns").v };
	for (size_t i = 0; i < SPREADS; i++)
		read_spread(json_object_get(object, spreads[i].key), (void *)((char *)line + spreads[i].offset));
	line->cause = text_at(report, object, "cause");
	line->remedy = text_at(report, object, "remedy");
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
	report->runs = number_at(object, "runs").v > 1 ? number_at(object, "runs").v : 1;
	report->cpu_reason = text_at(report, object, "jit_cpu_reason");
	report->settings_known = read_settings(report, json_object_get(object, "settings"), nt_jit_report_add_setting);
	report->file_settings_known = read_settings(report, json_object_get(object, "settings_overruled"), nt_jit_report_add_overruled);
	read_totals(json_object_get(object, "total"), &report->totals);
	report->totals.cpu_is_partial = json_is_true(json_object_get(object, "cpu_ns_partial"));
	read_totals(json_object_get(object, "least"), &report->least);
	read_totals(json_object_get(object, "most"), &report->most);
	for (enum nt_jit_section section = 0; section < NT_JIT_SECTION_COUNT; section++) {
		const json_t *array = json_object_get(object, nt_jit_section_key(section));
		for (size_t i = 0; i < json_array_size(array); i++)
			if (!read_line(report, section, json_array_get(array, i)))
				return false;
	}
	nt_jit_report_sort(report);
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
