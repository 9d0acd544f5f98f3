// SPDX-License-Identifier: GPL-2.0-only
/*
 * Input: lies about a heap that is made up (tests/unit/decode/made_heap.h): each ten bytes are a place and the word that is there; with an odd first byte it is one of a server's collector.
 */
#include "fuzz.h"

#include "../unit/decode/made_heap.h"

enum { LIE_BYTES = 10, PLACE_BYTES = 4 /* words lie at places that are multiples of it */ };

/* It is made up and read for an input of no bytes; what a lie adds is bounded by the pages that may be read. */
FUZZ_STEPS(1 << 21, 256)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct made_heap made;
	struct nt_contract_heap heap;
	uint64_t count = 0, bytes = 0;
	made_heap_fill(&made);
	if (size && data[0] & 1)
		heap_of_a_server(&made);
	for (size_t at = 1; size - (size ? 1 : 0) >= at - 1 + LIE_BYTES; at += LIE_BYTES) {
		size_t place = PLACE_BYTES * ((size_t)data[at] | (size_t)data[at + 1] << 8) % (HEAP_BYTES - 8);
		memcpy(made.bytes + place, data + at + 2, 8);
	}
	enum nt_contract_heap_result result = made_heap_read(&made, &heap);
	for (size_t i = 0; i < heap.type_count; i++) {
		count += heap.types[i].count;
		bytes += heap.types[i].bytes;
	}
	FUZZ_CHECK(result < NT_CONTRACT_HEAP_RESULTS && heap.read_bytes <= heap.of_bytes);
	FUZZ_CHECK(count == heap.objects && bytes == heap.bytes);
	FUZZ_CHECK(size || (result == NT_CONTRACT_HEAP_READ && heap.objects == 10));
	nt_contract_heap_fini(&heap);
	nt_memory_fini(&made.memory);
	return 0;
}
