// SPDX-License-Identifier: GPL-2.0-only
#include "decode/codemap/perfmap.h"

#include "decode/common/digits.h"
#include "decode/names/method_name.h"

#include <string.h>

/* A number, with or without 0x, and the space behind it. */
static inline bool read_number(const char **at, const char *end, uint64_t *value)
{
	if (end - *at > 2 && (*at)[0] == '0' && ((*at)[1] | 0x20) == 'x')
		*at += 2;
	return nt_hex_read(at, end, value) && *at < end && *(*at)++ == ' ';
}

/* `ADDRESS SIZE NAME` in [at, end), a part of `text`. */
static bool read_line(const char *text, const char *at, const char *end, struct nt_batch_line *line)
{
	uint64_t size, past;
	if (!read_number(&at, end, &line->start) || !read_number(&at, end, &size))
		return false;
	if (end > at && end[-1] == '\r')
		end--;
	const struct nt_slice name = { at, (size_t)(end - at) };
	line->size = (uint32_t)size;
	line->offset = (uint32_t)(at - text);
	line->length = (uint16_t)nt_method_name_cut(name).length;
	line->kind = nt_perfmap_is_stub(name) ? NT_CODE_STUB : NT_CODE_JIT;
	return size && size <= UINT32_MAX && name.length && !__builtin_add_overflow(line->start, size, &past);
}

/*
 * .NET 10 breaks the line of a method whose name is not ASCII: rubbish in the place of the address, and the end with the newline missing, so that the
 * next line, a good one, is stuck to it. That one is found here by its `0x` and address.
 */
static bool read_stuck_line(const char *text, const char *at, const char *end, struct nt_batch_line *line)
{
	while ((at = memmem(at, (size_t)(end - at), "0x", 2))) {
		if (read_line(text, at, end, line))
			return true;
		at += 2;
	}
	return false;
}

/* What is in [at, end), without its newline, becomes the next line of `out` if it is one. */
static void take_line(struct nt_perfmap_parser *parser, const char *text, const char *at, const char *end, struct nt_perfmap_lines *out)
{
	struct nt_batch_line *line = &out->items[out->count];
	bool fits = end - at < NT_PERFMAP_LINE_MAX;
	bool good = fits && read_line(text, at, end, line);
	if (!good) {
		parser->bad_count += at < end;
		good = fits && read_stuck_line(text, at, end, line);
	}
	parser->line_count += good;
	out->count += good;
}

size_t nt_perfmap_parse(struct nt_perfmap_parser *parser, const char *text, size_t length, struct nt_perfmap_lines *out)
{
	const char *at = text, *end = text + length, *newline;
	out->count = 0;
	while (at < end && (newline = memchr(at, '\n', (size_t)(end - at)))) {
		if (!parser->skipping)
			take_line(parser, text, at, newline, out);
		parser->skipping = false;
		at = newline + 1;
		if (out->count == NT_PERFMAP_LINES)
			return (size_t)(at - text);
	}
	if (parser->skipping)
		return length;
	if (end - at >= NT_PERFMAP_LINE_MAX) {
		parser->bad_count++;
		parser->skipping = true;
		return length;
	}
	return (size_t)(at - text);
}
