// SPDX-License-Identifier: GPL-2.0-only
#include "output/jit/jit_compare.h"

#include "output/jit/jit_json.h"

#include <stdlib.h>

enum { SCHEMA = 1 };

/* null: it is not in that report. */
static json_t *of_side(const struct nt_jit_line *line)
{
	return line ? nt_jit_sums_json(&line->sums) : json_null();
}

/* null: nobody knows, of a single run. */
static json_t *of_verdict(enum nt_jit_verdict verdict)
{
	return verdict == NT_JIT_NOT_KNOWN ? json_null() : json_boolean(verdict == NT_JIT_WITHIN_SPREAD);
}

static json_t *of_pair(enum nt_jit_section section, const struct nt_jit_pair *pair, bool by_cpu, bool spread_known)
{
	const struct nt_jit_line *line = pair->after ? pair->after : pair->before;
	json_t *object = json_object();
	json_object_set_new(object, "name", nt_json_text(line->name));
	if (section == NT_JIT_METHODS)
		json_object_set_new(object, "module", nt_json_text(line->module));
	json_object_set_new(object, "old", of_side(pair->before));
	json_object_set_new(object, "new", of_side(pair->after));
	json_object_set_new(object, "count_difference", json_integer(nt_jit_pair_count(pair)));
	json_object_set_new(object, "time_ns_difference", json_integer(nt_jit_pair_ns(pair, false)));
	json_object_set_new(object, "cpu_ns_difference", by_cpu ? json_integer(nt_jit_pair_ns(pair, true)) : json_null());
	json_object_set_new(object, "within_spread", of_verdict(nt_jit_pair_verdict(pair, by_cpu, spread_known)));
	return object;
}

static json_t *of_difference(enum nt_unit unit, struct nt_cell before, struct nt_cell after)
{
	if (!before.known || !after.known)
		return json_null();
	return unit == NT_UNIT_PCT ? json_real(after.f - before.f) : json_integer((json_int_t)(after.u - before.u));
}

static json_t *of_totals(const struct nt_jit_report *before, const struct nt_jit_report *after)
{
	json_t *object = json_object();
	for (size_t i = 0; i < nt_jit_totals_count; i++) {
		const struct nt_jit_total *total = &nt_jit_totals_table[i];
		struct nt_cell x = nt_jit_whole_cell(&before->totals, total), y = nt_jit_whole_cell(&after->totals, total);
		json_t *figure = json_object();
		json_object_set_new(figure, "old", nt_json_cell(total->unit, x));
		json_object_set_new(figure, "new", nt_json_cell(total->unit, y));
		json_object_set_new(figure, "difference", of_difference(total->unit, x, y));
		json_object_set_new(figure, "within_spread", of_verdict(nt_jit_total_verdict(before, after, total)));
		json_object_set_new(object, total->key, figure);
	}
	return object;
}

static json_t *of_section(const struct nt_jit_report *before, const struct nt_jit_report *after, enum nt_jit_section section, bool by_cpu,
			  bool spread_known)
{
	size_t count;
	struct nt_jit_pair *pairs = nt_jit_pairs(before, after, section, by_cpu, &count);
	json_t *array = json_array();
	for (size_t i = 0; i < count; i++)
		json_array_append_new(array, of_pair(section, &pairs[i], by_cpu, spread_known));
	free(pairs);
	return array;
}

char *nt_jit_compare_json(const struct nt_jit_report *before, const struct nt_jit_report *after)
{
	bool by_cpu = nt_jit_compared_by_cpu(before, after), spread_known = nt_jit_spread_is_known(before, after);
	json_t *object = json_object();
	json_object_set_new(object, "type", nt_json_text("jit_compare"));
	json_object_set_new(object, "schema", json_integer(SCHEMA));
	json_object_set_new(object, "old", nt_jit_report_head_json(before));
	json_object_set_new(object, "new", nt_jit_report_head_json(after));
	json_object_set_new(object, "total", of_totals(before, after));
	for (enum nt_jit_section section = 0; section < NT_JIT_SECTION_COUNT; section++)
		json_object_set_new(object, nt_jit_section_key(section),
				    nt_jit_section_is_compared(before, after, section)
					    ? of_section(before, after, section, by_cpu, spread_known)
					    : json_null());
	return nt_jit_json_dump(object);
}
