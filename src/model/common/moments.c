// SPDX-License-Identifier: GPL-2.0-only
#include "model/common/moments.h"

#include "base/alloc.h"

#include <stdlib.h>

void nt_moments_fini(struct nt_moments *moments)
{
	free(moments->items);
	*moments = (struct nt_moments){ 0 };
}

void nt_moments_add(struct nt_moments *moments, nt_time time, uint32_t node, uint32_t samples)
{
	if (moments->count == NT_MOMENTS_MAX) {
		moments->lost += samples;
		return;
	}
	moments->items = nt_grow(moments->items, &moments->capacity, moments->count + 1, sizeof(*moments->items));
	moments->items[moments->count++] = (struct nt_stack_moment){ .time = time, .node = node, .samples = samples };
}

/* What was given up before stays so, at the node that is now the next one above it. */
void nt_moments_renumber(struct nt_moments *moments, const uint32_t *numbers)
{
	for (size_t i = 0; numbers && i < moments->count; i++) {
		uint32_t node = moments->items[i].node;
		if (node != NT_TRIE_ROOT)
			moments->items[i].node = numbers[node & ~NT_TRIE_EVICTED] | (node & NT_TRIE_EVICTED);
	}
}

/* At one time by node: a replay gives the same file. */
static int compare(const void *a, const void *b)
{
	const struct nt_stack_moment *x = a, *y = b;
	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return x->node < y->node ? -1 : x->node > y->node;
}

void nt_moments_sort(struct nt_moments *moments)
{
	if (moments->count)
		qsort(moments->items, moments->count, sizeof(*moments->items), compare);
}
