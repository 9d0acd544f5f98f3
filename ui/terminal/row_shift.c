// SPDX-License-Identifier: GPL-2.0-only
#include "ui/terminal/row_shift.h"

#include <string.h>

/* Cells that need not be sent; the movements of the cursor and what stands right of the picture cost about as much as ten. */
enum { LEAST_SAVED = 16 };

static bool same(const struct nt_grid_cell *a, const struct nt_grid_cell *b)
{
	return memcmp(a, b, sizeof(*a)) == 0;
}

int nt_row_shift(const struct nt_grid_cell *row, const struct nt_grid_cell *shown, int width)
{
	int at = 0, differ = 0, would = 0;
	while (at < width && same(&row[at], &shown[at]))
		at++;
	if (at + LEAST_SAVED >= width)
		return -1;
	for (int x = at; x < width; x++) {
		if (row[x].width != 1 || shown[x].width != 1)
			return -1;
		differ += !same(&row[x], &shown[x]);
		would += !same(&row[x], x + 1 < width ? &shown[x + 1] : &nt_grid_blank);
	}
	return differ - would >= LEAST_SAVED ? at : -1;
}

void nt_row_shift_apply(struct nt_grid_cell *shown, int at, int width)
{
	memmove(&shown[at], &shown[at + 1], (size_t)(width - at - 1) * sizeof(*shown));
	shown[width - 1] = nt_grid_blank;
}
