// SPDX-License-Identifier: GPL-2.0-only
#include "source/perf/tap_return.h"

#include <string.h>

static uint64_t word_at(const uint8_t *bytes)
{
	uint64_t word;
	memcpy(&word, bytes, sizeof(word));
	return word;
}

size_t nt_tap_mend(const uint8_t *bytes, size_t length, bool at_entry, uint8_t out[NT_PERF_REPLACED_MAX])
{
	struct perf_event_header header;
	struct nt_perf_record record;
	uint8_t plain[NT_PERF_REPLACED_MAX];
	if (length < sizeof(header) + NT_TAP_RAW_BYTES || length - NT_TAP_RAW_BYTES > sizeof(plain))
		return 0;
	memcpy(&header, bytes, sizeof(header));
	if (header.type != PERF_RECORD_SAMPLE || header.size != length)
		return 0;
	uint64_t caller = at_entry ? word_at(bytes + length - NT_TAP_RAW_BYTES + sizeof(uint32_t)) : 0;
	header.size = (uint16_t)(length - NT_TAP_RAW_BYTES);
	memcpy(plain, bytes, header.size);
	memcpy(plain, &header, sizeof(header));
	if (nt_perf_record_parse(plain, header.size, &record) != NT_OK || record.kind != NT_PERF_SAMPLE)
		return 0;
	uint32_t first;
	unsigned count = nt_perf_user_part(&record, &first);
	const uint8_t *words = record.sample.chain + first * sizeof(uint64_t);
	uint64_t frames[NT_PERF_STACK_MAX];
	unsigned used = 0;
	for (unsigned i = 0; i < count && used < NT_PERF_STACK_MAX; i++) {
		uint64_t word = word_at(words + i * sizeof(word));
		if (i == 1 && caller && word != caller)
			frames[used++] = caller;
		if (used < NT_PERF_STACK_MAX)
			frames[used++] = word;
	}
	if (count == 1 && caller)
		frames[used++] = caller;
	if (!count)
		return nt_perf_replace_chain(plain, &record, record.sample.chain_count, frames, 0, out);
	return nt_perf_replace_chain(plain, &record, first, frames, used, out);
}
