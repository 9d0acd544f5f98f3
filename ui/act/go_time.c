// SPDX-License-Identifier: GPL-2.0-only
#include "ui/act/go_time.h"

#include "ui/act/ui.h"
#include "ui/state/message.h"
#include "ui/state/show.h"

#define MINUTE_NS (60 * NT_NS_PER_S)

unsigned nt_go_pause(struct nt_ui *ui, nt_time now)
{
	if (!ui->shown)
		return 0;
	ui->paused = !ui->paused;
	if (ui->paused)
		nt_ui_message(ui, now, "[ ] an interval back and on, { } a minute; Space is live again");
	else
		nt_ui_show(ui, ui->live, now);
	return NT_UI_REDRAW;
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
	default:
		return (struct nt_ui_moment){ .time = shown->t1 + MINUTE_NS };
	}
}

unsigned nt_go_in_time(struct nt_ui *ui, enum nt_action action, nt_time now)
{
	if (!ui->shown)
		return 0;
	bool on = action == NT_DO_ON || action == NT_DO_MINUTE_ON;
	ui->paused = true;
	if (on && ui->shown->sequence >= ui->live->sequence) {
		nt_ui_message(ui, now, "This is the newest interval; Space goes on");
		return NT_UI_REDRAW;
	}
	ui->moment = moment_of(ui, action);
	return NT_UI_REDRAW | NT_UI_MOMENT;
}

struct nt_ui_moment nt_ui_moment_wished(const struct nt_ui *ui)
{
	return ui->moment;
}

unsigned nt_ui_go_back(struct nt_ui *ui, struct nt_snapshot *snapshot, nt_time now)
{
	ui->paused = true;
	if (snapshot->sequence == ui->shown->sequence)
		nt_ui_message(ui, now, "Nothing older is kept");
	nt_ui_show(ui, snapshot, now);
	return NT_UI_REDRAW;
}
