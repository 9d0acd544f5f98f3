// SPDX-License-Identifier: GPL-2.0-only
#include "ui/draw/heap_page.h"

#include "base/text.h"
#include "ui/screen/line.h"

/* Where the name of a type begins, behind numbers: of what grew, and of what is there (output/heap/heap_text.c). */
static const size_t names_at[] = { 39, 35 };

/* 0: it is no line of numbers, but text that may be wrapped. What leads to a root is set in by its distance. */
static size_t name_at(const char *line, size_t length)
{
	for (size_t i = 0; i < sizeof(names_at) / sizeof(names_at[0]); i++) {
		size_t at = names_at[i];
		if (length <= at || (*line != ' ' && *line != '~') || line[at - 1] != ' ' || line[at - 2] != ' ')
			continue;
		while (at < length && line[at] == ' ')
			at++;
		return at;
	}
	return 0;
}

void nt_heap_page_fill(const struct nt_ui *ui, struct nt_page *page)
{
	const char *at = ui->heap_text, *line;
	size_t length;
	if (ui->heap_can_begin)
		nt_page_text(page, NT_STYLE_FRESH, " ",
			     "Enter looks at the heap, v also at who holds what is in it; Esc leaves the process as it is.");
	nt_page_names_keys(page, 0, 0, 0);
	while (nt_text_next_line(&at, &line, &length)) {
		struct nt_line label = { 0 }, rest = { 0 };
		size_t name = name_at(line, length);
		nt_line_add(&label, " %.*s", (int)name, line);
		nt_line_add(&rest, "%.*s", (int)(length - name), line + name);
		if (length)
			nt_page_text(page, NT_STYLE_PLAIN, label.text, rest.text);
		else
			nt_page_line(page, NT_STYLE_PLAIN, "");
	}
}
