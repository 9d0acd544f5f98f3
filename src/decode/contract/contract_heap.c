// SPDX-License-Identifier: GPL-2.0-only
#include "decode/contract/contract_heap.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

enum {
	MAJOR = 2, /* of what is told to the debugger, in .NET 10; LEAST_MINOR: with all that is used */
	LEAST_MINOR = 4,
	GENERATIONS = 5,     /* three, large objects, pinned ones */
	TABLE_ENTRIES = 512, /* of g_dacTable, at most */
	GENERATION_MAX_BYTES = 4096,
	USES_REGIONS = 1, /* of build_variant */
	HEAPS_MAX = 1024, /* of a server's: one for each CPU */
	REGIONS_MAX = 1 << 18,
	TYPES_MAX = 1 << 18,
	ALIGNMENT = 8,
	LEAST_BYTES = 24, /* of an object: also what is left free behind the room of a thread */
	HEAD_BYTES = 16,  /* its type, and how many elements it has */
	BASE_MAX_BYTES = 1 << 28,
	WINDOW_BYTES = 16 << 10,
	PAGES_BESIDE = 100000, /* read that are not of the regions */
};

/* Of MTFlags. */
#define HAS_COMPONENTS  UINT32_C(0x80000000)
#define COMPONENT_MASK  UINT32_C(0xffff)
#define BITS_OF_A_TABLE UINT64_C(7) /* where an object has its type: marks of the collector's */

/* Where things stand in what is told to the debugger (gcinterface.dacvars.def); but for the first three each is the address of a variable, or of an array. */
enum told {
	TOLD_GENERATION_BYTES = 8,
	TOLD_GENERATIONS = 16,
	TOLD_VARIANT = 24,
	TOLD_TABLE = 48,
	TOLD_EPHEMERAL = 80,
	TOLD_ALLOCATED = 120,
	TOLD_HEAP_COUNT = 176,
	TOLD_HEAPS = 184,
	TOLD_IN_MOTION = 192,
	TOLD_HEAP_FIELDS = 240,
	TOLD_GENERATION_FIELDS = 248,
	TOLD_BYTES = 256
};

/* Of a region (dac_heap_segment), and places among the fields of a heap (dac_gcheap_fields.h) and of a generation (dac_generation_fields.h), whose offsets are told. */
enum { REGION_ALLOCATED = 0, REGION_BEGIN = 32, REGION_NEXT = 48 };
enum { HEAP_ALLOCATED = 0, HEAP_EPHEMERAL = 1, HEAP_TABLE = 18 };
enum { GENERATION_CONTEXT = 0, GENERATION_REGIONS = 1 };

struct words {
	uint8_t bytes[TOLD_BYTES];
};

struct walk {
	struct nt_contract *contract;
	struct nt_contract_heap *out;
	struct words told; /* what the collector says */
	uint64_t free_table;
	struct nt_index room_of; /* by where it begins: its place in `limits` */
	uint64_t *limits;        /* owned */
	size_t limit_count, limit_capacity;
	struct nt_index regions; /* that were gone through, by where they begin */
	uint8_t window[WINDOW_BYTES];
	uint64_t window_start;
	size_t window_length;
};

static uint64_t told(const struct walk *walk, enum told at)
{
	uint64_t value;
	memcpy(&value, walk->told.bytes + at, sizeof(value));
	return value;
}

static uint64_t told_u64(struct walk *walk, enum told at, bool *bad)
{
	return nt_memory_u64(walk->contract->memory, told(walk, at), bad);
}

/* The offset of a field, of those of heaps or of generations. */
static uint64_t told_offset(struct walk *walk, enum told fields, unsigned place, bool *bad)
{
	uint32_t offset = nt_memory_u32(walk->contract->memory, told(walk, fields) + place * sizeof(offset), bad);
	*bad |= offset > NT_LAYOUT_OFFSET_MAX;
	return offset;
}

/* ---- where the collector says what it has ---- */

static bool looks_like_it(const struct walk *walk)
{
	static const uint8_t nothing[6];
	uint64_t bytes = told(walk, TOLD_GENERATION_BYTES);
	return walk->told.bytes[0] == MAJOR && walk->told.bytes[1] >= LEAST_MINOR &&
	       memcmp(walk->told.bytes + 2, nothing, sizeof(nothing)) == 0 && told(walk, TOLD_GENERATIONS) == GENERATIONS && bytes &&
	       bytes <= GENERATION_MAX_BYTES && bytes % ALIGNMENT == 0;
}

/* The only thing that looks like it; of two nobody knows which one it is. */
static bool find_told(struct walk *walk)
{
	struct nt_memory *memory = walk->contract->memory;
	struct words found;
	uint64_t at = 0;
	for (unsigned i = 0; i < TABLE_ENTRIES; i++) {
		bool bad = false;
		uint64_t variable = nt_memory_u64(memory, walk->contract->debugger_table + i * sizeof(uint64_t), &bad);
		uint64_t value = bad ? 0 : nt_memory_u64(memory, variable, &bad);
		if (bad || !value || value % ALIGNMENT || value == at || !nt_memory_read(memory, value, &walk->told, sizeof(walk->told)) ||
		    !looks_like_it(walk))
			continue;
		if (at)
			return false;
		at = value;
		found = walk->told;
	}
	if (at)
		walk->told = found;
	return at != 0;
}

/* ---- room that is not used yet ---- */

static void note_room(struct walk *walk, uint64_t pointer, uint64_t limit)
{
	if (!pointer || limit < pointer || nt_index_get(&walk->room_of, pointer) != NT_INDEX_NONE)
		return;
	walk->limits = nt_grow(walk->limits, &walk->limit_capacity, walk->limit_count + 1, sizeof(*walk->limits));
	nt_index_put(&walk->room_of, pointer, (uint32_t)walk->limit_count);
	walk->limits[walk->limit_count++] = limit;
}

static void note_context(struct walk *walk, uint64_t context)
{
	bool bad = false;
	uint64_t pointer = nt_contract_u64(walk->contract, context, NT_OFF_ALLOCATION_POINTER, &bad);
	uint64_t limit = nt_contract_u64(walk->contract, context, NT_OFF_ALLOCATION_LIMIT, &bad);
	if (!bad)
		note_room(walk, pointer, limit);
}

static void note_rooms_of_threads(struct walk *walk, const struct nt_contract_thread *threads, size_t count)
{
	const struct nt_layout *layout = &walk->contract->layout;
	for (size_t i = 0; i < count; i++) {
		bool bad = false;
		uint64_t locals = nt_contract_u64(walk->contract, threads[i].address, NT_OFF_THREAD_LOCALS, &bad);
		if (!bad && locals)
			note_context(walk, locals + layout->offsets[NT_OFF_LOCALS_ALLOCATION] + layout->offsets[NT_OFF_ALLOCATION_GC]);
	}
}

/* ---- types ---- */

/* All types that share their code have one class, which knows one of them. */
static uint64_t class_of(const struct nt_contract *contract, uint64_t table, bool *bad)
{
	uint64_t class = nt_contract_u64(contract, table, NT_OFF_TABLE_CLASS, bad);
	return class & 1 ? nt_contract_u64(contract, class & ~UINT64_C(1), NT_OFF_TABLE_CLASS, bad) : class;
}

/* Is that a type, of which there are objects? */
static bool read_type(const struct walk *walk, uint64_t table, struct nt_contract_heap_type *out)
{
	const struct nt_contract *contract = walk->contract;
	bool bad = table % ALIGNMENT != 0;
	uint32_t flags = nt_contract_u32(contract, table, NT_OFF_TABLE_FLAGS, &bad);
	*out = (struct nt_contract_heap_type){ .table = table,
					       .base_bytes = nt_contract_u32(contract, table, NT_OFF_TABLE_BASE_SIZE, &bad),
					       .component_bytes = flags & HAS_COMPONENTS ? flags & COMPONENT_MASK : 0 };
	if (bad || out->base_bytes < HEAD_BYTES || out->base_bytes > BASE_MAX_BYTES)
		return false;
	if (table == walk->free_table)
		return out->component_bytes == 1;
	uint64_t class = class_of(contract, table, &bad);
	uint64_t other = bad ? 0 : nt_contract_u64(contract, class, NT_OFF_CLASS_TABLE, &bad);
	return !bad && class_of(contract, other, &bad) == class && !bad;
}

static struct nt_contract_heap_type *type_of(struct walk *walk, uint64_t table)
{
	struct nt_contract_heap *out = walk->out;
	uint32_t at = nt_index_get(&out->type_of, table);
	struct nt_contract_heap_type type;
	if (at != NT_INDEX_NONE)
		return &out->types[at];
	if (out->type_count == TYPES_MAX || !read_type(walk, table, &type))
		return NULL;
	out->types = nt_grow(out->types, &out->type_capacity, out->type_count + 1, sizeof(type));
	nt_index_put(&out->type_of, table, (uint32_t)out->type_count);
	out->types[out->type_count] = type;
	return &out->types[out->type_count++];
}

/* ---- regions ---- */

static bool read_head(struct walk *walk, uint64_t at, uint64_t end, uint64_t *table, uint32_t *elements)
{
	if (at < walk->window_start || at - walk->window_start > walk->window_length ||
	    walk->window_length - (at - walk->window_start) < HEAD_BYTES) {
		uint64_t most = end - at < WINDOW_BYTES ? end - at : WINDOW_BYTES;
		walk->window_start = at;
		walk->window_length = nt_memory_copy(walk->contract->memory, at, walk->window, most);
	}
	if (walk->window_length - (at - walk->window_start) < HEAD_BYTES)
		return false;
	memcpy(table, walk->window + (at - walk->window_start), sizeof(*table));
	memcpy(elements, walk->window + (at - walk->window_start) + sizeof(*table), sizeof(*elements));
	*table &= ~BITS_OF_A_TABLE;
	return true;
}

/* The object there; returns what it takes, 0 = there is none. */
static uint64_t take_object(struct walk *walk, uint64_t at, uint64_t end)
{
	uint64_t table;
	uint32_t elements;
	struct nt_contract_heap_type *type = read_head(walk, at, end, &table, &elements) ? type_of(walk, table) : NULL;
	if (!type)
		return 0;
	uint64_t bytes = type->base_bytes + (uint64_t)type->component_bytes * (type->component_bytes ? elements : 0);
	uint64_t taken = (bytes + ALIGNMENT - 1) & ~(uint64_t)(ALIGNMENT - 1);
	if (taken > end - at)
		return 0;
	taken = taken < LEAST_BYTES ? LEAST_BYTES : taken;
	if (table != walk->free_table) {
		type->count++;
		type->bytes += bytes < LEAST_BYTES ? LEAST_BYTES : bytes;
		walk->out->objects++;
		walk->out->bytes += bytes < LEAST_BYTES ? LEAST_BYTES : bytes;
	}
	return taken;
}

static void walk_objects(struct walk *walk, uint64_t begin, uint64_t end)
{
	uint64_t at = begin;
	walk->window_length = 0;
	walk->window_start = begin;
	while (end - at >= LEAST_BYTES) {
		uint32_t room = nt_index_get(&walk->room_of, at);
		uint64_t taken = room == NT_INDEX_NONE ? take_object(walk, at, end) : walk->limits[room] - at + LEAST_BYTES;
		if (!taken || taken > end - at)
			break;
		at += taken;
	}
	walk->out->of_bytes += end - begin;
	walk->out->read_bytes += end - at < LEAST_BYTES ? end - begin : at - begin;
}

/* From one region to the next. False: the list is none. */
static bool walk_regions(struct walk *walk, uint64_t region, uint64_t ephemeral, uint64_t allocated)
{
	struct nt_memory *memory = walk->contract->memory;
	bool bad = false;
	while (region) {
		uint64_t begin = nt_memory_u64(memory, region + REGION_BEGIN, &bad);
		uint64_t end = region == ephemeral ? allocated : nt_memory_u64(memory, region + REGION_ALLOCATED, &bad);
		uint64_t next = nt_memory_u64(memory, region + REGION_NEXT, &bad);
		if (bad || begin % ALIGNMENT || end < begin || end > NT_ADDRESS_LIMIT || walk->regions.used == REGIONS_MAX ||
		    nt_index_get(&walk->regions, begin) != NT_INDEX_NONE)
			return false;
		nt_index_put(&walk->regions, begin, 0);
		walk_objects(walk, begin, end);
		region = next;
	}
	return true;
}

/* ---- heaps ---- */

struct heap {
	uint64_t generations, ephemeral, allocated;
};

static bool walk_heap(struct walk *walk, const struct heap *heap)
{
	bool bad = false;
	uint64_t context = told_offset(walk, TOLD_GENERATION_FIELDS, GENERATION_CONTEXT, &bad);
	uint64_t regions = told_offset(walk, TOLD_GENERATION_FIELDS, GENERATION_REGIONS, &bad);
	for (unsigned i = 0; i < GENERATIONS && !bad; i++)
		note_context(walk, heap->generations + i * told(walk, TOLD_GENERATION_BYTES) + context);
	for (unsigned i = 0; i < GENERATIONS && !bad; i++) {
		uint64_t generation = heap->generations + i * told(walk, TOLD_GENERATION_BYTES);
		uint64_t first = nt_memory_u64(walk->contract->memory, generation + regions, &bad);
		bad |= !bad && !walk_regions(walk, first, heap->ephemeral, heap->allocated);
	}
	return !bad;
}

/* The only heap of a workstation's collector is in variables, those of a server's are objects. */
static bool walk_heaps(struct walk *walk)
{
	struct nt_memory *memory = walk->contract->memory;
	bool bad = false;
	if (!told(walk, TOLD_HEAPS)) {
		const struct heap only = { .generations = told(walk, TOLD_TABLE),
					   .ephemeral = told_u64(walk, TOLD_EPHEMERAL, &bad),
					   .allocated = told_u64(walk, TOLD_ALLOCATED, &bad) };
		return !bad && walk_heap(walk, &only);
	}
	uint32_t count = nt_memory_u32(memory, told(walk, TOLD_HEAP_COUNT), &bad);
	uint64_t heaps = told_u64(walk, TOLD_HEAPS, &bad);
	uint64_t table = told_offset(walk, TOLD_HEAP_FIELDS, HEAP_TABLE, &bad);
	uint64_t ephemeral = told_offset(walk, TOLD_HEAP_FIELDS, HEAP_EPHEMERAL, &bad);
	uint64_t allocated = told_offset(walk, TOLD_HEAP_FIELDS, HEAP_ALLOCATED, &bad);
	if (bad || count > HEAPS_MAX)
		return false;
	for (uint32_t i = 0; i < count && !bad; i++) {
		uint64_t heap = nt_memory_u64(memory, heaps + i * sizeof(uint64_t), &bad);
		const struct heap one = { .generations = heap + table,
					  .ephemeral = nt_memory_u64(memory, heap + ephemeral, &bad),
					  .allocated = nt_memory_u64(memory, heap + allocated, &bad) };
		bad |= !bad && !walk_heap(walk, &one);
	}
	return !bad;
}

static enum nt_contract_heap_result read_all(struct walk *walk, const struct nt_contract_thread *threads, size_t thread_count)
{
	struct nt_memory *memory = walk->contract->memory;
	bool bad = false;
	if (!walk->contract->layout.has[NT_CONTRACT_HEAP] || !walk->contract->layout.has[NT_CONTRACT_ALLOCATED])
		return NT_CONTRACT_HEAP_UNDESCRIBED;
	walk->free_table = nt_memory_u64(memory, walk->contract->layout.globals[NT_GLOBAL_FREE_TABLE], &bad);
	if (bad || !walk->contract->debugger_table || !find_told(walk))
		return NT_CONTRACT_HEAP_NOT_FOUND;
	if (!(nt_memory_u8(memory, told(walk, TOLD_VARIANT), &bad) & USES_REGIONS) && !bad)
		return NT_CONTRACT_HEAP_SEGMENTS;
	if (nt_memory_u32(memory, told(walk, TOLD_IN_MOTION), &bad) && !bad)
		return NT_CONTRACT_HEAP_IN_MOTION;
	note_rooms_of_threads(walk, threads, thread_count);
	if (bad || !walk_heaps(walk) || !walk->out->read_bytes)
		return NT_CONTRACT_HEAP_MISSING;
	return NT_CONTRACT_HEAP_READ;
}

enum nt_contract_heap_result nt_contract_heap_read(struct nt_contract *contract, const struct nt_contract_thread *threads,
						   size_t thread_count, uint64_t most_bytes, struct nt_contract_heap *out)
{
	struct walk *walk = nt_alloc(sizeof(*walk));
	*walk = (struct walk){ .contract = contract, .out = out };
	*out = (struct nt_contract_heap){ 0 };
	nt_memory_allow(contract->memory, most_bytes / NT_PAGE_BYTES + PAGES_BESIDE);
	enum nt_contract_heap_result result = read_all(walk, threads, thread_count);
	nt_index_fini(&walk->room_of);
	nt_index_fini(&walk->regions);
	free(walk->limits);
	free(walk);
	return result;
}

void nt_contract_heap_fini(struct nt_contract_heap *heap)
{
	free(heap->types);
	nt_index_fini(&heap->type_of);
	*heap = (struct nt_contract_heap){ 0 };
}
