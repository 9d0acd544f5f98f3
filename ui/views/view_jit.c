// SPDX-License-Identifier: GPL-2.0-only
/* Screen 3: what the JIT compiles now, what it did lately, and the methods it compiled. */
#include "ui/views/view_jit.h"
#include "ui/views/view_cells.h"
#include "ui/views/view_snapshot.h"

#include "nettop/source.h"

#include <inttypes.h>
#include <string.h>

enum { NUMBER = 32, LABEL = 7, LEAST_NAME = 12, WIDE = 100, LINE_WIDTH = 120 };

static const struct nt_jit_row *of(const void *row)
{
	return row;
}

static unsigned flags(const void *row)
{
	return nt_row_flags(of(row)->marked, false, of(row)->fresh);
}

/* After a zero: not compiled since. */
static bool hidden(const void *row, unsigned hide)
{
	(void)hide;
	return !of(row)->count_all;
}

static bool cell(const struct nt_column *column, const void *row, const struct nt_column_context *context, int room, char *out, size_t size)
{
	(void)context;
	if (strcmp(column->key, "name") == 0)
		return nt_view_method_cell(of(row)->name, room, out, size);
	if (strcmp(column->key, "module") == 0)
		return nt_view_module_cell(of(row)->module, room, out, size);
	return false;
}

static bool part(const void *row, enum nt_part part, struct nt_restriction *out)
{
	*out = (struct nt_restriction){ .part = part };
	nt_restriction_name(out, of(row)->module);
	return part == NT_PART_MODULE && of(row)->module;
}

/* ---- the line about now ---- */

/*
 * Compilations are timed by the clock, also while others have the CPU: no more of that can have been CPU time than the process had altogether. Unknown where
 * nobody knows that.
 */
static struct nt_f64 most_cpu_pct(const struct nt_figures *figures, double clock_pct)
{
	struct nt_f64 usage = figures->cpu.usage_pct;
	if (usage.known && clock_pct < usage.v)
		usage.v = clock_pct;
	return usage;
}

static void load_text(const struct nt_figures *figures, bool wide, struct nt_line *out)
{
	char number[NUMBER];
	if (figures->jit.backlog_count.known)
		nt_line_add(out, "backlog %s", nt_format_whole(figures->jit.backlog_count.v, number, sizeof(number)));
	if (!figures->jit.time_ns.known || !figures->jit.covered_ns.v)
		return;
	double share = (double)figures->jit.time_ns.v / (double)figures->jit.covered_ns.v;
	struct nt_f64 most = most_cpu_pct(figures, 100 * share);
	nt_line_add(out, "%s%.0fms/s", out->used ? "  " : "", 1000 * share);
	if (wide && most.known)
		nt_line_add(out, "  at most %.0f%% of one CPU", most.v);
}

/* The compilation that has gone on longest, and how many others do. */
static void current_text(const struct nt_column_context *context, int room, struct nt_line *out)
{
	const struct nt_process_snapshot *process = context->process;
	char duration[NUMBER], name[NT_LINE_BYTES];
	struct nt_line others = { 0 };
	if (!process->jit_now_count) {
		nt_line_add(out, "nothing");
		return;
	}
	const struct nt_jit_now *now = &process->jit_now[0];
	if (process->jit_now_count > 1)
		nt_line_add(&others, "  +%zu more", process->jit_now_count - 1);
	nt_line_add(out, "%s %s t%" PRIu32 " ", nt_format_duration(context->snapshot->t1 - now->since, duration, sizeof(duration)),
		    nt_jit_trigger_name(now->trigger), now->tid);
	int left = room - nt_text_cells(out->text) - nt_text_cells(others.text);
	if (now->name && left >= LEAST_NAME && nt_view_method_cell(now->name, left, name, sizeof(name)))
		nt_line_add(out, "%s", name);
	nt_line_add(out, "%s", others.text);
}

static void now_line(const struct nt_column_context *context, struct nt_grid *grid, int y)
{
	const struct nt_figures *figures = &context->process->interval;
	enum nt_style style = nt_view_out_of_range(context->process, NT_SUBJECT_JIT) ? NT_STYLE_MARK : NT_STYLE_PLAIN;
	struct nt_line current = { 0 }, load = { 0 };
	load_text(figures, grid->width >= WIDE, &load);
	int width = grid->width < LINE_WIDTH ? grid->width : LINE_WIDTH, room = width - LABEL - nt_text_cells(load.text) - 3;
	current_text(context, room, &current);
	nt_grid_put(grid, 0, y, 1, style, style == NT_STYLE_MARK ? "!" : " ");
	nt_grid_put(grid, 1, y, LABEL, NT_STYLE_DIM, "now");
	nt_grid_put(grid, LABEL, y, room, NT_STYLE_PLAIN, current.text);
	nt_grid_put_right(grid, 0, y, width - 1, style, load.text);
}

/* ---- the line about the last 10 s ---- */

/* Every part keeps its place: it has room for a large number. What no longer fits is left out, and all after it. */
static bool add_part(struct nt_line *line, int width, int cells, const char *label, const char *value)
{
	if (nt_text_cells(line->text) + 2 + (int)strlen(label) + 1 + cells > width)
		return false;
	nt_line_add(line, "%s%s %-*s", line->used ? "  " : "", label, cells, value);
	return true;
}

static bool add_count(struct nt_line *line, int width, const char *label, struct nt_u64 count)
{
	char number[NUMBER] = "";
	if (count.known)
		nt_format_whole(count.v, number, sizeof(number));
	return add_part(line, width, 5, label, number);
}

static bool add_bytes(struct nt_line *line, int width, const char *label, struct nt_u64 bytes)
{
	char number[NUMBER] = "";
	if (bytes.known)
		nt_format_bytes(bytes.v, number, sizeof(number));
	return add_part(line, width, 5, label, number);
}

/* In the order of what one looks for first: a narrow screen shows the beginning. */
static void sums_text(const struct nt_jit_figures *recent, int width, struct nt_line *line)
{
	static const struct {
		enum nt_tier tier;
		const char *label;
	} rare[] = { { NT_TIER_INSTRUMENTED, "instr" },
		     { NT_TIER_INSTRUMENTED_OPT, "inst1" },
		     { NT_TIER_OPTIMIZED, "opt" },
		     { NT_TIER_MINOPT, "minopt" } };
	bool fits = add_count(line, width, "methods", recent->method_count) &&
		    add_count(line, width, "t0", recent->tier_count[NT_TIER_0]) &&
		    add_count(line, width, "osr", recent->tier_count[NT_TIER_OSR]) &&
		    add_count(line, width, "t1", recent->tier_count[NT_TIER_1]) && add_bytes(line, width, "IL", recent->il_bytes) &&
		    add_bytes(line, width, "native", recent->native_bytes) && add_count(line, width, "dynamic", recent->dynamic_count) &&
		    add_count(line, width, "r2r rejected", recent->rejected_count);
	for (size_t i = 0; fits && i < sizeof(rare) / sizeof(rare[0]); i++)
		fits = add_count(line, width, rare[i].label, recent->tier_count[rare[i].tier]);
}

static void sums_line(const struct nt_column_context *context, struct nt_grid *grid, int y)
{
	struct nt_line line = { 0 };
	char over[NUMBER];
	nt_grid_put(grid, 1, y, LABEL, NT_STYLE_DIM, nt_format_duration(context->process->recent_ns, over, sizeof(over)));
	sums_text(&context->process->jit_recent, grid->width - LABEL, &line);
	nt_grid_put(grid, LABEL, y, grid->width - LABEL, NT_STYLE_PLAIN, line.text);
}

void nt_view_jit_panel(const struct nt_column_context *context, const void *row, struct nt_grid *grid, int y)
{
	(void)row;
	if (context->process->interval.jit.why.reason) { /* empty() says it */
		nt_grid_put(grid, 1, y, LABEL, NT_STYLE_DIM, "now");
		return;
	}
	now_line(context, grid, y);
	sums_line(context, grid, y + 1);
}

void nt_view_jit_nothing(const struct nt_column_context *context, struct nt_nothing *out)
{
	nt_nothing_by(&context->process->interval.jit.why, "No method was compiled.", "No compilations.", out);
}

static const char *const compact[] = { "time_ns", "tier", "name", NULL };

const struct nt_view nt_view_jit = {
	.action = NT_DO_VIEW_3,
	.demand = NT_WANT_JIT_EVENTS,
	.subject = &nt_subject_jit,
	.table = &nt_table_jit,
	.first_x = 1,
	.wide_gaps = true,
	.least_rest = 30,
	.compact = compact,
	.has_totals = true,
	.flags = flags,
	.hidden = hidden,
	.part = part,
	.cell = cell,
	.panel_lines = NT_VIEW_JIT_PANEL,
	.panel = nt_view_jit_panel,
	.nothing = nt_view_jit_nothing,
};
