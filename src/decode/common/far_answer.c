// SPDX-License-Identifier: GPL-2.0-only
#include "decode/common/far_answer.h"

#include <string.h>

static const char mark[] = "nettop-far ";

/* Printable ASCII and what is beyond it; a path may be in any encoding, and is shown escaped. */
static bool is_text(const char *value, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if ((unsigned char)value[i] < ' ' || value[i] == '\x7f')
			return false;
	return length > 0 && length < NT_FAR_TEXT;
}

static void keep(char place[NT_FAR_TEXT], const char *value, size_t length)
{
	if (*place || !is_text(value, length))
		return;
	memcpy(place, value, length);
	place[length] = '\0';
}

/* True: it is the last line. */
static bool take_line(const char *line, size_t length, struct nt_far_answer *out)
{
	const char *space = memchr(line, ' ', length);
	size_t key = space ? (size_t)(space - line) : length;
	const char *value = space ? space + 1 : line + length;
	size_t rest = length - (size_t)(value - line);
	if (key == strlen("machine") && memcmp(line, "machine", key) == 0)
		keep(out->machine, value, rest);
	else if (key == strlen("program") && memcmp(line, "program", key) == 0 && rest && *value == '/')
		keep(out->program, value, rest);
	else if (key == strlen("folder") && memcmp(line, "folder", key) == 0 && rest && *value == '/')
		keep(out->folder, value, rest);
	return key == strlen("end") && memcmp(line, "end", key) == 0;
}

bool nt_far_answer_read(const char *bytes, size_t length, struct nt_far_answer *out)
{
	bool ended = false;
	*out = (struct nt_far_answer){ 0 };
	for (size_t at = 0; at < length && !ended;) {
		const char *feed = memchr(bytes + at, '\n', length - at);
		size_t line = feed ? (size_t)(feed - bytes) - at : length - at;
		if (feed && line >= sizeof(mark) - 1 && memcmp(bytes + at, mark, sizeof(mark) - 1) == 0)
			ended = take_line(bytes + at + sizeof(mark) - 1, line - (sizeof(mark) - 1), out);
		at += line + 1;
	}
	return ended;
}
