// SPDX-License-Identifier: GPL-2.0-only
#include "ui/draw/stacks_page.h"

#include "output/threads/threads_write.h"
#include "ui/screen/line.h"

#include <stdlib.h>
#include <string.h>

/* Lines of a stack begin with so many cells: blanks, the mark of the frame that people look for, a blank. */
enum { FRAME_AT = 8, MARK_AT = 6 };

static enum nt_style style_of(const char *line)
{
	if (*line == '!')
		return NT_STYLE_ALERT;
	return strlen(line) > FRAME_AT && line[MARK_AT] == '>' ? NT_STYLE_FRESH : NT_STYLE_PLAIN;
}

/* What does not fit goes on under its begin. */
static void put_line(struct nt_page *page, const char *line)
{
	size_t indent = strspn(line, " !>");
	struct nt_line label = { 0 };
	if (indent < strlen(line))
		nt_line_add(&label, "%.*s", (int)indent, line);
	nt_page_text(page, style_of(line), label.text, line + (indent < strlen(line) ? indent : 0));
}

/* Who does not look at threads says why. */
static void put_why(const struct nt_wait_figures *waits, struct nt_page *page)
{
	if (waits->waiting_count.known || !waits->why.reason)
		return;
	nt_page_text(page, NT_STYLE_DIM, " Nobody looks at the threads: ", waits->why.reason);
	if (waits->why.fix)
		nt_page_text(page, NT_STYLE_DIM, " Fix: ", waits->why.fix);
	nt_page_line(page, NT_STYLE_PLAIN, "");
}

void nt_stacks_page_fill(const struct nt_ui *ui, struct nt_page *page)
{
	char *text = NULL;
	size_t length = 0;
	if (!ui->has_process) {
		nt_page_text(page, NT_STYLE_DIM, " ", "There is no process yet.");
		return;
	}
	put_why(&ui->process.interval.waits, page);
	FILE *out = open_memstream(&text, &length);
	if (!out)
		return;
	nt_threads_write_groups(out, &ui->process);
	fclose(out);
	for (char *line = text, *end; line && *line; line = end) {
		end = line + strcspn(line, "\n");
		if (*end)
			*end++ = '\0';
		put_line(page, line);
	}
	free(text);
}
