// SPDX-License-Identifier: GPL-2.0-only
#include "ui/draw/header.h"

#include "base/text.h"
#include "nettop/shorten.h"
#include "nettop/tile.h"
#include "ui/draw/ending.h"
#include "ui/draw/header_tiles.h"
#include "ui/draw/identity_line.h"
#include "ui/draw/list_header.h"
#include "ui/screen/line.h"
#include "ui/views/view_snapshot.h"

#include <string.h>

/* ---- finding line ---- */

/* The end of the target, which is told in a pause, too. */
static void draw_end(const struct nt_ui *ui, const struct nt_target_info *target, const char *beginning, struct nt_grid *grid)
{
	static const char *const tails[] = { " Everything up to then is kept: scroll, sort.   q quit", "   q quit" };
	struct nt_line line = { 0 };
	char clock[16], cut[NT_LINE_BYTES];
	if ((target->end.exception || target->end.message) && !ui->layout.end_height) { /* no room for it below */
		nt_line_add(&line, "! ");
		nt_ending_add(&target->end, &line);
		nt_line_add(&line, "  ");
		beginning = beginning[0] == '!' ? beginning + 2 : beginning;
	}
	nt_line_add(&line, "%s ended at %s%s", beginning, nt_ui_clock(ui, target->ended_at, clock, sizeof(clock)),
		    target->end_text ? ": " : "");
	nt_line_add_safe(&line, target->end_text);
	nt_line_add(&line, ".");
	bool fits = nt_text_cells(line.text) + nt_text_cells(tails[0]) <= grid->width;
	nt_line_add(&line, "%s", tails[fits ? 0 : 1]);
	nt_grid_fill(grid, 0, ui->layout.finding_y, grid->width, NT_STYLE_ALERT, " ");
	nt_grid_put(grid, 0, ui->layout.finding_y, grid->width, NT_STYLE_ALERT, nt_shorten_tail(line.text, grid->width, cut, sizeof(cut)));
}

/* The longest wording that fits, then how many more there are and where to look. The briefest is for narrow screens: on others it leaves out who it is, and a longer one is cut. */
static void draw_worst(const struct nt_ui *ui, struct nt_grid *grid)
{
	const struct nt_finding *finding = &ui->process.findings[0];
	const char *const wordings[] = { finding->text, finding->short_text, finding->brief_text };
	struct nt_line tail = { 0 }, line = { 0 };
	char cut[NT_LINE_BYTES];
	if (finding->lapsed_ns)
		nt_line_add(&tail, "  %.0fs ago", (double)finding->lapsed_ns / (double)NT_NS_PER_S);
	if (ui->process.finding_count > 1 && grid->width >= 60)
		nt_line_add(&tail, "  (+%zu%s)", ui->process.finding_count - 1, ui->layout.wide ? "" : " more");
	nt_line_add(&tail, " press %c", finding->screen);
	int room = grid->width - 2 - nt_text_cells(tail.text);
	enum { WORDINGS = sizeof(wordings) / sizeof(wordings[0]), NARROW = 72 };
	for (size_t i = 0; i < (grid->width < NARROW ? WORDINGS : WORDINGS - 1); i++) {
		line = (struct nt_line){ 0 };
		nt_line_add_safe(&line, wordings[i]);
		if (nt_text_cells(line.text) <= room)
			break;
	}
	nt_grid_fill(grid, 0, ui->layout.finding_y, grid->width, NT_STYLE_ALERT, " ");
	nt_grid_put(grid, 0, ui->layout.finding_y, 2, NT_STYLE_ALERT, "! ");
	nt_grid_put(grid, 2, ui->layout.finding_y, room, NT_STYLE_ALERT, nt_shorten_tail(line.text, room, cut, sizeof(cut)));
	nt_grid_put_right(grid, 0, ui->layout.finding_y, grid->width, NT_STYLE_ALERT, tail.text);
}

static void add_list(struct nt_line *line, const char *label, const char *const *names, size_t count)
{
	for (size_t i = 0; i < count; i++)
		nt_line_add(line, "%s%s", i ? ", " : label, names[i]);
	nt_line_add(line, "%s", count ? "." : "");
}

/* Where requests have no tile they speak here: that none of it crosses a threshold does not say that they are fast. */
static void add_requests(const struct nt_ui *ui, struct nt_line *line)
{
	struct nt_tile tile;
	if (ui->layout.tiles != NT_TILES_PAIRS || ui->layout.tile_count > NT_SUBJECT_REQUESTS || !ui->process.interval.requests.serves)
		return;
	nt_header_tile_make(ui, NT_SUBJECT_REQUESTS, &tile);
	if (!*tile.reason && *tile.headline)
		nt_line_add(line, " %s %s %s.", tile.label, tile.headline, tile.facts);
}

/* What was looked at is said, too: silence about the rest would say that all is well. */
static void draw_quiet(const struct nt_ui *ui, struct nt_grid *grid)
{
	nt_time since = ui->process.quiet_since;
	const struct nt_process_snapshot *process = &ui->process;
	struct nt_line line = { 0 }, checked = { 0 };
	char duration[32], cut[NT_LINE_BYTES];
	if (!since || since >= ui->shown->t1 || !(process->checked_count + process->unchecked_count)) /* nobody has looked */
		return;
	if (ui->is_span && since < ui->shown->t0) /* nothing is said of the time before it */
		since = ui->shown->t0;
	nt_format_duration(ui->shown->t1 - since, duration, sizeof(duration));
	add_requests(ui, &line);
	nt_line_add(&line, " No threshold crossed for %s.", duration);
	add_list(&line, " Not known: ", process->unchecked, process->unchecked_count);
	add_list(&checked, " Checked: ", process->checked, process->checked_count);
	if (nt_text_cells(line.text) + nt_text_cells(checked.text) <= grid->width)
		nt_line_add(&line, "%s", checked.text);
	nt_grid_put(grid, 0, ui->layout.finding_y, grid->width, NT_STYLE_DIM, nt_shorten_tail(line.text, grid->width, cut, sizeof(cut)));
}

static void draw_finding(const struct nt_ui *ui, struct nt_grid *grid)
{
	if (ui->layout.finding_y < 0)
		return;
	const struct nt_target_info *now = ui->live && ui->live->process_count ? &ui->live->processes[0].target : NULL;
	/* Once only: who asks for longer intervals (key d) still sees what was found. */
	bool waiting = !ui->has_process || !ui->begun;
	if (ui->has_process && ui->process.target.ended)
		draw_end(ui, &ui->process.target, "! Target", grid);
	else if (now && now->ended)
		draw_end(ui, now, "! now: target", grid);
	else if (waiting)
		nt_grid_put(grid, 0, ui->layout.finding_y, grid->width, NT_STYLE_DIM, " Waiting for the first interval");
	else if (ui->process.finding_count)
		draw_worst(ui, grid);
	else
		draw_quiet(ui, grid);
}

/* ---- tab bar ---- */

static const char *tab_of(const struct nt_view *view, bool wide)
{
	if (view->subject)
		return wide ? view->subject->screen : view->subject->screen_short;
	return wide ? view->tab : view->tab_short;
}

static void draw_tabs(const struct nt_ui *ui, struct nt_grid *grid)
{
	int y = ui->layout.tabs_y, x = 0;
	if (y < 0)
		return;
	nt_grid_fill(grid, 0, y, grid->width, NT_STYLE_TITLE, "─");
	for (size_t i = 0; i < NT_VIEW_TABS; i++) {
		const char *name = tab_of(nt_views[i], ui->layout.wide);
		bool active = i == nt_ui_tab(ui);
		x = nt_grid_printf(grid, x + 1, y, grid->width, active ? NT_STYLE_SORT : NT_STYLE_TITLE, active ? "[%s]" : "%s", name);
	}
}

size_t nt_header_tab_at(const struct nt_ui *ui, int x, int y)
{
	if (y != ui->layout.tabs_y || y < 0)
		return NT_VIEW_TABS;
	int end = 0;
	for (size_t i = 0; i < NT_VIEW_TABS; i++) {
		const char *name = tab_of(nt_views[i], ui->layout.wide);
		int brackets = i == nt_ui_tab(ui) ? 2 : 0, begin = end + 1;
		end = begin + nt_text_cells(name) + brackets;
		if (x >= begin && x < end)
			return i;
	}
	return NT_VIEW_TABS;
}

void nt_header_draw(const struct nt_ui *ui, struct nt_grid *grid)
{
	if (ui->config.list) {
		nt_list_header_draw(ui, grid);
		return;
	}
	nt_identity_draw(ui, grid);
	nt_header_tiles_draw(ui, grid);
	draw_finding(ui, grid);
	nt_ending_draw(ui, grid);
	draw_tabs(ui, grid);
}
