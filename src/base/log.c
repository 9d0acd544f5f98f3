// SPDX-License-Identifier: GPL-2.0-only
#include "nettop/log.h"

#include "base/alloc.h"
#include "base/text.h"
#include "nettop/status.h"

#include <stdlib.h>
#include <string.h>

enum { TAB = 8, ESCAPE = 27, BELL = 7 };

struct kept_line {
	nt_time time;
	enum nt_log_kind kind;
	char *text; /* owned */
};

struct nt_log {
	struct kept_line lines[NT_LOG_LINES]; /* a ring */
	size_t first, count;
	uint64_t dropped;
};

struct nt_log *nt_log_new(void)
{
	return nt_alloc(sizeof(struct nt_log));
}

void nt_log_free(struct nt_log *log)
{
	if (!log)
		return;
	for (size_t i = 0; i < NT_LOG_LINES; i++)
		free(log->lines[i].text);
	free(log);
}

/*
 * Length of the escape sequence that begins at text[0], by ECMA-48: CSI (ESC [ parameters, intermediates, one final byte), a string (ESC ] ... ended by
 * BEL or ESC \), else ESC, intermediates and one byte. One that is cut by the end of the line reaches to it.
 */
static size_t escape_length(const char *text, size_t length)
{
	size_t at = 2;
	if (length < 2)
		return length;
	if (strchr("]PX^_", text[1])) {
		while (at < length && text[at] != BELL && text[at] != ESCAPE)
			at++;
		return at + 2 <= length && text[at] == ESCAPE ? at + 2 : at + 1 <= length ? at + 1 : length;
	}
	if (text[1] != '[')
		at = 1;
	while (at < length && text[at] >= 0x20 && text[at] <= (text[1] == '[' ? 0x3f : 0x2f))
		at++;
	return at < length ? at + 1 : length;
}

/* Without escape sequences, tabs as blanks; not more than fits. Returns the bytes written. */
static size_t flatten(const char *text, size_t length, char *out, size_t size)
{
	size_t used = 0;
	for (size_t at = 0; at < length && used < size;) {
		if (text[at] == ESCAPE) {
			at += escape_length(text + at, length - at);
			continue;
		}
		bool tab = text[at] == '\t';
		do
			out[used++] = tab ? ' ' : text[at];
		while (tab && used % TAB && used < size);
		at++;
	}
	return used;
}

void nt_log_add(struct nt_log *log, nt_time time, enum nt_log_kind kind, const char *text, size_t length)
{
	char flat[NT_LOG_LINE_BYTES], safe[NT_LOG_LINE_BYTES];
	length = flatten(text, length, flat, sizeof(flat));
	while (length && (flat[length - 1] == '\r' || flat[length - 1] == ' '))
		length--;
	nt_text_escape(flat, length, safe, sizeof(safe));
	bool full = log->count == NT_LOG_LINES;
	struct kept_line *line = &log->lines[(log->first + log->count) % NT_LOG_LINES];
	free(line->text);
	*line = (struct kept_line){ .time = time, .kind = kind, .text = nt_strdup(safe) };
	log->first = (log->first + full) % NT_LOG_LINES;
	log->count += !full;
	log->dropped += full;
}

size_t nt_log_count(const struct nt_log *log)
{
	return log->count;
}

struct nt_log_line nt_log_line(const struct nt_log *log, size_t index)
{
	nt_assert(index < log->count);
	const struct kept_line *line = &log->lines[(log->first + index) % NT_LOG_LINES];
	return (struct nt_log_line){ line->time, line->kind, line->text };
}

uint64_t nt_log_dropped(const struct nt_log *log)
{
	return log->dropped;
}
