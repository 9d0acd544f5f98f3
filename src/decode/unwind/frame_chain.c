// SPDX-License-Identifier: GPL-2.0-only
#include "decode/unwind/frame_chain.h"

#include <stdbool.h>
#include <string.h>

enum { LEAST_FRAMES = 4, LEAST_ADDRESS = 1 << 16, ADDRESS_BITS = 47 };

struct copy {
	const uint8_t *stack;
	size_t size;
	uint64_t base;
};

static uint64_t word(const struct copy *copy, size_t at)
{
	uint64_t value;
	memcpy(&value, copy->stack + at, sizeof(value));
	return value;
}

/* Where the word at `at` points, if that is a frame further out, which has a return address. */
static bool follow(const struct copy *copy, size_t at, size_t *next, uint64_t *returns_to)
{
	uint64_t offset = word(copy, at) - copy->base;
	if (offset % 8 || offset <= at || offset >= copy->size || copy->size - offset < 16)
		return false;
	*next = (size_t)offset;
	*returns_to = word(copy, (size_t)offset + 8);
	return *returns_to >= LEAST_ADDRESS && !(*returns_to >> ADDRESS_BITS) && *returns_to - copy->base >= copy->size;
}

static size_t chain_from(const struct copy *copy, size_t at, uint64_t *out, size_t max)
{
	size_t count = 0;
	for (uint64_t address; count < max && follow(copy, at, &at, &address);)
		out[count++] = address;
	return count;
}

size_t nt_frame_chain(const uint8_t *stack, size_t size, uint64_t base, uint64_t *out, size_t max)
{
	const struct copy copy = { stack, size, base };
	uint64_t first[LEAST_FRAMES];
	for (size_t at = 0; at + 8 <= size; at += 8)
		if (chain_from(&copy, at, first, LEAST_FRAMES) == LEAST_FRAMES)
			return chain_from(&copy, at, out, max);
	return 0;
}
