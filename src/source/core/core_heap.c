// SPDX-License-Identifier: GPL-2.0-only
#include "base/alloc.h"
#include "base/text.h"
#include "decode/contract/contract_heap.h"
#include "decode/names/method_name.h"
#include "decode/names/type_full.h"
#include "source/core/core_source_internal.h"

#include <inttypes.h>
#include <stdio.h>

/* More are not believed. */
enum { TYPES_MAX = 1 << 18 };

static enum nt_status refuse(const struct nt_core_dump *dump, enum nt_contract_heap_result result, struct nt_error *err)
{
	static const char *const reasons[NT_CONTRACT_HEAP_RESULTS] = {
		[NT_CONTRACT_HEAP_UNDESCRIBED] = "its runtime does not describe its objects as that of .NET 10 does",
		[NT_CONTRACT_HEAP_NOT_FOUND] =
			"what its collector says of its regions is not in the core, or of another version than that of .NET 10",
		[NT_CONTRACT_HEAP_SEGMENTS] = "its collector has no regions (clrgc.so), and nettop knows no other",
		[NT_CONTRACT_HEAP_IN_MOTION] = "a collection was at work when it was written: objects are not in order",
		[NT_CONTRACT_HEAP_MISSING] =
			"the core does not have the memory of the heap, or not all that leads to it: a full dump has, and one with heap",
	};
	const char *reason = result == NT_CONTRACT_HEAP_UNDESCRIBED && *dump->no_managed ? dump->no_managed : reasons[result];
	nt_error_set(err, NT_ERR_UNSUPPORTED, "the heap of this core cannot be read: %s", reason);
	nt_error_set_fix(err, "dotnet-dump analyze FILE, then dumpheap -stat");
	return NT_ERR_UNSUPPORTED;
}

static const char *name_of(const struct nt_reader_record *record)
{
	char raw[NT_READER_TYPE_MAX + 1], shown[NT_METHOD_NAME_MAX];
	size_t length = nt_text_escape(record->name, record->objects.length, raw, sizeof(raw));
	if (length)
		nt_type_full_show((struct nt_slice){ raw, length }, shown, sizeof(shown));
	else
		snprintf(shown, sizeof(shown), "[type 0x%" PRIx64 "]", record->objects.type);
	return nt_strdup(shown);
}

static void add_type(struct nt_heap_found *heap, size_t *capacity, const struct nt_reader_record *record)
{
	const struct nt_reader_objects *said = &record->objects;
	heap->types = nt_grow(heap->types, capacity, heap->type_count + 1, sizeof(*heap->types));
	heap->types[heap->type_count++] =
		(struct nt_heap_type){ .id = said->type, .name = name_of(record), .count = said->count, .bytes = said->bytes };
	heap->object_count += said->count;
	heap->bytes += said->bytes;
}

static struct nt_heap_found *begin(const struct nt_reader_heaped *said)
{
	struct nt_heap_found *heap = nt_alloc(sizeof(*heap));
	heap->partial = said->read_bytes < said->of_bytes;
	heap->came_pct = said->of_bytes ? 100.0 * (double)said->read_bytes / (double)said->of_bytes : 0;
	heap->statics_partial = true;
	heap->pause_ns = heap->took_ns = NT_TIME_UNKNOWN;
	return heap;
}

enum nt_status nt_core_dump_read_heap(struct nt_core_dump *dump, struct nt_error *err)
{
	const struct nt_reader_heap ask = { .what = NT_READER_HEAP };
	struct nt_reader_record record;
	size_t capacity = 0;
	enum nt_status status = nt_core_dump_say(dump, &ask, sizeof(ask), NULL, 0, err);
	if (status == NT_OK)
		status = nt_core_dump_hear(dump, &record, err);
	if (status == NT_OK && record.what != NT_READER_HEAPED)
		status = nt_core_dump_gone(err);
	if (status == NT_OK && record.heaped.result != NT_CONTRACT_HEAP_READ)
		status = refuse(dump, (enum nt_contract_heap_result)record.heaped.result, err);
	if (status != NT_OK)
		return status;
	dump->heap = begin(&record.heaped);
	while ((status = nt_core_dump_hear(dump, &record, err)) == NT_OK && record.what == NT_READER_OBJECTS &&
	       dump->heap->type_count < TYPES_MAX)
		add_type(dump->heap, &capacity, &record);
	return status == NT_OK && record.what != NT_READER_END ? nt_core_dump_gone(err) : status;
}

struct nt_heap_found *nt_core_dump_take_heap(struct nt_core_dump *dump)
{
	struct nt_heap_found *heap = dump->heap;
	dump->heap = NULL;
	return heap;
}
