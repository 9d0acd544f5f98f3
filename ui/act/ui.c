// SPDX-License-Identifier: GPL-2.0-only
/* The life of the screen's state: snapshots in. What keys do is in handle.c. */
#include "ui/act/ui.h"

#include "base/alloc.h"
#include "nettop/process_row.h"
#include "nettop/source.h"
#include "ui/act/log_news.h"
#include "ui/state/select.h"
#include "ui/state/show.h"
#include "ui/state/state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { START_WIDTH = 80, START_HEIGHT = 24 };

/* What was asked for at the start goes before what was kept, and is shown by a column that is there. */
static void sort_as_asked(struct nt_table_state *state, const struct nt_table *table, const struct nt_column *const *sorts)
{
	for (; sorts && *sorts; sorts++)
		if (*sorts >= table->columns && *sorts < table->columns + table->column_count) {
			state->sort = *sorts;
			state->ascending = state->sort->ascending;
		}
	state->columns |= state->sort ? UINT64_C(1) << (state->sort - table->columns) : 0;
}

static void take_settings(struct nt_ui *ui, const struct nt_ui_config *config)
{
	if (config->settings)
		ui->settings = *config->settings;
	else
		nt_settings_usual(&ui->settings);
	ui->config.settings = NULL;
	ui->window = ui->settings.window;
	ui->header = ui->settings.header;
	ui->raw_names = ui->settings.raw_names;
	ui->native = ui->settings.native;
	memcpy(ui->groupings_shown, ui->settings.groupings, sizeof(ui->groupings_shown));
	for (size_t i = 0; i < NT_VIEW_COUNT; i++) {
		const struct nt_table_settings *table = &ui->settings.tables[i];
		ui->tables[i].columns = table->columns;
		ui->tables[i].sort = table->sort;
		ui->tables[i].ascending = table->ascending;
		ui->tables[i].hide = table->hide;
		sort_as_asked(&ui->tables[i], nt_views[i]->table, config->sorts);
	}
}

/* Can this screen have changed the table? A list of processes has the one that it shows, a process all the others. */
static bool has_table(const struct nt_ui *ui, size_t view)
{
	return ui->config.list ? view == ui->view : view != NT_VIEW_PROCESSES && view != NT_VIEW_WATCHED;
}

void nt_ui_settings(const struct nt_ui *ui, struct nt_settings *out)
{
	if (!ui->config.recording) /* whose intervals somebody else has chosen */
		out->interval_ns = ui->config.interval_ns;
	out->theme = ui->settings.theme;
	for (size_t i = 0; i < NT_VIEW_COUNT; i++)
		if (has_table(ui, i))
			out->tables[i] = (struct nt_table_settings){ .columns = ui->tables[i].columns,
								     .sort = ui->tables[i].sort,
								     .ascending = ui->tables[i].ascending,
								     .hide = ui->tables[i].hide };
	if (ui->config.list)
		return;
	out->window = ui->window;
	out->header = ui->header;
	out->raw_names = ui->raw_names;
	out->native = ui->native;
	memcpy(out->groupings, ui->groupings_shown, sizeof(out->groupings));
}

struct nt_ui *nt_ui_new(const struct nt_ui_config *config)
{
	struct nt_ui *ui = nt_alloc(sizeof(*ui));
	ui->config = *config;
	ui->name = nt_strdup(config->name);
	ui->config.name = NULL;
	nt_ui_counters(ui, config->counters ? config->counters : "");
	ui->config.counters = NULL;
	ui->view = config->list   ? (config->watched ? NT_VIEW_WATCHED : NT_VIEW_PROCESSES)
		   : config->wall ? NT_VIEW_WAIT_WALL
				  : NT_VIEW_METHODS;
	take_settings(ui, config);
	snprintf(ui->events, sizeof(ui->events), "%s", config->events ? config->events : "");
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
	nt_timeline_fini(&ui->timeline);
	nt_snapshot_release(ui->live);
	nt_snapshot_release(ui->shown);
	free(ui->heap_text);
	free(ui->dump_text);
	free(ui->name);
	free(ui);
}

void nt_ui_resize(struct nt_ui *ui, int width, int height)
{
	ui->layout.width = width;
	ui->layout.height = height;
	nt_ui_relayout(ui);
	nt_heat_follow(ui);
	ui->page_top = 0;
	nt_select_refresh(ui, false, ui->cursor_moved_at);
}

unsigned nt_ui_snapshot(struct nt_ui *ui, struct nt_snapshot *snapshot, nt_time now)
{
	nt_ui_hold(&ui->live, snapshot);
	if (!ui->config.list)
		nt_log_news(ui, snapshot, now);
	nt_timeline_add(&ui->timeline, snapshot);
	if (ui->zero && snapshot->process_count)
		nt_zero_see(ui->zero, &snapshot->processes[0]);
	if (!ui->paused)
		nt_ui_show(ui, snapshot, now);
	return NT_UI_REDRAW;
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

/* What some columns take comes only while there is room for them on the screen. */
static unsigned demand_of_columns(const struct nt_placement *placement)
{
	unsigned demand = 0;
	for (size_t i = 0; i < placement->count; i++)
		demand |= placement->items[i].column->demand;
	return demand;
}

unsigned nt_ui_demand(const struct nt_ui *ui)
{
	unsigned native = ui->native && nt_ui_has_waiting_stacks(ui) ? NT_WANT_LOOKS | NT_WANT_NATIVE : 0u;
	unsigned beside = ui->view == NT_VIEW_METHODS && nt_ui_side_width(ui) ? NT_WANT_LOOKS : 0u;
	return nt_ui_view(ui)->demand | demand_of_columns(&ui->placement) | native | beside |
	       (ui->config.sampling ? NT_WANT_WALL_SAMPLES : 0u);
}

double nt_ui_speed(const struct nt_ui *ui)
{
	return ui->config.speed;
}

bool nt_ui_is_paused(const struct nt_ui *ui)
{
	return ui->paused;
}

unsigned nt_ui_play_is_over(struct nt_ui *ui, bool whole)
{
	ui->play = whole ? NT_PLAY_IS_OVER : NT_PLAY_BREAKS_OFF;
	return NT_UI_REDRAW;
}

void nt_ui_play_anew(struct nt_ui *ui)
{
	ui->play = NT_PLAY_GOES_ON;
	nt_timeline_fini(&ui->timeline);
	nt_zero_free(ui->zero);
	ui->zero = NULL;
	ui->heat = (struct nt_heat_choice){ 0 };
	ui->against_to = 0;
}

nt_time nt_ui_interval(const struct nt_ui *ui)
{
	return ui->config.interval_ns;
}

const struct nt_process_row *nt_ui_chosen_process(const struct nt_ui *ui)
{
	return nt_ui_selected_row(ui);
}

const char *nt_ui_events_wish(const struct nt_ui *ui)
{
	return ui->events;
}

unsigned nt_ui_heap(struct nt_ui *ui, const char *text, bool can_begin)
{
	free(ui->heap_text);
	ui->heap_text = nt_strdup(text);
	ui->heap_can_begin = can_begin;
	return ui->overlay == NT_OVERLAY_HEAP ? NT_UI_REDRAW : 0;
}

unsigned nt_ui_dump(struct nt_ui *ui, const char *text, bool can_begin, bool goes_on)
{
	free(ui->dump_text);
	ui->dump_text = nt_strdup(text);
	ui->dump_can_begin = can_begin;
	ui->dump_goes_on = goes_on;
	return ui->overlay == NT_OVERLAY_DUMP ? NT_UI_REDRAW : 0;
}

enum nt_dump_kind nt_ui_dump_kind(const struct nt_ui *ui)
{
	return ui->dump_kind;
}
