// SPDX-License-Identifier: GPL-2.0-only
/* Screen 2: pauses per generation, and the collections. */
#include "ui/views/view.h"
#include "ui/views/view_cells.h"
#include "ui/views/view_snapshot.h"

#include "nettop/source.h"

#include <stdio.h>
#include <string.h>

enum { NUMBER = 32, ROOTS_X = 62, ROOTS_CELLS = 17, PANEL_LINES = 1 + NT_GC_ROW_GENERATIONS };

static const struct nt_gc_row *of(const void *row)
{
	return row;
}

static unsigned flags(const void *row)
{
	return of(row)->marked ? NT_ROW_MARKED : 0;
}

static bool cell(const struct nt_column *column, const void *row, const struct nt_column_context *context, int room, char *out, size_t size)
{
	(void)context;
	return strcmp(column->key, "asked_by") == 0 && nt_view_method_cell(of(row)->asked_by, room, out, size);
}

static const struct nt_call_stack *stack(const struct nt_column_context *context, const void *row)
{
	(void)context;
	return of(row)->asked_from;
}

static const struct nt_why *no_stacks(const struct nt_column_context *context)
{
	return &context->process->interval.gc.stack_why;
}

static const char *pause_ms(struct nt_u64 ns, bool at_least, char *buf)
{
	buf[0] = '\0';
	if (ns.known)
		snprintf(buf, NUMBER, "%s%.1f", nt_bound(at_least), (double)ns.v / (double)NT_NS_PER_MS);
	return buf;
}

/* What the line of a generation shows: of the window or since attach. */
static struct nt_gc_recent pauses_of(const struct nt_gc_generation_row *row, enum nt_window window)
{
	if (window != NT_WINDOW_ATTACH)
		return row->recent;
	return (struct nt_gc_recent){ .count = row->count,
				      .p50_ns = row->p50_ns,
				      .p90_ns = row->p90_ns,
				      .p99_ns = row->p99_ns,
				      .max_ns = row->max_ns,
				      .every_ms = row->every_ms };
}

/* Blank while it is not known whether there were any. */
static void generation_line(const struct nt_column_context *context, int index, struct nt_grid *grid, int y)
{
	const char *name = nt_gc_generation_name((unsigned)index);
	const struct nt_gc_generation_row *row = &context->process->generations[index];
	const struct nt_gc_recent pauses = pauses_of(row, context->window);
	const struct nt_figures *of = context->window != NT_WINDOW_ATTACH ? &context->process->interval : &context->process->total;
	bool known = of->gc.count[index < 3 ? index : 2].known, partial = nt_is_partial(of->gc.covered_ns, of->lived_ns);
	char number[NUMBER], count[NUMBER], rate[NUMBER], p50[NUMBER], p90[NUMBER], p99[NUMBER], max[NUMBER], every[NUMBER] = "";
	if (pauses.every_ms.known)
		snprintf(every, sizeof(every), "%.0f", pauses.every_ms.v);
	if (!known && !pauses.count) {
		nt_grid_printf(grid, 0, y, grid->width, NT_STYLE_DIM, " %s", name);
		return;
	}
	snprintf(count, sizeof(count), "%s%s", nt_bound(partial), nt_format_whole(pauses.count, number, sizeof(number)));
	nt_grid_printf(grid, 0, y, grid->width, row->marked ? NT_STYLE_MARK : NT_STYLE_PLAIN, "%s%-7s%6s %5s %7s %6s %6s%7s %8s",
		       row->marked ? "!" : " ", name, count, nt_format_count(row->per_s, rate, sizeof(rate)),
		       pause_ms(pauses.p50_ns, false, p50), pause_ms(pauses.p90_ns, false, p90), pause_ms(pauses.p99_ns, false, p99),
		       pause_ms(pauses.max_ns, partial, max), every);
}

/* Beside the generations: from where collections found what stays alive, summed up over all that told it; no state of the heap. Some told nobody: at least so much. */
static void root_line(const struct nt_gc_figures *total, bool partial, int index, struct nt_grid *grid, int y)
{
	static const char *const names[NT_GC_ROW_GENERATIONS] = { "stacks", "handles", "finalizers", "older" };
	static const enum nt_gc_root roots[NT_GC_ROW_GENERATIONS] = { NT_GC_ROOT_STACKS, NT_GC_ROOT_HANDLES, NT_GC_ROOT_FINALIZERS,
								      NT_GC_ROOT_OLDER };
	struct nt_u64 bytes = total->marked_bytes[roots[index]];
	char number[NUMBER], sum[NUMBER + 1];
	if (!bytes.known)
		return;
	snprintf(sum, sizeof(sum), "%s%s", nt_bound(partial), nt_format_bytes(bytes.v, number, sizeof(number)));
	nt_grid_printf(grid, ROOTS_X, y, grid->width - ROOTS_X, NT_STYLE_PLAIN, "%-10s%7s", names[index], sum);
}

/* Of which time the pauses are is said here, too: in the title of the rows there is no room for it on a screen of 80 columns. */
static void panel_title(const struct nt_column_context *context, struct nt_grid *grid, int y)
{
	enum { ROOM = 7 };
	char ten[NUMBER], window[NUMBER + sizeof("in ")] = "GEN";
	nt_time ten_ns = 10 * (context->snapshot->t1 - context->snapshot->t0);
	if (ten_ns < 60 * NT_NS_PER_S)
		snprintf(ten, sizeof(ten), "%.3gs", (double)ten_ns / (double)NT_NS_PER_S);
	else
		nt_format_duration(ten_ns, ten, sizeof(ten));
	if (context->window == NT_WINDOW_RECENT)
		snprintf(window, sizeof(window), "%s%s", strlen(ten) + strlen("in ") <= ROOM ? "in " : "", ten);
	else if (context->window == NT_WINDOW_INTERVAL)
		snprintf(window, sizeof(window), "in span");
	nt_grid_printf(grid, 0, y, grid->width, NT_STYLE_TITLE, " %-7s COUNT    /s  p50 ms    p90    p99    max every ms", window);
}

static void panel(const struct nt_column_context *context, const void *row, struct nt_grid *grid, int y)
{
	(void)row;
	nt_grid_fill(grid, 0, y, grid->width, NT_STYLE_TITLE, " ");
	panel_title(context, grid, y);
	bool span = context->window == NT_WINDOW_INTERVAL;
	const struct nt_figures *total = span ? &context->process->interval : &context->process->total;
	bool partial = nt_is_partial(total->gc.covered_ns, total->lived_ns);
	bool beside = grid->width >= ROOTS_X + ROOTS_CELLS;
	if (beside)
		nt_grid_put(grid, ROOTS_X, y, grid->width - ROOTS_X, NT_STYLE_TITLE, "MARKED FROM   SUM");
	for (int i = 0; i < NT_GC_ROW_GENERATIONS; i++) {
		generation_line(context, i, grid, y + 1 + i);
		if (beside)
			root_line(&total->gc, partial, i, grid, y + 1 + i);
	}
}

static void nothing(const struct nt_column_context *context, struct nt_nothing *out)
{
	nt_nothing_by(&context->process->interval.gc.why, "No collection since attach.", "No collections.", out);
}

/* The cells of a line, as wide as their columns: titles, or a row. What is the same in each row is left out. */
static void heap_line(const struct nt_column_context *context, const struct nt_gc_heap_row *row, struct nt_line *line)
{
	const struct nt_table *table = &nt_table_gc_heaps;
	nt_line_add(line, " ");
	for (size_t i = 0; i < table->column_count; i++) {
		const struct nt_column *column = &table->columns[i];
		char text[NUMBER];
		if (column->read == nt_table_column(table, "collection")->read)
			continue;
		if (row)
			nt_cell_format(column, column->read(row, context), text, sizeof(text));
		nt_line_add(line, " %*s", column->width, row ? text : column->title);
	}
}

/* Of a collection whose heaps are told one by one; of a single one the columns have said it. */
static void detail(const struct nt_column_context *context, const void *row, struct nt_page *page)
{
	const struct nt_gc_heap_row *heaps = context->process->gc_heaps;
	size_t count = context->process->gc_heap_count;
	if (count < 2 || heaps[0].collection != of(row)->id)
		return;
	nt_page_line(page, NT_STYLE_PLAIN, "");
	for (size_t i = 0; i <= count; i++) {
		struct nt_line line = { 0 };
		heap_line(context, i ? &heaps[i - 1] : NULL, &line);
		nt_page_line(page, i ? NT_STYLE_PLAIN : NT_STYLE_TITLE, line.text);
	}
}

static const char *const compact[] = { "number", "generation", "kind", "pause_ns", "reason", NULL };

const struct nt_view nt_view_gc = {
	.action = NT_DO_VIEW_2,
	.subject = &nt_subject_gc,
	.table = &nt_table_gc,
	.first_x = 1,
	.least_rest = 20,
	.compact = compact,
	.has_window = true,
	.demand = NT_WANT_STACKS | NT_WANT_GC_HISTORIES,
	.announcement = "The target is asked for call stacks and heap sizes while this screen is open",
	.farewell = "The target is no longer asked for call stacks and heap sizes",
	.needs_nothing = nt_view_needs_no_stacks,
	.flags = flags,
	.cell = cell,
	.stack = stack,
	.lacks = no_stacks,
	.panel_lines = PANEL_LINES,
	.panel = panel,
	.nothing = nothing,
	.detail = detail,
};
