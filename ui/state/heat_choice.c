// SPDX-License-Identifier: GPL-2.0-only
#include "ui/state/heat_choice.h"

#include "ui/state/state.h"

unsigned nt_heat_rows(const struct nt_ui *ui)
{
	static const unsigned choices[] = { 50, 25, 10, 5, 2 };
	int room = ui->layout.body_height - NT_HEAT_ABOVE - NT_HEAT_BELOW;
	for (size_t i = 0; i < sizeof(choices) / sizeof(choices[0]); i++)
		if ((int)choices[i] <= room)
			return choices[i];
	return 0;
}

static const struct nt_timeline_moment *find(const struct nt_timeline *timeline, uint64_t sequence, size_t *back)
{
	for (size_t i = 0; i < nt_timeline_count(timeline); i++)
		if (nt_timeline_at(timeline, i)->sequence == sequence) {
			if (back)
				*back = i;
			return nt_timeline_at(timeline, i);
		}
	return NULL;
}

const struct nt_timeline_moment *nt_heat_shown(const struct nt_ui *ui, size_t *back)
{
	return ui->shown ? find(&ui->timeline, ui->shown->sequence, back) : NULL;
}

int nt_time_columns(const struct nt_ui *ui)
{
	int cells = ui->layout.width - NT_TIME_LABEL - NT_TIME_LARGEST;
	return cells < NT_TIME_LEAST_CELLS ? NT_TIME_LEAST_CELLS : cells > NT_TIME_MOST_CELLS ? NT_TIME_MOST_CELLS : cells;
}

bool nt_heat_last(const struct nt_ui *ui, size_t *back)
{
	return find(&ui->timeline, ui->heat_last, back) != NULL;
}

void nt_heat_follow(struct nt_ui *ui)
{
	size_t last, shown, columns = (size_t)nt_time_columns(ui);
	if (!nt_heat_shown(ui, &shown))
		return;
	if (!nt_heat_last(ui, &last) || shown < last)
		ui->heat_last = ui->shown->sequence;
	else if (shown >= last + columns)
		ui->heat_last = nt_timeline_at(&ui->timeline, shown - columns + 1)->sequence;
}

/* A cell of the interval, or all of it. */
static void part_of(const struct nt_ui *ui, const struct nt_timeline_moment *moment, bool whole, unsigned part, nt_time *from, nt_time *to)
{
	unsigned rows = nt_heat_rows(ui), each = rows ? NT_INTERVAL_PARTS / rows : NT_INTERVAL_PARTS;
	*from = whole ? moment->t0 : nt_interval_part_start(moment->t0, moment->t1, part);
	*to = whole ? moment->t1 : nt_interval_part_start(moment->t0, moment->t1, part + each);
}

bool nt_heat_span(const struct nt_ui *ui, nt_time *from, nt_time *to)
{
	const struct nt_heat_choice *choice = &ui->heat;
	const struct nt_timeline_moment *shown = nt_heat_shown(ui, NULL), *mark;
	if (!(choice->on || choice->marked) || !shown)
		return false;
	part_of(ui, shown, !choice->on, choice->part, from, to);
	if (!choice->marked)
		return true;
	mark = find(&ui->timeline, choice->mark, NULL);
	if (!mark)
		return false;
	nt_time other_from, other_to;
	part_of(ui, mark, choice->mark_whole, choice->mark_part, &other_from, &other_to);
	*from = other_from < *from ? other_from : *from;
	*to = other_to > *to ? other_to : *to;
	return true;
}
