// SPDX-License-Identifier: GPL-2.0-only
#include "output/jit_compare.h"

#include "output/jit_json.h"

#include <stdlib.h>

enum { SCHEMA = 1 };

/* null: it is not in that report. */
static json_t *of_side(const struct nt_jit_line *line)
{
	return line ? nt_jit_sums_json(&line->sums) : json_null();
}

static json_t *of_pair(enum nt_jit_section section, const struct nt_jit_pair *pair)
{
	const struct nt_jit_line *line = pair->after ? pair->after : pair->before;
	json_t *object = json_object();
	json_object_set_new(object, "name", nt_json_text(line->name));
	if (section == NT_JIT_METHODS)
		json_object_set_new(object, "module", nt_json_text(line->module));
	json_object_set_new(object, "old", of_side(pair->before));
	json_object_set_new(object, "new", of_side(pair->after));
	json_object_set_new(object, "count_difference", json_integer(nt_jit_pair_count(pair)));
	json_object_set_new(object, "time_ns_difference", json_integer(nt_jit_pair_ns(pair)));
	return object;
}

static json_t *of_difference(enum nt_unit unit, struct nt_cell before, struct nt_cell after)
{
	if (!before.known || !after.known)
		return json_null();
	return unit == NT_UNIT_PCT ? json_real(after.f - before.f) : json_integer((json_int_t)(after.u - before.u));
}

static json_t *of_totals(const struct nt_jit_totals *before, const struct nt_jit_totals *after)
{
	json_t *object = json_object();
	for (size_t i = 0; i < nt_jit_totals_count; i++) {
		const struct nt_jit_total *total = &nt_jit_totals_table[i];
		struct nt_cell x = nt_jit_total_cell(before, total), y = nt_jit_total_cell(after, total);
		json_t *figure = json_object();
		json_object_set_new(figure, "old", nt_json_cell(total->unit, x));
		json_object_set_new(figure, "new", nt_json_cell(total->unit, y));
		json_object_set_new(figure, "difference", of_difference(total->unit, x, y));
		json_object_set_new(object, total->key, figure);
	}
	return object;
}

char *nt_jit_compare_json(const struct nt_jit_report *before, const struct nt_jit_report *after)
{
	json_t *object = json_object();
	json_object_set_new(object, "type", nt_json_text("jit_compare"));
	json_object_set_new(object, "schema", json_integer(SCHEMA));
	json_object_set_new(object, "old", nt_jit_report_head_json(before));
	json_object_set_new(object, "new", nt_jit_report_head_json(after));
	json_object_set_new(object, "total", of_totals(&before->totals, &after->totals));
	for (enum nt_jit_section section = 0; section < NT_JIT_SECTION_COUNT; section++) {
		size_t count;
		struct nt_jit_pair *pairs = nt_jit_pairs(before, after, section, &count);
		json_t *array = json_array();
		for (size_t i = 0; i < count; i++)
			json_array_append_new(array, of_pair(section, &pairs[i]));
		json_object_set_new(object, nt_jit_section_key(section), array);
		free(pairs);
	}
	return nt_jit_json_dump(object);
}
