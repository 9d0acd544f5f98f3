/* SPDX-License-Identifier: GPL-2.0-only */
/* Running text for the body: details, help, the reason of an empty panel. Lines are collected, wrapped, and then drawn from some line on. */
#ifndef NT_UI_PAGE_H
#define NT_UI_PAGE_H

#include "ui/screen/grid.h"
#include "ui/screen/keys.h"

struct nt_page_line {
	enum nt_style style;
	char *text;      /* owned */
	nt_key key;      /* what a click on it is; 0 = no key, but where */
	bool names_keys; /* it names some: a word of it that is the name of one, or */
	int field_cells; /* where it has fields of so many cells, the first word of each */
	int first_field; /* the cell in which these begin */
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

/* A click on the lines from `first` on is that key; or the one that they name there, in fields where `field_cells` is not 0. */
void nt_page_is_key(struct nt_page *page, size_t first, nt_key key);
void nt_page_names_keys(struct nt_page *page, size_t first, int first_field, int field_cells);

/* Which key a click on cell x of a line is; NT_KEY_NONE: none. */
nt_key nt_page_key_at(const struct nt_page *page, size_t line, int x);

/* Draw `height` lines from line `top` on. */
void nt_page_draw(const struct nt_page *page, struct nt_grid *grid, int y, int height, int top);

#endif
