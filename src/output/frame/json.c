// SPDX-License-Identifier: GPL-2.0-only
#include "output/frame/json.h"

#include "base/alloc.h"
#include "base/text.h"
#include "nettop/alloc_figures.h"
#include "nettop/column.h"
#include "nettop/process_row.h"
#include "nettop/naming_sums.h"
#include "nettop/subject.h"
#include "output/columns/cell.h"
#include "output/frame/json_gc.h"
#include "output/frame/json_jit.h"
#include "output/frame/json_value.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SCHEMA = 1 };

static json_t *member_object(json_t *parent, const char *key)
{
	json_t *object = json_object_get(parent, key);
	if (!object) {
		object = json_object();
		json_object_set_new(parent, key, object);
	}
	return object;
}

static json_t *of_figure(const struct nt_figures *figures, const struct nt_figure *figure)
{
	const char *at = (const char *)figures + figure->offset;
	switch (figure->type) {
	case NT_FIGURE_U64:
		return nt_json_u64(*(const struct nt_u64 *)at);
	case NT_FIGURE_F64:
		return nt_json_f64(*(const struct nt_f64 *)at);
	case NT_FIGURE_TEXT:
		return nt_json_text(*(const char *const *)at);
	}
	return json_null();
}

/* Beside what says what time is covered: whether counts leave out a part of the span. */
static void add_partial(json_t *section, const struct nt_figures *figures, const struct nt_figure *figure)
{
	static const char covered[] = "covered_ns";
	char key[64];
	size_t length = strlen(figure->key), end = sizeof(covered) - 1;
	if (length < end || strcmp(figure->key + length - end, covered) != 0)
		return;
	snprintf(key, sizeof(key), "%.*spartial", (int)(length - end), figure->key);
	const struct nt_u64 *covered_ns = (const struct nt_u64 *)((const char *)figures + figure->offset);
	json_object_set_new(section, key, covered_ns->known ? json_boolean(nt_is_partial(*covered_ns, figures->lived_ns)) : json_null());
}

/* `gc.alloc_`: the members gc.alloc_reason and gc.alloc_fix. */
static void add_why(json_t *line, const char *whys, const struct nt_why *why)
{
	char section[64], key[64];
	const char *dot = strchr(whys, '.');
	snprintf(section, sizeof(section), "%.*s", (int)(dot - whys), whys);
	json_t *object = member_object(line, section);
	snprintf(key, sizeof(key), "%sreason", dot + 1);
	json_object_set_new(object, key, nt_json_text(why->reason));
	snprintf(key, sizeof(key), "%sfix", dot + 1);
	json_object_set_new(object, key, nt_json_text(why->fix));
}

void nt_json_add_figures(json_t *line, const struct nt_figures *figures)
{
	for (size_t s = 0; s < NT_SUBJECT_COUNT; s++) {
		const struct nt_subject *subject = nt_subjects[s];
		for (size_t i = 0; i < subject->figure_count; i++) {
			const struct nt_figure *figure = &subject->figures[i];
			json_t *section = member_object(line, figure->section);
			json_object_set_new(section, figure->key, of_figure(figures, figure));
			add_partial(section, figures, figure);
		}
		if (subject->whys)
			add_why(line, subject->whys, (const struct nt_why *)((const char *)figures + subject->why));
	}
	json_object_set_new(member_object(line, "gc"), "alloc_estimated",
			    figures->gc.alloc_bytes.known ? json_boolean(figures->gc.alloc_estimated) : json_null());
}

static json_t *of_row(const struct nt_table *table, const struct nt_column_context *context, const void *row)
{
	json_t *object = json_object();
	for (size_t i = 0; i < table->column_count; i++) {
		const struct nt_column *column = &table->columns[i];
		/* Bars and trends are pictures of other columns. */
		if (column->unit != NT_UNIT_BAR && column->unit != NT_UNIT_TREND)
			json_object_set_new(object, column->key, nt_json_cell(column->unit, column->read(row, context)));
	}
	return object;
}

json_t *nt_json_table(const struct nt_table *table, const struct nt_column_context *context, size_t limit)
{
	size_t count;
	const void **rows = nt_table_top(table, context, &count);
	json_t *array = json_array();
	for (size_t i = 0; i < count && i < limit; i++)
		json_array_append_new(array, of_row(table, context, rows[i]));
	free(rows);
	return array;
}

static void add_lists(json_t *line, const struct nt_column_context *context, size_t top)
{
	for (size_t s = 0; s < NT_SUBJECT_COUNT; s++)
		for (const struct nt_subject_list *list = nt_subjects[s]->lists; list && list->key; list++) {
			bool cut = context->snapshot->final ? list->top_in_summary : list->top;
			json_object_set_new(list->section ? member_object(line, list->section) : line, list->key,
					    nt_json_table(nt_table_called(list->table), context, cut ? top : SIZE_MAX));
		}
}

static json_t *of_lines(const char *text)
{
	if (!text)
		return json_null();
	json_t *array = json_array();
	size_t length;
	for (const char *line; nt_text_next_line(&text, &line, &length);) {
		char *one = nt_format("%.*s", (int)length, line);
		json_array_append_new(array, nt_json_text(one));
		free(one);
	}
	return array;
}

/* Of an abort that nobody could look at it is not known. */
static json_t *failed_fast(const struct nt_target_end *end)
{
	bool by_another_end = end->exit_code.known || (end->signal.known && end->signal.v != SIGABRT);
	bool known = end->failed_fast || nt_end_is_told(end) || by_another_end;
	return known ? json_boolean(end->failed_fast) : json_null();
}

/* Of what it died: the exception that nobody caught, in the runtime's words, the message of Environment.FailFast, or a stack that was full. */
static json_t *of_end(const struct nt_target_end *end)
{
	json_t *object = json_object();
	json_object_set_new(object, "exit_code", nt_json_u64(end->exit_code));
	json_object_set_new(object, "signal", nt_json_u64(end->signal));
	json_object_set_new(object, "failed_fast", failed_fast(end));
	json_object_set_new(object, "stack_overflow", nt_json_text(end->overflow));
	json_object_set_new(object, "frame_count", nt_json_u64(end->frames));
	json_object_set_new(object, "exception", nt_json_text(end->exception));
	json_object_set_new(object, "message", nt_json_text(end->message));
	json_object_set_new(object, "stack", of_lines(end->stack));
	json_object_set_new(object, "reason", nt_json_text(end->reason));
	return object;
}

static json_t *of_target(const struct nt_target_info *target)
{
	json_t *object = json_object();
	json_object_set_new(object, "pid", json_integer(target->pid));
	json_object_set_new(object, "name", nt_json_text(target->name));
	json_object_set_new(object, "runtime", nt_json_text(target->runtime));
	json_object_set_new(object, "kind", nt_json_text(target->kind == NT_DEPLOYED_UNKNOWN ? NULL : nt_deployment_name(target->kind)));
	json_object_set_new(object, "mode", nt_json_text(nt_target_mode_name(target->mode)));
	json_object_set_new(object, "uptime_ns", nt_json_u64(target->uptime_ns));
	json_object_set_new(object, "cpu_count", nt_json_u64(target->cpu_count));
	json_object_set_new(object, "server_gc", target->server_gc.known ? json_boolean(target->server_gc.v != 0) : json_null());
	json_object_set_new(object, "state", nt_json_text(target->ended ? "ended" : "live"));
	json_object_set_new(object, "end", nt_json_text(target->end_text));
	json_object_set_new(object, "cause", target->ended ? of_end(&target->end) : json_null());
	return object;
}

static json_t *of_evidence(const struct nt_finding *finding)
{
	json_t *array = json_array();
	for (size_t i = 0; i < finding->evidence_count; i++) {
		const struct nt_finding_evidence *evidence = &finding->evidence[i];
		json_t *object = json_object();
		json_object_set_new(object, "quantity", nt_json_text(evidence->quantity));
		json_object_set_new(object, "value", nt_json_f64(nt_f64_of(evidence->value)));
		json_object_set_new(object, "at_least", nt_json_f64(nt_f64_of(evidence->at_least)));
		json_object_set_new(object, "unit", nt_json_text(evidence->unit));
		json_array_append_new(array, object);
	}
	return array;
}

static json_t *of_finding(const struct nt_finding *finding)
{
	const char screen[] = { finding->screen, '\0' };
	json_t *object = json_object();
	json_object_set_new(object, "kind", nt_json_text(nt_finding_kind_name(finding->kind)));
	json_object_set_new(object, "screen", nt_json_text(screen));
	json_object_set_new(object, "value", nt_json_f64(nt_f64_of(finding->value)));
	json_object_set_new(object, "threshold", nt_json_f64(nt_f64_of(finding->threshold)));
	json_object_set_new(object, "unit", nt_json_text(finding->unit));
	json_object_set_new(object, "evidence", of_evidence(finding));
	json_object_set_new(object, "confidence", nt_json_text(nt_confidence_name(finding->confidence)));
	json_object_set_new(object, "since_ns", json_integer((json_int_t)finding->since));
	json_object_set_new(object, "lapsed_ns", json_integer((json_int_t)finding->lapsed_ns));
	json_object_set_new(object, "until_ns", finding->until != NT_TIME_UNKNOWN ? json_integer((json_int_t)finding->until) : json_null());
	json_object_set_new(object, "tid", finding->tid ? json_integer(finding->tid) : json_null());
	json_object_set_new(object, "text", nt_json_text(finding->text));
	return object;
}

static json_t *of_texts(const char *const *texts, size_t count)
{
	json_t *array = json_array();
	for (size_t i = 0; i < count; i++)
		json_array_append_new(array, nt_json_text(texts[i]));
	return array;
}

static json_t *of_findings(const struct nt_process_snapshot *process)
{
	json_t *array = json_array();
	for (size_t i = 0; i < process->finding_count; i++)
		json_array_append_new(array, of_finding(&process->findings[i]));
	return array;
}

/* Samples by how their code got its name. */
static json_t *of_naming(const struct nt_process_snapshot *process, enum nt_window window)
{
	struct nt_naming_sums sums;
	enum nt_naming order[NT_NAMING_COUNT];
	nt_naming_sum(process, window, &sums);
	json_t *object = json_object(), *reasons = json_object();
	json_object_set_new(object, "named", json_integer((json_int_t)sums.of_class[NT_NAMING_CLASS_NAMED]));
	json_object_set_new(object, "stub", json_integer((json_int_t)sums.of_class[NT_NAMING_CLASS_STUB]));
	json_object_set_new(object, "bounded", json_integer((json_int_t)sums.of_class[NT_NAMING_CLASS_BOUNDED]));
	json_object_set_new(object, "unnamed", json_integer((json_int_t)sums.of_class[NT_NAMING_CLASS_REASON]));
	size_t count = nt_naming_order(&sums, order);
	for (size_t i = 0; i < count; i++)
		json_object_set_new(reasons, nt_naming_entry(order[i])->key, json_integer((json_int_t)sums.of_naming[order[i]]));
	json_object_set_new(object, "reasons", reasons);
	return object;
}

static json_t *of_rundown(const struct nt_rundown *rundown)
{
	if (!rundown->count)
		return json_null();
	json_t *object = json_object();
	json_object_set_new(object, "count", json_integer((json_int_t)rundown->count));
	json_object_set_new(object, "methods", json_integer((json_int_t)rundown->method_count));
	json_object_set_new(object, "left_out", json_integer((json_int_t)rundown->left_out));
	json_object_set_new(object, "stream_bytes", json_integer((json_int_t)rundown->stream_bytes));
	json_object_set_new(object, "took_ns", json_integer((json_int_t)rundown->took_ns));
	json_object_set_new(object, "reason", nt_json_text(rundown->reason));
	return object;
}

static json_t *of_pause_part(const struct nt_pause_part *part)
{
	json_t *array = json_array();
	for (size_t i = 0; i < part->hot_count; i++) {
		json_t *object = json_object();
		json_object_set_new(object, "method", nt_json_text(part->hot[i].name));
		json_object_set_new(object, "pct", json_real(part->hot[i].pct));
		json_array_append_new(array, object);
	}
	return array;
}

/* Of the last ten intervals, so there is none of the whole time. */
static json_t *of_pause_methods(const struct nt_snapshot *snapshot, const struct nt_pause_samples *samples)
{
	if (snapshot->final || !samples->told)
		return json_null();
	json_t *object = json_object();
	json_object_set_new(object, "in", of_pause_part(&samples->parts[NT_IN_PAUSES]));
	json_object_set_new(object, "outside", of_pause_part(&samples->parts[NT_OUTSIDE_PAUSES]));
	return object;
}

static json_t *of_self(const struct nt_snapshot *snapshot)
{
	json_t *object = json_object();
	json_object_set_new(object, "cpu_pct", nt_json_f64(snapshot->final ? snapshot->self_total_pct : snapshot->self_pct));
	json_object_set_new(object, "daemons_cpu_pct", nt_json_f64(snapshot->final ? snapshot->daemons_total_pct : snapshot->daemons_pct));
	json_object_set_new(object, "rss_bytes", nt_json_u64(snapshot->self_rss_bytes));
	/* An estimate, of the target's CPU time. */
	json_object_set_new(object, "target_cost_pct",
			    nt_json_f64(snapshot->final ? snapshot->target_cost_total_pct : snapshot->target_cost_pct));
	return object;
}

static json_t *of_snapshot(const struct nt_snapshot *snapshot, const struct nt_json_options *options)
{
	const struct nt_process_snapshot *process = &snapshot->processes[0];
	const struct nt_column_context context = { .snapshot = snapshot,
						   .process = process,
						   .sorts = options->sorts,
						   .window = snapshot->final ? NT_WINDOW_ATTACH : NT_WINDOW_INTERVAL };
	nt_time t0 = snapshot->final ? snapshot->start : snapshot->t0;
	json_t *line = json_object();
	json_object_set_new(line, "type", nt_json_text(snapshot->final ? "summary" : "interval"));
	json_object_set_new(line, "schema", json_integer(SCHEMA));
	json_object_set_new(line, "t0_ns", json_integer((json_int_t)t0));
	json_object_set_new(line, "t1_ns", json_integer((json_int_t)snapshot->t1));
	json_object_set_new(line, "interval_ns", json_integer((json_int_t)(snapshot->t1 - t0)));
	if (snapshot->final)
		json_object_set_new(line, "complete", json_boolean(snapshot->complete));
	if (snapshot->final && options->replay_equal >= 0)
		json_object_set_new(line, "replay_equal", json_boolean(options->replay_equal));
	json_object_set_new(line, "target", of_target(&process->target));
	nt_json_add_figures(line, snapshot->final ? &process->total : &process->interval);
	add_lists(line, &context, options->top);
	nt_json_add_gc_settings(member_object(line, "gc"), process);
	json_object_set_new(member_object(line, "jit"), "startup_setting",
			    nt_json_jit_setting(&process->jit_startup.setting, process->jit_startup.seen));
	json_object_set_new(line, "allocations_sampled", json_boolean(process->alloc_sampling.on));
	json_object_set_new(line, "allocations_by_ticks", json_boolean(process->alloc_sampling.by_ticks));
	nt_time sampled_ns = nt_alloc_covered_ns(&process->alloc_sampling, context.window);
	json_object_set_new(line, "allocations_covered_ns", json_integer((json_int_t)sampled_ns));
	json_object_set_new(line, "allocations_partial",
			    json_boolean(nt_is_partial(nt_u64_of(sampled_ns), nt_cell_figures(&context)->lived_ns)));
	json_object_set_new(line, "counters_hidden", json_integer((json_int_t)process->counters_hidden));
	json_object_set_new(line, "counters_hidden_at_least", json_boolean(process->counters_hidden_at_least));
	if (!snapshot->final) {
		size_t all = process->methods_hidden;
		for (size_t i = 0; i < process->method_count; i++)
			all += nt_table_methods.row_in_interval(&process->methods[i], &context);
		size_t shown = json_array_size(json_object_get(line, "methods"));
		json_object_set_new(line, "methods_hidden", json_integer((json_int_t)(all > shown ? all - shown : 0)));
	}
	json_object_set_new(line, "naming", of_naming(process, context.window));
	json_object_set_new(line, "rundown", of_rundown(&process->rundown));
	json_object_set_new(line, "samples", nt_json_text(nt_sample_kind_name(process->sample_kind)));
	json_object_set_new(line, "chains_complete_pct",
			    nt_json_f64(snapshot->final ? process->all_complete_pct : process->window_complete_pct));
	json_object_set_new(line, "chains_cut_pct", nt_json_f64(snapshot->final ? process->all_cut_pct : process->window_cut_pct));
	json_object_set_new(line, "pause_methods", of_pause_methods(snapshot, &process->pause_samples));
	json_object_set_new(line, "findings", of_findings(process));
	json_object_set_new(line, "checked", of_texts(process->checked, process->checked_count));
	json_object_set_new(line, "unchecked", of_texts(process->unchecked, process->unchecked_count));
	json_object_set_new(line, "sources", nt_json_table(&nt_table_sources, &context, SIZE_MAX));
	json_object_set_new(line, "self", of_self(snapshot));
	json_object_set_new(line, "lost_count", json_integer((json_int_t)snapshot->lost_count));
	json_object_set_new(line, "lost_unknown", json_boolean(snapshot->lost_unknown));
	return line;
}

char *nt_json_line(const struct nt_snapshot *snapshot, const struct nt_json_options *options)
{
	if (!snapshot->process_count)
		return NULL;
	json_t *line = of_snapshot(snapshot, options);
	char *text = json_dumps(line, JSON_COMPACT | JSON_REAL_PRECISION(9));
	json_decref(line);
	return text;
}

char *nt_json_process_row(const struct nt_snapshot *snapshot, const struct nt_process_row *row)
{
	const struct nt_column_context context = { .snapshot = snapshot,
						   .process = row->process,
						   .window = snapshot->final ? NT_WINDOW_ATTACH : NT_WINDOW_INTERVAL };
	json_t *line = of_row(row->host ? &nt_table_relayed : &nt_table_watched, &context, row);
	json_object_set_new(line, "type", nt_json_text(snapshot->final ? "process_summary" : "process"));
	json_object_set_new(line, "schema", json_integer(SCHEMA));
	json_object_set_new(line, "sequence", json_integer((json_int_t)snapshot->sequence));
	json_object_set_new(line, "t0_ns", json_integer((json_int_t)(snapshot->final ? snapshot->start : snapshot->t0)));
	json_object_set_new(line, "t1_ns", json_integer((json_int_t)snapshot->t1));
	if (snapshot->final)
		json_object_set_new(line, "complete", json_boolean(snapshot->complete));
	if (row->process) {
		nt_json_add_figures(line, snapshot->final ? &row->process->total : &row->process->interval);
		json_object_set_new(line, "findings", of_findings(row->process));
		json_object_set_new(line, "checked", of_texts(row->process->checked, row->process->checked_count));
		json_object_set_new(line, "unchecked", of_texts(row->process->unchecked, row->process->unchecked_count));
	}
	json_object_set_new(line, "self", of_self(snapshot));
	char *text = json_dumps(line, JSON_COMPACT | JSON_REAL_PRECISION(9));
	json_decref(line);
	return text;
}

char *nt_json_process_list(const struct nt_snapshot *snapshot)
{
	const struct nt_column_context context = { .snapshot = snapshot, .window = NT_WINDOW_INTERVAL };
	json_t *object = json_object();
	json_object_set_new(object, "type", nt_json_text("ps"));
	json_object_set_new(object, "schema", json_integer(SCHEMA));
	json_object_set_new(object, "processes", nt_json_table(&nt_table_processes, &context, SIZE_MAX));
	char *text = json_dumps(object, JSON_COMPACT | JSON_REAL_PRECISION(9));
	json_decref(object);
	return text;
}
