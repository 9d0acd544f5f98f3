// SPDX-License-Identifier: GPL-2.0-only
#include "decode/elf/bounds.h"

#include "base/alloc.h"
#include "base/radix_sort.h"
#include "base/starts.h"

#include <stdlib.h>

enum { BOUNDS_MAX = 4 << 20 };

void nt_bounds_fini(struct nt_bounds *bounds)
{
	free(bounds->items);
	*bounds = (struct nt_bounds){ 0 };
}

void nt_bounds_add(struct nt_bounds *bounds, uint64_t start, uint64_t size)
{
	if (!size || start > UINT32_MAX || size > UINT32_MAX - start || bounds->count == BOUNDS_MAX)
		return;
	bounds->items = nt_grow(bounds->items, &bounds->capacity, bounds->count + 1, sizeof(*bounds->items));
	bounds->items[bounds->count++] = (struct nt_bound){ .start = (uint32_t)start, .size = (uint32_t)size };
}

/* By their starts. Linkers put functions in another order than their descriptions. */
static void sort(struct nt_bounds *bounds)
{
	enum { START_BIT = 32 };
	uint64_t *numbers = nt_realloc(NULL, bounds->count, sizeof(*numbers));
	for (size_t i = 0; i < bounds->count; i++)
		numbers[i] = (uint64_t)bounds->items[i].start << START_BIT | bounds->items[i].size;
	void *sorted = numbers;
	nt_radix_sort(&sorted, bounds->count, sizeof(*numbers), START_BIT);
	numbers = sorted;
	for (size_t i = 0; i < bounds->count; i++)
		bounds->items[i] = (struct nt_bound){ .start = (uint32_t)(numbers[i] >> START_BIT), .size = (uint32_t)numbers[i] };
	free(numbers);
}

void nt_bounds_finish(struct nt_bounds *bounds)
{
	if (!bounds->count)
		return;
	sort(bounds);
	size_t kept = 0;
	for (size_t i = 1; i < bounds->count; i++) {
		struct nt_bound *last = &bounds->items[kept], next = bounds->items[i];
		if (next.start == last->start) { /* the shorter one remains */
			if (next.size < last->size)
				last->size = next.size;
			continue;
		}
		if (next.start - last->start < last->size)
			last->size = next.start - last->start;
		bounds->items[++kept] = next;
	}
	bounds->count = kept + 1;
	bounds->items = nt_realloc(bounds->items, bounds->count, sizeof(*bounds->items));
	bounds->capacity = bounds->count;
}

bool nt_bounds_find(const struct nt_bounds *bounds, uint64_t place, uint64_t *start, uint64_t *end)
{
	size_t next = nt_starts32_up_to(bounds->items, bounds->count, sizeof(*bounds->items), place);
	*start = 0;
	*end = next < bounds->count ? bounds->items[next].start : UINT64_MAX;
	if (!next)
		return false;
	const struct nt_bound *before = &bounds->items[next - 1];
	uint64_t before_end = (uint64_t)before->start + before->size;
	if (place >= before_end) {
		*start = before_end;
		return false;
	}
	*start = before->start;
	*end = before_end;
	return true;
}
