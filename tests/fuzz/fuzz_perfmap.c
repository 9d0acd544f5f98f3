// SPDX-License-Identifier: GPL-2.0-only
/* Input: the text of a perf map. Read at once and in two pieces, it must give the same; its names come back from the form in which they are kept. */
#include "fuzz.h"

#include "base/words.h"
#include "decode/codemap/perfmap.h"

#include <string.h>

struct sum {
	struct nt_perfmap_parser parser;
	uint64_t hash;
	struct nt_words words;
};

static void pack(struct nt_words *words, const char *name, size_t length)
{
	static char packed[NT_WORDS_PACKED_MAX(NT_PERFMAP_LINE_MAX)], back[NT_PERFMAP_LINE_MAX];
	size_t packed_length = nt_words_pack(words, name, length, packed);
	FUZZ_CHECK(packed_length <= NT_WORDS_PACKED_MAX(length));
	FUZZ_CHECK(nt_words_unpack(words, packed, packed_length, back) == length && memcmp(back, name, length) == 0);
}

static void see(struct sum *sum, const struct nt_batch_line *line, const char *text, size_t text_length)
{
	FUZZ_CHECK(line->size > 0 && line->start + line->size > line->start);
	FUZZ_CHECK(line->length > 0);
	FUZZ_CHECK(line->offset <= text_length && line->length <= text_length - line->offset);
	pack(&sum->words, text + line->offset, line->length);
	sum->hash = (sum->hash ^ line->start ^ line->size << 7 ^ line->length) * UINT64_C(0x9e3779b97f4a7c15);
}

/* All complete lines; returns the bytes consumed. */
static size_t parse(struct sum *sum, const char *text, size_t size)
{
	static struct nt_perfmap_lines lines;
	size_t used = 0;
	do {
		size_t rest = size - used, step = nt_perfmap_parse(&sum->parser, text + used, rest, &lines);
		FUZZ_CHECK(step <= rest);
		for (size_t i = 0; i < lines.count; i++)
			see(sum, &lines.items[i], text + used, step);
		used += step;
	} while (lines.count == NT_PERFMAP_LINES);
	return used;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data;
	struct sum whole = { 0 }, pieces = { 0 };
	FUZZ_CHECK(size - parse(&whole, text, size) < NT_PERFMAP_LINE_MAX);
	size_t first = parse(&pieces, text, size / 2);
	parse(&pieces, text + first, size - first);
	FUZZ_CHECK(whole.hash == pieces.hash && whole.parser.line_count == pieces.parser.line_count &&
		   whole.parser.bad_count == pieces.parser.bad_count);
	nt_words_fini(&whole.words);
	nt_words_fini(&pieces.words);
	return 0;
}
