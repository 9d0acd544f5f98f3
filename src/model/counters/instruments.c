// SPDX-License-Identifier: GPL-2.0-only
#include "model/counters/instruments.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "base/text.h"
#include "model/counters/counters.h"

#include <stdlib.h>

void nt_instruments_fini(struct nt_instruments *instruments)
{
	free(instruments->items);
	nt_index_fini(&instruments->by_id);
	*instruments = (struct nt_instruments){ 0 };
}

const char *nt_counter_keep(const struct nt_names *names, nt_text_ref ref)
{
	size_t length;
	const char *text = nt_heap_get(names->heap, ref, &length);
	return length ? nt_texts_intern(names->texts, text, nt_utf8_cut(text, length, NT_COUNTER_TEXT)) : NULL;
}

uint64_t nt_instrument_id(nt_text_ref provider, nt_text_ref name, uint32_t number, const struct nt_names *names)
{
	const nt_text_ref parts[] = { provider, name };
	uint64_t id = number;
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		size_t length;
		const char *text = nt_heap_get(names->heap, parts[i], &length);
		id = nt_hash_mix(id ^ nt_hash_bytes(text, length));
	}
	return id;
}

static struct nt_instrument *place_for(struct nt_instruments *instruments, uint64_t id)
{
	uint32_t index = nt_index_get(&instruments->by_id, id);
	if (index != NT_INDEX_NONE)
		return &instruments->items[index];
	if (instruments->count == NT_INSTRUMENTS) {
		instruments->count = 0;
		nt_index_fini(&instruments->by_id);
	}
	instruments->items = nt_grow(instruments->items, &instruments->capacity, instruments->count + 1, sizeof(*instruments->items));
	nt_index_put(&instruments->by_id, id, (uint32_t)instruments->count);
	return &instruments->items[instruments->count++];
}

void nt_instruments_said(struct nt_instruments *instruments, uint32_t number, const struct nt_instrument_texts *texts,
			 const struct nt_names *names)
{
	uint64_t id = nt_instrument_id(texts->provider, texts->name, number, names);
	*place_for(instruments, id) = (struct nt_instrument){ .id = id,
							      .description = nt_counter_keep(names, texts->description),
							      .tags = nt_counter_keep(names, texts->tags),
							      .meter_tags = nt_counter_keep(names, texts->meter_tags) };
}

void nt_instruments_describe(const struct nt_instruments *instruments, uint64_t id, struct nt_counter_row *row)
{
	uint32_t index = nt_index_get(&instruments->by_id, id);
	if (index == NT_INDEX_NONE)
		return;
	row->description = instruments->items[index].description;
	row->instrument_tags = instruments->items[index].tags;
	row->meter_tags = instruments->items[index].meter_tags;
}

void nt_instruments_each_text(const struct nt_instruments *instruments, nt_text_visit *visit, void *context)
{
	for (size_t i = 0; i < instruments->count; i++) {
		visit(instruments->items[i].description, context);
		visit(instruments->items[i].tags, context);
		visit(instruments->items[i].meter_tags, context);
	}
}
