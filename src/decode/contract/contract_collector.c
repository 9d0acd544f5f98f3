// SPDX-License-Identifier: GPL-2.0-only
#include "decode/contract/contract_collector.h"

#include <string.h>

enum {
	MAJOR = 2, /* of what is told, in .NET 10; LEAST_MINOR: with all that is used */
	LEAST_MINOR = 4,
	TABLE_ENTRIES = 512, /* of g_dacTable, at most */
	GENERATION_MAX_BYTES = 4096,
	HEAPS_MAX = 1024, /* of a server's: one for each CPU */
	ALIGNMENT = 8,
};

/* Places among the fields of a heap. */
enum { HEAP_ALLOCATED = 0, HEAP_EPHEMERAL = 1, HEAP_FINALIZABLE = 2, HEAP_TABLE = 18 };

uint64_t nt_collector_told(const struct nt_collector *collector, enum nt_collector_told at)
{
	uint64_t value;
	memcpy(&value, collector->told + at, sizeof(value));
	return value;
}

uint64_t nt_collector_u64(const struct nt_collector *collector, enum nt_collector_told at, bool *bad)
{
	return nt_memory_u64(collector->contract->memory, nt_collector_told(collector, at), bad);
}

uint64_t nt_collector_offset(const struct nt_collector *collector, enum nt_collector_told fields, unsigned place, bool *bad)
{
	uint64_t at = nt_collector_told(collector, fields) + place * sizeof(uint32_t);
	uint32_t offset = nt_memory_u32(collector->contract->memory, at, bad);
	*bad |= offset > NT_LAYOUT_OFFSET_MAX;
	return offset;
}

static bool looks_like_it(const struct nt_collector *collector)
{
	static const uint8_t nothing[6];
	uint64_t bytes = nt_collector_told(collector, NT_COLLECTOR_GENERATION_BYTES);
	return collector->told[0] == MAJOR && collector->told[1] >= LEAST_MINOR &&
	       memcmp(collector->told + 2, nothing, sizeof(nothing)) == 0 &&
	       nt_collector_told(collector, NT_COLLECTOR_GENERATION_COUNT) == NT_COLLECTOR_GENERATIONS && bytes &&
	       bytes <= GENERATION_MAX_BYTES && bytes % ALIGNMENT == 0;
}

/* The only thing that looks like it; of two nobody knows which one it is. */
bool nt_collector_find(struct nt_contract *contract, struct nt_collector *out)
{
	struct nt_memory *memory = contract->memory;
	struct nt_collector found = { .contract = contract };
	uint64_t at = 0;
	for (unsigned i = 0; contract->debugger_table && i < TABLE_ENTRIES; i++) {
		bool bad = false;
		uint64_t variable = nt_memory_u64(memory, contract->debugger_table + i * sizeof(uint64_t), &bad);
		uint64_t value = bad ? 0 : nt_memory_u64(memory, variable, &bad);
		if (bad || !value || value % ALIGNMENT || value == at || !nt_memory_read(memory, value, found.told, sizeof(found.told)) ||
		    !looks_like_it(&found))
			continue;
		if (at)
			return false;
		at = value;
		*out = found;
	}
	return at != 0;
}

/* The only heap of a workstation's collector is in variables, */
static bool take_only_heap(const struct nt_collector *collector, nt_collector_take *take, void *context)
{
	bool bad = false;
	const struct nt_collector_heap heap = { .generations = nt_collector_told(collector, NT_COLLECTOR_TABLE),
						.ephemeral = nt_collector_u64(collector, NT_COLLECTOR_EPHEMERAL, &bad),
						.allocated = nt_collector_u64(collector, NT_COLLECTOR_ALLOCATED, &bad),
						.finalizable = nt_collector_u64(collector, NT_COLLECTOR_FINALIZABLE, &bad) };
	return !bad && take(context, &heap);
}

/* those of a server's are objects. */
bool nt_collector_each_heap(const struct nt_collector *collector, nt_collector_take *take, void *context)
{
	struct nt_memory *memory = collector->contract->memory;
	bool bad = false;
	if (!nt_collector_told(collector, NT_COLLECTOR_HEAPS))
		return take_only_heap(collector, take, context);
	uint32_t count = nt_memory_u32(memory, nt_collector_told(collector, NT_COLLECTOR_HEAP_COUNT), &bad);
	uint64_t heaps = nt_collector_u64(collector, NT_COLLECTOR_HEAPS, &bad);
	uint64_t table = nt_collector_offset(collector, NT_COLLECTOR_HEAP_FIELDS, HEAP_TABLE, &bad);
	uint64_t ephemeral = nt_collector_offset(collector, NT_COLLECTOR_HEAP_FIELDS, HEAP_EPHEMERAL, &bad);
	uint64_t allocated = nt_collector_offset(collector, NT_COLLECTOR_HEAP_FIELDS, HEAP_ALLOCATED, &bad);
	uint64_t finalizable = nt_collector_offset(collector, NT_COLLECTOR_HEAP_FIELDS, HEAP_FINALIZABLE, &bad);
	if (bad || count > HEAPS_MAX)
		return false;
	for (uint32_t i = 0; i < count && !bad; i++) {
		uint64_t heap = nt_memory_u64(memory, heaps + i * sizeof(uint64_t), &bad);
		const struct nt_collector_heap one = { .generations = heap + table,
						       .ephemeral = nt_memory_u64(memory, heap + ephemeral, &bad),
						       .allocated = nt_memory_u64(memory, heap + allocated, &bad),
						       .finalizable = nt_memory_u64(memory, heap + finalizable, &bad) };
		bad |= !bad && !take(context, &one);
	}
	return !bad;
}
