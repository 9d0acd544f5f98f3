// SPDX-License-Identifier: GPL-2.0-only
/* Input: one record of perf's ring. */
#include "fuzz.h"

#include "decode/codemap/map_name.h"
#include "decode/kernel/perf_record.h"

#include <string.h>

enum { CHAIN_MAX = 64 };

static void check_inside(const void *from, size_t length, const uint8_t *data, size_t size)
{
	const uint8_t *at = from;
	FUZZ_CHECK(at >= data && length <= size && at + length <= data + size);
}

/* Registers, stack, and the record with another user part, which must be a valid one again. */
static void check_replaced(const uint8_t *data, size_t size, const struct nt_perf_record *record)
{
	static const uint64_t frames[3] = { 1, 2, 3 };
	if (record->sample.stack) {
		check_inside(record->sample.user_regs, NT_PERF_REGS_COUNT * sizeof(uint64_t), data, size);
		check_inside(record->sample.stack, record->sample.stack_bytes, data, size);
	}
	uint32_t first;
	unsigned count = nt_perf_user_part(record, &first);
	FUZZ_CHECK(count <= record->sample.chain_count && first <= record->sample.chain_count);
	uint8_t out[NT_PERF_REPLACED_MAX];
	size_t length = nt_perf_replace_chain(data, record, first, frames, 3, out);
	struct nt_perf_record replaced;
	FUZZ_CHECK(!length || nt_perf_record_parse(out, length, &replaced) == NT_OK);
	FUZZ_CHECK(!length || (replaced.sample.chain_count == first + 3 && !replaced.sample.stack));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct nt_perf_record record;
	if (nt_perf_record_parse(data, size, &record) != NT_OK)
		return 0;
	if (record.kind == NT_PERF_SAMPLE) {
		if (record.sample.chain_count)
			check_inside(record.sample.chain, record.sample.chain_count * sizeof(uint64_t), data, size);
		uint64_t addresses[CHAIN_MAX];
		unsigned kernel_count, count = nt_perf_chain(&record, addresses, CHAIN_MAX, &kernel_count);
		FUZZ_CHECK(count >= 1 && count <= CHAIN_MAX && kernel_count <= count);
		check_replaced(data, size, &record);
	}
	if (record.kind == NT_PERF_COMM)
		check_inside(record.comm.name, record.comm.name_length, data, size);
	if (record.kind == NT_PERF_MAP) {
		check_inside(record.map.name, record.map.name_length, data, size);
		struct nt_map_name name = nt_map_name_read(record.map.name, record.map.name_length);
		check_inside(name.image, name.image_length, data, size);
	}
	return 0;
}
