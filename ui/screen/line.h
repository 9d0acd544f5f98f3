/* SPDX-License-Identifier: GPL-2.0-only */
/* A line of text that grows piece by piece; what does not fit is cut at a character. */
#ifndef NT_UI_LINE_H
#define NT_UI_LINE_H

#include <stddef.h>

enum { NT_LINE_BYTES = 2048 };

/* All zero is an empty line. */
struct nt_line {
	size_t used;
	char text[NT_LINE_BYTES]; /* always NUL-terminated */
};

void nt_line_add(struct nt_line *line, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Add a text from outside, made safe. NULL adds nothing. */
void nt_line_add_safe(struct nt_line *line, const char *text);

#endif
