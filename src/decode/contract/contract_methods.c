// SPDX-License-Identifier: GPL-2.0-only
/* A unit of a nibble map has eight nibbles, each of 32 bytes of code, most significant first; 1 to 8: code begins at the (n-1)th word of these. */
#include "decode/contract/contract_methods.h"

enum { UNIT_SHIFT = 8, NIBBLES = 8, NIBBLE_BYTES = 32, NIBBLE_LAST = 8, WORD_BYTES = 4 };
#define HEAP_BYTES_MAX (UINT64_C(1) << 32)

/* A heap's node. */
struct code_heap {
	uint64_t base, map, start, end;
};

static bool read_heap(const struct nt_contract *contract, uint64_t node, struct code_heap *out)
{
	bool bad = false;
	out->base = nt_contract_u64(contract, node, NT_OFF_HEAP_MAP_BASE, &bad);
	out->map = nt_contract_u64(contract, node, NT_OFF_HEAP_MAP, &bad);
	out->start = nt_contract_u64(contract, node, NT_OFF_HEAP_START, &bad);
	out->end = nt_contract_u64(contract, node, NT_OFF_HEAP_END, &bad);
	return !bad && out->base <= out->start && out->start <= out->end && out->end <= NT_ADDRESS_LIMIT &&
	       out->end - out->base <= HEAP_BYTES_MAX;
}

static bool unit_begins(const struct code_heap *heap, uint64_t unit, uint32_t bits, nt_contract_begin *begin, void *context)
{
	for (unsigned i = 0; i < NIBBLES; i++) {
		uint32_t nibble = bits >> (4 * (NIBBLES - 1 - i)) & 15;
		if (!nibble || nibble > NIBBLE_LAST)
			continue;
		uint64_t start = heap->base + (unit << UNIT_SHIFT) + i * NIBBLE_BYTES + (uint64_t)(nibble - 1) * WORD_BYTES;
		if (start >= heap->start && start < heap->end && !begin(context, start))
			return false;
	}
	return true;
}

static bool heap_begins(const struct nt_contract *contract, uint64_t node, nt_contract_begin *begin, void *context)
{
	struct code_heap heap;
	if (!read_heap(contract, node, &heap))
		return false;
	bool bad = false;
	uint64_t count = ((heap.end - heap.base) >> UNIT_SHIFT) + 1;
	for (uint64_t unit = (heap.start - heap.base) >> UNIT_SHIFT; unit < count; unit++) {
		uint32_t bits = nt_memory_u32(contract->memory, heap.map + unit * sizeof(bits), &bad);
		if (bad)
			return unit + 1 == count; /* the map need not have one behind the end */
		if (contract->layout.code_map_version >= 2 && (bits & 15) > NIBBLE_LAST)
			continue; /* leads to where the code began that the unit is the inside of */
		if (bits && !unit_begins(&heap, unit, bits, begin, context))
			return false;
	}
	return true;
}

bool nt_contract_begins(struct nt_contract *contract, nt_contract_begin *begin, void *context)
{
	bool whole = true;
	for (size_t i = 0; i < contract->section_count; i++) {
		const struct nt_code_section *section = &contract->sections[i];
		if ((section->flags & NT_SECTION_CODE_HEAP) && !(section->flags & NT_SECTION_STUBS) && !section->module)
			whole = heap_begins(contract, section->heap, begin, context) && whole;
	}
	return whole;
}
