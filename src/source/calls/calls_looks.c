// SPDX-License-Identifier: GPL-2.0-only
#include "source/calls/calls_looks.h"

#include "base/alloc.h"
#include "base/index.h"
#include "source/perf/switch_maps.h"
#include "source/perf/switch_rules.h"

#include <stdlib.h>
#include <string.h>

enum { HEAD = offsetof(struct nt_calls_look, stack), TURNS_MOST = 5 };

bool nt_calls_looks_init(struct nt_calls_looks *looks, const struct nt_target *target, const struct nt_source_config *config,
			 const struct nt_calls_programs *programs)
{
	*looks = (struct nt_calls_looks){ 0 };
	if (!nt_bpf_ring_map(&looks->ring, programs->ring, NT_CALLS_RING_BYTES))
		return false;
	if (programs->rules < 0)
		return true;
	/* Rules of code that may have gone tell of callers that there are not. */
	looks->maps = nt_switch_maps_new(target->pid);
	if (looks->maps)
		looks->rules = nt_switch_rules_new(target, config, programs->rules);
	return true;
}

void nt_calls_looks_fini(struct nt_calls_looks *looks)
{
	nt_switch_rules_free(looks->rules);
	nt_switch_maps_free(looks->maps);
	nt_bpf_ring_fini(&looks->ring);
	free(looks->items);
	*looks = (struct nt_calls_looks){ 0 };
}

static void take(void *context, const uint8_t *data, uint32_t length)
{
	struct nt_calls_looks *looks = context;
	if (length < HEAD || length > sizeof(struct nt_calls_look) || looks->count == NT_CALLS_LOOKS_KEPT)
		return;
	looks->items = nt_grow(looks->items, &looks->capacity, looks->count + 1, sizeof(*looks->items));
	struct nt_calls_looked *item = &looks->items[looks->count++];
	*item = (struct nt_calls_looked){ .count = (length - HEAD) / 8, .next = NT_INDEX_NONE };
	memcpy(&item->look, data, length);
}

static void mapped(void *context, nt_time time, uint64_t start, uint64_t end, bool generated)
{
	struct nt_calls_looks *looks = context;
	nt_switch_rules_mapped(looks->rules, time, start, end, generated);
}

static int compare_times(const void *a, const void *b)
{
	const struct nt_calls_looked *x = a, *y = b;
	return (x->look.time > y->look.time) - (x->look.time < y->look.time);
}

void nt_calls_looks_read(struct nt_calls_looks *looks)
{
	looks->fresh = looks->count;
	nt_bpf_ring_read(&looks->ring, take, looks);
	/* After them: what was mapped before the newest is known then. */
	if (looks->maps)
		nt_switch_maps_read(looks->maps, mapped, looks);
	if (looks->count > looks->fresh)
		qsort(looks->items + looks->fresh, looks->count - looks->fresh, sizeof(*looks->items), compare_times);
	for (size_t i = looks->fresh; i < looks->count; i++) {
		struct nt_calls_looked *item = &looks->items[i];
		item->count = nt_switch_rules_see(looks->rules, item->look.time, item->look.stack, item->count);
	}
}

void nt_calls_looks_end(struct nt_calls_looks *looks)
{
	size_t kept = 0;
	for (size_t i = 0; i < looks->count; i++)
		if (!looks->items[i].told && ++looks->items[i].turns < TURNS_MOST)
			looks->items[kept++] = looks->items[i];
	looks->count = kept;
}

void nt_calls_looks_cost(const struct nt_calls_looks *looks, struct nt_source_stats *out)
{
	nt_switch_rules_cost(looks->rules, out);
}
