// SPDX-License-Identifier: GPL-2.0-only
#include "ui/draw/memory_page.h"

#include "nettop/memory_part.h"
#include "ui/screen/line.h"

void nt_memory_page_fill(const struct nt_ui *ui, struct nt_page *page)
{
	struct nt_memory_part parts[NT_MEMORY_PARTS];
	char text[NT_MEMORY_PART_BYTES];
	if (!ui->has_process || !ui->process.interval.memory.rss_bytes.known) {
		nt_page_line(page, NT_STYLE_PLAIN, "  Not known.");
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
