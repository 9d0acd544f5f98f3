// SPDX-License-Identifier: GPL-2.0-only
#include "ui/draw/memory_page.h"

#include "nettop/gc_settings.h"
#include "nettop/memory_part.h"
#include "ui/screen/line.h"

enum { VALUE = 32, HELP_WIDTH = 100 /* the help of a setting has room */ };

/* A value that nobody says is blank. What was asked for stands beside it where that is not where the value is from. */
static void setting_line(const struct nt_ui *ui, const struct nt_gc_setting_row *row, struct nt_page *page)
{
	char value[VALUE], asked[VALUE];
	const struct nt_gc_setting_row as_asked = { .unit = row->unit, .value = row->asked };
	const char *origin = nt_gc_origin_name(row->origin);
	bool differs = row->asked.known && row->origin != row->asked_by;
	struct nt_line line = { 0 };
	nt_line_add(&line, "  %-16s%7s  %-13s  %7s  ", row->title, nt_gc_setting_value(row, value, sizeof(value)), origin ? origin : "",
		    differs ? nt_gc_setting_value(&as_asked, asked, sizeof(asked)) : "");
	nt_page_text(page, row->value.known ? NT_STYLE_PLAIN : NT_STYLE_DIM, line.text, ui->layout.width < HELP_WIDTH ? "" : row->help);
}

static void fill_settings(const struct nt_ui *ui, struct nt_page *page)
{
	struct nt_gc_setting_row rows[NT_GC_SETTING_COUNT];
	struct nt_gc_oddity oddities[NT_GC_ODDITIES];
	size_t count = nt_gc_oddities(&ui->process, oddities);
	nt_gc_setting_rows(&ui->process, rows);
	nt_page_line(page, NT_STYLE_PLAIN, "");
	nt_page_line(page, NT_STYLE_TITLE, "  SETTING OF GC     VALUE  SAID BY          ASKED");
	for (size_t i = 0; i < count; i++)
		nt_page_text(page, NT_STYLE_MARK, "! ", oddities[i].text);
	for (size_t i = 0; i < NT_GC_SETTING_COUNT; i++)
		setting_line(ui, &rows[i], page);
}

static void fill_parts(const struct nt_ui *ui, struct nt_page *page)
{
	struct nt_memory_part parts[NT_MEMORY_PARTS];
	char text[NT_MEMORY_PART_BYTES];
	if (!ui->has_process || !ui->process.interval.memory.rss_bytes.known) {
		nt_page_line(page, NT_STYLE_PLAIN, ui->is_span ? "  Not known of a span that ends within an interval." : "  Not known.");
		return;
	}
	nt_memory_parts(&ui->process.interval, parts);
	for (size_t i = 0; i < NT_MEMORY_PARTS; i++) {
		struct nt_line line = { 0 };
		nt_line_add(&line, "  %s  ", nt_memory_part_text(&parts[i], text));
		nt_page_text(page, parts[i].bytes.known ? NT_STYLE_PLAIN : NT_STYLE_DIM, line.text,
			     ui->layout.compact ? "" : parts[i].meaning);
	}
}

void nt_memory_page_fill(const struct nt_ui *ui, struct nt_page *page)
{
	fill_parts(ui, page);
	if (ui->has_process)
		fill_settings(ui, page);
}
