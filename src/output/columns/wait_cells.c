// SPDX-License-Identifier: GPL-2.0-only
#include "output/columns/wait_cells.h"

/* As a rate in the window in question; `recent`: that rate over the last intervals, of which at least the newest must have been told. */
static struct nt_cell rate(const struct nt_column_context *context, double recent, uint64_t interval, uint64_t all)
{
	struct nt_u64 covered_ns = nt_cell_figures(context)->waits.covered_ns;
	if (context->window == NT_WINDOW_RECENT)
		return covered_ns.v ? nt_cell_f(recent) : nt_cell_unknown();
	return nt_cell_rate((double)(context->window == NT_WINDOW_ATTACH ? all : interval), covered_ns);
}

static struct nt_cell sum(const struct nt_column_context *context, uint64_t interval, uint64_t all)
{
	const struct nt_figures *figures = nt_cell_figures(context);
	return nt_cell_counted(context->window == NT_WINDOW_ATTACH ? all : interval, figures->waits.covered_ns, figures->lived_ns);
}

static struct nt_cell bounded(struct nt_cell cell, bool polled)
{
	cell.at_least |= cell.known && polled;
	return cell;
}

struct nt_cell nt_wait_cell_rate(const struct nt_wait_time *time, double unit, const struct nt_column_context *context)
{
	struct nt_cell cell = rate(context, time->window, time->ns, time->all_ns);
	cell.f /= unit;
	return cell;
}

struct nt_cell nt_wait_cell_sum(const struct nt_wait_time *time, const struct nt_column_context *context)
{
	return sum(context, time->ns, time->all_ns);
}

struct nt_cell nt_wait_cell_per_s(const struct nt_wait_counted *waits, const struct nt_column_context *context)
{
	return bounded(rate(context, waits->window_per_s, waits->count, waits->all), waits->polled);
}

struct nt_cell nt_wait_cell_count(const struct nt_wait_counted *waits, const struct nt_column_context *context)
{
	return bounded(sum(context, waits->count, waits->all), waits->polled);
}

struct nt_cell nt_wait_cell_max(struct nt_u64 max_ns, bool polled, const struct nt_column_context *context)
{
	const struct nt_figures *total = &context->process->total;
	return max_ns.known ? bounded(nt_cell_counted(max_ns.v, total->waits.covered_ns, total->lived_ns), polled) : nt_cell_unknown();
}

struct nt_cell nt_wait_cell_runq_ms_per_s(const struct nt_wait_time *runq, bool untold, const struct nt_column_context *context)
{
	return untold ? nt_cell_unknown() : nt_wait_cell_rate(runq, (double)NT_NS_PER_MS, context);
}

struct nt_cell nt_wait_cell_runq_ns(const struct nt_wait_time *runq, bool untold, const struct nt_column_context *context)
{
	return untold ? nt_cell_unknown() : nt_wait_cell_sum(runq, context);
}

struct nt_cell nt_wait_cell_for(enum nt_wait_kind kind)
{
	return kind == NT_WAIT_RUNS ? nt_cell_unknown() : nt_cell_text(nt_wait_kind_name(kind));
}
