// SPDX-License-Identifier: GPL-2.0-only
#include "ui/draw/trend_scales.h"

#include <math.h>

static double largest_of(const struct nt_trend *trend)
{
	double largest = 0;
	for (int i = 0; i < NT_TREND_CELLS; i++) {
		double value = (double)trend->cells[i];
		if (trend->known >> i & 1 && isfinite(value) && value > largest)
			largest = value;
	}
	return largest;
}

static double largest_shown(const struct nt_column *column, const struct nt_ui_rows *rows, const struct nt_column_context *context)
{
	double largest = 0;
	for (size_t i = 0; i < rows->count; i++) {
		struct nt_cell cell = column->read(rows->refs[i].row, context);
		if (cell.known)
			largest = fmax(largest, largest_of(cell.trend));
	}
	return largest;
}

void nt_trend_scales(const struct nt_ui_rows *rows, const struct nt_column_context *context, struct nt_trend_titles *titles,
		     struct nt_placement *placement)
{
	for (size_t i = 0; i < placement->count; i++) {
		struct nt_placed *placed = &placement->items[i];
		const struct nt_column *column = placed->column;
		if (column->unit != NT_UNIT_TREND || column->scale == NT_SCALE_OWN)
			continue;
		double largest = fmax(largest_shown(column, rows, context), column->least_full);
		placed->full = nt_scale_end(column->scale, largest);
		if (placed->full > 0)
			placed->title = nt_scale_text(column->scale, placed->full, titles->text[i], sizeof(titles->text[i]));
	}
}
