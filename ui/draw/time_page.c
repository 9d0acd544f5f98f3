// SPDX-License-Identifier: GPL-2.0-only
#include "ui/draw/time_page.h"

#include "nettop/column.h"
#include "ui/screen/line.h"
#include "ui/views/view_cells.h"

#include <string.h>

#define SPAN_NS (900 * NT_NS_PER_S)

enum { LABEL = 10, LARGEST = 14, MOST_CELLS = 400, LEAST_CELLS = 10, NUMBER = 32, CLOCK_CELLS = 12 };

/* Columns of time, the last one ends with the newest interval. */
struct axis {
	nt_time end, step;
	int cells;
};

static struct axis axis_of(const struct nt_ui *ui)
{
	struct axis axis = { .end = nt_timeline_at(&ui->timeline, 0)->t1 };
	axis.cells = ui->layout.width - LABEL - LARGEST;
	axis.cells = axis.cells < LEAST_CELLS ? LEAST_CELLS : axis.cells > MOST_CELLS ? MOST_CELLS : axis.cells;
	/* Of what there is: whole seconds, so that columns do not change with each interval. */
	nt_time there = axis.end - nt_timeline_at(&ui->timeline, nt_timeline_count(&ui->timeline) - 1)->t0;
	nt_time seconds = (there < SPAN_NS ? there : SPAN_NS) / NT_NS_PER_S, cells = (nt_time)axis.cells;
	axis.step = (seconds / cells + 1) * NT_NS_PER_S;
	return axis;
}

/* The column of a moment; negative: it lies before them. */
static int cell_of(const struct axis *axis, const struct nt_timeline_moment *moment)
{
	nt_time back = (axis->end - moment->t1) / axis->step;
	return back < (nt_time)axis->cells ? axis->cells - 1 - (int)back : -1;
}

/* ---- strips ---- */

static const struct {
	const char *label;
	const char *unit; /* of its largest value */
} strips[NT_TIMELINE_STRIPS] = {
	[NT_TIMELINE_CPU] = { "CPU", "%" },       [NT_TIMELINE_GC] = { "GC pauses", "%" },       [NT_TIMELINE_JIT] = { "JIT", "ms/s" },
	[NT_TIMELINE_WAITS] = { "waits", "s/s" }, [NT_TIMELINE_REQUESTS] = { "requests", "/s" },
};

/* Of each column the largest value in it: what lasted a second is seen among nine. */
static void gather(const struct nt_ui *ui, const struct axis *axis, enum nt_timeline_strip strip, struct nt_f64 cells[MOST_CELLS])
{
	memset(cells, 0, (size_t)axis->cells * sizeof(*cells));
	for (size_t back = 0; back < nt_timeline_count(&ui->timeline); back++) {
		const struct nt_timeline_moment *moment = nt_timeline_at(&ui->timeline, back);
		int cell = cell_of(axis, moment);
		if (cell < 0)
			break;
		struct nt_f64 value = moment->values[strip];
		if (value.known && (!cells[cell].known || value.v > cells[cell].v))
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

static void add_strip(const struct nt_ui *ui, const struct axis *axis, enum nt_timeline_strip strip, struct nt_page *page)
{
	struct nt_f64 cells[MOST_CELLS], largest = { 0 };
	struct nt_line line = { 0 };
	char number[NUMBER];
	gather(ui, axis, strip, cells);
	for (int i = 0; i < axis->cells; i++)
		if (cells[i].known && (!largest.known || cells[i].v > largest.v))
			largest = cells[i];
	nt_line_add(&line, "%-*s", LABEL, strips[strip].label);
	for (int i = 0; i < axis->cells; i++)
		nt_line_add(&line, "%s", sign_of(cells[i], largest.v));
	if (largest.known)
		nt_line_add(&line, " %s%s", nt_format_count(largest.v, number, sizeof(number)), strips[strip].unit);
	else
		nt_line_add(&line, " not told");
	nt_page_line(page, largest.known ? NT_STYLE_PLAIN : NT_STYLE_DIM, line.text);
}

/* ---- what is marked, and the axis ---- */

static void add_findings(const struct nt_ui *ui, const struct axis *axis, struct nt_page *page)
{
	char cells[MOST_CELLS + 1];
	bool any = false;
	struct nt_line line = { 0 };
	memset(cells, ' ', (size_t)axis->cells);
	cells[axis->cells] = '\0';
	for (size_t back = 0; back < nt_timeline_count(&ui->timeline); back++) {
		const struct nt_timeline_moment *moment = nt_timeline_at(&ui->timeline, back);
		int cell = cell_of(axis, moment);
		if (cell < 0)
			break;
		if (moment->marked)
			any = (cells[cell] = '!') != 0;
	}
	nt_line_add(&line, "%-*s%s", LABEL, "findings", cells);
	nt_page_line(page, any ? NT_STYLE_MARK : NT_STYLE_DIM, line.text);
}

static void add_clocks(const struct nt_ui *ui, const struct axis *axis, struct nt_page *page)
{
	struct nt_line line = { 0 };
	char clock[NUMBER];
	nt_line_add(&line, "%-*s", LABEL, "");
	for (int i = 0; i + CLOCK_CELLS <= axis->cells; i += CLOCK_CELLS) {
		nt_time back = (nt_time)(axis->cells - 1 - i) * axis->step;
		bool known = back < axis->end;
		nt_line_add(&line, "%-*s", CLOCK_CELLS, known ? nt_ui_clock(ui, axis->end - back, clock, sizeof(clock)) : "");
	}
	nt_page_line(page, NT_STYLE_DIM, line.text);
}

/* Where the interval is that all screens show. */
static void add_place(const struct nt_ui *ui, const struct axis *axis, struct nt_page *page)
{
	const struct nt_timeline_moment shown = { .t1 = ui->shown->t1 };
	int cell = shown.t1 <= axis->end ? cell_of(axis, &shown) : axis->cells - 1;
	struct nt_line line = { 0 };
	char clock[NUMBER];
	if (cell < 0) {
		nt_page_line(page, NT_STYLE_PLAIN, "");
		return;
	}
	const char *at = nt_ui_clock(ui, shown.t1, clock, sizeof(clock));
	bool before = cell > axis->cells / 2;
	int indent = LABEL + cell - (before ? (int)strlen(at) + 1 : 0);
	nt_line_add(&line, "%*s%s %s", indent, "", before ? at : "↑", before ? "↑" : at);
	nt_page_line(page, NT_STYLE_FRESH, line.text);
}

/* The span that others are compared with; while there is none what a column is. */
static void add_about(const struct nt_ui *ui, const struct axis *axis, struct nt_page *page)
{
	char cells[MOST_CELLS + 1], clock[NUMBER];
	struct nt_line line = { 0 };
	if (!ui->against_to) {
		nt_line_add(&line, "%d s a column, the largest value in each", (int)(axis->step / NT_NS_PER_S));
		if (ui->exact_from)
			nt_line_add(&line, "; before %s samples are told to 10 s", nt_ui_clock(ui, ui->exact_from, clock, sizeof(clock)));
		nt_page_line(page, NT_STYLE_DIM, line.text);
		return;
	}
	for (int i = 0; i < axis->cells; i++) {
		nt_time after = (nt_time)(axis->cells - 1 - i) * axis->step; /* the column's end */
		cells[i] = axis->end < ui->against_to + after + axis->step && axis->end > ui->against_from + after ? '=' : ' ';
	}
	cells[axis->cells] = '\0';
	nt_line_add(&line, "%-*s%s", LABEL, "against", cells);
	nt_page_line(page, NT_STYLE_FRESH, line.text);
}

/* ---- within the intervals ---- */

/*
 * CPU samples by when in their interval they were taken: a column for each interval, its begin below. What takes a tenth of a second is one bright cell, where the strip of CPU has a
 * tenth of a column.
 */
struct heat {
	size_t back;   /* of the last column: the interval that is shown */
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

static struct heat heat_of(const struct nt_ui *ui, const struct axis *axis)
{
	struct heat heat = { 0 };
	size_t count = nt_timeline_count(&ui->timeline);
	if (!nt_heat_shown(ui, &heat.back))
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

/* Is it the cell in which a span begins? */
static bool is_mark(const struct nt_ui *ui, const struct nt_timeline_moment *moment, const struct heat *heat, unsigned row)
{
	return ui->heat.marked && ui->heat.mark == moment->sequence && row_of(heat, ui->heat.mark_part) == row;
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
			    ui->against_to ? ": = compares it%s; x: from here on; Esc: none"
					   : ": Enter shows it%s; x: from here on; = keeps it to compare; Esc: none",
			    from < ui->exact_from ? ", samples to 10 s" : "");
		nt_page_line(page, NT_STYLE_FRESH, line.text);
		return;
	}
	nt_line_add(&line, "CPU samples, the shown interval at the right; a full cell: %s. x: from here on; Up, Down: a part of it",
		    nt_format_whole(heat->most, number, sizeof(number)));
	nt_page_line(page, NT_STYLE_DIM, line.text);
}

static void add_heat_row(const struct nt_ui *ui, const struct axis *axis, const struct heat *heat, unsigned row, struct nt_page *page)
{
	const struct nt_timeline_moment *shown = nt_timeline_at(&ui->timeline, heat->back);
	nt_time length = shown->t1 - shown->t0, from = length * row / heat->rows;
	struct nt_line line = { 0 };
	char number[NUMBER];
	nt_line_add(&line, "%*s ", LABEL - 1, row ? nt_format_duration(from, number, sizeof(number)) : "0");
	nt_line_add(&line, "%*s", axis->cells - heat->cells, "");
	for (int cell = heat->cells - 1; cell >= 0; cell--) {
		const struct nt_timeline_moment *moment = nt_timeline_at(&ui->timeline, heat->back + (size_t)cell);
		nt_line_add(&line, "%s", is_mark(ui, moment, heat, row) ? "x" : shade_of(moment, heat, row));
	}
	bool here = ui->heat.on && row_of(heat, ui->heat.part) == row;
	nt_line_add(&line, "%s", here ? " <" : "");
	nt_page_line(page, here ? NT_STYLE_FRESH : NT_STYLE_PLAIN, line.text);
}

static void add_heat(const struct nt_ui *ui, const struct axis *axis, struct nt_page *page)
{
	struct heat heat = heat_of(ui, axis);
	if (!heat.rows)
		return;
	if (!heat.most) {
		nt_page_text(page, NT_STYLE_DIM, "", "CPU samples within the intervals: none were taken");
		return;
	}
	nt_page_line(page, NT_STYLE_PLAIN, "");
	for (unsigned row = heat.rows; row-- > 0;)
		add_heat_row(ui, axis, &heat, row, page);
	add_choice(ui, &heat, page);
}

void nt_time_page_fill(const struct nt_ui *ui, struct nt_page *page)
{
	if (!ui->shown || !nt_timeline_count(&ui->timeline)) {
		nt_page_line(page, NT_STYLE_PLAIN, "  No interval is over yet.");
		return;
	}
	struct axis axis = axis_of(ui);
	for (unsigned i = 0; i < NT_TIMELINE_STRIPS; i++)
		add_strip(ui, &axis, (enum nt_timeline_strip)i, page);
	add_findings(ui, &axis, page);
	add_clocks(ui, &axis, page);
	add_place(ui, &axis, page);
	add_about(ui, &axis, page);
	add_heat(ui, &axis, page);
}
