// SPDX-License-Identifier: GPL-2.0-only
#include "model/common/open_times.h"

#include "base/alloc.h"

#include <stdlib.h>

enum { ALL_MAX = 1 << 14 };

void nt_open_times_fini(struct nt_open_times *times)
{
	free(times->items);
	*times = (struct nt_open_times){ 0 };
}

static uint32_t place_for_one(struct nt_open_times *times)
{
	uint32_t place = times->unused;
	if (place) {
		times->unused = times->items[place].older;
		return place;
	}
	size_t first = times->count ? times->count : 1;
	times->items = nt_grow(times->items, &times->capacity, first + 1, sizeof(*times->items));
	times->count = first + 1;
	return (uint32_t)first;
}

void nt_open_times_add(struct nt_open_times *times, uint32_t *newest, nt_time time, uint64_t count)
{
	struct nt_open_time *last = *newest ? &times->items[*newest] : NULL;
	if (last && (times->used >= ALL_MAX || (time >= last->time && time - last->time < NT_OPEN_TOGETHER_NS))) {
		last->count += count;
		return;
	}
	uint32_t place = place_for_one(times);
	times->items[place] = (struct nt_open_time){ .time = time, .count = count, .older = *newest };
	times->used++;
	*newest = place;
}

struct nt_open_time nt_open_times_take(struct nt_open_times *times, uint32_t *link)
{
	uint32_t place = *link;
	struct nt_open_time taken = times->items[place];
	*link = taken.older;
	times->items[place].older = times->unused;
	times->unused = place;
	times->used--;
	return taken;
}

void nt_open_times_drop(struct nt_open_times *times, uint32_t *newest)
{
	while (*newest)
		nt_open_times_take(times, newest);
	if (!times->used) /* a burst is given back */
		nt_open_times_fini(times);
}
