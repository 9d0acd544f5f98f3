// SPDX-License-Identifier: GPL-2.0-only
#include "ui/act/mouse_time.h"

#include "ui/act/go_time.h"
#include "ui/draw/body_page.h"
#include "ui/draw/time_page.h"

static bool place_at(const struct nt_ui *ui, int x, int y, struct nt_time_place *out)
{
	struct nt_page page;
	int line = y - ui->layout.body_y + nt_ui_page(ui, &page);
	nt_page_fini(&page);
	return y >= ui->layout.body_y && y < ui->layout.context_y && nt_time_page_at(ui, x, line, out);
}

/* The cell of the heat map, or all of the interval. */
static unsigned look_at(struct nt_ui *ui, const struct nt_time_place *place, uint64_t sequence)
{
	ui->heat.on = place->in_heat;
	ui->heat.part = place->part;
	return nt_go_to_interval(ui, sequence);
}

unsigned nt_mouse_time_press(struct nt_ui *ui, int x, int y)
{
	struct nt_time_place place;
	ui->pressed = (struct nt_time_place){ 0 };
	if (!place_at(ui, x, y, &place))
		return 0;
	if (ui->heat.dragged)
		ui->heat = (struct nt_heat_choice){ 0 };
	ui->pressed = place;
	ui->pressed_x = x;
	ui->pressed_y = y;
	return look_at(ui, &place, place.meant);
}

unsigned nt_mouse_time_release(struct nt_ui *ui, int x, int y)
{
	const struct nt_time_place from = ui->pressed;
	struct nt_time_place to;
	ui->pressed = (struct nt_time_place){ 0 };
	bool moved = from.first && (x != ui->pressed_x || y != ui->pressed_y) && place_at(ui, x, y, &to) &&
		     (to.first != from.first || to.in_heat != from.in_heat || to.part != from.part);
	if (!moved)
		return 0;
	bool back = to.first < from.first;
	ui->heat = (struct nt_heat_choice){
		.marked = true, .dragged = true, .mark_whole = !from.in_heat, .mark = back ? from.last : from.first, .mark_part = from.part
	};
	return look_at(ui, &to, back ? to.first : to.last);
}
