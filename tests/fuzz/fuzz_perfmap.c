// SPDX-License-Identifier: GPL-2.0-only
/* Input: the text of a perf map. Read at once and in two pieces, it must give the same. */
#include "fuzz.h"

#include "decode/perfmap.h"

struct sum {
	const char *text, *end;
	uint64_t hash;
};

static void see(void *context, const struct nt_perfmap_entry *entry)
{
	struct sum *sum = context;
	FUZZ_CHECK(entry->size > 0 && entry->start + entry->size > entry->start);
	FUZZ_CHECK(entry->name_length > 0);
	FUZZ_CHECK(entry->name >= sum->text && entry->name + entry->name_length <= sum->end);
	sum->hash = (sum->hash ^ entry->start ^ entry->size << 7 ^ entry->name_length) * UINT64_C(0x9e3779b97f4a7c15);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data;
	struct sum once = { text, text + size, 0 }, twice = once;
	struct nt_perfmap_parser whole = { 0 }, pieces = { 0 };
	size_t used = nt_perfmap_parse(&whole, text, size, see, &once);
	FUZZ_CHECK(used <= size && size - used < NT_PERFMAP_LINE_MAX);
	size_t first = nt_perfmap_parse(&pieces, text, size / 2, see, &twice);
	FUZZ_CHECK(first <= size / 2);
	nt_perfmap_parse(&pieces, text + first, size - first, see, &twice);
	FUZZ_CHECK(once.hash == twice.hash && whole.line_count == pieces.line_count && whole.bad_count == pieces.bad_count);
	return 0;
}
