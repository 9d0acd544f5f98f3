// SPDX-License-Identifier: GPL-2.0-only
#include "rules.h"

#include "base/text.h"

#include <string.h>

/* NULL when the cell is as it must be, else what is wrong with it. */
static const char *cell_problem(const struct nt_grid_cell *cell, const struct nt_grid_cell *left)
{
	uint32_t code;
	if (cell->width == 0)
		return left && left->width == 2 && !*cell->text ? NULL : "an empty cell that no wide character covers";
	if (!*cell->text)
		return "a cell without text";
	nt_utf8_decode(cell->text, strlen(cell->text), &code);
	if (code < 0x20 || (code >= 0x7f && code < 0xa0) || (code >= 0x202a && code <= 0x202e))
		return "a control character";
	if (nt_text_width(code) != cell->width)
		return "a width that is not the character's";
	return cell->style < NT_STYLE_COUNT ? NULL : "a style that does not exist";
}

const char *grid_problem(const struct nt_grid *grid, int width, int height)
{
	if (grid->width != width || grid->height != height)
		return "another size than the terminal's";
	for (int y = 0; y < grid->height; y++)
		for (int x = 0; x < grid->width; x++) {
			const struct nt_grid_cell *cell = nt_grid_row(grid, y) + x;
			const char *problem = cell_problem(cell, x ? cell - 1 : NULL);
			if (problem)
				return problem;
		}
	return NULL;
}
