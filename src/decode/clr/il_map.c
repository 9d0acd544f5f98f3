// SPDX-License-Identifier: GPL-2.0-only
#include "decode/clr/il_map.h"

#include "base/starts.h"
#include "decode/common/reader.h"

#include <stdlib.h>

enum nt_status nt_il_map_parse(const uint8_t *payload, size_t length, struct nt_il_map *out)
{
	struct nt_reader reader = nt_reader_of(payload, length);
	*out = (struct nt_il_map){ .method_id = nt_reader_u64(&reader), .rejit_id = nt_reader_u64(&reader) };
	nt_reader_u8(&reader); /* extent: 0 in all versions */
	out->count = nt_reader_u16(&reader);
	out->il_offsets = nt_reader_bytes(&reader, out->count * sizeof(uint32_t));
	out->native_offsets = nt_reader_bytes(&reader, out->count * sizeof(uint32_t));
	return reader.bad ? NT_ERR_MALFORMED : NT_OK;
}

static uint32_t word(const uint8_t *words, size_t index)
{
	uint32_t value;
	memcpy(&value, words + index * sizeof(value), sizeof(value));
	return value;
}

/* By address; of one address in the order of the map, which is in `size` until the end of each is known. */
static int compare(const void *a, const void *b)
{
	const struct nt_batch_place *x = a, *y = b;
	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return x->size < y->size ? -1 : x->size > y->size;
}

size_t nt_il_map_places(const struct nt_il_map *map, uint64_t start, uint32_t size, struct nt_batch_place *out)
{
	size_t there = 0, count = 0;
	for (uint32_t i = 0; i < map->count; i++) {
		uint32_t native = word(map->native_offsets, i);
		if (native < size)
			out[there++] = (struct nt_batch_place){ start + native, i, word(map->il_offsets, i) };
	}
	qsort(out, there, sizeof(*out), compare);
	for (size_t i = 0; i < there; i++)
		if (!count || out[i].start != out[count - 1].start)
			out[count++] = out[i];
	for (size_t i = 0; i < count; i++)
		out[i].size = (uint32_t)((i + 1 < count ? out[i + 1].start : start + size) - out[i].start);
	return count;
}

const struct nt_batch_place *nt_il_map_find(const struct nt_batch_place *places, size_t count, uint64_t address)
{
	size_t next = nt_starts_up_to(places, count, sizeof(*places), address);
	return next && address - places[next - 1].start < places[next - 1].size ? &places[next - 1] : NULL;
}
