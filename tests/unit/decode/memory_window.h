/* SPDX-License-Identifier: GPL-2.0-only */
/* A window over bytes in memory, for tests of what reads through windows. */
#ifndef TEST_MEMORY_WINDOW_H
#define TEST_MEMORY_WINDOW_H

#include "decode/common/window.h"

#include <string.h>

struct memory {
	const uint8_t *bytes;
	size_t size;
	size_t read_count; /* how often bytes were asked for */
	bool broken;       /* nothing can be read any more */
};

static inline bool memory_read(void *context, uint64_t offset, void *buf, size_t size)
{
	struct memory *memory = context;
	memory->read_count++;
	if (memory->broken || offset > memory->size || size > memory->size - offset)
		return false;
	memcpy(buf, memory->bytes + offset, size);
	return true;
}

static inline struct nt_window *memory_window(struct memory *memory)
{
	const struct nt_window_source source = { .read = memory_read, .context = memory, .size = memory->size };
	return nt_window_new(&source);
}

#endif
