// SPDX-License-Identifier: GPL-2.0-only
#include "output/columns/lock_cells.h"

struct nt_cell nt_lock_cell_rate(const struct nt_column_context *context, double recent, uint64_t interval, uint64_t all)
{
	struct nt_u64 covered_ns = nt_cell_figures(context)->locks.covered_ns;
	if (context->window == NT_WINDOW_RECENT)
		return covered_ns.v ? nt_cell_f(recent) : nt_cell_unknown();
	return nt_cell_rate((double)(context->window == NT_WINDOW_ATTACH ? all : interval), covered_ns);
}

struct nt_cell nt_lock_cell_sum(const struct nt_column_context *context, uint64_t interval, uint64_t all)
{
	const struct nt_figures *figures = nt_cell_figures(context);
	return nt_cell_counted(context->window == NT_WINDOW_ATTACH ? all : interval, figures->locks.covered_ns, figures->lived_ns);
}
