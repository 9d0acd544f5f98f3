// SPDX-License-Identifier: GPL-2.0-only
#include "ui/views/pool_panel.h"

#include "nettop/shorten.h"
#include "ui/screen/spark.h"
#include "ui/views/view_snapshot.h"

#include <inttypes.h>

enum { NUMBER = 32, LABEL = NT_POOL_PANEL_LABEL, LEAST_REASON = 12, GAP = 3 };

static void add_count(struct nt_line *line, const char *label, struct nt_u64 count)
{
	char number[NUMBER];
	if (count.known)
		nt_line_add(line, "%s%s %s", line->used ? "  " : "", label, nt_format_whole(count.v, number, sizeof(number)));
}

/* The limits of the number of workers are seldom what somebody looks for: they stand where they fit whole. */
static void add_limits(struct nt_line *line, const struct nt_pool_figures *pool, int room)
{
	struct nt_line limits = { 0 };
	if (!pool->min_count.known || !pool->max_count.known)
		return;
	nt_line_add(&limits, "  min %" PRIu64 " max %" PRIu64, pool->min_count.v, pool->max_count.v);
	if (nt_text_cells(line->text) + nt_text_cells(limits.text) <= room)
		nt_line_add(line, "%s", limits.text);
}

static void pool_text(const struct nt_figures *figures, struct nt_line *line)
{
	const struct nt_pool_figures *pool = &figures->pool;
	double seconds = (double)pool->covered_ns.v / (double)NT_NS_PER_S;
	char number[NUMBER];
	add_count(line, "workers", pool->worker_count);
	add_count(line, "working", pool->working_count);
	add_count(line, "goal", pool->goal_count);
	add_count(line, "queue", pool->queue_count);
	if (pool->completed_count.known && seconds > 0)
		nt_line_add(line, "  done %s/s", nt_format_count((double)pool->completed_count.v / seconds, number, sizeof(number)));
	if (pool->injected_count.known && seconds > 0)
		nt_line_add(line, "  +%s/s", nt_format_count((double)pool->injected_count.v / seconds, number, sizeof(number)));
	if (pool->reason)
		nt_line_add(line, " %s", pool->reason);
}

/* What waited in each of the last intervals. `▂▃▅▆█ 0..212, 1s a cell`: the scale is the strip's own. */
static void put_queue_over_time(const struct nt_column_context *context, struct nt_line *line)
{
	const struct nt_series *series = &context->process->series[NT_SUBJECT_POOL];
	const struct nt_snapshot *snapshot = context->snapshot;
	char strip[NT_SPARK_BYTES], number[NUMBER], length[NUMBER];
	double most = -1;
	for (int i = 0; i < NT_SERIES_CELLS; i++)
		if (series->cells[i].known && series->cells[i].v > most)
			most = series->cells[i].v;
	if (most < 0)
		return;
	nt_line_add(line, "%s  0..%s", nt_spark_series(series, NT_SERIES_CELLS, 0, strip),
		    nt_format_whole((uint64_t)most, number, sizeof(number)));
	/* A cell is an interval, of which a span has several. */
	if (!context->is_span)
		nt_line_add(line, ", %s a cell", nt_format_duration(snapshot->t1 - snapshot->t0, length, sizeof(length)));
}

static void put_queue(const struct nt_column_context *context, struct nt_grid *grid, int y)
{
	const struct nt_pool_figures *pool = &context->process->interval.pool;
	struct nt_line line = { 0 };
	char number[NUMBER];
	put_queue_over_time(context, &line);
	if (!line.used)
		return;
	if (pool->wait_estimate_ns.known)
		nt_line_add(&line, "   an item waits ~%s", nt_format_duration(pool->wait_estimate_ns.v, number, sizeof(number)));
	nt_grid_put(grid, 1, y, LABEL, NT_STYLE_DIM, "QUEUE");
	nt_grid_put(grid, LABEL, y, grid->width - LABEL, NT_STYLE_PLAIN, line.text);
}

/* `3s ago +1 starvation`; the first one has nothing that it could be compared with. */
static void adjustment_text(const struct nt_pool_adjustment *row, nt_time t1, struct nt_line *line)
{
	char ago[NUMBER];
	nt_format_duration(t1 > row->time ? t1 - row->time : 0, ago, sizeof(ago));
	if (row->was_count.known)
		nt_line_add(line, "%s ago %+" PRId64 " %s", ago, (int64_t)(row->goal_count - row->was_count.v), row->reason);
	else
		nt_line_add(line, "%s ago goal %" PRIu64 " %s", ago, row->goal_count, row->reason);
}

/* The pool's last decisions, as many as fit whole. */
static void put_adjustments(const struct nt_column_context *context, struct nt_grid *grid, int y)
{
	const struct nt_process_snapshot *process = context->process;
	int x = LABEL;
	for (size_t i = 0; i < process->adjustment_count; i++) {
		struct nt_line line = { 0 };
		adjustment_text(&process->adjustments[i], context->snapshot->t1, &line);
		int cells = (int)nt_text_cells(line.text);
		if (x + cells > grid->width)
			return;
		x = nt_grid_put(grid, x, y, cells, NT_STYLE_PLAIN, line.text) + GAP;
	}
	if (!process->adjustment_count && process->total.pool.injected_count.known)
		nt_grid_put(grid, x, y, grid->width - x, NT_STYLE_DIM,
			    context->is_span ? "no adjustment in this span" : "no adjustment since attach");
}

void nt_pool_panel(const struct nt_column_context *context, const void *row, struct nt_grid *grid, int y)
{
	const struct nt_figures *figures = &context->process->interval;
	enum nt_style style = nt_view_out_of_range(context->process, NT_SUBJECT_POOL) ? NT_STYLE_MARK : NT_STYLE_PLAIN;
	struct nt_line line = { 0 };
	char cut[NT_LINE_BYTES];
	(void)row;
	pool_text(figures, &line);
	add_limits(&line, &figures->pool, grid->width - LABEL);
	nt_grid_put(grid, 0, y, 1, style, style == NT_STYLE_MARK ? "!" : " ");
	nt_grid_put(grid, 1, y, LABEL, NT_STYLE_DIM, "POOL");
	put_queue(context, grid, y + 1);
	put_adjustments(context, grid, y + 2);
	int x = nt_grid_put(grid, LABEL, y, grid->width - LABEL, style, line.text) + (line.used ? 2 : 0), room = grid->width - x;
	if (!figures->pool.why.reason || room < LEAST_REASON)
		return;
	struct nt_line reason = { 0 };
	nt_line_add_safe(&reason, figures->pool.why.reason);
	nt_grid_put(grid, x, y, room, NT_STYLE_DIM, nt_shorten_tail(reason.text, room, cut, sizeof(cut)));
}
