// SPDX-License-Identifier: GPL-2.0-only
#include "model/common/hot.h"

#include "base/alloc.h"

#include <stdlib.h>

enum { SLOTS_AT_ONCE = 4 };

static const double negligible = 0.005; /* as of rows (rows.c) */

static struct nt_hot_slot *find(struct nt_hot *hot, uint64_t id)
{
	for (uint32_t i = 0; i < hot->count; i++)
		if (hot->slots[i].id == id)
			return &hot->slots[i];
	return NULL;
}

static struct nt_hot_slot *lightest(struct nt_hot *hot)
{
	struct nt_hot_slot *least = &hot->slots[0];
	for (uint32_t i = 1; i < hot->count; i++)
		if (hot->slots[i].weight < least->weight)
			least = &hot->slots[i];
	return least;
}

static struct nt_hot *with_room(struct nt_hot *hot, uint32_t slots)
{
	uint32_t capacity = (slots + SLOTS_AT_ONCE - 1) / SLOTS_AT_ONCE * SLOTS_AT_ONCE;
	if (hot && hot->capacity == capacity)
		return hot;
	bool fresh = !hot;
	hot = nt_realloc(hot, 1, sizeof(*hot) + capacity * sizeof(hot->slots[0]));
	if (fresh)
		hot->count = 0;
	hot->capacity = capacity;
	return hot;
}

struct nt_hot *nt_hot_count(struct nt_hot *hot, const struct nt_key *method, unsigned samples)
{
	struct nt_hot_slot *slot = hot ? find(hot, method->id) : NULL;
	uint32_t count = hot ? hot->count : 0;
	if (!slot && count < NT_HOT_METHODS) {
		hot = with_room(hot, count + 1);
		slot = &hot->slots[hot->count++];
		*slot = (struct nt_hot_slot){ .id = method->id, .name = method->name };
	} else if (!slot) {
		slot = lightest(hot);
		*slot = (struct nt_hot_slot){ .id = method->id, .name = method->name, .weight = slot->weight, .error = slot->weight };
	}
	slot->weight += samples;
	return hot;
}

struct nt_hot *nt_hot_decay(struct nt_hot *hot, double decay)
{
	uint32_t kept = 0;
	for (uint32_t i = 0; i < hot->count; i++) {
		struct nt_hot_slot slot = hot->slots[i];
		slot.weight *= decay;
		slot.error *= decay;
		if (slot.weight >= negligible)
			hot->slots[kept++] = slot;
	}
	hot->count = kept;
	if (kept)
		return with_room(hot, kept);
	free(hot);
	return NULL;
}

static int compare_methods(const void *a, const void *b)
{
	const struct nt_hot_method *x = a, *y = b;
	if (x->samples != y->samples)
		return x->samples > y->samples ? -1 : 1;
	return x->method_id < y->method_id ? -1 : x->method_id > y->method_id;
}

uint32_t nt_hot_fill(const struct nt_hot *hot, double whole, struct nt_hot_method *out)
{
	for (uint32_t i = 0; i < hot->count; i++) {
		const struct nt_hot_slot *slot = &hot->slots[i];
		double samples = slot->weight - slot->error;
		out[i] = (struct nt_hot_method){
			.method_id = slot->id, .name = slot->name, .samples = samples, .pct = whole > 0 ? 100 * samples / whole : 0
		};
	}
	qsort(out, hot->count, sizeof(*out), compare_methods);
	return hot->count;
}

/* ---- rows that turned out to be other rows ---- */

void nt_hot_renames_fini(struct nt_hot_renames *renames)
{
	free(renames->items);
	nt_index_fini(&renames->from);
	*renames = (struct nt_hot_renames){ 0 };
}

void nt_hot_renames_add(struct nt_hot_renames *renames, uint64_t from, const struct nt_key *to)
{
	renames->items = nt_grow(renames->items, &renames->capacity, renames->count + 1, sizeof(*renames->items));
	renames->items[renames->count].id = to->id;
	renames->items[renames->count].name = to->name;
	nt_index_put(&renames->from, from, (uint32_t)renames->count++);
}

void nt_hot_renames_clear(struct nt_hot_renames *renames)
{
	if (!renames->count)
		return;
	nt_index_fini(&renames->from);
	renames->count = 0;
}

void nt_hot_rename(struct nt_hot *hot, const struct nt_hot_renames *renames)
{
	for (uint32_t i = 0; i < hot->count; i++) {
		uint32_t index = nt_index_get(&renames->from, hot->slots[i].id);
		if (index == NT_INDEX_NONE)
			continue;
		struct nt_hot_slot *there = find(hot, renames->items[index].id);
		if (there) {
			there->weight += hot->slots[i].weight;
			there->error += hot->slots[i].error;
			hot->slots[i--] = hot->slots[--hot->count];
			continue;
		}
		hot->slots[i].id = renames->items[index].id;
		hot->slots[i].name = renames->items[index].name;
	}
}
