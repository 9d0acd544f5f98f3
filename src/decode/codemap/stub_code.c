// SPDX-License-Identifier: GPL-2.0-only
#include "decode/codemap/stub_code.h"

#include <string.h>

struct form {
	const char *kind;
	size_t align;
	const char *pattern; /* see stub_code.def */
};

static const struct form forms[] = {
#define STUB_CODE(kind, align, pattern) { kind, align, pattern },
#include "decode/codemap/stub_code.def"
};

enum { STEP = 4 }; /* the least alignment */

struct bytes {
	const uint8_t *data;
	size_t length;
};

/* ---- one pattern ---- */

/* A piece of a pattern, and what follows it. */
struct piece {
	const char *digits;
	size_t size;       /* bytes that it stands for */
	unsigned min, max; /* how often */
};

static unsigned number(const char **text)
{
	unsigned value = 0;
	for (; **text >= '0' && **text <= '9'; (*text)++)
		value = value * 10 + (unsigned)(**text - '0');
	return value;
}

/* False: the pattern has ended. */
static bool next_piece(const char **pattern, struct piece *out)
{
	while (**pattern == ' ')
		(*pattern)++;
	if (!**pattern)
		return false;
	out->digits = *pattern;
	size_t count = strcspn(*pattern, " *{");
	*pattern += count;
	out->size = count / 2;
	out->min = out->max = 1;
	if (**pattern == '*') {
		++*pattern;
		out->min = 0;
		out->max = NT_STUB_CODE_MAX;
	} else if (**pattern == '{') {
		++*pattern;
		out->min = out->max = number(pattern);
		++*pattern; /* the other brace */
	}
	return true;
}

static unsigned digit_value(char digit)
{
	return digit <= '9' ? (unsigned)(digit - '0') : (unsigned)(digit - 'a') + 10;
}

static bool digit_fits(char digit, unsigned value)
{
	return digit == '?' || digit_value(digit) == value;
}

static bool piece_fits(const struct piece *piece, const struct bytes *code, size_t at)
{
	if (piece->size > code->length - at)
		return false;
	for (size_t i = 0; i < piece->size; i++) {
		uint8_t byte = code->data[at + i];
		if (!digit_fits(piece->digits[2 * i], byte >> 4) || !digit_fits(piece->digits[2 * i + 1], byte & 15))
			return false;
	}
	return true;
}

/* How long the stub is that begins at `at`; 0: it has not this form. */
static size_t length_at(const struct form *form, const struct bytes *code, size_t at)
{
	size_t end = at;
	struct piece piece;
	for (const char *pattern = form->pattern; next_piece(&pattern, &piece);) {
		unsigned count = 0;
		for (; count < piece.max && piece_fits(&piece, code, end); count++)
			end += piece.size;
		if (count < piece.min)
			return 0;
	}
	return end - at;
}

/* ---- the place ---- */

static bool covers(const struct form *form, const struct bytes *code, uint64_t address, size_t start, size_t at, size_t *length)
{
	*length = (address + start) % form->align ? 0 : length_at(form, code, start);
	return start + *length > at;
}

/* The stub of this form around `at`. False: there is none. */
static bool find_form(const struct form *form, const struct bytes *code, uint64_t address, size_t at, size_t *start, size_t *length)
{
	size_t first = at - (address + at) % STEP;
	if (first > at) /* `code` does not begin where a stub could */
		return false;
	for (size_t back = 0; back <= first && back < NT_STUB_CODE_MAX; back += STEP) {
		*start = first - back;
		if (covers(form, code, address, *start, at, length))
			return true;
	}
	return false;
}

/* Stubs of one form and length follow each other, so one question tells a page of them. */
static void widen(const struct form *form, const struct bytes *code, size_t length, struct nt_stub_code *out)
{
	size_t stride = (length + form->align - 1) / form->align * form->align;
	while (out->start >= stride && length_at(form, code, out->start - stride) == length)
		out->start -= stride;
	size_t last = out->end - length;
	while (stride < code->length - last && length_at(form, code, last + stride) == length)
		last += stride;
	out->end = last + length;
}

bool nt_stub_code_find(const uint8_t *code, size_t length, uint64_t address, size_t at, struct nt_stub_code *out)
{
	const struct bytes bytes = { .data = code, .length = length };
	if (at >= length)
		return false;
	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		size_t start, size;
		if (!find_form(&forms[i], &bytes, address, at, &start, &size))
			continue;
		*out = (struct nt_stub_code){ .kind = forms[i].kind, .start = start, .end = start + size };
		widen(&forms[i], &bytes, size, out);
		return true;
	}
	return false;
}
