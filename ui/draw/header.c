// SPDX-License-Identifier: GPL-2.0-only
#include "ui/draw/header.h"

#include "base/text.h"
#include "nettop/shorten.h"
#include "nettop/tile.h"
#include "ui/draw/ending.h"
#include "ui/draw/identity_line.h"
#include "ui/draw/list_header.h"
#include "ui/screen/line.h"
#include "ui/screen/spark.h"
#include "ui/views/view_snapshot.h"

#include <string.h>

enum { LABEL_CELLS = 5, SHORT_HEADLINE_CELLS = 6 };

static void make_tile(const struct nt_ui *ui, enum nt_subject_id id, struct nt_tile *out)
{
	if (!ui->has_process) {
		*out = (struct nt_tile){ .label = nt_subjects[id]->label };
		return;
	}
	const struct nt_tile_input input = {
		.figures = &ui->process.interval,
		.wide = ui->layout.wide,
		.fact_cells = ui->layout.fact_cells,
		.events_lost = nt_tile_events_lost(ui->shown),
	};
	nt_tile_make(id, &input, out);
}

/* ---- tiles ---- */

/* A reason is a sentence; when it does not fit, its part behind the last colon, with the key of the screen that has it in full. */
static const char *reason_text(const char *reason, int room, char *out, size_t size)
{
	static const char pointer[] = ": 0";
	const char *colon = strrchr(reason, ':');
	bool has_tail = colon && colon[1] == ' ';
	if (nt_text_cells(reason) <= room || !has_tail)
		return nt_shorten_tail(reason, room, out, size);
	nt_shorten_tail(colon + 2, room - (int)sizeof(pointer) + 1, out, size - sizeof(pointer));
	return strcat(out, pointer);
}

static void draw_reason(const struct nt_ui *ui, const struct nt_tile *tile, struct nt_grid *grid, int x, int y)
{
	char text[NT_REASON_BYTES];
	/* In place of the facts; a longer one takes the cells of sparkline and headline too. */
	int end = x + 1 + LABEL_CELLS + 1 + NT_TILE_HEADLINE_CELLS + 1 + ui->layout.spark_cells + 1 + ui->layout.fact_cells;
	int least = x + 1 + LABEL_CELLS + 1, facts = end - ui->layout.fact_cells;
	/* How it ended stands in the line of the finding; behind the last colon it would read like a count. */
	bool ended = ui->has_process && ui->process.target.ended;
	reason_text(ended ? "ended" : tile->reason, end - least, text, sizeof(text));
	int start = end - nt_text_cells(text);
	nt_grid_put(grid, start < facts ? start : facts, y, end - least, NT_STYLE_DIM, text);
}

/* Whether a finding is about this tile; the most important one also colours it. */
static enum nt_style tile_style(const struct nt_ui *ui, enum nt_subject_id id, bool *marked)
{
	*marked = false;
	for (size_t i = 0; ui->has_process && i < ui->process.finding_count; i++) {
		if (ui->process.findings[i].headline != id)
			continue;
		*marked = true;
		return i == 0 ? NT_STYLE_ALERT : NT_STYLE_MARK;
	}
	return NT_STYLE_PLAIN;
}

/* mark, label, headline, sparkline, facts. */
static void draw_tile(const struct nt_ui *ui, enum nt_subject_id id, struct nt_grid *grid, int x, int y)
{
	struct nt_tile tile;
	char cut[NT_TILE_HEADLINE_BYTES], bars[NT_SPARK_BYTES];
	make_tile(ui, id, &tile);
	nt_grid_put(grid, x + 1, y, LABEL_CELLS, NT_STYLE_DIM, tile.label);
	if (*tile.reason) {
		draw_reason(ui, &tile, grid, x, y);
		return;
	}
	int headline = x + 1 + LABEL_CELLS + 1, spark = headline + NT_TILE_HEADLINE_CELLS + 1, facts = spark + ui->layout.spark_cells + 1;
	bool marked;
	enum nt_style style = tile_style(ui, id, &marked);
	if (marked)
		nt_grid_put(grid, x, y, 1, NT_STYLE_MARK, "!");
	nt_grid_put_right(grid, headline, y, NT_TILE_HEADLINE_CELLS, style,
			  nt_shorten_tail(tile.headline, NT_TILE_HEADLINE_CELLS, cut, sizeof(cut)));
	if (ui->has_process && !ui->layout.no_sparks)
		nt_grid_put(grid, spark, y, ui->layout.spark_cells, NT_STYLE_PLAIN,
			    nt_spark_series(&ui->process.series[id], ui->layout.spark_cells, bars));
	nt_grid_put(grid, facts, y, ui->layout.fact_cells, NT_STYLE_PLAIN, tile.facts);
}

/* One headline in the short header. */
struct slot {
	enum nt_subject_id id;
	const char *label;
	bool wide; /* right-aligned to SHORT_HEADLINE_CELLS */
};

/* From `x` on, when it fits; returns where the next one begins. */
static int draw_slot(const struct nt_ui *ui, const struct slot *slot, int label_cells, struct nt_grid *grid, int x)
{
	struct nt_tile tile;
	bool marked;
	enum nt_style style = tile_style(ui, slot->id, &marked);
	make_tile(ui, slot->id, &tile);
	int cells = nt_text_cells(tile.headline), y = 1;
	int room = slot->wide && cells < SHORT_HEADLINE_CELLS ? SHORT_HEADLINE_CELLS : cells;
	int gap = slot->wide && cells < room ? 0 : 1;
	if (!cells || x + label_cells + gap + room > grid->width)
		return x;
	if (marked)
		nt_grid_put(grid, x - 1, y, 1, NT_STYLE_MARK, "!");
	nt_grid_put(grid, x, y, label_cells, NT_STYLE_DIM, slot->label);
	nt_grid_put_right(grid, x + label_cells + gap, y, room, style, tile.headline);
	return x + label_cells + gap + room + (ui->layout.compact ? 1 : 2);
}

/* `!GC    23.4% CPU  512% q 212 blk 0`: labels and headlines in one line. The worst one comes first, GC when there is none; then as many as fit. */
static void draw_headlines(const struct nt_ui *ui, struct nt_grid *grid)
{
	static const struct slot slots[] = {
		{ NT_SUBJECT_GC, "GC", true },           { NT_SUBJECT_CPU, "CPU", true },     { NT_SUBJECT_POOL, "q", false },
		{ NT_SUBJECT_THREADS, "blk", false },    { NT_SUBJECT_JIT, "JIT", true },     { NT_SUBJECT_ALLOC, "ALLOC", true },
		{ NT_SUBJECT_EXCEPTIONS, "EXC", false }, { NT_SUBJECT_LOCKS, "LOCK", false }, { NT_SUBJECT_REQUESTS, "REQ", false },
		{ NT_SUBJECT_HOST, "HOST", true },
	};
	enum nt_subject_id worst = ui->has_process && ui->process.finding_count ? ui->process.findings[0].headline : NT_SUBJECT_GC;
	const struct slot first = { worst, nt_subjects[worst]->label, true };
	int x = draw_slot(ui, &first, LABEL_CELLS, grid, 1);
	for (size_t i = 0; i < sizeof(slots) / sizeof(slots[0]); i++)
		if (slots[i].id != worst)
			x = draw_slot(ui, &slots[i], nt_text_cells(slots[i].label), grid, x);
}

/* One tile per line: CPU and GC, then what else is out of its range. */
static void draw_singles(const struct nt_ui *ui, struct nt_grid *grid)
{
	int y = 1;
	for (int pass = 0; pass < 2; pass++)
		for (int i = 0; i < NT_SUBJECT_TILES && y <= ui->layout.tiles_height; i++) {
			bool marked, always = i == NT_SUBJECT_CPU || i == NT_SUBJECT_GC;
			tile_style(ui, (enum nt_subject_id)i, &marked);
			if (pass == 0 ? always : marked && !always)
				draw_tile(ui, (enum nt_subject_id)i, grid, 0, y++);
		}
}

static void draw_tiles(const struct nt_ui *ui, struct nt_grid *grid)
{
	switch (ui->layout.tiles) {
	case NT_TILES_PAIRS:
		for (int i = 0; i < ui->layout.tile_count; i++)
			draw_tile(ui, (enum nt_subject_id)i, grid, i % 2 ? (ui->layout.wide ? 60 : 40) : 0, 1 + i / 2);
		break;
	case NT_TILES_SINGLE:
		draw_singles(ui, grid);
		break;
	case NT_TILES_HEADLINES:
		draw_headlines(ui, grid);
		break;
	case NT_TILES_NONE:
		break;
	}
}

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
	make_tile(ui, NT_SUBJECT_REQUESTS, &tile);
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
	draw_tiles(ui, grid);
	draw_finding(ui, grid);
	nt_ending_draw(ui, grid);
	draw_tabs(ui, grid);
}
