// SPDX-License-Identifier: GPL-2.0-only
/* Input: one record of perf's ring. */
#include "fuzz.h"

#include "decode/map_name.h"
#include "decode/perf_record.h"

enum { CHAIN_MAX = 64 };

static void check_inside(const void *from, size_t length, const uint8_t *data, size_t size)
{
	const uint8_t *at = from;
	FUZZ_CHECK(at >= data && length <= size && at + length <= data + size);
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
