// SPDX-License-Identifier: GPL-2.0-only
#include "output/jit/jit_report.h"

#include "base/alloc.h"
#include "base/arena.h"
#include "output/columns/cell.h"

#include <stdlib.h>
#include <string.h>

#define AT(member) offsetof(struct nt_jit_totals, member)
const struct nt_jit_total nt_jit_totals_table[] = {
	{ "method_count", "methods compiled", NT_UNIT_INTEGER, AT(method_count), false },
	{ "time_ns", "compile time by the clock, ms", NT_UNIT_NS_AS_MS, AT(time_ns), false },
	{ "jit_cpu_ns", "compile time as CPU time, ms", NT_UNIT_NS_AS_MS, AT(jit_cpu_ns), true },
	{ "jit_cpu_count", NULL, NT_UNIT_INTEGER, AT(jit_cpu_count), false },
	{ "jit_background_cpu_ns", NULL, NT_UNIT_NS_AS_MS, AT(jit_background_cpu_ns), false },
	{ "cpu_ns", "CPU time of the process, ms", NT_UNIT_NS_AS_MS, AT(cpu_ns), false },
	{ "cpu_pct", "share of it for compiling, %", NT_UNIT_PCT, AT(cpu_pct), true },
	{ "il_bytes", "IL compiled", NT_UNIT_BYTES, AT(il_bytes), false },
	{ "native_bytes", "code made", NT_UNIT_BYTES, AT(native_bytes), false },
	{ "dynamic_count", "methods made at run time", NT_UNIT_INTEGER, AT(dynamic_count), false },
	{ "rejected_count", "ReadyToRun code rejected", NT_UNIT_INTEGER, AT(rejected_count), false },
	{ "span_ns", "watched for, ms", NT_UNIT_NS_AS_MS, AT(span_ns), false },
};
#undef AT
const size_t nt_jit_totals_count = sizeof(nt_jit_totals_table) / sizeof(nt_jit_totals_table[0]);

struct nt_cell nt_jit_total_cell(const struct nt_jit_totals *totals, const struct nt_jit_total *total)
{
	const char *at = (const char *)totals + total->offset;
	if (total->unit == NT_UNIT_PCT)
		return nt_cell_of_f64(*(const struct nt_f64 *)at);
	return nt_cell_of_u64(*(const struct nt_u64 *)at);
}

bool nt_jit_totals_are_partial(const struct nt_jit_totals *totals)
{
	return totals->jit_cpu_ns.known && totals->jit_cpu_count.v < totals->method_count.v;
}

bool nt_jit_total_is_partial(const struct nt_jit_totals *totals, const struct nt_jit_total *total)
{
	bool of_process = total->offset == offsetof(struct nt_jit_totals, cpu_ns);
	bool of_background = total->offset == offsetof(struct nt_jit_totals, jit_background_cpu_ns);
	return (total->of_cpu && nt_jit_totals_are_partial(totals)) || (of_process && totals->cpu_is_partial) || of_background;
}

bool nt_jit_report_has_cpu(const struct nt_jit_report *report)
{
	return report->totals.jit_cpu_ns.known && !nt_jit_totals_are_partial(&report->totals);
}

uint64_t nt_jit_line_ns(const struct nt_jit_line *line, bool by_cpu)
{
	return by_cpu ? line->sums.cpu_ns : line->sums.time_ns;
}

static const struct {
	const char *key, *title;
	enum nt_jit_grouping grouping;
	const char *unnamed;
} sections[NT_JIT_SECTION_COUNT] = {
	[NT_JIT_TIERS] = { "tiers", "TIER", NT_JIT_BY_TIER, "(not said)" },
	[NT_JIT_TRIGGERS] = { "triggers", "TRIGGER", NT_JIT_BY_TRIGGER, "(not said)" },
	[NT_JIT_MODULES] = { "modules", "MODULE", NT_JIT_BY_MODULE, "(not known)" },
	[NT_JIT_NAMESPACES] = { "namespaces", "NAMESPACE", NT_JIT_BY_NAMESPACE, "(not said)" },
	[NT_JIT_CAUSES] = { "startup_causes", "AT THE START", NT_JIT_GROUPINGS, NULL },
	[NT_JIT_METHODS] = { "methods", "METHOD", NT_JIT_GROUPINGS, NULL },
};

const char *nt_jit_section_key(enum nt_jit_section section)
{
	return sections[section].key;
}

const char *nt_jit_section_title(enum nt_jit_section section)
{
	return sections[section].title;
}

struct nt_jit_report *nt_jit_report_new(void)
{
	struct nt_jit_report *report = nt_alloc(sizeof(*report));
	*report = (struct nt_jit_report){ .runs = 1, .arena = nt_arena_new() };
	return report;
}

void nt_jit_report_free(struct nt_jit_report *report)
{
	if (!report)
		return;
	for (int i = 0; i < NT_JIT_SECTION_COUNT; i++)
		free(report->lines[i]);
	free(report->start);
	free(report->settings);
	nt_arena_free(report->arena);
	free(report);
}

const char *nt_jit_report_text(struct nt_jit_report *report, const char *text)
{
	return text ? nt_arena_text(report->arena, text, strlen(text)) : NULL;
}

struct nt_jit_line *nt_jit_report_add(struct nt_jit_report *report, enum nt_jit_section section, const char *name)
{
	size_t index = report->counts[section]++;
	report->lines[section] = nt_grow(report->lines[section], &report->capacities[section], index + 1, sizeof(struct nt_jit_line));
	report->lines[section][index] = (struct nt_jit_line){ .name = nt_jit_report_text(report, name) };
	return &report->lines[section][index];
}

/* What is in force comes first. */
static int compare_settings(const void *a, const void *b)
{
	const struct nt_jit_setting *x = a, *y = b;
	return x->overruled != y->overruled ? x->overruled - y->overruled : strcmp(x->name, y->name);
}

bool nt_jit_setting_is_of_file(const struct nt_jit_setting *setting)
{
	return strncmp(setting->name, "System.", strlen("System.")) == 0;
}

void nt_jit_report_add_setting(struct nt_jit_report *report, const char *name, const char *value)
{
	report->settings = nt_grow(report->settings, &report->setting_capacity, report->setting_count + 1, sizeof(*report->settings));
	report->settings[report->setting_count++] =
		(struct nt_jit_setting){ nt_jit_report_text(report, name), nt_jit_report_text(report, value), false };
}

void nt_jit_report_add_overruled(struct nt_jit_report *report, const char *name, const char *value)
{
	nt_jit_report_add_setting(report, name, value);
	report->settings[report->setting_count - 1].overruled = true;
}

static int compare_lines(const void *a, const void *b, void *context)
{
	const struct nt_jit_line *x = a, *y = b;
	bool by_cpu = *(const bool *)context;
	uint64_t x_ns = nt_jit_line_ns(x, by_cpu), y_ns = nt_jit_line_ns(y, by_cpu);
	if (x_ns != y_ns)
		return x_ns > y_ns ? -1 : 1;
	return strcmp(x->name, y->name);
}

void nt_jit_report_sort(struct nt_jit_report *report)
{
	bool by_cpu = nt_jit_report_has_cpu(report);
	for (int i = 0; i < NT_JIT_SECTION_COUNT; i++)
		if (report->counts[i])
			qsort_r(report->lines[i], report->counts[i], sizeof(struct nt_jit_line), compare_lines, &by_cpu);
	if (report->setting_count)
		qsort(report->settings, report->setting_count, sizeof(*report->settings), compare_settings);
}

/* ---- of a snapshot ---- */

static void add_groups(struct nt_jit_report *report, enum nt_jit_section section, const struct nt_process_snapshot *process)
{
	enum nt_jit_grouping grouping = sections[section].grouping;
	for (size_t i = 0; i < process->jit_group_count[grouping]; i++) {
		const struct nt_jit_group_row *row = &process->jit_groups[grouping][i];
		nt_jit_report_add(report, section, row->name ? row->name : sections[section].unnamed)->sums = row->all;
	}
}

/* Equal texts beside each other are the rule: modules, tiers and triggers are kept once. */
static const char *same_text(struct nt_jit_report *report, const char *before, const char *text)
{
	return before && text && strcmp(before, text) == 0 ? before : nt_jit_report_text(report, text);
}

static void add_methods(struct nt_jit_report *report, const struct nt_process_snapshot *process)
{
	const struct nt_jit_line none = { 0 };
	for (size_t i = 0; i < process->jit_method_count; i++) {
		const struct nt_jit_row *row = &process->jit_methods[i];
		struct nt_jit_line *line = nt_jit_report_add(report, NT_JIT_METHODS, row->name);
		const struct nt_jit_line *before = i ? line - 1 : &none;
		line->sums = (struct nt_jit_sums){ row->count_all,    row->time_all_ns,   row->il_bytes,
						   row->native_bytes, row->cpu_count_all, row->cpu_all_ns };
		line->module = same_text(report, before->module, row->module);
		line->tier = same_text(report, before->tier, nt_tier_name(row->tier));
		line->trigger = same_text(report, before->trigger, nt_jit_trigger_name(row->trigger));
		line->max_ns = row->max_ns;
		line->rejected_count = row->rejected_all;
	}
}

void nt_jit_report_add_started(struct nt_jit_report *report, const struct nt_jit_startup_row *row)
{
	report->start = nt_grow(report->start, &report->start_capacity, report->start_count + 1, sizeof(*report->start));
	struct nt_jit_start_line *line = &report->start[report->start_count];
	const char *module = report->start_count++ ? line[-1].module : NULL;
	*line = (struct nt_jit_start_line){ .name = nt_jit_report_text(report, row->name),
					    .module = same_text(report, module, row->module),
					    .cause = nt_jit_cause_name(row->cause),
					    .tier = nt_tier_name(row->tier),
					    .at_ns = row->at_ns,
					    .time_ns = row->time_ns,
					    .self_ns = row->self_ns,
					    .cpu_ns = row->cpu_ns };
}

/* A line is called by cause and module, by which a later run is compared. */
static void add_start(struct nt_jit_report *report, const struct nt_jit_startup_rows *rows)
{
	enum { NAME = 512 };
	char name[NAME];
	report->start_seen = rows->seen;
	report->start_beyond_count = rows->beyond_count;
	report->start_setting = rows->setting;
	for (size_t i = 0; i < rows->cause_count; i++) {
		const struct nt_jit_cause_row *row = &rows->causes[i];
		const char *cause = nt_jit_cause_name(row->cause);
		snprintf(name, sizeof(name), "%s%s%s", cause ? cause : "(not known)", row->module ? ": " : "",
			 row->module ? row->module : "");
		struct nt_jit_line *line = nt_jit_report_add(report, NT_JIT_CAUSES, name);
		line->sums = (struct nt_jit_sums){
			.count = row->count, .time_ns = row->self_ns, .cpu_count = row->cpu_count, .cpu_ns = row->cpu_ns
		};
		line->cause = cause;
		line->remedy = row->remedy;
		line->module = nt_jit_report_text(report, row->module);
	}
	for (size_t i = 0; i < rows->count; i++)
		nt_jit_report_add_started(report, &rows->items[i]);
}

/* Its CPU time was last read some time before its end. */
static struct nt_u64 cpu_of(const struct nt_process_snapshot *process, bool from_start)
{
	struct nt_u64 cpu_ns = from_start ? process->target.cpu_ns : process->total.cpu.time_ns;
	if (process->total.jit.rest_ns.known)
		cpu_ns.v += process->total.jit.rest_ns.v;
	return cpu_ns;
}

static struct nt_jit_totals totals_of(const struct nt_process_snapshot *process, bool from_start)
{
	const struct nt_jit_figures *jit = &process->total.jit;
	struct nt_jit_totals totals = {
		.method_count = jit->method_count,
		.time_ns = jit->time_ns,
		.jit_cpu_ns = jit->cpu_ns,
		.jit_cpu_count = jit->cpu_count,
		.jit_background_cpu_ns = jit->background_cpu_ns,
		.il_bytes = jit->il_bytes,
		.native_bytes = jit->native_bytes,
		.dynamic_count = jit->dynamic_count,
		.rejected_count = jit->rejected_count,
		.cpu_ns = cpu_of(process, from_start),
		.cpu_is_partial = process->target.ended && !jit->rest_ns.known,
		.span_ns = nt_u64_of(process->total.lived_ns),
	};
	if (totals.jit_cpu_ns.known && totals.cpu_ns.known && totals.cpu_ns.v && !totals.cpu_is_partial)
		totals.cpu_pct = nt_f64_of(100.0 * (double)totals.jit_cpu_ns.v / (double)totals.cpu_ns.v);
	return totals;
}

static const char *end_of(const struct nt_target_info *target)
{
	if (!target->ended)
		return NULL;
	return target->end_text ? target->end_text : "nobody tells how";
}

static bool is_cut(const char *end)
{
	return end && strcmp(end, "exit status 0") != 0;
}

bool nt_jit_report_is_cut(const struct nt_jit_report *report)
{
	return is_cut(report->end);
}

/* Where there is no report. */
static enum nt_status say_why_none(const struct nt_jit_figures *jit, const char *end, struct nt_error *err)
{
	const char *reason = jit->why.reason ? jit->why.reason : "nothing was delivered";
	if (is_cut(end))
		return nt_error_set(err, NT_ERR_GONE, "the process ended (%s) before any compilation was seen: %s", end, reason);
	nt_error_set(err, NT_ERR_FORBIDDEN, "no compilations were seen: %s", reason);
	nt_error_set_fix(err, jit->why.fix ? jit->why.fix : "");
	return NT_ERR_FORBIDDEN;
}

/* The kernel tells when threads have a CPU, by perf. */
static const char *why_no_cpu(const struct nt_snapshot *snapshot)
{
	for (size_t i = 0; i < snapshot->source_count; i++)
		if (snapshot->sources[i].id == NT_SOURCE_PERF)
			return snapshot->sources[i].reason;
	return NULL;
}

enum nt_status nt_jit_report_of(const struct nt_snapshot *snapshot, bool from_start, struct nt_jit_report **out, struct nt_error *err)
{
	const struct nt_process_snapshot *process = &snapshot->processes[0];
	const struct nt_jit_figures *jit = &process->total.jit;
	const char *end = end_of(&process->target);
	if (!jit->method_count.known)
		return say_why_none(jit, end, err);
	struct nt_jit_report *report = nt_jit_report_new();
	report->program = nt_jit_report_text(report, process->target.name);
	report->runtime = nt_jit_report_text(report, process->target.runtime);
	report->pid = process->target.pid;
	report->from_start = from_start;
	report->complete = snapshot->complete && !snapshot->lost_count && !snapshot->lost_unknown;
	report->end = nt_jit_report_text(report, end);
	report->totals = totals_of(process, from_start);
	if (!nt_jit_report_has_cpu(report))
		report->cpu_reason = nt_jit_report_text(report, why_no_cpu(snapshot));
	for (enum nt_jit_section section = 0; section < NT_JIT_CAUSES; section++)
		add_groups(report, section, process);
	add_start(report, &process->jit_startup);
	add_methods(report, process);
	nt_jit_report_sort(report);
	*out = report;
	return NT_OK;
}
