// SPDX-License-Identifier: GPL-2.0-only
/* The life of the screen's state: snapshots in, a grid out. What keys do is in handle.c. */
#include "ui/act/ui.h"

#include "base/alloc.h"
#include "base/text.h"
#include "nettop/process_row.h"
#include "nettop/source.h"
#include "ui/draw/ending.h"
#include "ui/rows/select.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MESSAGE_NS (5 * NT_NS_PER_S)

enum { START_WIDTH = 80, START_HEIGHT = 24, LEAST_ROWS = 5 };

static const struct nt_column *default_sort(const struct nt_table *table)
{
	for (size_t i = 0; i < table->column_count; i++)
		if (table->columns[i].default_sort)
			return &table->columns[i];
	return NULL;
}

struct nt_ui *nt_ui_new(const struct nt_ui_config *config)
{
	struct nt_ui *ui = nt_alloc(sizeof(*ui));
	ui->config = *config;
	ui->name = nt_strdup(config->name);
	ui->config.name = NULL;
	ui->view = config->list ? NT_VIEW_PROCESSES : NT_VIEW_METHODS;
	for (size_t i = 0; i < NT_VIEW_COUNT; i++) {
		ui->tables[i].columns = nt_table_usual(nt_views[i]->table);
		ui->tables[i].sort = default_sort(nt_views[i]->table);
		ui->tables[i].ascending = ui->tables[i].sort && ui->tables[i].sort->ascending;
	}
	nt_ui_resize(ui, START_WIDTH, START_HEIGHT);
	return ui;
}

void nt_ui_free(struct nt_ui *ui)
{
	if (!ui)
		return;
	for (size_t i = 0; i < NT_VIEW_COUNT; i++) {
		nt_ui_rows_fini(&ui->tables[i].rows);
		nt_filter_fini(&ui->tables[i].filter);
	}
	nt_zero_free(ui->zero);
	nt_restricted_fini(&ui->restricted);
	nt_calls_fini(&ui->calls);
	nt_snapshot_release(ui->live);
	nt_snapshot_release(ui->shown);
	free(ui->name);
	free(ui);
}

/* Tiles out of their range besides CPU and GC, which are always there. */
static int marked_tiles(const struct nt_ui *ui)
{
	unsigned marked = 0;
	for (size_t i = 0; ui->has_process && i < ui->process.finding_count; i++)
		marked |= 1u << ui->process.findings[i].headline;
	return __builtin_popcount(marked & ~(1u << NT_SUBJECT_CPU | 1u << NT_SUBJECT_GC));
}

void nt_ui_relayout(struct nt_ui *ui)
{
	enum nt_header header = ui->config.list ? NT_HEADER_LIST : ui->header;
	nt_layout_of(ui->layout.width, ui->layout.height, header, marked_tiles(ui), &ui->layout);
	nt_layout_add_end(&ui->layout, nt_ending_lines(ui));
}

void nt_ui_resize(struct nt_ui *ui, int width, int height)
{
	ui->layout.width = width;
	ui->layout.height = height;
	nt_ui_relayout(ui);
	ui->page_top = 0;
	nt_select_refresh(ui, false, ui->cursor_moved_at);
}

static void hold(struct nt_snapshot **place, struct nt_snapshot *snapshot)
{
	nt_snapshot_retain(snapshot);
	nt_snapshot_release(*place);
	*place = snapshot;
}

void nt_ui_restrict(struct nt_ui *ui)
{
	if (ui->has_process && ui->restriction.part != NT_PART_ALL)
		nt_restrict(&ui->restriction, &ui->process, &ui->restricted);
}

void nt_ui_show(struct nt_ui *ui, struct nt_snapshot *snapshot, nt_time now)
{
	hold(&ui->shown, snapshot);
	ui->has_process = snapshot->process_count > 0;
	if (ui->has_process)
		ui->process = ui->zero ? nt_zero_apply(ui->zero, &snapshot->processes[0]) : snapshot->processes[0];
	nt_ui_restrict(ui);
	nt_ui_relayout(ui);
	nt_select_refresh(ui, false, now);
}

unsigned nt_ui_snapshot(struct nt_ui *ui, struct nt_snapshot *snapshot, nt_time now)
{
	hold(&ui->live, snapshot);
	nt_log_rundown(ui, snapshot, now);
	nt_log_map(ui, snapshot, now);
	nt_log_lttng(ui, snapshot, now);
	if (ui->zero && snapshot->process_count)
		nt_zero_see(ui->zero, &snapshot->processes[0]);
	if (!ui->paused)
		nt_ui_show(ui, snapshot, now);
	return NT_UI_REDRAW;
}

void nt_ui_message(struct nt_ui *ui, nt_time now, const char *text)
{
	nt_text_escape(text, strlen(text), ui->message, sizeof(ui->message));
	ui->message_until = now + MESSAGE_NS;
	if (ui->config.log)
		nt_log_add(ui->config.log, now, NT_LOG_NETTOP, text, strlen(text));
}

unsigned nt_ui_logged(const struct nt_ui *ui)
{
	return ui->overlay == NT_OVERLAY_LOG ? NT_UI_REDRAW : 0;
}

unsigned nt_ui_tick(struct nt_ui *ui, nt_time now)
{
	if (!*ui->message || now < ui->message_until)
		return 0;
	ui->message[0] = '\0';
	return NT_UI_REDRAW;
}

uint64_t nt_ui_annotated(const struct nt_ui *ui)
{
	return ui->view == NT_VIEW_CODE ? ui->annotated : 0;
}

unsigned nt_ui_demand(const struct nt_ui *ui)
{
	return nt_ui_view(ui)->demand | (ui->config.sampling ? NT_WANT_WALL_SAMPLES : 0u);
}

nt_time nt_ui_interval(const struct nt_ui *ui)
{
	return ui->config.interval_ns;
}

uint32_t nt_ui_chosen_pid(const struct nt_ui *ui)
{
	const struct nt_process_row *row = nt_ui_selected_row(ui);
	return row ? row->pid : 0;
}

/* ---- what the drawing files ask ---- */

int nt_ui_panel_height(const struct nt_ui *ui)
{
	const struct nt_view *view = nt_ui_view(ui);
	bool fits = !ui->layout.compact && ui->layout.body_height - view->panel_lines >= LEAST_ROWS;
	return fits || view->panel_stays ? view->panel_lines : 0;
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

size_t nt_ui_sortable(const struct nt_ui *ui, const struct nt_column *columns[NT_PLACED_MAX])
{
	size_t count = nt_ui_columns(ui, columns), kept = 0;
	for (size_t i = 0; i < count; i++)
		if (columns[i]->unit != NT_UNIT_BAR && columns[i]->unit != NT_UNIT_TREND)
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

void nt_ui_render(const struct nt_ui *ui, struct nt_grid *grid)
{
	nt_grid_resize(grid, ui->layout.width, ui->layout.height);
	if (ui->layout.too_small) {
		nt_grid_printf(grid, 0, 0, grid->width, NT_STYLE_PLAIN, "nettop needs %dx%d, this is %dx%d", NT_LEAST_WIDTH,
			       NT_LEAST_HEIGHT, ui->layout.width, ui->layout.height);
		return;
	}
	nt_header_draw(ui, grid);
	nt_body_draw(ui, grid);
	nt_context_line_draw(ui, grid);
}
