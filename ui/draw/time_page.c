// SPDX-License-Identifier: GPL-2.0-only
#include "ui/draw/time_page.h"

#include "nettop/column.h"
#include "ui/draw/time_axis.h"
#include "ui/screen/line.h"
#include "ui/views/view_cells.h"

#include <string.h>

enum { NUMBER = 32 };

/* ---- strips ---- */

static const struct {
	const char *label;
	const char *unit; /* of its largest value */
} strips[NT_TIMELINE_STRIPS] = {
	[NT_TIMELINE_CPU] = { "CPU", "%" },       [NT_TIMELINE_GC] = { "GC pauses", "%" },       [NT_TIMELINE_JIT] = { "JIT", "ms/s" },
	[NT_TIMELINE_WAITS] = { "waits", "s/s" }, [NT_TIMELINE_REQUESTS] = { "requests", "/s" },
};

/* Of each column the largest value in it: what lasted a second is seen among nine. */
static void gather(const struct nt_ui *ui, const struct nt_time_axis *axis, enum nt_timeline_strip strip,
		   struct nt_f64 cells[NT_TIME_MOST_CELLS])
{
	memset(cells, 0, (size_t)axis->cells * sizeof(*cells));
	for (size_t back = 0; back < nt_timeline_count(&ui->timeline); back++) {
		const struct nt_timeline_moment *moment = nt_timeline_at(&ui->timeline, back);
		struct nt_f64 value = moment->values[strip];
		int cell, to;
		nt_time_axis_cells(axis, moment->t0, moment->t1, &cell, &to);
		if (to < 0)
			break;
		for (cell = cell < 0 ? 0 : cell; value.known && cell <= to; cell++)
			if (!cells[cell].known || value.v > cells[cell].v)
				cells[cell] = value;
	}
}

static const char *sign_of(struct nt_f64 value, double largest)
{
	static const char *const signs[] = { "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" };
	if (!value.known)
		return " ";
	if (value.v <= 0 || largest <= 0)
		return "_";
	int step = (int)(value.v / largest * 7 + 0.999);
	return signs[step < 1 ? 1 : step > 7 ? 7 : step];
}

static void add_strip(const struct nt_ui *ui, const struct nt_time_axis *axis, enum nt_timeline_strip strip, struct nt_page *page)
{
	struct nt_f64 cells[NT_TIME_MOST_CELLS], largest = { 0 };
	struct nt_line line = { 0 };
	char number[NUMBER];
	gather(ui, axis, strip, cells);
	for (int i = 0; i < axis->cells; i++)
		if (cells[i].known && (!largest.known || cells[i].v > largest.v))
			largest = cells[i];
	nt_line_add(&line, "%-*s", NT_TIME_LABEL, strips[strip].label);
	for (int i = 0; i < axis->cells; i++)
		nt_line_add(&line, "%s", sign_of(cells[i], largest.v));
	if (largest.known)
		nt_line_add(&line, " %s%s", nt_format_count(largest.v, number, sizeof(number)), strips[strip].unit);
	else
		nt_line_add(&line, " not told");
	nt_page_line(page, largest.known ? NT_STYLE_PLAIN : NT_STYLE_DIM, line.text);
}

/* ---- what is marked, and the axis ---- */

static void add_findings(const struct nt_ui *ui, const struct nt_time_axis *axis, struct nt_page *page)
{
	char cells[NT_TIME_MOST_CELLS + 1];
	bool any = false;
	struct nt_line line = { 0 };
	memset(cells, ' ', (size_t)axis->cells);
	cells[axis->cells] = '\0';
	for (size_t back = 0; back < nt_timeline_count(&ui->timeline); back++) {
		const struct nt_timeline_moment *moment = nt_timeline_at(&ui->timeline, back);
		int from, to;
		nt_time_axis_cells(axis, moment->t0, moment->t1, &from, &to);
		if (to < 0)
			break;
		if (moment->marked)
			any = (cells[to] = '!') != 0;
	}
	nt_line_add(&line, "%-*s%s", NT_TIME_LABEL, "findings", cells);
	nt_page_line(page, any ? NT_STYLE_MARK : NT_STYLE_DIM, line.text);
}

/* Each begins in the column that begins then. */
static void add_clocks(const struct nt_ui *ui, const struct nt_time_axis *axis, struct nt_page *page)
{
	struct nt_line line = { 0 };
	char clock[NUMBER];
	int cell, apart = nt_time_axis_clocks(axis, &cell);
	nt_line_add(&line, "%*s", NT_TIME_LABEL + cell, "");
	for (; cell < axis->cells; cell += apart)
		nt_line_add(&line, "%-*s", apart, nt_ui_clock(ui, nt_time_axis_start(axis, cell), clock, sizeof(clock)));
	nt_page_line(page, NT_STYLE_DIM, line.text);
}

/* The columns of a span. */
static void add_columns(const struct nt_time_axis *axis, const char *label, nt_time from, nt_time to, char sign, struct nt_page *page)
{
	char cells[NT_TIME_MOST_CELLS + 1];
	struct nt_line line = { 0 };
	for (int i = 0; i < axis->cells; i++) {
		nt_time start = nt_time_axis_start(axis, i);
		cells[i] = start < to && start + axis->step > from ? sign : ' ';
	}
	cells[axis->cells] = '\0';
	nt_line_add(&line, "%-*s%s", NT_TIME_LABEL, label, cells);
	nt_page_line(page, NT_STYLE_FRESH, line.text);
}

/* Where the interval is that all screens show, or a span that is being chosen. */
static void add_place(const struct nt_ui *ui, const struct nt_time_axis *axis, struct nt_page *page)
{
	struct nt_line line = { 0 };
	char clock[NUMBER];
	nt_time begin, end;
	int from, cell;
	if (ui->heat.marked && nt_heat_span(ui, &begin, &end)) {
		add_columns(axis, "chosen", begin, end, '-', page);
		return;
	}
	nt_time_axis_cells(axis, ui->shown->t0, ui->shown->t1, &from, &cell);
	if (cell < 0) {
		nt_page_line(page, NT_STYLE_PLAIN, "");
		return;
	}
	const char *at = nt_ui_clock(ui, ui->shown->t1, clock, sizeof(clock));
	bool before = cell > axis->cells / 2;
	int indent = NT_TIME_LABEL + cell - (before ? (int)strlen(at) + 1 : 0);
	nt_line_add(&line, "%*s%s %s", indent, "", before ? at : "↑", before ? "↑" : at);
	nt_page_line(page, NT_STYLE_FRESH, line.text);
}

/* The span that others are compared with; while there is none what a column is. */
static void add_about(const struct nt_ui *ui, const struct nt_time_axis *axis, struct nt_page *page)
{
	char clock[NUMBER];
	struct nt_line line = { 0 };
	if (ui->against_to && ui->against_ended) {
		char to[NUMBER];
		nt_line_add(&line, "%-*s%s .. %s of the process before this one", NT_TIME_LABEL, "against",
			    nt_ui_clock(ui, ui->against_from, clock, sizeof(clock)), nt_ui_clock(ui, ui->against_to, to, sizeof(to)));
		nt_page_line(page, NT_STYLE_FRESH, line.text);
		return;
	}
	if (ui->against_to) {
		add_columns(axis, "against", ui->against_from, ui->against_to, '=', page);
		return;
	}
	nt_line_add(&line, "%d s a column, the largest value in each", (int)(axis->step / NT_NS_PER_S));
	if (ui->exact_from)
		nt_line_add(&line, "; before %s samples are told to 10 s", nt_ui_clock(ui, ui->exact_from, clock, sizeof(clock)));
	nt_page_line(page, NT_STYLE_DIM, line.text);
}

/* ---- within the intervals ---- */

/*
 * CPU samples by when in their interval they were taken: a column for each interval, its begin below. What takes a tenth of a second is one bright cell, where the strip of CPU has a
 * tenth of a column.
 */
struct heat {
	size_t back;   /* of the last column */
	int cells;     /* columns that there are */
	unsigned rows; /* of NT_INTERVAL_PARTS / rows parts each */
	uint32_t most; /* samples in the brightest cell */
};

static uint32_t samples_in(const struct nt_timeline_moment *moment, const struct heat *heat, unsigned row)
{
	unsigned each = NT_INTERVAL_PARTS / heat->rows;
	uint32_t sum = 0;
	for (unsigned i = 0; i < each; i++)
		sum += moment->samples.parts[row * each + i];
	return sum;
}

static struct heat heat_of(const struct nt_ui *ui, const struct nt_time_axis *axis)
{
	struct heat heat = { 0 };
	size_t count = nt_timeline_count(&ui->timeline);
	if (!nt_heat_shown(ui, NULL) || !nt_heat_last(ui, &heat.back))
		return heat;
	heat.rows = nt_heat_rows(ui);
	heat.cells = count - heat.back < (size_t)axis->cells ? (int)(count - heat.back) : axis->cells;
	for (int cell = 0; heat.rows && cell < heat.cells; cell++) {
		const struct nt_timeline_moment *moment = nt_timeline_at(&ui->timeline, heat.back + (size_t)cell);
		for (unsigned row = 0; row < heat.rows; row++)
			if (samples_in(moment, &heat, row) > heat.most)
				heat.most = samples_in(moment, &heat, row);
	}
	return heat;
}

static const char *shade_of(const struct nt_timeline_moment *moment, const struct heat *heat, unsigned row)
{
	static const char *const shades[] = { "░", "▒", "▓", "█" };
	uint32_t samples = samples_in(moment, heat, row);
	return !moment->samples.known ? " " : !samples ? "·" : shades[(uint64_t)samples * 4 / ((uint64_t)heat->most + 1)];
}

static unsigned row_of(const struct heat *heat, unsigned part)
{
	return part * heat->rows / NT_INTERVAL_PARTS;
}

/* Is it the cell in which a span begins? (Where that is all of an interval: add_column().) */
static bool is_mark(const struct nt_ui *ui, const struct nt_timeline_moment *moment, const struct heat *heat, unsigned row)
{
	return ui->heat.marked && !ui->heat.mark_whole && ui->heat.mark == moment->sequence && row_of(heat, ui->heat.mark_part) == row;
}

/* hh:mm:ss.mmm .. hh:mm:ss.mmm */
static void add_span(const struct nt_ui *ui, nt_time from, nt_time to, struct nt_line *line)
{
	const struct nt_column_context context = nt_ui_context(ui);
	char begin[NUMBER], end[NUMBER];
	nt_line_add(line, "%s .. %s", nt_view_exact_clock(&context, from, begin, sizeof(begin)),
		    nt_view_exact_clock(&context, to, end, sizeof(end)));
}

static void add_choice(const struct nt_ui *ui, const struct heat *heat, struct nt_page *page)
{
	struct nt_line line = { 0 };
	char number[NUMBER];
	nt_time from, to;
	if (nt_heat_span(ui, &from, &to)) {
		add_span(ui, from, to, &line);
		nt_line_add(&line,
			    ui->against_to ? ": = compares it%s; Esc: none%s" : ": Enter shows it%s; = keeps it to compare; Esc: none%s",
			    from < ui->exact_from ? ", samples to 10 s" : "", ui->layout.wide ? "; x: from here on" : "");
		nt_page_line(page, NT_STYLE_FRESH, line.text);
		return;
	}
	nt_line_add(&line, "CPU samples, a column an interval; a full cell: %s. Up Dn: a part, x: a span",
		    nt_format_whole(heat->most, number, sizeof(number)));
	nt_page_line(page, NT_STYLE_DIM, line.text);
}

static void add_heat_row(const struct nt_ui *ui, const struct nt_time_axis *axis, const struct heat *heat, unsigned row,
			 struct nt_page *page)
{
	const struct nt_timeline_moment *shown = nt_heat_shown(ui, NULL);
	nt_time length = shown->t1 - shown->t0, from = length * row / heat->rows;
	struct nt_line line = { 0 };
	char number[NUMBER];
	nt_line_add(&line, "%*s ", NT_TIME_LABEL - 1, row ? nt_format_duration(from, number, sizeof(number)) : "0");
	nt_line_add(&line, "%*s", axis->cells - heat->cells, "");
	for (int cell = heat->cells - 1; cell >= 0; cell--) {
		const struct nt_timeline_moment *moment = nt_timeline_at(&ui->timeline, heat->back + (size_t)cell);
		nt_line_add(&line, "%s", is_mark(ui, moment, heat, row) ? "x" : shade_of(moment, heat, row));
	}
	bool here = ui->heat.on && row_of(heat, ui->heat.part) == row;
	nt_line_add(&line, "%s", here ? " <" : "");
	nt_page_line(page, here ? NT_STYLE_FRESH : NT_STYLE_PLAIN, line.text);
}

/* Which column is that of the interval that all screens show (the last one while it is live), and of the one with all of which a span begins. */
static void add_column(const struct nt_ui *ui, const struct nt_time_axis *axis, const struct heat *heat, struct nt_page *page)
{
	struct nt_line line = { 0 };
	nt_line_add(&line, "%*s", NT_TIME_LABEL + axis->cells - heat->cells, "");
	for (int cell = heat->cells - 1; ui->paused && cell >= 0; cell--) {
		uint64_t sequence = nt_timeline_at(&ui->timeline, heat->back + (size_t)cell)->sequence;
		bool begins = ui->heat.marked && ui->heat.mark_whole && sequence == ui->heat.mark;
		nt_line_add(&line, "%s", sequence == ui->shown->sequence ? "↓" : begins ? "x" : " ");
	}
	nt_page_line(page, NT_STYLE_FRESH, line.text);
}

static void add_heat(const struct nt_ui *ui, const struct nt_time_axis *axis, struct nt_page *page)
{
	struct heat heat = heat_of(ui, axis);
	nt_time from, to;
	if (heat.rows && !heat.most)
		nt_page_text(page, NT_STYLE_DIM, "", "CPU samples within the intervals: none were taken");
	if (heat.most)
		add_column(ui, axis, &heat, page);
	for (unsigned row = heat.most ? heat.rows : 0; row-- > 0;)
		add_heat_row(ui, axis, &heat, row, page);
	if (heat.most || nt_heat_span(ui, &from, &to))
		add_choice(ui, &heat, page);
}

void nt_time_page_fill(const struct nt_ui *ui, struct nt_page *page)
{
	if (!ui->shown || !nt_timeline_count(&ui->timeline)) {
		nt_page_line(page, NT_STYLE_PLAIN, "  No interval is over yet.");
		return;
	}
	struct nt_time_axis axis = nt_time_axis_of(ui);
	for (unsigned i = 0; i < NT_TIMELINE_STRIPS; i++)
		add_strip(ui, &axis, (enum nt_timeline_strip)i, page);
	add_findings(ui, &axis, page);
	add_clocks(ui, &axis, page);
	add_place(ui, &axis, page);
	add_about(ui, &axis, page);
	add_heat(ui, &axis, page);
}

/* ---- what a place of it is ---- */

static bool in_heat(const struct nt_ui *ui, const struct nt_time_axis *axis, const struct heat *heat, int cell, int line,
		    struct nt_time_place *out)
{
	int back = axis->cells - 1 - cell;
	if (back >= heat->cells)
		return false;
	uint64_t sequence = nt_timeline_at(&ui->timeline, heat->back + (size_t)back)->sequence;
	unsigned row = heat->rows - 1 - (unsigned)line;
	*out = (struct nt_time_place){ sequence, sequence, sequence, true, row * (NT_INTERVAL_PARTS / heat->rows) };
	return true;
}

/* What a line shows of an interval: the largest is the one that is seen in a column. Where all are equal the newest one is meant. */
static double weight_of(const struct nt_timeline_moment *moment, int line)
{
	if (line < NT_TIMELINE_STRIPS)
		return moment->values[line].known ? moment->values[line].v : -1;
	return line == NT_TIMELINE_STRIPS && moment->marked;
}

static bool in_strips(const struct nt_ui *ui, const struct nt_time_axis *axis, int cell, int line, struct nt_time_place *out)
{
	double most = 0;
	*out = (struct nt_time_place){ 0 };
	for (size_t back = 0; back < nt_timeline_count(&ui->timeline); back++) {
		const struct nt_timeline_moment *moment = nt_timeline_at(&ui->timeline, back);
		int from, to;
		nt_time_axis_cells(axis, moment->t0, moment->t1, &from, &to);
		if (to < cell)
			break;
		if (from > cell)
			continue;
		if (!out->last || weight_of(moment, line) > most) {
			out->meant = moment->sequence;
			most = weight_of(moment, line);
		}
		out->last = out->last ? out->last : moment->sequence;
		out->first = moment->sequence;
	}
	return out->last != 0;
}

bool nt_time_page_at(const struct nt_ui *ui, int x, int line, struct nt_time_place *out)
{
	if (!ui->shown || !nt_timeline_count(&ui->timeline))
		return false;
	struct nt_time_axis axis = nt_time_axis_of(ui);
	struct heat heat = heat_of(ui, &axis);
	int cell = x - NT_TIME_LABEL, row = line - NT_HEAT_ABOVE;
	if (cell < 0 || cell >= axis.cells)
		return false;
	if (row < -1)
		return in_strips(ui, &axis, cell, line, out);
	return row >= 0 && heat.most && row < (int)heat.rows && in_heat(ui, &axis, &heat, cell, row, out);
}
