// SPDX-License-Identifier: GPL-2.0-only
/*
 * The sections are the leaves of a tree of five levels, each node 256 pointers, which eight bits of the address choose from (the runtime's RangeSectionMap). Bit 0 of a pointer says that
 * it is collectible.
 */
#include "decode/contract/contract.h"

#include "base/alloc.h"

#include <stdlib.h>

enum {
	LEVELS = 5,
	CHILDREN = 256,
	NODES_MAX = 1 << 16,  /* read for one list */
	FRAGMENTS_MAX = 4096, /* in one leaf */
	SECTIONS_MAX = 1 << 18,
};

enum nt_descriptor_result nt_contract_open(struct nt_contract *contract, struct nt_memory *memory, uint64_t image)
{
	struct nt_descriptor descriptor;
	*contract = (struct nt_contract){ .memory = memory };
	enum nt_descriptor_result result = nt_descriptor_find(memory, image, &descriptor);
	if (result == NT_DESCRIPTOR_FOUND && !nt_layout_read(&descriptor, &contract->layout))
		result = NT_DESCRIPTOR_BROKEN;
	contract->debugger_table = descriptor.debugger_table;
	nt_descriptor_fini(&descriptor);
	return result;
}

void nt_contract_fini(struct nt_contract *contract)
{
	free(contract->sections);
	*contract = (struct nt_contract){ 0 };
}

/* The fragments of a leaf: a section has one in each leaf that it reaches into. `known`: sections that are in the list, by their address. */
static bool read_fragments(struct nt_contract *contract, struct nt_index *known, uint64_t fragment)
{
	bool bad = false;
	for (unsigned i = 0; fragment; i++) {
		if (i == FRAGMENTS_MAX || contract->section_count == SECTIONS_MAX)
			return false;
		uint64_t section = nt_contract_u64(contract, fragment, NT_OFF_FRAGMENT_SECTION, &bad);
		fragment = nt_contract_u64(contract, fragment, NT_OFF_FRAGMENT_NEXT, &bad) & ~UINT64_C(1);
		if (bad)
			return false;
		if (nt_index_get(known, section) != NT_INDEX_NONE)
			continue;
		struct nt_code_section found = {
			.begin = nt_contract_u64(contract, section, NT_OFF_SECTION_BEGIN, &bad),
			.end = nt_contract_u64(contract, section, NT_OFF_SECTION_END, &bad),
			.heap = nt_contract_u64(contract, section, NT_OFF_SECTION_HEAP, &bad),
			.module = nt_contract_u64(contract, section, NT_OFF_SECTION_MODULE, &bad),
			.flags = nt_contract_u32(contract, section, NT_OFF_SECTION_FLAGS, &bad),
		};
		if (bad)
			return false;
		if (found.begin >= found.end || found.end > NT_ADDRESS_LIMIT)
			continue;
		contract->sections = nt_grow(contract->sections, &contract->section_capacity, contract->section_count + 1, sizeof(found));
		nt_index_put(known, section, (uint32_t)contract->section_count);
		contract->sections[contract->section_count++] = found;
	}
	return true;
}

/* Depth first, with the way down in an array: the tree's form is the target's. What cannot be read is passed over: of a small core dump only a part is there. */
static bool read_tree(struct nt_contract *contract, struct nt_index *known)
{
	struct {
		uint64_t children[CHILDREN];
		unsigned next;
	} way[LEVELS];
	unsigned depth = 0, nodes = 1;
	bool whole = true;
	way[0].next = 0;
	if (!nt_memory_read(contract->memory, contract->layout.globals[NT_GLOBAL_RANGE_MAP], way[0].children, sizeof(way[0].children)))
		return false;
	for (;;) {
		if (way[depth].next == CHILDREN) {
			if (!depth)
				return whole;
			depth--;
			continue;
		}
		uint64_t child = way[depth].children[way[depth].next++] & ~UINT64_C(1);
		if (!child)
			continue;
		if (depth == LEVELS - 1) {
			whole &= read_fragments(contract, known, child);
			continue;
		}
		if (++nodes > NODES_MAX)
			return false;
		way[depth + 1].next = 0;
		if (nt_memory_read(contract->memory, child, way[depth + 1].children, sizeof(way[0].children)))
			depth++;
		else
			whole = false;
	}
}

static int by_begin(const void *a, const void *b)
{
	const struct nt_code_section *left = a, *right = b;
	return (left->begin > right->begin) - (left->begin < right->begin);
}

bool nt_contract_read_sections(struct nt_contract *contract)
{
	struct nt_index known = { 0 };
	contract->section_count = 0;
	bool whole = read_tree(contract, &known);
	nt_index_fini(&known);
	if (contract->section_count)
		qsort(contract->sections, contract->section_count, sizeof(*contract->sections), by_begin);
	return whole;
}

const struct nt_code_section *nt_contract_section_at(const struct nt_contract *contract, uint64_t address)
{
	size_t low = 0, high = contract->section_count;
	while (low < high) { /* the first that begins above the address */
		size_t middle = low + (high - low) / 2;
		if (contract->sections[middle].begin <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low && address < contract->sections[low - 1].end ? &contract->sections[low - 1] : NULL;
}
