/* SPDX-License-Identifier: GPL-2.0-only */
/* Running text for the body: details, help, the reason of an empty panel. Lines are collected, wrapped, and then drawn from some line on. */
#ifndef NT_UI_PAGE_H
#define NT_UI_PAGE_H

#include "ui/screen/grid.h"

struct nt_page_line {
	enum nt_style style;
	char *text; /* owned */
};

struct nt_page {
	int width;                  /* cells of a line */
	struct nt_page_line *lines; /* owned */
	size_t line_count, line_capacity;
};

void nt_page_init(struct nt_page *page, int width);
void nt_page_fini(struct nt_page *page);

/* One line, as it is; "" is an empty one. The text must be free of control characters; it is copied. */
void nt_page_line(struct nt_page *page, enum nt_style style, const char *text);

/* `label`, then the text wrapped at blanks into the room right of it. A word longer than a line is broken. Escapes the text. */
void nt_page_text(struct nt_page *page, enum nt_style style, const char *label, const char *text);

/* Draw `height` lines from line `top` on. */
void nt_page_draw(const struct nt_page *page, struct nt_grid *grid, int y, int height, int top);

#endif
