// SPDX-License-Identifier: GPL-2.0-only
#include "ui/act/go_difference.h"

#include "ui/act/go_view.h"
#include "ui/act/ui.h"
#include "ui/state/message.h"

/* The one that is chosen on the screen of time, or that all screens show. */
static bool chosen_span(const struct nt_ui *ui, nt_time *from, nt_time *to)
{
	if (ui->overlay == NT_OVERLAY_TIME)
		return nt_heat_span(ui, from, to);
	*from = ui->is_span ? ui->shown->t0 : 0;
	*to = ui->is_span ? ui->shown->t1 : 0;
	return ui->is_span;
}

static void open_time(struct nt_ui *ui)
{
	ui->overlay = NT_OVERLAY_TIME;
	ui->page_top = 0;
}

unsigned nt_go_out_of_difference(struct nt_ui *ui, nt_time now)
{
	open_time(ui);
	return nt_go_view(ui, NT_VIEW_METHODS, now);
}

unsigned nt_go_difference(struct nt_ui *ui, nt_time now)
{
	nt_time from, to;
	if (ui->overlay == NT_OVERLAY_NONE && ui->view == NT_VIEW_DIFFERENCE)
		return nt_go_out_of_difference(ui, now);
	bool chosen = chosen_span(ui, &from, &to);
	open_time(ui);
	if (!chosen) {
		nt_ui_message(ui, now,
			      ui->against_to ? "Choose the other span: Up, Down, x and the arrows; then = compares"
					     : "Choose a span (Up, Down, x, arrows); = keeps it, the next one is compared");
		return NT_UI_REDRAW;
	}
	if (ui->against_to && from < ui->against_to && to > ui->against_from) {
		nt_ui_message(ui, now, "Both spans have a part in common: choose another one");
		return NT_UI_REDRAW;
	}
	if (!ui->against_to) {
		ui->against_from = from;
		ui->against_to = to;
		ui->against_ended = false;
		ui->heat = (struct nt_heat_choice){ 0 };
		nt_ui_message(ui, now, "Kept. Choose the span to compare with it, then = again; Esc lets it go");
		return NT_UI_REDRAW;
	}
	ui->moment = (struct nt_ui_moment){
		.from = from, .to = to, .against_from = ui->against_from, .against_to = ui->against_to, .against_ended = ui->against_ended
	};
	return NT_UI_REDRAW | NT_UI_MOMENT;
}

bool nt_ui_take_kept(struct nt_ui *ui, const struct nt_ui *ended)
{
	if (!ended->against_to)
		return false;
	ui->against_from = ended->against_from;
	ui->against_to = ended->against_to;
	ui->against_ended = true;
	return true;
}
