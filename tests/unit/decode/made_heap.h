/* SPDX-License-Identifier: GPL-2.0-only */
/* The memory of a process with a collector that there never was: five generations in four regions, three types, a thread with room that it does not use yet, and what keeps some of the objects alive. For tests that read it, and that let it lie. */
#ifndef TEST_MADE_HEAP_H
#define TEST_MADE_HEAP_H

#include "decode/contract/contract_heap.h"
#include "decode/contract/contract_roots.h"

#include <string.h>

#define HEAP_BASE UINT64_C(0x7f0000000000)

/* Where things are, behind HEAP_BASE. */
enum {
	HEAP_BYTES = 64 << 10,
	DEBUGGER_TABLE = 0,
	VARIABLE = 0x1000, /* that the table leads to, and that leads to what the collector tells */
	TOLD = 0x1100,
	VARIANT = 0x1200,
	EPHEMERAL = 0x1208,
	ALLOCATED = 0x1210,
	IN_MOTION = 0x1218,
	GENERATION_FIELDS = 0x1220,
	HEAP_FIELDS = 0x1240,
	HEAP_COUNT = 0x12a0,
	HEAPS = 0x12a8,
	FREE_CELL = 0x12b0,
	HEAP_LIST = 0x12c0,
	GENERATION_TABLE = 0x1400,
	GENERATION_BYTES = 0x100,
	REGIONS = 0x2000,
	REGION_BYTES = 0x40,
	FREE = 0x3000, /* tables of types, 0x100 each */
	ORDER = 0x3100,
	TEXT = 0x3200,
	CLASSES = 0x3400,
	THREAD = 0x3800,
	LOCALS = 0x3900,
	YOUNG = 0x4000, /* regions */
	YOUNGEST = 0x5000,
	OLD = 0x6000,
	LARGE = 0x8000,
	ORDER_BYTES = 40,
	TEXT_BYTES = 22, /* and two for each character */
	ROOM = 0x200,
	LEFT_FREE = 24,
	HANDLE_TABLE = 0x1d00,
	BUCKET = 0x1e00, /* its list of tables, the map and its list of buckets are behind it */
	QUEUE_CELL = 0x1ef8,
	QUEUE = 0x1f00, /* of objects with finalizers, and the array of these */
	QUEUE_ARRAY = 0x1f80,
	THREAD_LOCALS = 0x3940,
	SEGMENT = 0xe000, /* of handles: blocks of strong, weak, dependent ones, and what those keep */
	HANDLES = 0xf000,
	BLOCK_BYTES = 512,
	ONE_SERVER = 0x1c00, /* a heap of a server's, if there is one; its generations are those */
};

struct made_heap {
	uint8_t bytes[HEAP_BYTES];
	struct nt_memory memory;
	struct nt_contract contract;
	struct nt_contract_thread thread;
};

static inline void heap_u64(struct made_heap *made, size_t at, uint64_t value)
{
	memcpy(made->bytes + at, &value, sizeof(value));
}

static inline void heap_u32(struct made_heap *made, size_t at, uint32_t value)
{
	memcpy(made->bytes + at, &value, sizeof(value));
}

/* An object; returns where the next one is. */
static inline size_t heap_object(struct made_heap *made, size_t at, size_t type, uint32_t elements)
{
	size_t bytes = type == FREE ? 24 + elements : type == TEXT ? TEXT_BYTES + 2 * (size_t)elements : ORDER_BYTES;
	heap_u64(made, at, HEAP_BASE + type);
	heap_u32(made, at + 8, elements);
	return at + (bytes + 7) / 8 * 8;
}

static inline void heap_type(struct made_heap *made, size_t table, uint32_t base, uint32_t component)
{
	size_t class = CLASSES + (table - FREE) / 4;
	heap_u32(made, table, component ? UINT32_C(0x80000000) | component : 0);
	heap_u32(made, table + 4, base);
	heap_u64(made, table + 40, HEAP_BASE + class);
	heap_u64(made, class + 16, HEAP_BASE + table);
}

static inline void heap_region(struct made_heap *made, unsigned number, size_t begin, size_t end, size_t next)
{
	size_t at = REGIONS + (size_t)number * REGION_BYTES;
	heap_u64(made, at, HEAP_BASE + end);
	heap_u64(made, at + 32, HEAP_BASE + begin);
	heap_u64(made, at + 48, next ? HEAP_BASE + next : 0);
}

static inline void heap_generation(struct made_heap *made, unsigned number, unsigned region)
{
	heap_u64(made, GENERATION_TABLE + (size_t)number * GENERATION_BYTES + 56, HEAP_BASE + REGIONS + region * (uint64_t)REGION_BYTES);
}

static inline void heap_told(struct made_heap *made)
{
	static const uint32_t places[] = { VARIANT, 0, 0, GENERATION_TABLE, 0, 0, 0, EPHEMERAL, 0, 0, 0, 0, ALLOCATED };
	made->bytes[TOLD] = 2;
	made->bytes[TOLD + 1] = 4;
	heap_u64(made, TOLD + 8, GENERATION_BYTES);
	heap_u64(made, TOLD + 16, 5);
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++)
		if (places[i])
			heap_u64(made, TOLD + 24 + 8 * i, HEAP_BASE + places[i]);
	heap_u64(made, TOLD + 192, HEAP_BASE + IN_MOTION);
	heap_u64(made, TOLD + 248, HEAP_BASE + GENERATION_FIELDS);
	heap_u64(made, DEBUGGER_TABLE + 8 * 19, HEAP_BASE + VARIABLE);
	heap_u64(made, VARIABLE, HEAP_BASE + TOLD);
	made->bytes[VARIANT] = 1;
	heap_u32(made, GENERATION_FIELDS + 4, 56);
}

/* The same heap as the only one of a server's collector. */
static inline void heap_of_a_server(struct made_heap *made)
{
	uint64_t ephemeral;
	memcpy(&ephemeral, made->bytes + EPHEMERAL, sizeof(ephemeral));
	heap_u64(made, TOLD + 176, HEAP_BASE + HEAP_COUNT);
	heap_u64(made, TOLD + 184, HEAP_BASE + HEAPS);
	heap_u64(made, TOLD + 240, HEAP_BASE + HEAP_FIELDS);
	heap_u32(made, HEAP_COUNT, 1);
	heap_u64(made, HEAPS, HEAP_BASE + HEAP_LIST);
	heap_u64(made, HEAP_LIST, HEAP_BASE + GENERATION_TABLE - 0x100);
	heap_u32(made, HEAP_FIELDS, 0x10);
	heap_u32(made, HEAP_FIELDS + 4, 0x18);
	heap_u32(made, HEAP_FIELDS + 4 * 2, 0x20);
	heap_u32(made, HEAP_FIELDS + 4 * 18, 0x100);
	memcpy(made->bytes + GENERATION_TABLE - 0x100 + 0x10, made->bytes + ALLOCATED, 8);
	heap_u64(made, GENERATION_TABLE - 0x100 + 0x18, ephemeral);
	heap_u64(made, GENERATION_TABLE - 0x100 + 0x20, HEAP_BASE + QUEUE);
	memset(made->bytes + TOLD + 48, 0, 8);
	memset(made->bytes + EPHEMERAL, 0, 16);
}

/* The first order has the first text and an order of the oldest ones. */
static inline void heap_references(struct made_heap *made)
{
	heap_u32(made, ORDER, 0x01000000);
	heap_u64(made, ORDER - 8, 1);
	heap_u64(made, ORDER - 16, 8);                              /* where they begin, */
	heap_u64(made, ORDER - 24, (uint64_t)0 - ORDER_BYTES + 16); /* and how many there are */
	heap_u64(made, YOUNG + 8, HEAP_BASE + YOUNG + ORDER_BYTES);
	heap_u64(made, YOUNG + 16, HEAP_BASE + OLD);
}

/* Two strong handles, a weak one, a dependent one; one object that waits for its finalizer among three that have one; an array of a thread's. */
static inline void heap_roots(struct made_heap *made)
{
	memset(made->bytes + SEGMENT + 1560, 0xff, 240);
	made->bytes[SEGMENT + 1560] = 2;
	made->bytes[SEGMENT + 1561] = 0;
	made->bytes[SEGMENT + 1562] = 6;
	made->bytes[SEGMENT + 1563] = 12;
	made->bytes[SEGMENT + 1680 + 2] = 3;
	memset(made->bytes + SEGMENT + 1998, 0, 8);
	uint64_t table = HEAP_BASE + HANDLE_TABLE;
	memcpy(made->bytes + SEGMENT + 2006, &table, 8);
	heap_u64(made, HANDLES, HEAP_BASE + YOUNG);
	heap_u64(made, HANDLES + 63 * 8, HEAP_BASE + LARGE);
	heap_u64(made, HANDLES + BLOCK_BYTES, HEAP_BASE + YOUNGEST);
	heap_u64(made, HANDLES + 2 * BLOCK_BYTES, HEAP_BASE + YOUNG);
	heap_u64(made, HANDLES + 3 * BLOCK_BYTES, HEAP_BASE + OLD);
	heap_u64(made, HANDLE_TABLE + 56, HEAP_BASE + SEGMENT);
	heap_u64(made, BUCKET, HEAP_BASE + BUCKET + 0x10);
	heap_u64(made, BUCKET + 0x10, HEAP_BASE + HANDLE_TABLE);
	heap_u64(made, BUCKET + 0x18, HEAP_BASE + YOUNG); /* no table: what is behind the last one */
	heap_u64(made, BUCKET + 0x40, HEAP_BASE + BUCKET + 0x60);
	heap_u64(made, BUCKET + 0x60, HEAP_BASE + BUCKET);
	heap_u64(made, TOLD + 232, HEAP_BASE + BUCKET + 0x40);
	heap_u64(made, TOLD + 144, HEAP_BASE + QUEUE_CELL);
	heap_u64(made, QUEUE_CELL, HEAP_BASE + QUEUE);
	for (size_t part = 0; part < 7; part++)
		heap_u64(made, QUEUE + 8 * part, HEAP_BASE + QUEUE_ARRAY + (part < 2 ? 0 : part < 6 ? 16 : 24));
	heap_u64(made, QUEUE + 56, HEAP_BASE + QUEUE_ARRAY);
	heap_u64(made, QUEUE + 64, HEAP_BASE + QUEUE_ARRAY + 0x40);
	heap_u64(made, QUEUE_ARRAY, HEAP_BASE + YOUNG);
	heap_u64(made, QUEUE_ARRAY + 8, HEAP_BASE + OLD);
	heap_u64(made, QUEUE_ARRAY + 16, HEAP_BASE + YOUNGEST);
	heap_u64(made, THREAD + 40, HEAP_BASE + THREAD_LOCALS);
	heap_u64(made, THREAD_LOCALS + 8, HEAP_BASE + OLD);
	made->contract.layout.has[NT_CONTRACT_THREAD_FIELDS] = true;
	made->contract.layout.offsets[NT_OFF_THREAD_OWN_FIELDS] = 40;
	made->contract.layout.offsets[NT_OFF_THREAD_FIELD_OBJECTS] = 8;
}

static inline bool heap_read_page(void *context, uint64_t address, uint8_t page[NT_PAGE_BYTES])
{
	const struct made_heap *made = context;
	if (address < HEAP_BASE || address >= HEAP_BASE + HEAP_BYTES)
		return false;
	memcpy(page, made->bytes + (address - HEAP_BASE), NT_PAGE_BYTES);
	return true;
}

/* Six orders, three texts, and one text among the large objects. */
static inline void made_heap_fill(struct made_heap *made)
{
	memset(made, 0, sizeof(*made));
	heap_told(made);
	heap_type(made, FREE, 24, 1);
	heap_type(made, ORDER, ORDER_BYTES, 0);
	heap_type(made, TEXT, TEXT_BYTES, 2);
	heap_u64(made, FREE_CELL, HEAP_BASE + FREE);
	size_t at = heap_object(made, YOUNG, ORDER, 0);
	size_t young_end = heap_object(made, at, TEXT, 5);
	at = heap_object(made, YOUNGEST, ORDER, 0);
	heap_u64(made, THREAD + 32, HEAP_BASE + LOCALS);
	heap_u64(made, LOCALS + 8, HEAP_BASE + at);
	heap_u64(made, LOCALS + 16, HEAP_BASE + at + ROOM);
	size_t youngest_end = heap_object(made, at + ROOM + LEFT_FREE, ORDER, 0);
	at = heap_object(made, OLD, ORDER, 0);
	at = heap_object(made, at, FREE, 1000);
	at = heap_object(made, at, ORDER, 0);
	at = heap_object(made, at, TEXT, 0);
	at = heap_object(made, at, TEXT, 1);
	size_t old_end = heap_object(made, at, ORDER, 0);
	size_t large_end = heap_object(made, LARGE, TEXT, 12000);
	made->bytes[OLD] |= 1; /* a mark that was left */
	heap_region(made, 0, YOUNG, young_end, REGIONS + REGION_BYTES);
	heap_region(made, 1, YOUNGEST, YOUNGEST, 0); /* where it ends is in a variable */
	heap_region(made, 2, OLD, old_end, 0);
	heap_region(made, 3, LARGE, large_end, 0);
	heap_u64(made, EPHEMERAL, HEAP_BASE + REGIONS + REGION_BYTES);
	heap_u64(made, ALLOCATED, HEAP_BASE + youngest_end);
	heap_generation(made, 0, 0);
	heap_generation(made, 2, 2);
	heap_generation(made, 3, 3);
	made->memory = (struct nt_memory){ .read = heap_read_page, .context = made };
	made->thread.address = HEAP_BASE + THREAD;
	struct nt_layout *layout = &made->contract.layout;
	made->contract.memory = &made->memory;
	made->contract.debugger_table = HEAP_BASE + DEBUGGER_TABLE;
	layout->has[NT_CONTRACT_HEAP] = layout->has[NT_CONTRACT_ALLOCATED] = true;
	layout->globals[NT_GLOBAL_FREE_TABLE] = HEAP_BASE + FREE_CELL;
	layout->offsets[NT_OFF_TABLE_BASE_SIZE] = 4;
	layout->offsets[NT_OFF_TABLE_CLASS] = 40;
	layout->offsets[NT_OFF_CLASS_TABLE] = 16;
	layout->offsets[NT_OFF_THREAD_LOCALS] = 32;
	layout->offsets[NT_OFF_ALLOCATION_GC] = 8;
	layout->offsets[NT_OFF_ALLOCATION_LIMIT] = 8;
	heap_references(made);
	heap_roots(made);
}

static inline enum nt_contract_heap_result made_heap_read_for(struct made_heap *made, const struct nt_contract_heap_sink *sink,
							      struct nt_contract_heap *out)
{
	nt_memory_forget(&made->memory);
	return nt_contract_heap_read(&made->contract, &made->thread, 1, HEAP_BYTES, sink, out);
}

static inline enum nt_contract_heap_result made_heap_read(struct made_heap *made, struct nt_contract_heap *out)
{
	return made_heap_read_for(made, NULL, out);
}

#endif
