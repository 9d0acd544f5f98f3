/* SPDX-License-Identifier: GPL-2.0-only */
/* The scales of the trends that are on the screen. */
#ifndef NT_UI_TREND_SCALES_H
#define NT_UI_TREND_SCALES_H

#include "ui/rows/rows.h"
#include "ui/views/placement.h"

/* The titles of the columns that have a scale. */
struct nt_trend_titles {
	char text[NT_PLACED_MAX][16];
};

/* Into each trend of the placement what a full cell is, for all of these rows, and that as its title. `titles` has to last as long as the placement. */
void nt_trend_scales(const struct nt_ui_rows *rows, const struct nt_column_context *context, struct nt_trend_titles *titles,
		     struct nt_placement *placement);

#endif
