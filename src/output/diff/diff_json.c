// SPDX-License-Identifier: GPL-2.0-only
#include "output/diff/diff_write.h"

#include "nettop/difference_text.h"
#include "output/frame/json.h"
#include "output/frame/json_value.h"

/* Members are called as in lines of intervals, and have the same figures. */
static json_t *of_figures(const struct nt_snapshot *span)
{
	json_t *figures = json_object();
	nt_json_add_figures(figures, &span->processes[0].interval);
	return figures;
}

static json_t *of_side(const struct nt_diff_side *side, const struct nt_difference_side *said)
{
	json_t *object = json_object();
	json_object_set_new(object, "file", nt_json_text(side->path));
	json_object_set_new(object, "name", nt_json_text(side->span->processes[0].target.name));
	json_object_set_new(object, "pid", json_integer(side->span->processes[0].target.pid));
	json_object_set_new(object, "t0_ns", json_integer((json_int_t)said->t0));
	json_object_set_new(object, "t1_ns", json_integer((json_int_t)said->t1));
	json_object_set_new(object, "begin_unix_ns", json_integer((json_int_t)said->t0 + side->realtime_offset_ns));
	json_object_set_new(object, "told_ns", json_integer((json_int_t)said->told_ns));
	json_object_set_new(object, "samples", json_integer((json_int_t)said->samples));
	json_object_set_new(object, "cut", json_boolean(side->crowded));
	json_object_set_new(object, "figures", of_figures(side->span));
	return object;
}

void nt_diff_write_json(FILE *out, const struct nt_diff *diff)
{
	const struct nt_process_snapshot *process = &diff->after.span->processes[0];
	const struct nt_difference *difference = &process->difference;
	const struct nt_column_context context = { .snapshot = diff->after.span, .process = process, .is_span = true };
	char text[NT_DIFFERENCE_TEXT];
	json_t *object = json_object();
	json_object_set_new(object, "type", nt_json_text("difference"));
	json_object_set_new(object, "before", of_side(&diff->before, &difference->before));
	json_object_set_new(object, "after", of_side(&diff->after, &difference->after));
	json_object_set_new(object, "load", difference->load > 0 ? json_real(difference->load) : json_null());
	json_object_set_new(object, "compared", nt_json_text(nt_difference_compared_text(difference, text)));
	json_object_set_new(object, "cpu_time", nt_json_text_if_any(nt_difference_needs_text(difference, text)));
	json_object_set_new(object, "differences", nt_json_table(&nt_table_differences, &context, SIZE_MAX));
	json_object_set_new(object, "left_out", json_integer((json_int_t)diff->left_out));
	json_dumpf(object, out, JSON_COMPACT);
	fputc('\n', out);
	json_decref(object);
}
