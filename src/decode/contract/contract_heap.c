// SPDX-License-Identifier: GPL-2.0-only
#include "decode/contract/contract_heap.h"

#include "base/alloc.h"
#include "base/starts.h"
#include "decode/contract/contract_collector.h"

#include <stdlib.h>
#include <string.h>

enum {
	USES_REGIONS = 1, /* of build_variant */
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
#define HAS_REFERENCES  UINT32_C(0x01000000)
#define BITS_OF_A_TABLE UINT64_C(7) /* where an object has its type: marks of the collector's */

/* Of a region (dac_heap_segment), and places among the fields of a generation (dac_generation_fields.h), whose offsets are told. */
enum { REGION_ALLOCATED = 0, REGION_BEGIN = 32, REGION_NEXT = 48 };
enum { GENERATION_CONTEXT = 0, GENERATION_REGIONS = 1 };

struct walk {
	struct nt_contract *contract;
	struct nt_contract_heap *out;
	const struct nt_contract_heap_sink *sink; /* NULL = objects are counted only */
	struct nt_collector collector;
	uint64_t free_table;
	struct nt_index room_of; /* by where it begins: its place in `limits` */
	uint64_t *limits;        /* owned */
	size_t limit_count, limit_capacity;
	struct nt_index known; /* regions that were gone through, by where they begin */
	size_t runs_left;      /* of references, of all types */
	uint64_t object, end;  /* that is looked at, and the end of its region */
	uint64_t references;   /* that it has */
	uint8_t window[WINDOW_BYTES];
	uint64_t window_start;
	size_t window_length;
};

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
static bool read_type(struct walk *walk, uint64_t table, struct nt_contract_heap_type *out)
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
	if (bad || class_of(contract, other, &bad) != class || bad)
		return false;
	return !walk->sink || !(flags & HAS_REFERENCES) ||
	       nt_reference_map_read(contract->memory, table, &walk->runs_left, &out->references);
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

/* `length` bytes, few, of a region; NULL = they cannot be read. */
static const uint8_t *look_at(struct walk *walk, uint64_t at, size_t length)
{
	if (at < walk->window_start || at - walk->window_start > walk->window_length ||
	    walk->window_length - (at - walk->window_start) < length) {
		uint64_t most = walk->end - at < WINDOW_BYTES ? walk->end - at : WINDOW_BYTES;
		walk->window_start = at;
		walk->window_length = nt_memory_copy(walk->contract->memory, at, walk->window, most);
	}
	return walk->window_length - (at - walk->window_start) < length ? NULL : walk->window + (at - walk->window_start);
}

static bool read_head(struct walk *walk, uint64_t at, uint64_t *table, uint32_t *elements)
{
	const uint8_t *head = look_at(walk, at, HEAD_BYTES);
	if (!head)
		return false;
	memcpy(table, head, sizeof(*table));
	memcpy(elements, head + sizeof(*table), sizeof(*elements));
	*table &= ~BITS_OF_A_TABLE;
	return true;
}

static bool take_references(void *context, uint64_t offset, uint64_t count)
{
	struct walk *walk = context;
	for (uint64_t i = 0; i < count; i++) {
		uint64_t to;
		const uint8_t *word = look_at(walk, walk->object + offset + i * sizeof(to), sizeof(to));
		if (!word)
			return false;
		memcpy(&to, word, sizeof(to));
		if (!to)
			continue;
		walk->references++;
		walk->sink->reference(walk->sink->context, to);
	}
	return true;
}

uint64_t nt_contract_heap_object_bytes(const struct nt_contract_heap_type *type, uint32_t elements)
{
	uint64_t bytes = type->base_bytes + (uint64_t)type->component_bytes * elements;
	return bytes < LEAST_BYTES ? LEAST_BYTES : bytes;
}

/* What it refers to, then itself. */
static bool tell(struct walk *walk, size_t type, uint64_t bytes)
{
	walk->references = 0;
	if (!nt_reference_map_each(&walk->out->types[type].references, bytes, take_references, walk))
		return false;
	const struct nt_contract_object object = { .address = walk->object, .bytes = bytes, .type = type, .references = walk->references };
	walk->sink->object(walk->sink->context, &object);
	return true;
}

/* The object there; returns what it takes, 0 = there is none. */
static uint64_t take_object(struct walk *walk, uint64_t at, uint64_t end)
{
	uint64_t table;
	uint32_t elements;
	struct nt_contract_heap_type *type = read_head(walk, at, &table, &elements) ? type_of(walk, table) : NULL;
	if (!type)
		return 0;
	uint64_t bytes = nt_contract_heap_object_bytes(type, elements);
	uint64_t taken = (bytes + ALIGNMENT - 1) & ~(uint64_t)(ALIGNMENT - 1);
	if (taken > end - at)
		return 0;
	if (table == walk->free_table)
		return taken;
	walk->object = at;
	if (walk->sink && !tell(walk, (size_t)(type - walk->out->types), bytes))
		return 0;
	type->count++;
	type->bytes += bytes;
	walk->out->objects++;
	walk->out->bytes += bytes;
	return taken;
}

static void walk_objects(struct walk *walk, uint64_t begin, uint64_t end)
{
	uint64_t at = begin;
	walk->window_length = 0;
	walk->window_start = begin;
	walk->end = end;
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

static void note_region(struct nt_contract_heap *out, uint64_t begin, uint64_t end)
{
	out->regions = nt_grow(out->regions, &out->region_capacity, out->region_count + 1, sizeof(*out->regions));
	out->regions[out->region_count++] = (struct nt_contract_region){ begin, end };
}

static int by_begin(const void *a, const void *b)
{
	const struct nt_contract_region *left = a, *right = b;
	return (left->begin > right->begin) - (left->begin < right->begin);
}

bool nt_contract_heap_has(const struct nt_contract_heap *heap, uint64_t address)
{
	size_t next = nt_starts_up_to(heap->regions, heap->region_count, sizeof(*heap->regions), address);
	return next && address < heap->regions[next - 1].end;
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
		if (bad || begin % ALIGNMENT || end < begin || end > NT_ADDRESS_LIMIT || walk->known.used == REGIONS_MAX ||
		    nt_index_get(&walk->known, begin) != NT_INDEX_NONE)
			return false;
		nt_index_put(&walk->known, begin, 0);
		note_region(walk->out, begin, end);
		walk_objects(walk, begin, end);
		region = next;
	}
	return true;
}

/* ---- heaps ---- */

static bool walk_heap(void *context, const struct nt_collector_heap *heap)
{
	struct walk *walk = context;
	const struct nt_collector *collector = &walk->collector;
	uint64_t each = nt_collector_told(collector, NT_COLLECTOR_GENERATION_BYTES);
	bool bad = false;
	uint64_t room = nt_collector_offset(collector, NT_COLLECTOR_GENERATION_FIELDS, GENERATION_CONTEXT, &bad);
	uint64_t regions = nt_collector_offset(collector, NT_COLLECTOR_GENERATION_FIELDS, GENERATION_REGIONS, &bad);
	for (unsigned i = 0; i < NT_COLLECTOR_GENERATIONS && !bad; i++)
		note_context(walk, heap->generations + i * each + room);
	for (unsigned i = 0; i < NT_COLLECTOR_GENERATIONS && !bad; i++) {
		uint64_t first = nt_memory_u64(walk->contract->memory, heap->generations + i * each + regions, &bad);
		bad |= !bad && !walk_regions(walk, first, heap->ephemeral, heap->allocated);
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
	if (bad || !nt_collector_find(walk->contract, &walk->collector))
		return NT_CONTRACT_HEAP_NOT_FOUND;
	if (!(nt_memory_u8(memory, nt_collector_told(&walk->collector, NT_COLLECTOR_VARIANT), &bad) & USES_REGIONS) && !bad)
		return NT_CONTRACT_HEAP_SEGMENTS;
	if (nt_memory_u32(memory, nt_collector_told(&walk->collector, NT_COLLECTOR_IN_MOTION), &bad) && !bad)
		return NT_CONTRACT_HEAP_IN_MOTION;
	note_rooms_of_threads(walk, threads, thread_count);
	if (bad || !nt_collector_each_heap(&walk->collector, walk_heap, walk) || !walk->out->read_bytes)
		return NT_CONTRACT_HEAP_MISSING;
	return NT_CONTRACT_HEAP_READ;
}

enum nt_contract_heap_result nt_contract_heap_read(struct nt_contract *contract, const struct nt_contract_thread *threads,
						   size_t thread_count, uint64_t most_bytes, const struct nt_contract_heap_sink *sink,
						   struct nt_contract_heap *out)
{
	struct walk *walk = nt_alloc(sizeof(*walk));
	*walk = (struct walk){ .contract = contract, .out = out, .sink = sink, .runs_left = NT_REFERENCE_RUNS_OF_ALL };
	*out = (struct nt_contract_heap){ 0 };
	nt_memory_allow(contract->memory, most_bytes / NT_PAGE_BYTES + PAGES_BESIDE);
	enum nt_contract_heap_result result = read_all(walk, threads, thread_count);
	nt_index_fini(&walk->room_of);
	nt_index_fini(&walk->known);
	if (out->region_count)
		qsort(out->regions, out->region_count, sizeof(*out->regions), by_begin);
	free(walk->limits);
	free(walk);
	return result;
}

void nt_contract_heap_fini(struct nt_contract_heap *heap)
{
	for (size_t i = 0; i < heap->type_count; i++)
		nt_reference_map_fini(&heap->types[i].references);
	free(heap->types);
	free(heap->regions);
	nt_index_fini(&heap->type_of);
	*heap = (struct nt_contract_heap){ 0 };
}
