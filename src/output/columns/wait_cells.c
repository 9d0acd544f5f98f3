// SPDX-License-Identifier: GPL-2.0-only
#include "output/columns/wait_cells.h"

struct nt_cell nt_wait_cell_rate(const struct nt_wait_time *time, double unit, const struct nt_column_context *context)
{
	struct nt_u64 covered_ns = nt_cell_figures(context)->waits.covered_ns;
	struct nt_cell cell = nt_cell_rate((double)(context->window == NT_WINDOW_ATTACH ? time->all_ns : time->ns), covered_ns);
	if (context->window == NT_WINDOW_RECENT)
		cell = covered_ns.v ? nt_cell_f(time->window) : nt_cell_unknown();
	cell.f /= unit;
	return cell;
}

struct nt_cell nt_wait_cell_sum(const struct nt_wait_time *time, const struct nt_column_context *context)
{
	const struct nt_figures *figures = nt_cell_figures(context);
	return nt_cell_counted(context->window == NT_WINDOW_ATTACH ? time->all_ns : time->ns, figures->waits.covered_ns, figures->lived_ns);
}
