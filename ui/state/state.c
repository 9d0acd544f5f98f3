// SPDX-License-Identifier: GPL-2.0-only
/* Questions to the state. */
#include "ui/state/state.h"

#include <time.h>

enum { LEAST_ROWS = 5 }; /* below a panel */

int nt_ui_panel_height(const struct nt_ui *ui)
{
	const struct nt_view *view = nt_ui_view(ui);
	bool fits = !ui->layout.compact && ui->layout.body_height - view->panel_lines >= LEAST_ROWS;
	return fits || view->panel_stays ? view->panel_lines : 0;
}

bool nt_ui_has_waiting_stacks(const struct nt_ui *ui)
{
	bool detail = ui->overlay == NT_OVERLAY_NONE && nt_ui_table(ui)->detail;
	return ui->overlay == NT_OVERLAY_STACKS || (detail && nt_ui_is_of_waits(ui) && nt_ui_view(ui)->stack);
}

bool nt_ui_has_nobody_to_ask(const struct nt_ui *ui, enum nt_action action)
{
	if (!ui->config.recording)
		return false;
	switch (action) {
	case NT_DO_HEAP:
	case NT_DO_DUMP:
	case NT_DO_NATIVE:
	case NT_DO_ANNOTATE:
	case NT_DO_DELAY:
	case NT_DO_LIST:
	case NT_DO_BEFORE:
		return true;
	case NT_DO_EXPAND:
		return ui->view == NT_VIEW_COUNTERS;
	case NT_DO_BRANCH:
		return nt_ui_is_of_events(ui);
	default:
		return false;
	}
}

int nt_ui_side_width(const struct nt_ui *ui)
{
	bool has = ui->view == NT_VIEW_THREADS || nt_ui_view(ui)->stack_beside || (ui->view == NT_VIEW_METHODS && !nt_ui_is_restricted(ui));
	return has ? ui->layout.side_width : 0;
}

int nt_ui_rows_height(const struct nt_ui *ui)
{
	int height = ui->layout.body_height - nt_ui_panel_height(ui);
	return height > 0 ? height : 1;
}

size_t nt_ui_columns(const struct nt_ui *ui, const struct nt_column *columns[NT_PLACED_MAX])
{
	return nt_table_columns(nt_ui_view(ui)->table, nt_ui_table(ui)->columns, columns);
}

size_t nt_ui_all_columns(const struct nt_ui *ui, const struct nt_column *columns[NT_PLACED_MAX])
{
	return nt_table_columns(nt_ui_view(ui)->table, UINT64_MAX, columns);
}

uint64_t nt_ui_column_bit(const struct nt_ui *ui, const struct nt_column *column)
{
	return UINT64_C(1) << (column - nt_ui_view(ui)->table->columns);
}

size_t nt_ui_sortable(const struct nt_ui *ui, const struct nt_column *columns[NT_PLACED_MAX])
{
	size_t count = nt_ui_columns(ui, columns), kept = 0;
	for (size_t i = 0; i < count; i++)
		if (nt_column_sorts(columns[i]))
			columns[kept++] = columns[i];
	return kept;
}

const char *nt_ui_clock(const struct nt_ui *ui, nt_time time, char *buf, size_t size)
{
	time_t seconds = (time_t)(((int64_t)time + ui->config.realtime_offset_ns) / (int64_t)NT_NS_PER_S);
	struct tm parts;
	buf[0] = '\0';
	if (time != NT_TIME_UNKNOWN && localtime_r(&seconds, &parts))
		strftime(buf, size, "%H:%M:%S", &parts);
	return buf;
}
