// SPDX-License-Identifier: GPL-2.0-only
#include "model/common/ids.h"

#include "base/alloc.h"
#include "base/arena.h"

#include <stdlib.h>
#include <string.h>

/* Ids are dense by contract. One far beyond what has been announced would only cost memory: it is ignored. */
enum { SPARSE_FACTOR = 4, SPARSE_SLACK = 65536 };

/* A source begins a new epoch long before (base/interner.h); whoever has made a recording need not have. */
enum { CHAINS_BYTES = 256 << 20 };

/* Longer texts are names of methods and types with all their namespaces: they are packed. */
enum { PACKED_LEAST = 32 };

struct nt_ids *nt_ids_new(uint32_t epoch)
{
	struct nt_ids *ids = nt_alloc(sizeof(*ids));
	ids->epoch = epoch;
	ids->arena = nt_arena_new();
	return ids;
}

void nt_ids_free(struct nt_ids *ids)
{
	if (!ids)
		return;
	free(ids->texts);
	free(ids->chains);
	nt_arena_free(ids->arena);
	free(ids);
}

static bool plausible(uint32_t id, size_t announced)
{
	return id && id < announced * SPARSE_FACTOR + SPARSE_SLACK;
}

static nt_text_ref keep_text(struct nt_heap *heap, const char *text, size_t length)
{
	return length < PACKED_LEAST ? nt_heap_add(heap, text, length) : nt_heap_add_packed(heap, text, length);
}

static void announce_text(struct nt_ids *ids, nt_str id, const char *text, size_t length, struct nt_heap *heap)
{
	if (!plausible(id, ids->texts_announced))
		return;
	if (id >= ids->text_count) {
		ids->texts = nt_grow(ids->texts, &ids->text_capacity, (size_t)id + 1, sizeof(*ids->texts));
		memset(ids->texts + ids->text_count, 0, (id + 1 - ids->text_count) * sizeof(*ids->texts));
		ids->text_count = (size_t)id + 1;
	}
	ids->texts[id] = keep_text(heap, text, length);
	ids->texts_announced++;
}

/* A chain like this one, with addresses and room for frames of its own. */
static struct nt_chain *new_chain(struct nt_ids *ids, const struct nt_chain *like)
{
	size_t bytes = like->count * sizeof(*like->addresses);
	struct nt_chain *chain = nt_arena_alloc(ids->arena, sizeof(*chain));
	uint64_t *addresses = nt_arena_alloc(ids->arena, bytes);
	*chain = *like;
	chain->ids = ids;
	chain->twin = NULL;
	chain->addresses = memcpy(addresses, like->addresses, bytes);
	chain->frames = nt_arena_alloc(ids->arena, like->count * sizeof(*chain->frames));
	if (like->frame_count)
		memcpy(chain->frames, like->frames, like->frame_count * sizeof(*chain->frames));
	if (like->whole)
		chain->whole = memcpy(nt_arena_alloc(ids->arena, like->count * sizeof(*chain->whole)), like->whole,
				      like->whole_count * sizeof(*chain->whole));
	return chain;
}

static void announce_chain(struct nt_ids *ids, const struct nt_batch_stack *stack, const uint64_t *addresses)
{
	if (!plausible(stack->id, ids->chains_announced) || !stack->count || nt_arena_bytes(ids->arena) > CHAINS_BYTES)
		return;
	if (stack->id >= ids->chain_count) {
		size_t count = (size_t)stack->id + 1;
		ids->chains = nt_grow(ids->chains, &ids->chain_capacity, count, sizeof(struct nt_chain *));
		memset(ids->chains + ids->chain_count, 0, (count - ids->chain_count) * sizeof(struct nt_chain *));
		ids->chain_count = count;
	}
	if (ids->chains[stack->id])
		return; /* samples may refer to it: the first word counts */
	uint16_t kernel_count = stack->kernel_count < stack->count ? stack->kernel_count : stack->count;
	ids->chains[stack->id] =
		new_chain(ids, &(struct nt_chain){ .addresses = addresses, .count = stack->count, .kernel_count = kernel_count });
	ids->chains_announced++;
}

void nt_ids_announce(struct nt_ids *ids, const struct nt_batch *batch, struct nt_heap *heap)
{
	for (size_t i = 0; i < batch->str_count; i++) {
		const struct nt_batch_str *str = &batch->strs[i];
		if (str->offset <= batch->byte_count && str->length <= batch->byte_count - str->offset)
			announce_text(ids, str->id, batch->bytes + str->offset, str->length, heap);
	}
	for (size_t i = 0; i < batch->stack_count; i++) {
		const struct nt_batch_stack *stack = &batch->stacks[i];
		if (stack->offset <= batch->address_count && stack->count <= batch->address_count - stack->offset)
			announce_chain(ids, stack, batch->addresses + stack->offset);
	}
}

struct nt_ids *nt_ids_copy(const struct nt_ids *from, const struct nt_heap *from_heap, struct nt_heap *heap)
{
	struct nt_ids *ids = nt_ids_new(from->epoch);
	ids->texts_announced = from->texts_announced;
	ids->chains_announced = from->chains_announced;
	ids->texts = nt_grow(NULL, &ids->text_capacity, from->text_count, sizeof(*ids->texts));
	ids->chains = nt_grow(NULL, &ids->chain_capacity, from->chain_count, sizeof(struct nt_chain *));
	ids->text_count = from->text_count;
	ids->chain_count = from->chain_count;
	for (size_t i = 0; i < from->text_count; i++) {
		size_t length;
		const char *text = nt_heap_get(from_heap, from->texts[i], &length);
		ids->texts[i] = keep_text(heap, text, length);
	}
	for (size_t i = 0; i < from->chain_count; i++) {
		const struct nt_chain *chain = from->chains[i];
		ids->chains[i] = chain ? new_chain(ids, &(struct nt_chain){ .addresses = chain->addresses,
									    .count = chain->count,
									    .kernel_count = chain->kernel_count })
				       : NULL;
	}
	return ids;
}

nt_text_ref nt_ids_text(const struct nt_ids *ids, nt_str id)
{
	return ids && id < ids->text_count ? ids->texts[id] : 0;
}

struct nt_chain *nt_ids_chain(const struct nt_ids *ids, nt_stack id)
{
	return ids && id < ids->chain_count ? ids->chains[id] : NULL;
}

/* Most stacks are of one kind of samples. */
struct nt_chain *nt_ids_chain_of(struct nt_ids *ids, nt_stack id, unsigned kind)
{
	struct nt_chain *chain = nt_ids_chain(ids, id), *last = chain;
	if (chain && !chain->user)
		chain->user = (uint8_t)(kind + 1);
	for (; chain && chain->user != kind + 1; chain = chain->twin)
		last = chain;
	if (chain || !last)
		return chain;
	last->twin = new_chain(ids, &(struct nt_chain){ .addresses = last->addresses,
							.count = last->count,
							.kernel_count = last->kernel_count,
							.user = (uint8_t)(kind + 1) });
	return last->twin;
}

struct nt_chain *nt_ids_adopt(struct nt_ids *ids, const struct nt_chain *like)
{
	return new_chain(ids, &(struct nt_chain){ .addresses = like->addresses,
						  .count = like->count,
						  .kernel_count = like->kernel_count,
						  .cut = like->cut,
						  .user = like->user });
}

void *nt_ids_begin_packing(struct nt_ids *ids)
{
	struct nt_arena *before = ids->arena;
	free(ids->texts);
	free(ids->chains);
	ids->texts = NULL;
	ids->chains = NULL;
	ids->text_count = ids->text_capacity = ids->chain_count = ids->chain_capacity = 0;
	ids->arena = nt_arena_new();
	ids->packed = true;
	return before;
}

struct nt_chain *nt_ids_keep(struct nt_chain *chain)
{
	if (!chain->moved)
		chain->moved = new_chain(chain->ids, chain);
	return chain->moved;
}

void nt_ids_end_packing(void *before)
{
	nt_arena_free(before);
}

void nt_ids_each_ref(struct nt_ids *ids, nt_ref_visit *visit, void *context)
{
	for (size_t i = 0; i < ids->text_count; i++)
		visit(&ids->texts[i], context);
}
