// SPDX-License-Identifier: GPL-2.0-only
#include "ui/screen/grid.h"

#include "base/alloc.h"
#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PRINTF_BYTES = 1024, MAX_SIDE = 4096, REPLACEMENT = 0xfffd };

static struct nt_grid_cell *cell_at(struct nt_grid *grid, int x, int y)
{
	return grid->cells + (size_t)y * (size_t)grid->width + x;
}

const struct nt_grid_cell nt_grid_blank = { .text = " ", .width = 1, .style = NT_STYLE_PLAIN };

void nt_grid_clear(struct nt_grid *grid)
{
	for (size_t i = 0; i < (size_t)grid->width * (size_t)grid->height; i++)
		grid->cells[i] = nt_grid_blank;
}

static int side(int cells)
{
	return cells < 1 ? 1 : cells > MAX_SIDE ? MAX_SIDE : cells;
}

void nt_grid_init(struct nt_grid *grid, int width, int height)
{
	*grid = (struct nt_grid){ 0 };
	nt_grid_resize(grid, width, height);
}

void nt_grid_fini(struct nt_grid *grid)
{
	free(grid->cells);
	*grid = (struct nt_grid){ 0 };
}

void nt_grid_resize(struct nt_grid *grid, int width, int height)
{
	if (!grid->cells || side(width) != grid->width || side(height) != grid->height) {
		grid->width = side(width);
		grid->height = side(height);
		grid->cells = nt_realloc(grid->cells, (size_t)grid->width * (size_t)grid->height, sizeof(*grid->cells));
	}
	nt_grid_clear(grid);
}

/* Writing over one half of a wide character leaves a blank in the other. */
static void split_wide(struct nt_grid *grid, int x, int y)
{
	struct nt_grid_cell *cell = cell_at(grid, x, y);
	if (cell->width == 0 && x > 0)
		*cell_at(grid, x - 1, y) = (struct nt_grid_cell){ .text = " ", .width = 1, .style = cell_at(grid, x - 1, y)->style };
	if (cell->width == 2 && x + 1 < grid->width)
		*cell_at(grid, x + 1, y) = (struct nt_grid_cell){ .text = " ", .width = 1, .style = cell_at(grid, x + 1, y)->style };
}

static void set_cell(struct nt_grid *grid, int x, int y, const char *bytes, size_t length, int width, enum nt_style style)
{
	for (int i = 0; i < width; i++)
		split_wide(grid, x + i, y);
	struct nt_grid_cell *cell = cell_at(grid, x, y);
	*cell = (struct nt_grid_cell){ .width = (uint8_t)width, .style = (uint8_t)style };
	memcpy(cell->text, bytes, length);
	if (width == 2)
		*cell_at(grid, x + 1, y) = (struct nt_grid_cell){ .style = (uint8_t)style };
}

/* As set_cell() of one of the signs that most text is made of: no other cell is touched where no wide character lies. */
static void set_plain(struct nt_grid *grid, int x, int y, char sign, enum nt_style style)
{
	struct nt_grid_cell *cell = cell_at(grid, x, y);
	if (cell->width == 1)
		*cell = (struct nt_grid_cell){ .text = { sign }, .width = 1, .style = (uint8_t)style };
	else
		set_cell(grid, x, y, &sign, 1, 1, style);
}

/* A combining character joins the one to the left; without room, or at the start, it is left out. */
static void combine(struct nt_grid *grid, int x, int y, const char *bytes, size_t length)
{
	if (x < 0)
		return;
	struct nt_grid_cell *cell = cell_at(grid, x, y);
	size_t used = strlen(cell->text);
	if (used && used + length < sizeof(cell->text))
		memcpy(cell->text + used, bytes, length);
}

/* The sign of one byte that most text is made of. */
static bool is_plain(char byte)
{
	return byte >= ' ' && byte <= '~';
}

int nt_grid_put(struct nt_grid *grid, int x, int y, int room, enum nt_style style, const char *text)
{
	int end = room < grid->width - x ? x + room : grid->width, last = -1;
	size_t left = strlen(text);
	if (y < 0 || y >= grid->height || x < 0)
		return x;
	while (left) {
		uint32_t code;
		if (is_plain(*text) && x < end) {
			set_plain(grid, x, y, *text, style);
			last = x++;
			text++;
			left--;
			continue;
		}
		size_t taken = nt_utf8_decode(text, left, &code);
		char bytes[4];
		size_t length = nt_utf8_encode(nt_text_is_control(code) ? REPLACEMENT : code, bytes);
		int width = nt_text_is_control(code) ? 1 : nt_text_width(code);
		if (width == 0) {
			combine(grid, last, y, bytes, length);
		} else {
			if (x + width > end)
				break;
			set_cell(grid, x, y, bytes, length, width, style);
			last = x;
			x += width;
		}
		text += taken;
		left -= taken;
	}
	return x;
}

int nt_grid_printf(struct nt_grid *grid, int x, int y, int room, enum nt_style style, const char *fmt, ...)
{
	char text[PRINTF_BYTES];
	va_list args;
	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	return nt_grid_put(grid, x, y, room, style, text);
}

void nt_grid_put_right(struct nt_grid *grid, int x, int y, int room, enum nt_style style, const char *text)
{
	int cells = nt_text_cells(text), indent = cells < room ? room - cells : 0;
	nt_grid_put(grid, x + indent, y, room - indent, style, text);
}

void nt_grid_paint(struct nt_grid *grid, int x, int y, int room, enum nt_style style)
{
	if (y < 0 || y >= grid->height)
		return;
	for (int i = x < 0 ? 0 : x; i < x + room && i < grid->width; i++)
		cell_at(grid, i, y)->style = (uint8_t)style;
}

static void fill_with_any(struct nt_grid *grid, int x, int y, int room, enum nt_style style, const char *text)
{
	for (int end = x + room; x < end && x < grid->width;) {
		int next = nt_grid_put(grid, x, y, end - x, style, text);
		if (next == x)
			return;
		x = next;
	}
}

void nt_grid_fill(struct nt_grid *grid, int x, int y, int room, enum nt_style style, const char *text)
{
	bool plain = is_plain(text[0]) && !text[1];
	if (plain && y >= 0 && y < grid->height && x >= 0)
		for (int end = room < grid->width - x ? x + room : grid->width; x < end; x++)
			set_plain(grid, x, y, *text, style);
	else
		fill_with_any(grid, x, y, room, style, text);
}

const char *nt_grid_row_text(const struct nt_grid *grid, int y, char *buf, size_t size)
{
	const struct nt_grid_cell *row = nt_grid_row(grid, y);
	size_t used = 0, end = 0;
	for (int x = 0; x < grid->width; x++) {
		size_t length = strlen(row[x].text);
		if (used + length >= size)
			break;
		memcpy(buf + used, row[x].text, length);
		used += length;
		if (row[x].width && strcmp(row[x].text, " ") != 0)
			end = used;
	}
	buf[end] = '\0';
	return buf;
}

void nt_grid_copy(const struct nt_grid *from, int first, struct nt_grid *to, int x, int y)
{
	int cells = from->width < to->width - x ? from->width : to->width - x;
	for (int row = first; row < from->height && y < to->height && cells > 0; row++, y++)
		memcpy(&to->cells[(size_t)y * (size_t)to->width + (size_t)x], nt_grid_row(from, row), (size_t)cells * sizeof(*from->cells));
}
