// SPDX-License-Identifier: GPL-2.0-only
#include "ui/screen/line.h"

#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void nt_line_add(struct nt_line *line, const char *fmt, ...)
{
	size_t room = sizeof(line->text) - line->used;
	va_list args;
	va_start(args, fmt);
	int length = vsnprintf(line->text + line->used, room, fmt, args);
	va_end(args);
	if (length < 0)
		return;
	if ((size_t)length < room) {
		line->used += (size_t)length;
		return;
	}
	/* Cut: half a character at the end goes too. */
	line->used = sizeof(line->text) - 1;
	while (line->used && ((unsigned char)line->text[line->used - 1] & 0xc0) == 0x80)
		line->used--;
	if (line->used && (unsigned char)line->text[line->used - 1] >= 0xc0)
		line->used--;
	line->text[line->used] = '\0';
}

void nt_line_add_safe(struct nt_line *line, const char *text)
{
	if (text)
		line->used += nt_text_escape(text, strlen(text), line->text + line->used, sizeof(line->text) - line->used);
}
