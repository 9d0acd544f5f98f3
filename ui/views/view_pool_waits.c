// SPDX-License-Identifier: GPL-2.0-only
/* Screen 4 by how long work items wait for a worker (key v): told while it is open. */
#include "nettop/shorten.h"
#include "ui/views/pool_panel.h"
#include "ui/views/view_snapshot.h"

#include "nettop/source.h"

/* The price is that of NT_PRICE_POOL_ITEM, twice. */
#define ASKED "Each work item is told while this is open, for half a us or more of the target's CPU time"
#define LEFT  "Work items are no longer told"

enum { NUMBER = 32, LABEL = NT_POOL_PANEL_LABEL, LINES = NT_POOL_PANEL_LINES + 2 };

static void add_wait(struct nt_line *line, const char *label, struct nt_u64 wait_ns)
{
	char number[NUMBER];
	if (wait_ns.known)
		nt_line_add(line, "%s%s %s", line->used ? "  " : "", label, nt_format_duration(wait_ns.v, number, sizeof(number)));
}

static void add_count(struct nt_line *line, struct nt_u64 count, const char *what)
{
	char number[NUMBER];
	if (count.known && count.v)
		nt_line_add(line, "  %s %s", nt_format_whole(count.v, number, sizeof(number)), what);
}

/* p50 1.2ms  p95 8.0ms  p99 312ms  max 400ms  of 4.2k  3 unmatched  12 not taken */
static void item_text(const struct nt_pool_item_figures *items, struct nt_line *line)
{
	if (!items->covered_ns.known)
		return;
	add_wait(line, "p50", items->p50_ns);
	add_wait(line, "p95", items->p95_ns);
	add_wait(line, "p99", items->p99_ns);
	add_wait(line, "max", items->max_ns);
	if (!items->count.v)
		nt_line_add(line, "none taken");
	add_count(line, items->count, "items");
	add_count(line, items->unmatched_count, "unmatched");
	add_count(line, items->open_count, "not taken");
}

static void put(struct nt_grid *grid, int y, const char *label, enum nt_style style, const char *text)
{
	char cut[NT_LINE_BYTES];
	int room = grid->width - LABEL;
	nt_grid_put(grid, 1, y, LABEL - 1, NT_STYLE_DIM, label);
	if (*text && room > 0)
		nt_grid_put(grid, LABEL, y, room, style, nt_shorten_tail(text, room, cut, sizeof(cut)));
}

static void panel(const struct nt_column_context *context, const void *row, struct nt_grid *grid, int y)
{
	const struct nt_process_snapshot *process = context->process;
	const struct nt_pool_item_figures *now = &process->interval.pool.items, *all = &process->total.pool.items;
	char length[NUMBER];
	struct nt_line line = { 0 }, total = { 0 };
	nt_pool_panel(context, row, grid, y);
	item_text(now, &line);
	bool told = line.used;
	if (!told)
		nt_line_add_safe(&line, now->why.reason);
	put(grid, y + NT_POOL_PANEL_LINES, "ITEMS", told ? NT_STYLE_PLAIN : NT_STYLE_DIM, line.text);
	if (!all->covered_ns.known)
		return;
	struct nt_pool_item_figures sums = *all;
	sums.open_count.known = false; /* it is that of now */
	item_text(&sums, &total);
	nt_line_add(&total, "  in %s", nt_format_duration(all->covered_ns.v, length, sizeof(length)));
	put(grid, y + NT_POOL_PANEL_LINES + 1, "all", NT_STYLE_PLAIN, total.text);
}

static void scope(const struct nt_column_context *context, bool wide, struct nt_line *out)
{
	(void)context;
	(void)wide;
	nt_line_add(out, ", by wait of work items");
}

static const struct nt_why *lacks(const struct nt_column_context *context)
{
	return &context->process->interval.pool.items.why;
}

static void nothing(const struct nt_column_context *context, struct nt_nothing *out)
{
	nt_nothing_by(lacks(context), "No work item has been told yet.", "It is not known how long work items wait.", out);
	if (!out->reason)
		out->more = "They are told from the moment this is opened.";
}

static const char *const compact[] = { "count", "over_ns", NULL };

const struct nt_view nt_view_pool_waits = {
	.action = NT_DO_VIEW_4,
	.demand = NT_WANT_POOL_ITEMS,
	.announcement = ASKED,
	.farewell = LEFT,
	.needs_nothing = nt_view_needs_no_stacks,
	.subject = &nt_subject_threads,
	.table = &nt_table_pool_waits,
	.first_x = 1,
	.wide_gaps = true,
	.least_rest = 12,
	.compact = compact,
	.has_totals = true,
	.lacks = lacks,
	.panel_lines = LINES,
	.panel = panel,
	.scope = scope,
	.nothing = nothing,
};
