// SPDX-License-Identifier: GPL-2.0-only
/* The replaced entries of address ranges: kept in order, and forgotten in time. */
#include "base/alloc.h"
#include "symbol/ranges_internal.h"

#include <stdlib.h>
#include <string.h>

static int compare_old(const void *a, const void *b)
{
	const struct nt_range_old *x = a, *y = b;
	if (x->range.start != y->range.start)
		return x->range.start < y->range.start ? -1 : 1;
	if (x->range.from != y->range.from)
		return x->range.from < y->range.from ? -1 : 1;
	if (x->to != y->to)
		return x->to < y->to ? -1 : 1;
	return x->range.end < y->range.end ? -1 : x->range.end > y->range.end;
}

/* Those from `sorted` on are new, in no order; few beside the others, which are in order. */
static void merge_new(struct nt_range_old *old, size_t sorted, size_t count)
{
	size_t left = count - sorted;
	if (!left)
		return;
	struct nt_range_old *fresh = nt_realloc(NULL, left, sizeof(*fresh));
	memcpy(fresh, old + sorted, left * sizeof(*fresh));
	qsort(fresh, left, sizeof(*fresh), compare_old);
	for (size_t to = count; left; to--)
		old[to - 1] = sorted && compare_old(&old[sorted - 1], &fresh[left - 1]) > 0 ? old[--sorted] : fresh[--left];
	free(fresh);
}

static int compare_times(const void *a, const void *b)
{
	nt_time x = *(const nt_time *)a, y = *(const nt_time *)b;
	return x < y ? -1 : x > y;
}

/* A program that compiles without end would replace more in 30 s than is worth its memory: then those that were replaced first go sooner. */
static nt_time kept_since(const struct nt_ranges *ranges, nt_time since)
{
	size_t limit = ranges->old_limit ? ranges->old_limit : NT_RANGES_OLD_LIMIT;
	if (ranges->old_count <= limit)
		return since;
	nt_time *times = nt_realloc(NULL, ranges->old_count, sizeof(*times));
	for (size_t i = 0; i < ranges->old_count; i++)
		times[i] = ranges->old[i].to;
	qsort(times, ranges->old_count, sizeof(*times), compare_times);
	nt_time oldest = times[ranges->old_count - limit / 4 * 3];
	free(times);
	return oldest > since ? oldest : since;
}

/* A burst of replaced entries, as at a program's start, is over in 30 s; its memory goes back. */
static void shrink(struct nt_ranges *ranges)
{
	enum { LEAST = 256, FRACTION = 4 };
	if (ranges->old_capacity <= LEAST || ranges->old_count > ranges->old_capacity / FRACTION)
		return;
	ranges->old_capacity = ranges->old_count * 2 > LEAST ? ranges->old_count * 2 : LEAST;
	ranges->old = nt_realloc(ranges->old, ranges->old_capacity, sizeof(*ranges->old));
}

void nt_ranges_forget_old(struct nt_ranges *ranges, nt_time now, size_t sorted)
{
	size_t kept = 0, kept_sorted = 0;
	nt_time since = kept_since(ranges, now > NT_RANGES_KEEP_NS ? now - NT_RANGES_KEEP_NS : 0);
	ranges->old_longest = 0;
	for (size_t i = 0; i < ranges->old_count; i++) {
		const struct nt_range_old *old = &ranges->old[i];
		if (old->to < since)
			continue;
		uint64_t length = old->range.end - old->range.start;
		if (length > ranges->old_longest)
			ranges->old_longest = length;
		kept_sorted += i < sorted;
		if (kept != i)
			ranges->old[kept] = *old;
		kept++;
	}
	ranges->old_count = kept;
	if (!kept) {
		free(ranges->old);
		ranges->old = NULL;
		ranges->old_capacity = 0;
	} else {
		merge_new(ranges->old, kept_sorted, kept);
		shrink(ranges);
	}
}
