// SPDX-License-Identifier: GPL-2.0-only
#include "base/alloc.h"
#include "base/index.h"
#include "base/text.h"
#include "decode/contract/contract_heap.h"
#include "decode/names/method_name.h"
#include "decode/names/type_full.h"
#include "source/common/heap_references.h"
#include "source/core/core_source_internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* ---- what is told ---- */

/* A row of a type that has not come yet: no node has it, some have. */
enum { ROW_NONE = UINT32_MAX, ROW_WANTED = UINT32_MAX - 1 };

static const char *const root_kinds[NT_READER_ROOT_KINDS] = {
	[NT_READER_ROOT_STACK] = "stacks of threads (~, words that look like references)",
	[NT_READER_ROOT_FINALIZER] = "waits for its finalizer",
	[NT_READER_ROOT_HANDLE] = "handles",
	[NT_READER_ROOT_THREAD] = "fields of threads ([ThreadStatic])",
};

static const struct nt_heap_root_names root_names = { .names = root_kinds,
						      .count = NT_READER_ROOT_KINDS,
						      .doubtful = NT_READER_ROOT_STACK };

struct taking {
	struct nt_heap_found *heap;            /* borrowed; its types and static fields grow */
	struct nt_heap_references *references; /* owned; NULL = they were not asked for */
	uint32_t *rows;                        /* owned; of types, by the number that nodes have */
	size_t type_capacity, static_capacity;
	bool roots_whole, statics_whole;
};

/* False: of more types than are believed. */
static bool add_type(struct taking *taking, const struct nt_reader_record *record)
{
	const struct nt_reader_objects *said = &record->objects;
	struct nt_heap_found *heap = taking->heap;
	if (heap->type_count == NT_READER_OBJECT_TYPES)
		return false;
	heap->types = nt_grow(heap->types, &taking->type_capacity, heap->type_count + 1, sizeof(*heap->types));
	taking->rows[said->number] = (uint32_t)heap->type_count;
	heap->types[heap->type_count++] =
		(struct nt_heap_type){ .id = said->type, .name = name_of(record), .count = said->count, .bytes = said->bytes };
	heap->object_count += said->count;
	heap->bytes += said->bytes;
	return true;
}

/* False: of a type that cannot be. */
static bool add_nodes(struct taking *taking, const struct nt_reader_record *record)
{
	struct nt_reader_node node;
	for (uint32_t i = 0; i < record->list.count; i++) {
		memcpy(&node, record->bytes + i * sizeof(node), sizeof(node));
		if (node.type >= NT_READER_OBJECT_TYPES)
			return false;
		const struct nt_heap_node told = { .address = node.address, .bytes = node.bytes, .references = node.references };
		nt_heap_references_node(taking->references, &told, node.type);
		taking->rows[node.type] = ROW_WANTED;
	}
	return true;
}

static uint64_t word_at(const struct nt_reader_record *record, uint32_t place)
{
	uint64_t word;
	memcpy(&word, record->bytes + place * sizeof(word), sizeof(word));
	return word;
}

static void add_words(struct taking *taking, const struct nt_reader_record *record)
{
	uint32_t count = record->list.count;
	for (uint32_t i = 0; i < count && record->what == NT_READER_EDGES; i++)
		nt_heap_references_edge(taking->references, word_at(record, i));
	for (uint32_t i = 0; i < count && record->what == NT_READER_ROOTS; i++)
		nt_heap_references_root(taking->references, word_at(record, i), record->list.kind);
	for (uint32_t i = 0; i + 1 < count && record->what == NT_READER_PAIRS; i += 2)
		nt_heap_references_pair(taking->references, word_at(record, i), word_at(record, i + 1));
}

/* As people write it; what is not known is NULL. */
static const char *owner_of(const struct nt_reader_record *record)
{
	char raw[NT_READER_TYPE_MAX + 1], shown[NT_METHOD_NAME_MAX];
	size_t length = nt_text_escape(record->name, record->field.owner_length, raw, sizeof(raw));
	nt_type_full_show((struct nt_slice){ raw, length }, shown, sizeof(shown));
	return length ? nt_strdup(shown) : NULL;
}

/* Likewise of static fields. */
static bool add_static(struct taking *taking, const struct nt_reader_record *record)
{
	const struct nt_reader_field *said = &record->field;
	struct nt_heap_found *heap = taking->heap;
	if (heap->static_count == NT_READER_STATICS_MAX)
		return false;
	heap->statics = nt_grow(heap->statics, &taking->static_capacity, heap->static_count + 1, sizeof(*heap->statics));
	heap->statics[heap->static_count++] =
		(struct nt_heap_static){ .field = nt_text_escaped(record->name + said->owner_length, said->name_length),
					 .owner = owner_of(record),
					 .place = said->place,
					 .object = said->object,
					 .type_id = said->type,
					 .bytes = said->bytes,
					 .bytes_known = true };
	return true;
}

static bool take_record(struct taking *taking, const struct nt_reader_record *record)
{
	switch (record->what) {
	case NT_READER_NODES:
		return taking->references && add_nodes(taking, record);
	case NT_READER_EDGES:
	case NT_READER_ROOTS:
	case NT_READER_PAIRS:
		if (taking->references)
			add_words(taking, record);
		return taking->references;
	case NT_READER_OBJECTS:
		return add_type(taking, record);
	case NT_READER_FIELD:
		return add_static(taking, record);
	case NT_READER_ROOTED:
		taking->roots_whole = record->rooted.roots_whole;
		taking->statics_whole = record->rooted.statics_whole;
		return true;
	default:
		return false;
	}
}

/* ---- the end ---- */

static int by_field(const void *a, const void *b)
{
	const struct nt_heap_static *left = a, *right = b;
	int order = strcmp(left->field, right->field);
	return order ? order : strcmp(left->type, right->type);
}

/* Their objects are in the heap, so their types are among those that there are. */
static void name_statics(struct nt_heap_found *heap)
{
	struct nt_index row_of = { 0 };
	for (size_t i = 0; i < heap->type_count; i++)
		nt_index_put(&row_of, heap->types[i].id, (uint32_t)i);
	for (size_t i = 0; i < heap->static_count; i++) {
		uint32_t row = nt_index_get(&row_of, heap->statics[i].type_id);
		heap->statics[i].type = row != NT_INDEX_NONE ? nt_strdup(heap->types[row].name) : nt_strdup("?");
	}
	nt_index_fini(&row_of);
	if (heap->static_count)
		qsort(heap->statics, heap->static_count, sizeof(*heap->statics), by_field);
}

/* False: objects came of a type that did not. */
static bool finish(struct taking *taking)
{
	struct nt_heap_found *heap = taking->heap;
	name_statics(heap);
	if (taking->references && heap->partial) {
		heap->no_graph = "a part of it is not one object behind the other, and what lies there nobody knows";
	} else if (taking->references && !taking->roots_whole) {
		heap->no_graph =
			"what keeps its objects alive (handles, stacks) is not all in the core, or has not the form that it has in .NET 10";
	} else if (taking->references) {
		for (size_t i = 0; i < NT_READER_OBJECT_TYPES; i++)
			if (taking->rows[i] == ROW_WANTED)
				return false;
		nt_heap_references_finish(taking->references, taking->rows, heap);
	}
	heap->statics_partial = !taking->statics_whole;
	nt_heap_found_name_graph(heap);
	return true;
}

static struct taking begin(uint64_t graph_bytes)
{
	struct taking taking = { .heap = nt_alloc(sizeof(*taking.heap)),
				 .references = graph_bytes ? nt_heap_references_new(graph_bytes, &root_names) : NULL,
				 .rows = nt_realloc(NULL, NT_READER_OBJECT_TYPES, sizeof(*taking.rows)) };
	taking.heap->pause_ns = taking.heap->took_ns = NT_TIME_UNKNOWN;
	for (size_t i = 0; i < NT_READER_OBJECT_TYPES; i++)
		taking.rows[i] = ROW_NONE;
	return taking;
}

static enum nt_status take_result(struct nt_core_dump *dump, struct nt_heap_found *heap, const struct nt_reader_heaped *said,
				  struct nt_error *err)
{
	if (said->result != NT_CONTRACT_HEAP_READ)
		return refuse(dump, (enum nt_contract_heap_result)said->result, err);
	heap->partial = said->read_bytes < said->of_bytes;
	heap->came_pct = said->of_bytes ? 100.0 * (double)said->read_bytes / (double)said->of_bytes : 0;
	return NT_OK;
}

static enum nt_status take_all(struct nt_core_dump *dump, struct taking *taking, struct nt_error *err)
{
	const struct nt_reader_heap ask = { .what = NT_READER_HEAP, .references = taking->references != NULL };
	struct nt_reader_record record = { 0 };
	bool result = false;
	enum nt_status status = nt_core_dump_say(dump, &ask, sizeof(ask), NULL, 0, err);
	while (status == NT_OK && (status = nt_core_dump_hear(dump, &record, err)) == NT_OK && record.what != NT_READER_END) {
		if (record.what == NT_READER_HEAPED)
			status = take_result(dump, taking->heap, &record.heaped, err);
		else if (!take_record(taking, &record))
			status = nt_core_dump_gone(err);
		result |= record.what == NT_READER_HEAPED;
	}
	return status == NT_OK && (!result || !finish(taking)) ? nt_core_dump_gone(err) : status;
}

enum nt_status nt_core_dump_read_heap(struct nt_core_dump *dump, uint64_t graph_bytes, struct nt_error *err)
{
	struct taking taking = begin(graph_bytes);
	enum nt_status status = take_all(dump, &taking, err);
	nt_heap_references_free(taking.references);
	free(taking.rows);
	dump->heap = taking.heap;
	return status;
}

struct nt_heap_found *nt_core_dump_take_heap(struct nt_core_dump *dump)
{
	struct nt_heap_found *heap = dump->heap;
	dump->heap = NULL;
	return heap;
}
