// SPDX-License-Identifier: GPL-2.0-only
#include "model/sites/sites.h"

#include "base/alloc.h"
#include "base/arena.h"
#include "base/hash.h"
#include "model/sites/sites_internal.h"

#include <stdlib.h>
#include <string.h>

void nt_sites_init(struct nt_sites *sites, struct nt_resolver *resolver)
{
	*sites = (struct nt_sites){ .resolver = resolver, .free = NT_INDEX_NONE, .frames_most = NT_SITES_FRAMES };
}

static void drop(struct nt_site_stack *stack)
{
	free(stack->addresses);
	free(stack->frames);
	*stack = (struct nt_site_stack){ 0 };
}

void nt_sites_fini(struct nt_sites *sites)
{
	for (size_t i = 0; i < sites->count; i++)
		drop(&sites->items[i]);
	free(sites->items);
	free(sites->fresh);
	nt_index_fini(&sites->by_hash);
	*sites = (struct nt_sites){ 0 };
}

static struct nt_site_stack *at(struct nt_sites *sites, nt_site_ref ref)
{
	nt_assert(ref && ref <= sites->count);
	return &sites->items[ref - 1];
}

/* ---- while the interval is open ---- */

static nt_site_ref make(struct nt_sites *sites)
{
	uint32_t index = sites->free;
	if (index != NT_INDEX_NONE) {
		sites->free = sites->items[index].next;
		return index + 1;
	}
	if (sites->count >= NT_SITES_LIMIT)
		return 0;
	sites->items = nt_grow(sites->items, &sites->capacity, sites->count + 1, sizeof(*sites->items));
	return (nt_site_ref)++sites->count;
}

nt_site_ref nt_sites_note(struct nt_sites *sites, struct nt_chain *chain, nt_time time)
{
	if (!chain || chain->noted)
		return chain ? chain->noted : 0;
	nt_site_ref ref = make(sites);
	if (!ref)
		return 0;
	uint16_t count = chain->count < sites->frames_most ? chain->count : (uint16_t)sites->frames_most;
	*at(sites, ref) = (struct nt_site_stack){
		.hash = nt_hash_bytes(chain->addresses, count * sizeof(*chain->addresses)),
		.chain = chain,
		.count = count,
		.cut = chain->count > count,
		.time = time,
	};
	sites->fresh = nt_grow(sites->fresh, &sites->fresh_capacity, sites->fresh_count + 1, sizeof(*sites->fresh));
	sites->fresh[sites->fresh_count++] = ref;
	chain->noted = ref;
	return ref;
}

/* ---- when it closes ---- */

/* What lay at the stack's addresses is known for a while only. */
static void look_again(struct nt_sites *sites, struct nt_site_stack *stack, nt_time now)
{
	if (now > stack->time + NT_SITES_OPEN_NS)
		stack->is.open = stack->frames_open = false;
	if (stack->is.open && stack->version != sites->version)
		nt_site_name(sites, stack, stack->addresses);
}

static bool same_addresses(const struct nt_site_stack *known, const struct nt_site_stack *fresh)
{
	return known->hash == fresh->hash && known->count == fresh->count && known->cut == fresh->cut &&
	       memcmp(known->addresses, fresh->chain->addresses, known->count * sizeof(*known->addresses)) == 0;
}

static bool holds_at(const struct nt_sites *sites, const struct nt_site_stack *known, nt_time time)
{
	return known->version == sites->version && time >= known->valid_from && time < known->valid_to;
}

/* Has a stack of the same addresses the same site, now that code may have come and gone? */
static bool same_site(struct nt_sites *sites, struct nt_site_stack *known, struct nt_site_stack *fresh)
{
	if (holds_at(sites, known, fresh->time))
		return true;
	if (!fresh->version)
		nt_site_name(sites, fresh, fresh->chain->addresses);
	if (known->site != fresh->site || known->is.name != fresh->is.name || known->is.module != fresh->is.module)
		return false;
	known->time = fresh->time;
	known->version = fresh->version;
	known->valid_from = fresh->valid_from;
	known->valid_to = fresh->valid_to;
	known->is.open = fresh->is.open;
	return true;
}

static void settle(struct nt_sites *sites, nt_site_ref ref)
{
	struct nt_site_stack *fresh = at(sites, ref);
	uint32_t first = nt_index_get(&sites->by_hash, fresh->hash);
	for (uint32_t i = first; i != NT_INDEX_NONE && !fresh->same; i = sites->items[i].next)
		if (same_addresses(&sites->items[i], fresh) && same_site(sites, &sites->items[i], fresh))
			fresh->same = i + 1;
	if (!fresh->same) {
		size_t bytes = fresh->count * sizeof(*fresh->addresses);
		fresh->addresses = nt_realloc(NULL, fresh->count, sizeof(*fresh->addresses));
		memcpy(fresh->addresses, fresh->chain->addresses, bytes);
		if (!fresh->version)
			nt_site_name(sites, fresh, fresh->addresses);
		fresh->next = first;
		nt_index_put(&sites->by_hash, fresh->hash, ref - 1);
	}
	fresh->chain->noted = 0;
	fresh->chain = NULL;
}

void nt_sites_settle(struct nt_sites *sites, const struct nt_span *span, uint32_t version)
{
	sites->version = version;
	for (size_t i = 0; i < sites->count; i++)
		if (sites->items[i].addresses)
			look_again(sites, &sites->items[i], span->t1);
	for (size_t i = 0; i < sites->fresh_count; i++)
		settle(sites, sites->fresh[i]);
}

struct nt_site nt_sites_keep(struct nt_sites *sites, nt_site_ref *ref)
{
	if (!*ref)
		return (struct nt_site){ 0 };
	if (at(sites, *ref)->same)
		*ref = at(sites, *ref)->same;
	struct nt_site_stack *stack = at(sites, *ref);
	stack->kept = true;
	return stack->is;
}

const struct nt_call_stack *nt_sites_stack(struct nt_sites *sites, nt_site_ref ref, struct nt_snapshot *snapshot)
{
	if (!ref)
		return NULL;
	struct nt_site_stack *stack = at(sites, ref);
	if (stack->shown && stack->shown_in == snapshot->sequence)
		return stack->shown;
	nt_site_name_frames(sites, stack);
	struct nt_call_stack *shown = nt_arena_alloc(snapshot->arena, sizeof(*shown));
	struct nt_call_frame *frames = nt_arena_alloc(snapshot->arena, stack->count * sizeof(*frames));
	memcpy(frames, stack->frames, stack->count * sizeof(*frames));
	*shown = (struct nt_call_stack){ .frames = frames, .count = stack->count, .site = stack->site, .cut = stack->cut };
	stack->shown = shown;
	stack->shown_in = snapshot->sequence;
	return shown;
}

const struct nt_call_frame *nt_sites_frames(struct nt_sites *sites, nt_site_ref ref, uint32_t *count, uint32_t *site)
{
	struct nt_site_stack *stack = at(sites, ref);
	nt_site_name_frames(sites, stack);
	*count = stack->count;
	*site = stack->site;
	return stack->frames;
}

/* ---- afterwards ---- */

static void find_again(struct nt_sites *sites)
{
	nt_index_fini(&sites->by_hash);
	for (uint32_t i = 0; i < sites->count; i++) {
		struct nt_site_stack *stack = &sites->items[i];
		if (!stack->addresses)
			continue;
		stack->next = nt_index_get(&sites->by_hash, stack->hash);
		nt_index_put(&sites->by_hash, stack->hash, i);
	}
}

static bool is_free(const struct nt_site_stack *stack)
{
	return !stack->addresses && !stack->chain;
}

/* Of what an interval brought little is kept: the free items at the end go, and of the others the first ones are used first. */
static void give_back_burst(struct nt_sites *sites)
{
	while (sites->count && is_free(&sites->items[sites->count - 1]))
		sites->count--;
	sites->free = NT_INDEX_NONE;
	for (size_t i = sites->count; i-- > 0;) {
		if (!is_free(&sites->items[i]))
			continue;
		sites->items[i].next = sites->free;
		sites->free = (uint32_t)i;
	}
	sites->items = nt_shrink(sites->items, &sites->capacity, sites->count, sizeof(*sites->items));
	sites->fresh = nt_shrink(sites->fresh, &sites->fresh_capacity, 0, sizeof(*sites->fresh));
}

void nt_sites_sweep(struct nt_sites *sites)
{
	bool forgotten = false;
	for (uint32_t i = 0; i < sites->count; i++) {
		struct nt_site_stack *stack = &sites->items[i];
		bool unused = (stack->addresses || stack->same) && !stack->kept;
		stack->kept = false;
		if (!unused)
			continue;
		forgotten |= stack->addresses != NULL;
		drop(stack);
	}
	sites->fresh_count = 0;
	give_back_burst(sites);
	if (forgotten)
		find_again(sites);
}

void nt_sites_each_text(const struct nt_sites *sites, nt_text_visit *visit, void *context)
{
	for (const struct nt_site_stack *stack = sites->items; stack < sites->items + sites->count; stack++) {
		visit(stack->is.name, context);
		visit(stack->is.module, context);
		for (uint32_t i = 0; stack->frames && i < stack->count; i++) {
			visit(stack->frames[i].name, context);
			visit(stack->frames[i].module, context);
		}
	}
}
