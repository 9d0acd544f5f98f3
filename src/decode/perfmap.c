// SPDX-License-Identifier: GPL-2.0-only
#include "decode/perfmap.h"

#include "decode/digits.h"

#include <string.h>

/* `ADDRESS SIZE NAME` in [at, end). */
static bool read_line(const char *at, const char *end, struct nt_perfmap_entry *entry)
{
	if (end - at > 2 && at[0] == '0' && (at[1] | 0x20) == 'x')
		at += 2;
	if (!nt_hex_read(&at, end, &entry->start) || at == end || *at++ != ' ')
		return false;
	if (end - at > 2 && at[0] == '0' && (at[1] | 0x20) == 'x')
		at += 2;
	if (!nt_hex_read(&at, end, &entry->size) || at == end || *at++ != ' ')
		return false;
	if (end > at && end[-1] == '\r')
		end--;
	entry->name = at;
	entry->name_length = (size_t)(end - at);
	uint64_t past;
	return entry->size && entry->name_length && !__builtin_add_overflow(entry->start, entry->size, &past);
}

/*
 * .NET 10 breaks the line of a method whose name is not ASCII: rubbish in the place of the address, and the end with the newline missing, so that the
 * next line, a good one, is stuck to it. That one is found here by its `0x` and address.
 */
static bool read_stuck_line(const char *at, const char *end, struct nt_perfmap_entry *entry)
{
	while ((at = memmem(at, (size_t)(end - at), "0x", 2))) {
		if (read_line(at, end, entry))
			return true;
		at += 2;
	}
	return false;
}

static void take_line(struct nt_perfmap_parser *parser, const char *line, const char *end, nt_perfmap_visit *visit, void *context)
{
	if (line == end)
		return;
	struct nt_perfmap_entry entry;
	bool good = end - line < NT_PERFMAP_LINE_MAX && read_line(line, end, &entry);
	if (!good) {
		parser->bad_count++;
		good = end - line < NT_PERFMAP_LINE_MAX && read_stuck_line(line, end, &entry);
	}
	if (good) {
		parser->line_count++;
		visit(context, &entry);
	}
}

size_t nt_perfmap_parse(struct nt_perfmap_parser *parser, const char *text, size_t length, nt_perfmap_visit *visit, void *context)
{
	const char *at = text, *end = text + length, *newline;
	while (at < end && (newline = memchr(at, '\n', (size_t)(end - at)))) {
		if (!parser->skipping)
			take_line(parser, at, newline, visit, context);
		parser->skipping = false;
		at = newline + 1;
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
