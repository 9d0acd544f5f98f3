// SPDX-License-Identifier: GPL-2.0-only
/* Input: a jitdump. Read at once and in two pieces, it must give the same. */
#include "fuzz.h"

#include "decode/codemap/jitdump.h"

struct sum {
	struct nt_jitdump_parser parser;
	uint64_t hash;
};

static void see(struct sum *sum, const struct nt_batch_line *line, nt_time time, size_t length)
{
	FUZZ_CHECK(line->size > 0 && line->start + line->size > line->start);
	FUZZ_CHECK(line->length > 0);
	FUZZ_CHECK(line->offset <= length && line->length < length - line->offset);
	sum->hash = (sum->hash ^ line->start ^ line->size << 7 ^ line->length ^ time) * UINT64_C(0x9e3779b97f4a7c15);
}

/* All complete loads; returns the bytes consumed. */
static size_t parse(struct sum *sum, const char *bytes, size_t size)
{
	static struct nt_jitdump_lines loads;
	size_t used = 0;
	do {
		size_t rest = size - used, step = nt_jitdump_parse(&sum->parser, bytes + used, rest, &loads);
		FUZZ_CHECK(step <= rest);
		for (size_t i = 0; i < loads.lines.count; i++)
			see(sum, &loads.lines.items[i], loads.times[i], rest);
		used += step;
	} while (loads.lines.count == NT_PERFMAP_LINES);
	return used;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *bytes = (const char *)data;
	struct sum whole = { 0 }, pieces = { 0 };
	FUZZ_CHECK(size - parse(&whole, bytes, size) < NT_JITDUMP_NAME_AT + NT_PERFMAP_LINE_MAX);
	size_t first = parse(&pieces, bytes, size / 2);
	parse(&pieces, bytes + first, size - first);
	FUZZ_CHECK(whole.hash == pieces.hash && whole.parser.line_count == pieces.parser.line_count &&
		   whole.parser.bad_count == pieces.parser.bad_count && whole.parser.skip == pieces.parser.skip);
	return 0;
}
