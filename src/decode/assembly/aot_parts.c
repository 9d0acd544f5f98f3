// SPDX-License-Identifier: GPL-2.0-only
#include "decode/assembly/aot_parts.h"

#include "base/alloc.h"
#include "decode/common/reader.h"

#include <stdlib.h>

enum { PART_BYTES = 9 /* flags, two distances */ };

struct nt_aot_blob nt_aot_parts_where(const struct nt_eh_data_list *functions)
{
	uint64_t first = UINT64_MAX, last = 0;
	for (size_t i = 0; i < functions->count; i++) {
		uint64_t data = functions->items[i].data;
		first = data < first ? data : first;
		last = data > last ? data : last;
	}
	if (!functions->count || last - first > SIZE_MAX - PART_BYTES)
		return (struct nt_aot_blob){ 0 };
	return (struct nt_aot_blob){ .size = (size_t)(last - first) + PART_BYTES, .address = first };
}

static int by_start(const void *a, const void *b)
{
	const struct nt_aot_part *first = a, *second = b;
	return first->start < second->start ? -1 : first->start > second->start;
}

void nt_aot_parts_read(const struct nt_eh_data_list *functions, const struct nt_aot_blob *data, struct nt_aot_parts *out)
{
	enum { KIND = 3, METHOD = 0 };
	size_t capacity = 0;
	*out = (struct nt_aot_parts){ 0 };
	for (size_t i = 0; i < functions->count; i++) {
		const struct nt_eh_data *function = &functions->items[i];
		uint64_t within = function->data - data->address;
		if (within >= data->size)
			continue;
		struct nt_reader reader = nt_reader_of(data->bytes + within, data->size - (size_t)within);
		unsigned kind = nt_reader_u8(&reader) & KIND;
		nt_reader_i32(&reader); /* to the method's data */
		int32_t distance = nt_reader_i32(&reader);
		if (kind == METHOD || reader.bad || distance <= 0)
			continue;
		out->items = nt_grow(out->items, &capacity, out->count + 1, sizeof(*out->items));
		out->items[out->count++] = (struct nt_aot_part){ function->start, function->start - (uint64_t)distance };
	}
	if (out->count)
		qsort(out->items, out->count, sizeof(*out->items), by_start);
}

uint64_t nt_aot_parts_method(const struct nt_aot_parts *parts, uint64_t start)
{
	const struct nt_aot_part wanted = { .start = start };
	const struct nt_aot_part *part = parts->count ? bsearch(&wanted, parts->items, parts->count, sizeof(wanted), by_start) : NULL;
	return part ? part->method : 0;
}
