// SPDX-License-Identifier: GPL-2.0-only
/*
 * Input: lies about a heap that is made up (tests/unit/decode/made_heap.h): each ten bytes are a place and the word that is there; with an odd first byte it is one of a server's collector. Objects are told with their references, and what keeps them alive.
 */
#include "fuzz.h"

#include "../unit/decode/made_heap.h"

enum { LIE_BYTES = 10, PLACE_BYTES = 4 /* words lie at places that are multiples of it */ };

/* It is made up and read for an input of no bytes; what a lie adds is bounded by the pages that may be read. */
FUZZ_STEPS(1 << 21, 256)

struct told {
	uint64_t objects, bytes, references, edges, roots;
};

static void take_edge(void *context, uint64_t to)
{
	struct told *told = context;
	FUZZ_CHECK(to);
	told->edges++;
}

static void take_object(void *context, const struct nt_contract_object *object)
{
	struct told *told = context;
	told->objects++;
	told->bytes += object->bytes;
	told->references += object->references;
	FUZZ_CHECK(object->references <= object->bytes / 8);
}

static void take_root(void *context, enum nt_contract_root kind, uint64_t object)
{
	struct told *told = context;
	FUZZ_CHECK(object && kind <= NT_CONTRACT_ROOT_THREAD);
	told->roots++;
}

static void take_pair(void *context, uint64_t key, uint64_t value)
{
	struct told *told = context;
	FUZZ_CHECK(key && value);
	told->roots++;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct made_heap made;
	struct nt_contract_heap heap;
	struct told told = { 0 };
	const struct nt_contract_heap_sink sink = { .context = &told, .reference = take_edge, .object = take_object };
	const struct nt_contract_root_sink roots = { .context = &told, .root = take_root, .pair = take_pair };
	uint64_t count = 0, bytes = 0;
	made_heap_fill(&made);
	if (size && data[0] & 1)
		heap_of_a_server(&made);
	for (size_t at = 1; size - (size ? 1 : 0) >= at - 1 + LIE_BYTES; at += LIE_BYTES) {
		size_t place = PLACE_BYTES * ((size_t)data[at] | (size_t)data[at + 1] << 8) % (HEAP_BYTES - 8);
		memcpy(made.bytes + place, data + at + 2, 8);
	}
	enum nt_contract_heap_result result = made_heap_read_for(&made, &sink, &heap);
	for (size_t i = 0; i < heap.type_count; i++) {
		count += heap.types[i].count;
		bytes += heap.types[i].bytes;
	}
	FUZZ_CHECK(result < NT_CONTRACT_HEAP_RESULTS && heap.read_bytes <= heap.of_bytes);
	FUZZ_CHECK(count == heap.objects && bytes == heap.bytes);
	FUZZ_CHECK(told.objects == heap.objects && told.bytes == heap.bytes && told.references <= told.edges);
	FUZZ_CHECK(heap.read_bytes < heap.of_bytes || result != NT_CONTRACT_HEAP_READ || told.references == told.edges);
	FUZZ_CHECK(size || (result == NT_CONTRACT_HEAP_READ && heap.objects == 10 && told.edges == 2));
	bool whole = nt_contract_roots_read(&made.contract, &made.thread, 1, &roots);
	FUZZ_CHECK(size || (whole && told.roots == 5));
	nt_contract_heap_fini(&heap);
	nt_memory_fini(&made.memory);
	return 0;
}
