// SPDX-License-Identifier: GPL-2.0-only
#include "ui/screen/layout.h"

enum {
	WIDE = 120,        /* long forms, 12-cell sparklines */
	PAIRS = 80,        /* two tiles per line */
	TWO_PANELS = 160,  /* the table, and something beside it */
	COMPACT = 60,      /* below: one line of headlines, three columns */
	FULL_HEADER = 20,  /* lines; below: three lines of header */
	WITH_TABS = 14,    /* lines; below: no tab bar, keys without words */
	ALWAYS_SINGLE = 2, /* CPU and GC */
	LEAST_BODY = 5,
	TALL = 30,       /* lines; below: without the last line of pairs, of which the finding tells */
	USUAL_TILES = 8, /* there */
};

static enum nt_header header_of(int width, int height)
{
	return height < FULL_HEADER || width < COMPACT ? NT_HEADER_SHORT : NT_HEADER_FULL;
}

static enum nt_tiles_form tiles_form(int width, enum nt_header header)
{
	if (header != NT_HEADER_FULL)
		return header == NT_HEADER_SHORT ? NT_TILES_HEADLINES : NT_TILES_NONE;
	return width < PAIRS ? NT_TILES_SINGLE : NT_TILES_PAIRS;
}

static int tiles_height(enum nt_tiles_form form, int tile_count, int marked)
{
	switch (form) {
	case NT_TILES_PAIRS:
		return (tile_count + 1) / 2;
	case NT_TILES_SINGLE:
		return ALWAYS_SINGLE + marked;
	case NT_TILES_HEADLINES:
		return 1;
	default:
		return 0;
	}
}

void nt_layout_of(int width, int height, enum nt_header header, int marked, struct nt_layout *out)
{
	*out = (struct nt_layout){ .width = width, .height = height, .finding_y = -1, .tabs_y = -1 };
	out->too_small = width < NT_LEAST_WIDTH || height < NT_LEAST_HEIGHT;
	out->wide = width >= WIDE;
	out->side_width = width >= TWO_PANELS ? width * 3 / 8 : 0;
	out->compact = width < COMPACT;
	out->short_hints = out->compact || height < WITH_TABS;
	out->header = header == NT_HEADER_BY_SIZE ? header_of(width, height) : header;
	out->tiles = tiles_form(width, out->header);
	out->tile_count = height < TALL ? USUAL_TILES : NT_TILES;
	out->tiles_height = tiles_height(out->tiles, out->tile_count, marked);
	out->spark_cells = out->wide ? 12 : 6;
	out->fact_cells = out->wide ? 30 : 16;
	int y = 1 + out->tiles_height;
	if (out->header == NT_HEADER_FULL || out->header == NT_HEADER_SHORT)
		out->finding_y = y++;
	if (height >= WITH_TABS && out->header != NT_HEADER_LIST)
		out->tabs_y = y++;
	out->title_y = y++;
	out->body_y = y;
	out->context_y = height - 1;
	out->body_height = out->context_y - out->body_y;
	if (out->body_height >= LEAST_BODY || out->too_small || out->header != NT_HEADER_FULL)
		return;
	if (out->tiles == NT_TILES_SINGLE && marked)
		nt_layout_of(width, height, header, marked - 1, out);
	else
		nt_layout_of(width, height, NT_HEADER_SHORT, 0, out);
}

void nt_layout_add_end(struct nt_layout *layout, int lines)
{
	int room = layout->body_height - LEAST_BODY;
	if (layout->too_small || layout->finding_y < 0 || room <= 0)
		return;
	layout->end_height = lines < room ? lines : room;
	if (layout->tabs_y >= 0)
		layout->tabs_y += layout->end_height;
	layout->title_y += layout->end_height;
	layout->body_y += layout->end_height;
	layout->body_height -= layout->end_height;
}

enum nt_header nt_layout_next_header(const struct nt_layout *now)
{
	enum nt_header next = now->header == NT_HEADER_LINE ? NT_HEADER_FULL : now->header + 1;
	return next == header_of(now->width, now->height) ? NT_HEADER_BY_SIZE : next;
}
