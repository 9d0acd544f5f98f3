// SPDX-License-Identifier: GPL-2.0-only
#include "decode/contract/contract_roots.h"

#include "decode/contract/contract_collector.h"

#include <string.h>

enum {
	PAGES = 100000,
	WORD = 8,
	MAPS_MAX = 4096,
	SLOTS_MAX = 1024, /* tables of a bucket: one for each heap */
	SEGMENTS_MAX = 1 << 16,
	STACK_MOST = 16 << 20,
	QUEUE_MAX = 1 << 20, /* objects that wait for their finalizer, in one queue */
};

/* Of the map of all tables of handles. */
enum { MAP_BUCKETS = 0, MAP_NEXT = 8, MAP_BUCKET_COUNT = 10, BUCKET_TABLES = 0 };

/* Of a table, and of a segment of one, as 13 types of handles make it; a block has handles of one type. */
enum {
	TABLE_SEGMENTS = 56,
	SEGMENT_TYPES = 1560,  /* of each block */
	SEGMENT_VALUES = 1680, /* of each block: which other one has what belongs to its handles besides */
	SEGMENT_NEXT = 1998,
	SEGMENT_TABLE = 2006,
	SEGMENT_HEAD_BYTES = 2014,
	SEGMENT_HANDLES = 4096,
	BLOCKS = 120,
	BLOCK_HANDLES = 64,
	NO_BLOCK = 0xff
};

/* HandleType (gcinterface.h). What is not here is weak, or no handle. */
enum { STRONG = 2, PINNED = 3, REFERENCE_COUNTED = 5, DEPENDENT = 6, PINNED_FOR_IO = 7, SIZED = 8 };

/* CFinalize: where each part of the array ends, and where all of it begins. */
enum { QUEUE_PARTS = NT_COLLECTOR_GENERATIONS + 2, QUEUE_READY = NT_COLLECTOR_GENERATIONS };

struct reading {
	struct nt_contract *contract;
	const struct nt_contract_root_sink *sink;
	struct nt_index known; /* tables and segments that were gone through */
	bool any;              /* a table */
};

/* ---- handles ---- */

static bool read_block(const struct reading *reading, uint64_t segment, unsigned block, uint64_t handles[BLOCK_HANDLES])
{
	uint64_t at = segment + SEGMENT_HANDLES + (uint64_t)block * BLOCK_HANDLES * WORD;
	return block < BLOCKS && nt_memory_read(reading->contract->memory, at, handles, BLOCK_HANDLES * WORD);
}

static bool take_strong(const struct reading *reading, uint64_t segment, unsigned block)
{
	uint64_t handles[BLOCK_HANDLES];
	if (!read_block(reading, segment, block, handles))
		return false;
	for (unsigned i = 0; i < BLOCK_HANDLES; i++)
		if (handles[i])
			reading->sink->root(reading->sink->context, NT_CONTRACT_ROOT_HANDLE, handles[i]);
	return true;
}

static bool take_dependent(const struct reading *reading, uint64_t segment, unsigned block, unsigned other)
{
	uint64_t keys[BLOCK_HANDLES], values[BLOCK_HANDLES];
	if (!read_block(reading, segment, block, keys) || !read_block(reading, segment, other, values))
		return false;
	for (unsigned i = 0; i < BLOCK_HANDLES; i++)
		if (keys[i] && values[i])
			reading->sink->pair(reading->sink->context, keys[i], values[i]);
	return true;
}

static bool take_segment(const struct reading *reading, uint64_t segment, const uint8_t head[SEGMENT_HEAD_BYTES])
{
	bool good = true;
	for (unsigned i = 0; i < BLOCKS && good; i++)
		switch (head[SEGMENT_TYPES + i]) {
		case STRONG:
		case PINNED:
		case REFERENCE_COUNTED: /* whether by a count that is 0 now nobody asks */
		case PINNED_FOR_IO:
		case SIZED:
			good = take_strong(reading, segment, i);
			break;
		case DEPENDENT:
			good = take_dependent(reading, segment, i, head[SEGMENT_VALUES + i]);
			break;
		default:
			break;
		}
	return good;
}

static uint64_t word_of(const uint8_t *bytes, size_t at)
{
	uint64_t value;
	memcpy(&value, bytes + at, sizeof(value));
	return value;
}

/* Is there a table? Each of its segments says so. False: some of it is missing. */
static bool take_table(struct reading *reading, uint64_t table, bool *is_table)
{
	struct nt_memory *memory = reading->contract->memory;
	uint8_t head[SEGMENT_HEAD_BYTES];
	bool bad = false;
	*is_table = false;
	if (!table || table % WORD || nt_index_get(&reading->known, table) != NT_INDEX_NONE)
		return true;
	uint64_t segment = nt_memory_u64(memory, table + TABLE_SEGMENTS, &bad);
	while (!bad && segment) {
		if (segment % SEGMENT_HANDLES || !nt_memory_read(memory, segment, head, sizeof(head)) ||
		    word_of(head, SEGMENT_TABLE) != table)
			return !*is_table; /* what lies behind the tables of a bucket may be anything */
		if (nt_index_get(&reading->known, segment) != NT_INDEX_NONE || reading->known.used > SEGMENTS_MAX)
			return false;
		if (!*is_table)
			nt_index_put(&reading->known, table, 0);
		*is_table = reading->any = true;
		nt_index_put(&reading->known, segment, 0);
		if (!take_segment(reading, segment, head))
			return false;
		segment = word_of(head, SEGMENT_NEXT);
	}
	return true;
}

/* How many tables there are, one for each heap that there may have been, is said nowhere. */
static bool take_bucket(struct reading *reading, uint64_t bucket)
{
	struct nt_memory *memory = reading->contract->memory;
	bool bad = false, is_table = true;
	uint64_t tables = nt_memory_u64(memory, bucket + BUCKET_TABLES, &bad);
	if (bad)
		return false;
	for (unsigned i = 0; i < SLOTS_MAX && is_table; i++) {
		uint64_t table = nt_memory_u64(memory, tables + (uint64_t)i * WORD, &bad);
		if (bad || !take_table(reading, table, &is_table))
			return bad && i;
	}
	return true;
}

static bool take_handles(struct reading *reading, const struct nt_collector *collector)
{
	struct nt_memory *memory = reading->contract->memory;
	uint64_t map = nt_collector_told(collector, NT_COLLECTOR_HANDLES), bucket;
	bool bad = false;
	for (unsigned i = 0; map && !bad; i++) {
		uint64_t buckets = nt_memory_u64(memory, map + MAP_BUCKETS, &bad);
		for (unsigned k = 0; k < MAP_BUCKET_COUNT && !bad; k++)
			if ((bucket = nt_memory_u64(memory, buckets + (uint64_t)k * WORD, &bad)) && !take_bucket(reading, bucket))
				return false;
		map = nt_memory_u64(memory, map + MAP_NEXT, &bad);
		if (i == MAPS_MAX)
			return false;
	}
	return !bad && reading->any;
}

/* ---- objects that wait for their finalizer ---- */

static bool take_queue(void *context, const struct nt_collector_heap *heap)
{
	const struct reading *reading = context;
	struct nt_memory *memory = reading->contract->memory;
	uint64_t ends[QUEUE_PARTS + 2]; /* of the parts, the begin of the array, its end */
	if (!nt_memory_read(memory, heap->finalizable, ends, sizeof(ends)) || ends[QUEUE_PARTS] > ends[0] ||
	    ends[QUEUE_PARTS + 1] < ends[QUEUE_PARTS - 1] || ends[0] % WORD)
		return false;
	for (unsigned i = 1; i < QUEUE_PARTS; i++)
		if (ends[i] < ends[i - 1] || ends[i] % WORD)
			return false;
	uint64_t at = ends[QUEUE_READY - 1], end = ends[QUEUE_PARTS - 1];
	bool bad = (end - at) / WORD > QUEUE_MAX;
	for (; at < end && !bad; at += WORD) {
		uint64_t object = nt_memory_u64(memory, at, &bad);
		if (!bad && object)
			reading->sink->root(reading->sink->context, NT_CONTRACT_ROOT_FINALIZER, object);
	}
	return !bad;
}

/* ---- static fields of threads ---- */

/* The array itself is what is kept. Those of types that may be unloaded lie behind handles. */
static bool take_threads(const struct reading *reading, const struct nt_contract_thread *threads, size_t count)
{
	const struct nt_contract *contract = reading->contract;
	bool bad = false;
	for (size_t i = 0; i < count && !bad; i++) {
		uint64_t locals = nt_contract_u64(contract, threads[i].address, NT_OFF_THREAD_OWN_FIELDS, &bad);
		uint64_t array = locals && !bad ? nt_contract_u64(contract, locals, NT_OFF_THREAD_FIELD_OBJECTS, &bad) : 0;
		if (array)
			reading->sink->root(reading->sink->context, NT_CONTRACT_ROOT_THREAD, array);
	}
	return !bad;
}

/* ---- stacks ---- */

static bool is_on_stack(uint64_t address, uint64_t stack_pointer)
{
	return address >= stack_pointer && address - stack_pointer < STACK_MOST && address % WORD == 0;
}

uint64_t nt_contract_stack_begin(const struct nt_contract *contract, const struct nt_contract_thread *thread, uint64_t stack_pointer)
{
	bool bad = false;
	uint64_t frame = thread->cooperative ? 0 : nt_contract_u64(contract, thread->address, NT_OFF_THREAD_FRAME, &bad);
	if (bad || !is_on_stack(frame, stack_pointer))
		return stack_pointer;
	uint64_t kind = nt_memory_u64(contract->memory, frame, &bad);
	if (bad || kind != contract->layout.globals[NT_GLOBAL_FRAME_INLINED_CALL])
		return bad ? stack_pointer : frame;
	/* It lies within the frame of the method that calls, which begins before it. */
	uint64_t call = nt_contract_u64(contract, frame, NT_OFF_INLINED_SP, &bad);
	return !bad && is_on_stack(call, stack_pointer) && call <= frame ? call : stack_pointer;
}

bool nt_contract_roots_read(struct nt_contract *contract, const struct nt_contract_thread *threads, size_t thread_count,
			    const struct nt_contract_root_sink *sink)
{
	struct reading reading = { .contract = contract, .sink = sink };
	struct nt_collector collector;
	nt_memory_allow(contract->memory, PAGES);
	bool whole = contract->layout.has[NT_CONTRACT_THREAD_FIELDS] && nt_collector_find(contract, &collector) &&
		     take_handles(&reading, &collector) && nt_collector_each_heap(&collector, take_queue, &reading) &&
		     take_threads(&reading, threads, thread_count);
	nt_index_fini(&reading.known);
	return whole;
}
