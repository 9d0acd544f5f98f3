// SPDX-License-Identifier: GPL-2.0-only
#include "ui/act/go_time.h"

#include "base/when.h"
#include "ui/act/go_difference.h"
#include "ui/act/go_view.h"
#include "ui/act/ui.h"
#include "ui/state/message.h"
#include "ui/state/select.h"
#include "ui/state/show.h"

#define MINUTE_NS (60 * NT_NS_PER_S)
#define SLOWEST   0.0625
#define FASTEST   2048

unsigned nt_go_pause(struct nt_ui *ui, nt_time now)
{
	if (!ui->shown)
		return 0;
	ui->paused = !ui->paused;
	ui->is_span = false;
	if (ui->paused)
		nt_ui_message(ui, now,
			      ui->config.list        ? "The list stands still; Space is live again"
			      : ui->config.recording ? "[ ] an interval back and on, { } a minute; Space goes on"
						     : "[ ] an interval back and on, { } a minute; Space is live again");
	else
		nt_ui_show(ui, ui->live, now);
	return NT_UI_REDRAW;
}

/* What is no longer kept of a recording is there once more when it is replayed anew. */
static unsigned lead_to(struct nt_ui *ui, struct nt_ui_moment moment)
{
	bool older = moment.time ? moment.time < ui->past_from : moment.sequence < ui->past_first;
	bool anew = ui->config.recording && older && ui->past_first > 1;
	if (anew && moment.time >= ui->config.interval_ns) /* who comes from before it ends at the first one that is not before it */
		moment.time -= ui->config.interval_ns - 1;
	moment.calls = ui->view == NT_VIEW_CALLS;
	ui->moment = moment;
	ui->paused = true;
	return NT_UI_REDRAW | (anew ? NT_UI_ANEW : NT_UI_MOMENT);
}

unsigned nt_go_to_interval(struct nt_ui *ui, uint64_t sequence)
{
	ui->paused = true;
	if (ui->shown->sequence == sequence && !ui->is_span)
		return NT_UI_REDRAW;
	return lead_to(ui, (struct nt_ui_moment){ .sequence = sequence });
}

static struct nt_ui_moment moment_of(const struct nt_ui *ui, enum nt_action action)
{
	const struct nt_snapshot *shown = ui->shown;
	switch (action) {
	case NT_DO_BACK:
		return (struct nt_ui_moment){ .sequence = shown->sequence - 1 };
	case NT_DO_ON:
		return (struct nt_ui_moment){ .sequence = shown->sequence + 1 };
	case NT_DO_MINUTE_BACK:
		return (struct nt_ui_moment){ .time = shown->t1 > MINUTE_NS ? shown->t1 - MINUTE_NS : 1 };
	default: /* of long intervals the next one is further on */
		return (struct nt_ui_moment){ .time = shown->t1 + MINUTE_NS, .sequence = shown->sequence + 1 };
	}
}

unsigned nt_go_in_time(struct nt_ui *ui, enum nt_action action, nt_time now)
{
	if (!ui->shown)
		return 0;
	if (action == NT_DO_DIFFERENCE)
		return nt_go_difference(ui, now);
	bool on = action == NT_DO_ON || action == NT_DO_MINUTE_ON;
	ui->paused = true;
	if (on && ui->shown->sequence >= ui->live->sequence && ui->config.recording) {
		ui->moment = moment_of(ui, action);
		return NT_UI_REDRAW | NT_UI_FURTHER;
	}
	if (on && ui->shown->sequence >= ui->live->sequence) {
		nt_ui_message(ui, now, "This is the newest interval; Space goes on");
		return NT_UI_REDRAW;
	}
	return lead_to(ui, moment_of(ui, action));
}

/* Since when a time of day is meant: of what runs for days, the last day. */
static nt_time first_time(const struct nt_ui *ui)
{
	const nt_time day = 24 * 3600 * NT_NS_PER_S;
	const struct nt_snapshot *live = ui->live;
	return ui->config.recording || live->t1 < live->start + day ? live->start : live->t1 - day;
}

unsigned nt_go_to_time(struct nt_ui *ui, const char *text, nt_time now)
{
	struct nt_when when;
	if (!*text)
		return NT_UI_REDRAW;
	if (!nt_when_parse(text, &when)) {
		nt_ui_message(ui, now, "A time is HH:MM, HH:MM:SS, +SEC since the begin, or YYYY-MM-DDTHH:MM:SS");
		return NT_UI_REDRAW;
	}
	nt_time first = when.sort == NT_WHEN_SINCE_BEGIN ? ui->live->start : first_time(ui);
	nt_time time = nt_when_in(&when, first, ui->config.realtime_offset_ns);
	if (time < ui->live->t1)
		return lead_to(ui, (struct nt_ui_moment){ .time = time + ui->config.interval_ns });
	if (!ui->config.recording) {
		nt_ui_message(ui, now, "That time has not come yet");
		return NT_UI_REDRAW;
	}
	ui->paused = true;
	ui->moment = (struct nt_ui_moment){ .time = time + 1, .sequence = ui->live->sequence + 1 };
	return NT_UI_REDRAW | NT_UI_FURTHER;
}

unsigned nt_go_speed(struct nt_ui *ui, bool faster, nt_time now)
{
	double speed = ui->config.speed * (faster ? 2 : 0.5);
	if (!ui->config.recording) {
		nt_ui_message(ui, now, "Only a recording has a speed: nettop replay FILE");
		return NT_UI_REDRAW;
	}
	if (speed < SLOWEST || speed > FASTEST)
		return 0;
	ui->config.speed = speed;
	return NT_UI_REDRAW;
}

unsigned nt_go_zero(struct nt_ui *ui, nt_time now)
{
	if (!ui->has_process)
		return 0;
	if (ui->is_span) {
		nt_ui_message(ui, now, "A span is counted for itself; Space is live again");
		return NT_UI_REDRAW;
	}
	nt_zero_free(ui->zero);
	ui->zero = nt_zero_new(&ui->shown->processes[0], ui->shown->t1);
	ui->window = NT_WINDOW_ATTACH;
	nt_ui_show(ui, ui->shown, now);
	nt_select_refresh(ui, true, now);
	nt_ui_message(ui, now, "Counting from now on; o goes back to all since attach");
	return NT_UI_REDRAW;
}

/* Up is later: the begin of an interval is below. */
static unsigned move_cell(struct nt_ui *ui, bool up)
{
	struct nt_heat_choice *heat = &ui->heat;
	unsigned rows = nt_heat_rows(ui), each = rows ? NT_INTERVAL_PARTS / rows : 0;
	if (!rows || !nt_heat_shown(ui, NULL))
		return NT_UI_REDRAW;
	if (!heat->on)
		heat->part = up ? 0 : NT_INTERVAL_PARTS - each;
	else if (up && heat->part + each < NT_INTERVAL_PARTS)
		heat->part += each;
	else if (!up && heat->part >= each)
		heat->part -= each;
	heat->on = ui->paused = true;
	return NT_UI_REDRAW;
}

static unsigned mark_cell(struct nt_ui *ui, nt_time now)
{
	struct nt_heat_choice *heat = &ui->heat;
	heat->marked = ui->paused = true;
	heat->dragged = false;
	heat->mark_whole = !heat->on;
	heat->mark = ui->shown->sequence;
	heat->mark_part = heat->part;
	if (heat->mark_whole)
		nt_ui_message(ui, now,
			      "A span from this interval on: Left and Right to its other end, then Enter; Up and Down choose a part");
	return NT_UI_REDRAW;
}

unsigned nt_go_heat(struct nt_ui *ui, nt_key key, enum nt_action action, nt_time now)
{
	struct nt_ui_moment span = { 0 };
	if (key == NT_KEY_LEFT || key == NT_KEY_RIGHT)
		return nt_go_in_time(ui, key == NT_KEY_LEFT ? NT_DO_BACK : NT_DO_ON, now);
	if (action == NT_DO_UP || action == NT_DO_DOWN)
		return move_cell(ui, action == NT_DO_UP);
	if (action == NT_DO_RESTRICT)
		return mark_cell(ui, now);
	if (action == NT_DO_DIFFERENCE || (action == NT_DO_IN && ui->against_to && nt_heat_span(ui, &span.from, &span.to)))
		return nt_go_difference(ui, now);
	if (action == NT_DO_IN && nt_heat_span(ui, &span.from, &span.to)) {
		ui->moment = span;
		return NT_UI_REDRAW | NT_UI_MOMENT;
	}
	if (action == NT_DO_OUT && (ui->heat.on || ui->heat.marked || ui->against_to)) {
		if (!ui->heat.on && !ui->heat.marked)
			ui->against_to = 0;
		ui->heat = (struct nt_heat_choice){ 0 };
		return NT_UI_REDRAW;
	}
	return 0;
}

struct nt_ui_moment nt_ui_moment_wished(const struct nt_ui *ui)
{
	return ui->moment;
}

void nt_ui_past(struct nt_ui *ui, uint64_t first, nt_time from, nt_time exact_from)
{
	ui->past_first = first;
	ui->past_from = from;
	ui->exact_from = exact_from;
}

unsigned nt_ui_go_back(struct nt_ui *ui, struct nt_snapshot *snapshot, nt_time now)
{
	bool other = ui->moment.time || ui->moment.sequence != ui->shown->sequence;
	ui->paused = true;
	ui->is_span = ui->moment.to != 0;
	if (ui->is_span) { /* its methods are what one looks for */
		ui->heat = (struct nt_heat_choice){ 0 };
		ui->overlay = NT_OVERLAY_NONE;
		ui->window = NT_WINDOW_RECENT;
		ui->restriction.part = NT_PART_ALL;
		nt_go_view(ui, ui->moment.against_to ? NT_VIEW_DIFFERENCE : NT_VIEW_METHODS, now);
	} else if (snapshot->sequence == ui->shown->sequence && other) {
		nt_ui_message(ui, now, "Nothing older is kept");
	}
	nt_ui_show(ui, snapshot, now);
	if (ui->is_span)
		nt_select_refresh(ui, true, now);
	return NT_UI_REDRAW;
}
