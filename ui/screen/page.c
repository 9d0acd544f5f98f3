// SPDX-License-Identifier: GPL-2.0-only
#include "ui/screen/page.h"

#include "base/alloc.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

enum { TEXT_BYTES = 8192 };

void nt_page_init(struct nt_page *page, int width)
{
	*page = (struct nt_page){ .width = width };
}

void nt_page_fini(struct nt_page *page)
{
	for (size_t i = 0; i < page->line_count; i++)
		free(page->lines[i].text);
	free(page->lines);
	*page = (struct nt_page){ 0 };
}

void nt_page_line(struct nt_page *page, enum nt_style style, const char *text)
{
	page->lines = nt_grow(page->lines, &page->line_capacity, page->line_count + 1, sizeof(*page->lines));
	page->lines[page->line_count++] = (struct nt_page_line){ .style = style, .text = nt_strdup(text) };
}

/* Bytes of `text` that fit into `room` cells, broken at the last blank when there is one. At least one character. */
static size_t line_length(const char *text, int room)
{
	size_t used = 0, blank = 0, left = strlen(text);
	int cells = 0;
	while (left) {
		uint32_t code;
		size_t length = nt_utf8_decode(text + used, left, &code);
		cells += nt_text_width(code);
		if (cells > room && used)
			return blank ? blank : used;
		if (code == ' ')
			blank = used;
		used += length;
		left -= length;
	}
	return used;
}

void nt_page_text(struct nt_page *page, enum nt_style style, const char *label, const char *text)
{
	char safe[TEXT_BYTES];
	int indent = nt_text_cells(label), room = page->width - indent > 8 ? page->width - indent : 8;
	nt_text_escape(text, strlen(text), safe, sizeof(safe));
	const char *rest = safe;
	do {
		size_t length = line_length(rest, room);
		char *line =
			rest == safe ? nt_format("%s%.*s", label, (int)length, rest) : nt_format("%*s%.*s", indent, "", (int)length, rest);
		nt_page_line(page, style, line);
		free(line);
		rest += length;
		while (*rest == ' ')
			rest++;
	} while (*rest);
}

void nt_page_draw(const struct nt_page *page, struct nt_grid *grid, int y, int height, int top)
{
	for (int i = 0; i < height; i++) {
		size_t line = (size_t)(top + i);
		if (line < page->line_count)
			nt_grid_put(grid, 0, y + i, grid->width, page->lines[line].style, page->lines[line].text);
	}
}

void nt_page_is_key(struct nt_page *page, size_t first, nt_key key)
{
	for (size_t i = first; i < page->line_count; i++)
		page->lines[i].key = key;
}

void nt_page_names_keys(struct nt_page *page, size_t first, int first_field, int field_cells)
{
	for (size_t i = first; i < page->line_count; i++) {
		page->lines[i].names_keys = true;
		page->lines[i].first_field = first_field;
		page->lines[i].field_cells = field_cells;
	}
}

/* Lines that name keys have no character of more than a byte. */
nt_key nt_page_key_at(const struct nt_page *page, size_t line, int x)
{
	const struct nt_page_line *of = line < page->line_count ? &page->lines[line] : NULL;
	if (of && of->key)
		return of->key;
	if (!of || !of->names_keys || x < of->first_field || (size_t)x >= strlen(of->text))
		return NT_KEY_NONE;
	const char *word = of->text + x;
	if (of->field_cells)
		word -= (x - of->first_field) % of->field_cells;
	else if (*word == ' ')
		return NT_KEY_NONE;
	while (!of->field_cells && word > of->text && word[-1] != ' ')
		word--;
	return nt_key_called(word, strcspn(word, " ,;."));
}
