// SPDX-License-Identifier: GPL-2.0-only
/* Screen 8 by wall time (key v): where all threads were, running or waiting. */
#include "ui/views/view_cells.h"
#include "ui/views/view_waits.h"

#include "nettop/source.h"

#include <inttypes.h>
#include <string.h>

static const struct nt_wall_row *of(const void *row)
{
	return row;
}

static bool hidden(const void *row, unsigned hide)
{
	(void)hide;
	return of(row)->idle || !(of(row)->run.all_ns + of(row)->wait.all_ns + of(row)->runq.all_ns);
}

static bool cell(const struct nt_column *column, const void *row, const struct nt_column_context *context, int room, char *out, size_t size)
{
	(void)context;
	if (strcmp(column->key, "module") == 0 && of(row)->module)
		return nt_view_module_cell(of(row)->module, room, out, size);
	return strcmp(column->key, "site") == 0 && nt_view_wait_site_cell(of(row)->site, room, out, size);
}

static void scope(const struct nt_column_context *context, bool wide, struct nt_line *out)
{
	(void)wide;
	nt_view_wait_scope(context, "wall time", out);
}

/* So many threads waited for work, on average. */
static void beyond(const struct nt_process_snapshot *process, struct nt_line *out)
{
	double idle = 0;
	for (size_t i = 0; i < process->wall_count; i++)
		idle += process->wall[i].idle ? process->wall[i].wait.window : 0;
	if (idle >= 0.05 * (double)NT_NS_PER_S)
		nt_line_add(out, "%.1f s/s idle", idle / (double)NT_NS_PER_S);
	nt_view_wait_uncounted(process, out);
}

static const char *const compact[] = { "wall_s_per_s", "run_s_per_s", "site", NULL };

const struct nt_view nt_view_wait_wall = {
	.action = NT_DO_VIEW_8,
	.subject = &nt_subject_waits,
	.table = &nt_table_wall,
	.first_x = 1,
	.least_rest = 12,
	.compact = compact,
	.has_window = true,
	.demand = NT_WANT_LOOKS | NT_WANT_SWITCHES,
	.hidden = hidden,
	.cell = cell,
	.scope = scope,
	.beyond = beyond,
	.lacks = nt_view_wait_lacks,
	.nothing = nt_view_wait_nothing,
};
