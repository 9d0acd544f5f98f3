// SPDX-License-Identifier: GPL-2.0-only
#include "output/heap/heap_report.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

uint64_t nt_heap_estimate(const struct nt_heap_found *heap, uint64_t figure)
{
	if (!heap->partial || heap->came_pct <= 0 || heap->came_pct >= 100)
		return figure;
	double estimate = (double)figure * 100 / heap->came_pct + 0.5;
	return estimate < 0x1p64 ? (uint64_t)estimate : UINT64_MAX; /* a stream or a file may say anything */
}

/* First those that grew, by how much; at the end those that shrank most. */
static int by_growth(const void *a, const void *b)
{
	const struct nt_heap_pair *left = a, *right = b;
	int64_t left_grew = (int64_t)(left->bytes - left->bytes_before), right_grew = (int64_t)(right->bytes - right->bytes_before);
	return left_grew != right_grew ? (left_grew < right_grew ? 1 : -1) : strcmp(left->name, right->name);
}

static int by_name(const void *a, const void *b)
{
	const struct nt_heap_pair *left = a, *right = b;
	return strcmp(left->name, right->name);
}

struct nt_heap_pair *nt_heap_pairs(const struct nt_heap_found *now, const struct nt_heap_found *before, size_t *count)
{
	size_t all = now->type_count + before->type_count, kept = 0;
	struct nt_heap_pair *pairs = nt_realloc(NULL, all + 1, sizeof(*pairs));
	for (size_t i = 0; i < now->type_count; i++) {
		const struct nt_heap_type *type = &now->types[i];
		pairs[i] = (struct nt_heap_pair){ .name = type->name,
						  .count = nt_heap_estimate(now, type->count),
						  .bytes = nt_heap_estimate(now, type->bytes) };
	}
	for (size_t i = 0; i < before->type_count; i++) {
		const struct nt_heap_type *type = &before->types[i];
		pairs[now->type_count + i] = (struct nt_heap_pair){ .name = type->name,
								    .count_before = nt_heap_estimate(before, type->count),
								    .bytes_before = nt_heap_estimate(before, type->bytes) };
	}
	qsort(pairs, all, sizeof(*pairs), by_name);
	for (size_t i = 0; i < all; i++) {
		struct nt_heap_pair *last = kept ? &pairs[kept - 1] : NULL;
		if (last && strcmp(last->name, pairs[i].name) == 0) {
			last->count += pairs[i].count;
			last->bytes += pairs[i].bytes;
			last->count_before += pairs[i].count_before;
			last->bytes_before += pairs[i].bytes_before;
		} else {
			pairs[kept++] = pairs[i];
		}
	}
	qsort(pairs, kept, sizeof(*pairs), by_growth);
	*count = kept;
	return pairs;
}
