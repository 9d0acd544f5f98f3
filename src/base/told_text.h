/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The fields of an event (nettop/told_event.h) as text: a line each, `name=value`, texts in quotes. Names and texts are escaped, so a line has no control characters but its end, and what stands
 * before the first = is the name.
 */
#ifndef NT_BASE_TOLD_TEXT_H
#define NT_BASE_TOLD_TEXT_H

#include <stdbool.h>

#include "base/text_buffer.h"
#include "nettop/told_event.h"

enum { NT_GUID_TEXT = 37 };

/* As .NET writes it: three numbers, then eight bytes; of 16 bytes as they lie in memory. Returns `text`. */
const char *nt_guid_text(const void *bytes, char text[NT_GUID_TEXT]);

/* `clr` for the runtime's own provider, `lttng` for the same over LTTng, others as they are. */
const char *nt_told_provider(const char *provider);

/* A text from outside, escaped, of which at most so many bytes are written, with an ellipsis when there are more. */
void nt_told_put_text(struct nt_text_buffer *out, const char *text, size_t most);

/* A value for people: large numbers, which are addresses mostly, in hexadecimal; of a text at most so many bytes. */
void nt_told_put_value(struct nt_text_buffer *out, const struct nt_told_field *field, size_t most);

/* Lines of all fields, cut at a line's end before `most` bytes. The caller's; *cut: there are more. */
char *nt_told_lines(const struct nt_told_event *event, size_t most, bool *cut);

/* A line of those, borrowed from them, not NUL-terminated. */
struct nt_told_line {
	const char *name, *value; /* value: without quotes */
	size_t name_length, value_length;
	bool is_text; /* it has quotes */
};

/* One a call: `*at` is the begin of the lines at first, and moves on. False: there is none any more. NULL has none. */
bool nt_told_next_line(const char **at, struct nt_told_line *out);

/* The first of that name, in whatever case; false: there is none. */
bool nt_told_find(const char *lines, const char *name, size_t length, struct nt_told_line *out);

#endif
