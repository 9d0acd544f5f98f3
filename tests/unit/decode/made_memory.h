/* SPDX-License-Identifier: GPL-2.0-only */
/* Memory of a runtime that there never was: room for its things, whose fields lie where its description says. */
#ifndef TEST_MADE_MEMORY_H
#define TEST_MADE_MEMORY_H

#include "decode/contract/contract_layout.h"

#include <stdlib.h>
#include <string.h>

#define MADE_BASE UINT64_C(0x7f0000000000)
#define MADE_NAME "made"

enum {
	MADE_BYTES = 128 << 10,
	MADE_NODE = 2048,                        /* of the map of sections */
	MADE_THING = 8 * (NT_LAYOUT_FIELDS + 8), /* which has any of the fields */
	MADE_CODE = 4096,
	MADE_STUB_LAST = 15,
};

/* What is to be found. */
enum { MADE_WAITS = 101, MADE_OWNER = 102, MADE_RUNS = 103, MADE_THREADS = 3, MADE_FRAMES = 3 };

struct made_runtime {
	uint8_t bytes[MADE_BYTES]; /* at MADE_BASE */
	size_t used;
	uint64_t pcs[MADE_FRAMES]; /* of the thread that waits, innermost first */
	uint64_t method, object;   /* of the innermost frame; the object whose monitor it wants */
	/* Where lies are worth while: the thread list's head and its last link, the root of the map of sections, one of its fragments, a frame, the monitor's inside. */
	size_t text, text_length; /* the description, in bytes[] */
	uint64_t store, last_link, tree, fragment, frame, monitor;
	struct
	{ /* of the thread pool: what leads to it, a field in its type, its counts, a list of items, its first part, what says how much is in that, the workers' own lists and one of them */
		uint64_t instance, desc, counts, list, part, ends, locals, local;
	} pool;
};

static inline uint64_t made_room(struct made_runtime *made, size_t size)
{
	uint64_t place = MADE_BASE + made->used;
	made->used += (size + 15) & ~(size_t)15;
	if (made->used > MADE_BYTES)
		abort();
	return place;
}

static inline void made_put(struct made_runtime *made, uint64_t place, const void *bytes, size_t size)
{
	memcpy(made->bytes + (place - MADE_BASE), bytes, size);
}

static inline void made_u64(struct made_runtime *made, uint64_t place, uint64_t value)
{
	made_put(made, place, &value, sizeof(value));
}

static inline void made_u32(struct made_runtime *made, uint64_t place, uint32_t value)
{
	made_put(made, place, &value, sizeof(value));
}

/* Fields do not overlap, so one of four bytes is written with zeros behind it. */
static inline uint64_t made_offset(enum nt_layout_field field)
{
	return 8 * (uint64_t)field;
}

static inline void made_field(struct made_runtime *made, uint64_t thing, enum nt_layout_field field, uint64_t value)
{
	made_u64(made, thing + made_offset(field), value);
}

#endif
