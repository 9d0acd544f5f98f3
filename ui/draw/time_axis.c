// SPDX-License-Identifier: GPL-2.0-only
#include "ui/draw/time_axis.h"

#define SPAN_NS (900 * NT_NS_PER_S)

enum { CLOCK_CELLS = 10 }; /* a time of day, and a gap */

/* Of a minute whole parts, so that a time of day is a round one. */
static nt_time step_for(nt_time seconds, nt_time cells)
{
	static const nt_time steps[] = { 1, 2, 3, 4, 5, 6, 10, 12, 15, 20, 30, 60 };
	size_t i = 0;
	while (i + 1 < sizeof(steps) / sizeof(steps[0]) && steps[i] * cells <= seconds)
		i++;
	return steps[i] * NT_NS_PER_S;
}

/* Intervals of whole seconds end where columns do; of shorter ones each ends elsewhere, and columns have to stay. */
static nt_time shift_of(const struct nt_ui *ui, const struct nt_timeline_moment *newest)
{
	nt_time offset = (nt_time)ui->config.realtime_offset_ns, length = newest->t1 - newest->t0;
	nt_time begin = length % NT_NS_PER_S ? ui->live->start : newest->t1;
	return offset - (begin + offset) % NT_NS_PER_S;
}

struct nt_time_axis nt_time_axis_of(const struct nt_ui *ui)
{
	const struct nt_timeline_moment *newest = nt_timeline_at(&ui->timeline, 0);
	struct nt_time_axis axis = { .shift = shift_of(ui, newest), .cells = nt_time_columns(ui) };
	nt_time there = newest->t1 - nt_timeline_at(&ui->timeline, nt_timeline_count(&ui->timeline) - 1)->t0;
	axis.step = step_for((there < SPAN_NS ? there : SPAN_NS) / NT_NS_PER_S, (nt_time)axis.cells);
	axis.last = (newest->t1 - 1 + axis.shift) / axis.step;
	return axis;
}

nt_time nt_time_axis_start(const struct nt_time_axis *axis, int cell)
{
	return (axis->last + (nt_time)(cell + 1) - (nt_time)axis->cells) * axis->step - axis->shift;
}

static int cell_at(const struct nt_time_axis *axis, nt_time time)
{
	nt_time column = (time + axis->shift) / axis->step, back = axis->last - column;
	if (column >= axis->last)
		return axis->cells - 1;
	return back < (nt_time)axis->cells ? axis->cells - 1 - (int)back : -1;
}

void nt_time_axis_cells(const struct nt_time_axis *axis, nt_time t0, nt_time t1, int *from, int *to)
{
	nt_time length = t1 - t0, half = (length < axis->step ? length : axis->step) / 2;
	*from = cell_at(axis, t0 + half);
	*to = cell_at(axis, t1 - half);
}

int nt_time_axis_clocks(const struct nt_time_axis *axis, int *first)
{
	static const nt_time apart[] = { 15, 20, 30, 60, 120, 180, 240, 300, 600 };
	nt_time step = axis->step / NT_NS_PER_S;
	size_t i = 0;
	while (i + 1 < sizeof(apart) / sizeof(apart[0]) && (apart[i] % step || apart[i] / step < CLOCK_CELLS))
		i++;
	int cells = (int)(apart[i] / step), over = (int)(axis->last % (nt_time)cells);
	*first = (axis->cells - 1 - over) % cells;
	return cells;
}
