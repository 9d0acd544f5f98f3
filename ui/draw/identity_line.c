// SPDX-License-Identifier: GPL-2.0-only
#include "ui/draw/identity_line.h"

#include "nettop/shorten.h"
#include "ui/screen/line.h"
#include "ui/views/view_snapshot.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { NUMBER = 32, NAMED_SOURCES = 3, STALE_INTERVALS = 3, PAIRS = 80, LONGEST_NAME = 32, SHORTEST_NAME = 8 };

/* A piece of the line, and the style in which it is drawn. */
struct piece {
	struct nt_line line;
	enum nt_style style;
};

/* ---- left: pid, name, runtime ---- */

/* How much is said of the runtime: a narrow line says less. */
enum runtime_form { RUNTIME_NONE, RUNTIME_VERSION, RUNTIME_FULL };

static struct nt_line target_line(const struct nt_ui *ui, int name_room, enum runtime_form form)
{
	const struct nt_target_info *target = ui->has_process ? &ui->process.target : NULL;
	struct nt_line name = { 0 }, line = { 0 };
	char shown[NT_LINE_BYTES];
	nt_line_add_safe(&name, target && target->name ? target->name : ui->name);
	nt_line_add(&line, "%" PRIu32 " %s", ui->config.pid, nt_shorten_tail(name.text, name_room, shown, sizeof(shown)));
	if (target && target->kind == NT_DEPLOYED_NATIVE_AOT && form != RUNTIME_NONE)
		nt_line_add(&line, "%s%s", ui->layout.wide ? "  " : " ", form == RUNTIME_FULL ? "Native AOT" : "AOT");
	if (target && target->runtime && form != RUNTIME_NONE) {
		nt_line_add(&line, "%s%s", ui->layout.wide ? "  " : " ", form == RUNTIME_FULL ? ".NET " : "");
		nt_line_add_safe(&line, target->runtime);
	}
	return line;
}

static void add_long_facts(const struct nt_target_info *target, struct nt_line *line)
{
	char number[NUMBER];
	if (target->server_gc.known)
		nt_line_add(line, "%s", target->server_gc.v ? " server GC" : " workstation GC");
	if (target->cpu_count.known)
		nt_line_add(line, "  %" PRIu64 " CPU%s", target->cpu_count.v, target->cpu_count.v == 1 ? "" : "s");
	if (target->uptime_ns.known)
		nt_line_add(line, "  %s %s", target->ended ? "ran" : "up", nt_format_duration(target->uptime_ns.v, number, sizeof(number)));
}

/* The largest unit alone: 3d of 3d02h. */
static void add_short_uptime(const struct nt_target_info *target, struct nt_line *line)
{
	char number[NUMBER];
	if (!target->uptime_ns.known)
		return;
	nt_format_duration(target->uptime_ns.v, number, sizeof(number));
	char *unit = number + strspn(number, "0123456789");
	if (strchr("dhm", *unit) && unit[1] != 's')
		unit[1] = '\0';
	nt_line_add(line, " %s %s", target->ended ? "ran" : "up", number);
}

/* As much as fits: what stands behind the runtime goes first, then the name down to a few letters, then the runtime. */
static struct nt_line left_line(const struct nt_ui *ui, int room)
{
	enum runtime_form form = ui->layout.compact ? RUNTIME_VERSION : RUNTIME_FULL;
	struct nt_line line = target_line(ui, LONGEST_NAME, form);
	for (int name_room = LONGEST_NAME; nt_text_cells(line.text) > room && name_room >= SHORTEST_NAME; name_room--)
		line = target_line(ui, name_room, form);
	while (nt_text_cells(line.text) > room && form != RUNTIME_NONE)
		line = target_line(ui, SHORTEST_NAME, --form);
	if (!ui->has_process || form != RUNTIME_FULL)
		return line;
	struct nt_line longer = line;
	if (ui->layout.wide)
		add_long_facts(&ui->process.target, &longer);
	if (!ui->layout.wide || nt_text_cells(longer.text) > room) {
		longer = line;
		add_short_uptime(&ui->process.target, &longer);
	}
	return nt_text_cells(longer.text) <= room ? longer : line;
}

/* ---- middle: sources ---- */

/* How long nothing came, when that is too long; "" else. */
static const char *stale_text(const struct nt_ui *ui, const struct nt_source_row *row, char buf[NUMBER])
{
	bool speaks = row->state == NT_STATE_DELIVERING || row->state == NT_STATE_STALLED;
	if (!speaks || !row->lag_ns.known || row->lag_ns.v < STALE_INTERVALS * ui->config.interval_ns)
		return "";
	if (row->lag_ns.v >= 60 * NT_NS_PER_S)
		return nt_format_duration(row->lag_ns.v, buf, NUMBER);
	snprintf(buf, NUMBER, "%" PRIu64 "s", row->lag_ns.v / NT_NS_PER_S);
	return buf;
}

static struct piece source_piece(const struct nt_ui *ui, enum nt_source_id id)
{
	const struct nt_source_row *row = ui->live ? nt_snapshot_source(ui->live, id) : NULL;
	enum nt_source_state state = row ? row->state : NT_STATE_UNUSED;
	char number[NUMBER];
	const char *stale = row ? stale_text(ui, row, number) : "";
	bool fresh = state == NT_STATE_DELIVERING && !*stale;
	struct piece piece = { .style = fresh ? NT_STYLE_PLAIN : NT_STYLE_DIM };
	nt_line_add(&piece.line, "%s%s%s", nt_source_name(id), ui->layout.wide ? " " : "", nt_source_mark(state));
	if (*stale)
		nt_line_add(&piece.line, " %s", stale);
	uint64_t hz = row && row->rate_hz.known ? row->rate_hz.v : ui->config.perf_hz;
	if (id == NT_SOURCE_PERF && ui->layout.wide && hz && fresh)
		nt_line_add(&piece.line, " %" PRIu64 "Hz", hz);
	return piece;
}

static void draw_sources(const struct nt_ui *ui, const struct piece *sources, struct nt_grid *grid, int x, int end)
{
	for (int i = 0; i < NAMED_SOURCES; i++)
		x = nt_grid_put(grid, x, 0, end - x, sources[i].style, sources[i].line.text) + (ui->layout.wide ? 2 : 1);
}

/* ---- right: loss, own cost, state ---- */

static struct piece lost_piece(const struct nt_ui *ui)
{
	const struct nt_snapshot *live = ui->live;
	char number[NUMBER] = "";
	struct piece piece = { .style = live && live->lost_growing ? NT_STYLE_MARK : NT_STYLE_PLAIN };
	if (live)
		nt_format_whole(live->lost_count, number, sizeof(number));
	nt_line_add(&piece.line, "lost %s%s", live && live->lost_unknown ? ">" : "", number);
	return piece;
}

/* How far back it is, as soon as that is more than the interval that comes next. */
static void add_distance(const struct nt_ui *ui, struct nt_line *line)
{
	nt_time behind = ui->paused && ui->live->t1 > ui->shown->t1 ? (ui->live->t1 - ui->shown->t1) / NT_NS_PER_S : 0;
	if (ui->layout.wide && behind)
		nt_line_add(line, " -%" PRIu64 ":%02" PRIu64, behind / 60, behind % 60);
}

/* Samples of long ago are told apart by so long times only. */
static void add_coarseness(const struct nt_ui *ui, struct nt_line *line)
{
	nt_time coarse_ns = ui->has_process ? ui->process.stacks.coarse_ns : 0;
	char number[NUMBER];
	if (coarse_ns && !ui->layout.compact)
		nt_line_add(line, " call tree to %s", nt_format_duration(coarse_ns, number, sizeof(number)));
}

/* `SPAN 14:02:59.2 .. 14:03:05.9, 34k samples` */
static void add_span(const struct nt_ui *ui, struct nt_line *line)
{
	const struct nt_u64 *samples = &ui->process.interval.cpu.samples;
	const nt_time times[] = { ui->shown->t0, ui->shown->t1 };
	char clock[NUMBER];
	nt_line_add(line, "SPAN");
	for (size_t i = 0; !ui->layout.compact && i < sizeof(times) / sizeof(times[0]); i++) {
		nt_time tenths = (nt_time)(((int64_t)times[i] + ui->config.realtime_offset_ns) / (int64_t)(NT_NS_PER_S / 10));
		nt_line_add(line, "%s%s.%u", i ? ".." : " ", nt_ui_clock(ui, times[i], clock, sizeof(clock)), (unsigned)(tenths % 10));
	}
	if (ui->layout.wide && ui->has_process && samples->known)
		nt_line_add(line, ", %s samples", nt_format_whole(samples->v, clock, sizeof(clock)));
}

/* In place of LIVE: `REPLAY x4`, and of a process that has ended before the recording does, `ENDED 14:03:09, REPLAY x4`. */
static struct piece play_piece(const struct nt_ui *ui, bool ended)
{
	struct piece piece = { .style = ui->play == NT_PLAY_GOES_ON && !ended ? NT_STYLE_PLAIN : NT_STYLE_STATE };
	bool compact = ui->layout.compact;
	char clock[NUMBER];
	if (ended && compact && ui->play == NT_PLAY_GOES_ON) {
		nt_line_add(&piece.line, "ENDED");
		return piece;
	}
	if (ended && (ui->layout.wide || ui->play == NT_PLAY_GOES_ON))
		nt_line_add(&piece.line, "ENDED %s, ", nt_ui_clock(ui, ui->process.target.ended_at, clock, sizeof(clock)));
	if (ui->play == NT_PLAY_IS_OVER)
		nt_line_add(&piece.line, "%s", compact ? "END" : "END OF RECORDING");
	else if (ui->play == NT_PLAY_BREAKS_OFF)
		nt_line_add(&piece.line, "%s", compact ? "CUT" : "RECORDING CUT OFF");
	else
		nt_line_add(&piece.line, "REPLAY");
	if (ui->play == NT_PLAY_GOES_ON && ui->config.speed != 1)
		nt_line_add(&piece.line, " x%g", ui->config.speed);
	return piece;
}

/* `REC 1.24M`, before what else is said. */
static void add_recording(const struct nt_ui *ui, struct nt_line *line)
{
	char number[NUMBER];
	if (!ui->tape.records)
		return;
	nt_line_add(line, "REC ");
	if (ui->layout.width >= PAIRS)
		nt_line_add(line, "%s ", nt_format_bytes(ui->tape.bytes, number, sizeof(number)));
}

static struct piece state_piece(const struct nt_ui *ui)
{
	bool ended = ui->has_process && ui->process.target.ended;
	struct piece piece = { .style = ui->paused || ended ? NT_STYLE_STATE : NT_STYLE_PLAIN };
	char clock[NUMBER];
	add_recording(ui, &piece.line);
	if (ui->config.recording && !ui->paused)
		return play_piece(ui, ended);
	if (!ui->paused && !ended) {
		nt_line_add(&piece.line, "LIVE");
		return piece;
	}
	if (ui->is_span) { /* of all screens */
		add_span(ui, &piece.line);
		add_coarseness(ui, &piece.line);
		return piece;
	}
	nt_time at = ui->paused ? ui->shown->t1 : ui->process.target.ended_at;
	nt_line_add(&piece.line, "%s", ui->paused ? "PAUSED" : "ENDED");
	/* On the narrowest screens the word alone. */
	if (!ui->layout.compact)
		nt_line_add(&piece.line, " %s", nt_ui_clock(ui, at, clock, sizeof(clock)));
	add_distance(ui, &piece.line);
	if (ui->view == NT_VIEW_CALLS)
		add_coarseness(ui, &piece.line);
	return piece;
}

/* Draws the right end; returns where it begins. */
static int draw_right(const struct nt_ui *ui, struct nt_grid *grid)
{
	struct piece lost = lost_piece(ui), state = state_piece(ui);
	struct nt_line self = { 0 };
	if (ui->live && ui->live->self_pct.known && ui->layout.width >= PAIRS)
		nt_line_add(&self, "self %.1f%%", ui->live->self_pct.v);
	bool cost = ui->live && ui->live->target_cost_pct.known && ui->layout.width >= PAIRS;
	if (cost)
		nt_line_add(&self, "%scost ~%.1f%%", self.used ? " " : "", ui->live->target_cost_pct.v);
	int gap = ui->layout.width < PAIRS ? 1 : state.style == NT_STYLE_STATE ? 2 : ui->layout.wide ? 4 : cost ? 2 : 5;
	int x = ui->layout.width - nt_text_cells(state.line.text);
	nt_grid_put(grid, x, 0, grid->width, state.style, state.line.text);
	x -= gap + nt_text_cells(self.text);
	nt_grid_put(grid, x, 0, grid->width, NT_STYLE_PLAIN, self.text);
	x -= (self.used ? 2 : 0) + nt_text_cells(lost.line.text);
	nt_grid_put(grid, x, 0, nt_text_cells(lost.line.text), lost.style, lost.line.text);
	return x;
}

void nt_identity_draw(const struct nt_ui *ui, struct nt_grid *grid)
{
	const enum nt_source_id named[NAMED_SOURCES] = { nt_snapshot_carrier(ui->live), NT_SOURCE_PERF, NT_SOURCE_CODEMAP };
	struct piece sources[NAMED_SOURCES];
	bool with_sources = ui->layout.width >= PAIRS;
	int right = draw_right(ui, grid), cells = 0;
	for (int i = 0; i < NAMED_SOURCES; i++) {
		sources[i] = source_piece(ui, named[i]);
		cells += nt_text_cells(sources[i].line.text) + (i && ui->layout.wide ? 2 : i ? 1 : 0);
	}
	struct nt_line left = left_line(ui, right - 1 - (with_sources ? cells + 2 : 0));
	int x = nt_grid_put(grid, 0, 0, right - 1, NT_STYLE_PLAIN, left.text);
	/* A third of the free room before the sources, the rest behind them. */
	int gap = (right - x - cells) / 3;
	if (with_sources)
		draw_sources(ui, sources, grid, x + (gap < 2 ? 2 : gap), right - 1);
}
