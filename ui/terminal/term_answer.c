// SPDX-License-Identifier: GPL-2.0-only
#include "ui/terminal/term_answer.h"

#include <stdio.h>
#include <string.h>

enum { BELL = 7, ESCAPE = 27, MOST_TEXT = 4096 };

static enum nt_answer_step end(struct nt_answer *answer, enum nt_answer_step how)
{
	answer->state = NT_ANSWER_NONE;
	return how;
}

static enum nt_answer_step begin_text(struct nt_answer *answer)
{
	answer->state = NT_ANSWER_TEXT;
	answer->length = 0;
	return NT_ANSWER_INSIDE;
}

/* A text without end is none: what comes then is typed again. */
static enum nt_answer_step take_text(struct nt_answer *answer, uint32_t code)
{
	if (answer->state == NT_ANSWER_TEXT_ESCAPE || code == BELL)
		return end(answer, NT_ANSWER_COLOR);
	if (code == ESCAPE) {
		answer->state = NT_ANSWER_TEXT_ESCAPE;
		return NT_ANSWER_INSIDE;
	}
	if (answer->length < NT_ANSWER_BYTES)
		answer->text[answer->length] = code < 128 ? (char)code : '?';
	return ++answer->length > MOST_TEXT ? end(answer, NT_ANSWER_INSIDE) : NT_ANSWER_INSIDE;
}

enum nt_answer_step nt_answer_take(struct nt_answer *answer, uint32_t code)
{
	switch (answer->state) {
	case NT_ANSWER_NONE:
		if (code != ESCAPE)
			return NT_ANSWER_IS_KEY;
		answer->state = NT_ANSWER_ESCAPE;
		return NT_ANSWER_HELD;
	case NT_ANSWER_ESCAPE:
		if (code == ']')
			return begin_text(answer);
		if (code != '[')
			return NT_ANSWER_IS_KEY;
		answer->state = NT_ANSWER_BRACKET;
		return NT_ANSWER_HELD;
	case NT_ANSWER_BRACKET:
		if (code != '?')
			return NT_ANSWER_IS_KEY;
		answer->state = NT_ANSWER_KIND;
		return NT_ANSWER_INSIDE;
	case NT_ANSWER_KIND:
		if (code >= '@' && code <= '~')
			return end(answer, code == 'c' ? NT_ANSWER_KNOWN : NT_ANSWER_INSIDE);
		return NT_ANSWER_INSIDE;
	case NT_ANSWER_TEXT:
	case NT_ANSWER_TEXT_ESCAPE:
		return take_text(answer, code);
	}
	return NT_ANSWER_IS_KEY;
}

size_t nt_answer_held(struct nt_answer *answer, char out[2])
{
	size_t count = answer->state == NT_ANSWER_ESCAPE ? 1 : answer->state == NT_ANSWER_BRACKET ? 2 : 0;
	if (count)
		memcpy(out, "\033[", count);
	if (count)
		answer->state = NT_ANSWER_NONE;
	return count;
}

/* One to four hexadecimal digits as a share of the most that so many say; below 0: they are none. */
static double channel(const char **at)
{
	static const double most[] = { 1, 0xf, 0xff, 0xfff, 0xffff };
	size_t digits = 0;
	unsigned value = 0;
	for (; digits < 4; digits++, (*at)++) {
		const char *digit = memchr("0123456789abcdef", **at | 0x20, 16);
		if (!digit || !**at || (**at < '0'))
			break;
		value = value * 16 + (unsigned)((**at | 0x20) >= 'a' ? (**at | 0x20) - 'a' + 10 : **at - '0');
	}
	return digits ? value / most[digits] : -1;
}

bool nt_answer_is_light(const struct nt_answer *answer, bool *known)
{
	char text[NT_ANSWER_BYTES + 1];
	size_t length = answer->length < NT_ANSWER_BYTES ? answer->length : NT_ANSWER_BYTES;
	double parts[3];
	*known = false;
	memcpy(text, answer->text, length);
	text[length] = '\0';
	const char *at = strncmp(text, "11;rgb:", 7) == 0 ? text + 7 : strncmp(text, "11;rgba:", 8) == 0 ? text + 8 : NULL;
	for (size_t i = 0; at && i < 3; i++) {
		parts[i] = channel(&at);
		if (parts[i] < 0 || (i < 2 && *at++ != '/'))
			return false;
	}
	*known = at != NULL;
	return *known && 0.299 * parts[0] + 0.587 * parts[1] + 0.114 * parts[2] > 0.5;
}
