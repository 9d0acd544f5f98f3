/* SPDX-License-Identifier: GPL-2.0-only */
/* Room ui/screen: cells, colours, text made to fit, keys; knows no row. */
/*
 * A grid of character cells between the views and the terminal: views draw into it, the terminal shows it, tests compare it as text.
 *
 * A wide character takes its cell and leaves the next one empty (width 0). Drawing outside the grid is allowed and has no effect.
 */
#ifndef NT_UI_GRID_H
#define NT_UI_GRID_H

#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "ui/screen/theme.h"

/* Bytes of one cell: a character with two combining ones, each up to 4 bytes, and the NUL; further ones are left out. */
enum { NT_CELL_BYTES = 13 };

struct nt_grid_cell {
	char text[NT_CELL_BYTES]; /* UTF-8 with NUL; unused bytes are 0, so that cells compare with memcmp() */
	uint8_t width;            /* 1, 2, or 0 = covered by the wide character to the left */
	uint8_t style;            /* enum nt_style */
};

/* A cell in which nothing is. */
extern const struct nt_grid_cell nt_grid_blank;

struct nt_grid {
	int width, height;
	struct nt_grid_cell *cells; /* owned; height rows of width cells */
};

/* All cells blank and plain. */
void nt_grid_init(struct nt_grid *grid, int width, int height);
void nt_grid_fini(struct nt_grid *grid);

/* Another size; all cells become blank. */
void nt_grid_resize(struct nt_grid *grid, int width, int height);
void nt_grid_clear(struct nt_grid *grid);

/*
 * Write `text` (UTF-8; what is none, and control characters, are U+FFFD) from (x, y) on, at most `room` cells and never past the right edge; what does not
 * fit is left out. Returns the x after the last cell written.
 */
int nt_grid_put(struct nt_grid *grid, int x, int y, int room, enum nt_style style, const char *text);

/* Like nt_grid_put() with printf()'s format; at most 1023 bytes. */
int nt_grid_printf(struct nt_grid *grid, int x, int y, int room, enum nt_style style, const char *fmt, ...)
	__attribute__((format(printf, 6, 7)));

/* So that the text ends before x + room; cut at the right when it is longer. */
void nt_grid_put_right(struct nt_grid *grid, int x, int y, int room, enum nt_style style, const char *text);

/* Give `room` cells another style, keep their text. */
void nt_grid_paint(struct nt_grid *grid, int x, int y, int room, enum nt_style style);

/* The rows of `from` from `first` on, as far as there is room in `to`, to (x, y) of it and below. */
void nt_grid_copy(const struct nt_grid *from, int first, struct nt_grid *to, int x, int y);

/* `room` times the character `text`. */
void nt_grid_fill(struct nt_grid *grid, int x, int y, int room, enum nt_style style, const char *text);

/* One row as text without trailing blanks, in buf (always NUL-terminated, cut at size). Returns buf. */
const char *nt_grid_row_text(const struct nt_grid *grid, int y, char *buf, size_t size);

static inline const struct nt_grid_cell *nt_grid_row(const struct nt_grid *grid, int y)
{
	return grid->cells + (size_t)y * (size_t)grid->width;
}

#endif
