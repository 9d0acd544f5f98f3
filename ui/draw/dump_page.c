// SPDX-License-Identifier: GPL-2.0-only
#include "ui/draw/dump_page.h"

#include "base/text.h"
#include "ui/screen/line.h"

static void put_kinds(const struct nt_ui *ui, struct nt_page *page)
{
	for (unsigned kind = 0; kind < NT_DUMP_KIND_COUNT; kind++) {
		struct nt_line label = { 0 };
		bool chosen = kind == ui->dump_kind;
		nt_line_add(&label, " %c %u  %-8s", chosen ? '>' : ' ', kind + 1, nt_dump_kind_name(kind));
		size_t first = page->line_count;
		nt_page_text(page, chosen ? NT_STYLE_FRESH : NT_STYLE_PLAIN, label.text, nt_dump_kind_words(kind));
		nt_page_is_key(page, first, '1' + kind);
	}
}

static const char *hint_of(const struct nt_ui *ui)
{
	return ui->dump_goes_on     ? "Esc closes this page; it is written all the same."
	       : ui->dump_can_begin ? "1 to 5 choose, Enter has it written; Esc leaves the process as it is."
				    : "1 to 5 choose; Esc leaves the process as it is.";
}

/* What it does comes before what there is to choose from, as a small screen has no room for both. */
void nt_dump_page_fill(const struct nt_ui *ui, struct nt_page *page)
{
	const char *at = ui->dump_text, *line;
	size_t length;
	nt_page_text(page, NT_STYLE_FRESH, " ", hint_of(ui));
	nt_page_names_keys(page, 0, 0, 0);
	while (nt_text_next_line(&at, &line, &length)) {
		struct nt_line text = { 0 };
		nt_line_add(&text, "%.*s", (int)length, line);
		nt_page_text(page, NT_STYLE_PLAIN, " ", text.text);
	}
	nt_page_line(page, NT_STYLE_PLAIN, "");
	put_kinds(ui, page);
}
