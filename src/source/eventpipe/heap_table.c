// SPDX-License-Identifier: GPL-2.0-only
#include "source/eventpipe/heap_table.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "base/index.h"
#include "base/text.h"
#include "decode/clr/clr.h"
#include "decode/eventpipe/heap_events.h"
#include "decode/names/method_name.h"
#include "decode/names/type_full.h"
#include "source/eventpipe/heap_reference_events.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a stream may make us keep. Beyond it types have no names of their own, and static fields are not listed. */
enum {
	TYPES_MAX = 1 << 18,
	STATICS_MAX = 1 << 16,
	MODULES_MAX = 4096,
	NAMES_MAX_BYTES = 16 << 20, /* as the runtime writes them, */
	SHOWN_MAX_BYTES = 32 << 20, /* and as they are shown */
	ARGUMENTS_MAX = 16,
	DEPTH_MAX = 8,
	STOPS_MAX = 64
};

/* For what is asked of each object: which type, and whether a static field has it. Both fit into the caches nearest to a CPU. */
enum { RECENT_BITS = 10, MAYBE_BITS = 16, BITS_OF_BYTE = 8 };

struct type {
	uint64_t id, count, bytes;
	char *name;          /* as the runtime writes it, owned; NULL = not told (yet) */
	uint64_t *arguments; /* owned */
	uint32_t argument_count;
	unsigned rank;
	bool is_array;
};

struct field {
	char *name; /* owned */
	uint64_t place, object, type, bytes;
	bool bytes_known;
};

struct nt_heap_table {
	struct type *types; /* owned */
	size_t type_count, type_capacity;
	struct nt_index type_of; /* by id */
	struct {
		uint64_t id;
		uint32_t next;      /* its place and one: 0 = none yet */
	} recent[1 << RECENT_BITS]; /* types asked for lately, by a hash of their id */
	size_t name_bytes, shown_bytes;
	struct nt_index module_of; /* by their number */
	uint64_t *modules;         /* owned */
	size_t module_count, module_capacity;
	struct nt_heap_reference_events edges; /* owned */
	struct field *fields;                  /* owned */
	size_t field_count, field_capacity;
	struct nt_index field_of;                        /* by the address of its object */
	uint8_t maybe[(1 << MAYBE_BITS) / BITS_OF_BYTE]; /* a bit for a hash of such an address: where it is 0, no field has the object */
	uint64_t events, objects, bytes;
	uint32_t newest_index; /* of the events with objects */
	bool any_event;
	bool begun_to_come, fields_lost, lost;
	/* The collection that we asked for. Another one may follow, which somebody else has asked for. */
	uint32_t number;
	bool begun, ended;
	nt_time begin_time, end_time;
	nt_time suspended[STOPS_MAX], restarted[STOPS_MAX]; /* of all collections meanwhile */
	size_t suspended_count, restarted_count;
};

/* ---- types ---- */

static uint32_t hash_of(uint64_t id, unsigned bits)
{
	return (uint32_t)(nt_hash_number(id) >> (64 - bits));
}

/* Behind what was asked for lately. */
static __attribute__((noinline)) uint32_t find_type(struct nt_heap_table *table, uint64_t id)
{
	uint32_t at = nt_index_get(&table->type_of, id);
	if (at == NT_INDEX_NONE) {
		if (table->type_count == TYPES_MAX)
			id = 0; /* all others */
		at = nt_index_get(&table->type_of, id);
	}
	if (at == NT_INDEX_NONE) {
		table->types = nt_grow(table->types, &table->type_capacity, table->type_count + 1, sizeof(*table->types));
		at = (uint32_t)table->type_count++;
		table->types[at] = (struct type){ .id = id };
		nt_index_put(&table->type_of, id, at);
	}
	return at;
}

static struct type *type_of(struct nt_heap_table *table, uint64_t id)
{
	uint32_t place = hash_of(id, RECENT_BITS);
	if (!table->recent[place].next || table->recent[place].id != id) {
		table->recent[place].next = find_type(table, id) + 1;
		table->recent[place].id = id;
	}
	return &table->types[table->recent[place].next - 1];
}

static char *keep_text(struct nt_heap_table *table, const uint8_t *units, size_t count)
{
	size_t size = 3 * count + 1;
	if (count > NT_METHOD_NAME_MAX || table->name_bytes + size > NAMES_MAX_BYTES)
		return NULL;
	table->name_bytes += size;
	char *text = nt_alloc(size);
	nt_utf16_to_utf8(units, count, text, size);
	return text;
}

static void keep_arguments(struct nt_heap_table *table, struct type *type, const struct nt_heap_type_entry *entry)
{
	size_t size = entry->argument_count * sizeof(*type->arguments);
	if (!size || entry->argument_count > ARGUMENTS_MAX || table->name_bytes + size > NAMES_MAX_BYTES)
		return;
	table->name_bytes += size;
	type->arguments = nt_realloc(NULL, entry->argument_count, sizeof(*type->arguments));
	memcpy(type->arguments, entry->arguments, size);
	type->argument_count = entry->argument_count;
}

static void note_module(struct nt_heap_table *table, uint64_t module)
{
	if (!module || table->module_count == MODULES_MAX || nt_index_get(&table->module_of, module) != NT_INDEX_NONE)
		return;
	nt_index_put(&table->module_of, module, (uint32_t)table->module_count);
	table->modules = nt_grow(table->modules, &table->module_capacity, table->module_count + 1, sizeof(*table->modules));
	table->modules[table->module_count++] = module;
}

static void take_types(struct nt_heap_table *table, const struct nt_nettrace_event *event)
{
	struct nt_heap_type_entry entry;
	struct nt_heap_entries entries = nt_heap_types_begin(event->payload, event->payload_length);
	while (nt_heap_type_next(&entries, &entry)) {
		struct type *type = type_of(table, entry.id);
		note_module(table, entry.module);
		if (type->name || type->arguments || !type->id)
			continue;
		type->is_array = entry.is_array;
		type->rank = entry.rank;
		type->name = entry.name_units ? keep_text(table, entry.name, entry.name_units) : NULL;
		keep_arguments(table, type, &entry);
	}
	table->lost |= entries.reader.bad;
}

/* ---- objects and fields ---- */

/* Is it of a later collection, which somebody else has asked for? What other threads wrote may come late, so times decide. */
static bool is_behind(const struct nt_heap_table *table, const struct nt_nettrace_event *event)
{
	return table->ended && event->time > table->end_time;
}

static __attribute__((noinline)) void note_size(struct nt_heap_table *table, const struct nt_heap_node_entry *entry)
{
	uint32_t at = nt_index_get(&table->field_of, entry->address);
	if (at == NT_INDEX_NONE)
		return;
	table->fields[at].bytes = entry->bytes;
	table->fields[at].bytes_known = true;
}

static void note_node(struct nt_heap_table *table, const struct nt_heap_node_entry *entry, uint32_t type)
{
	const struct nt_heap_node node = { .address = entry->address, .bytes = entry->bytes, .references = entry->references };
	nt_heap_references_node(table->edges.references, &node, type);
}

static void take_nodes(struct nt_heap_table *table, const struct nt_nettrace_event *event)
{
	struct nt_heap_node_entry entry;
	struct nt_heap_entries entries = nt_heap_numbered_begin(event->payload, event->payload_length);
	if (is_behind(table, event))
		return;
	table->events++;
	if (!table->any_event || entries.index > table->newest_index)
		table->newest_index = entries.index;
	table->any_event = true;
	while (nt_heap_node_next(&entries, &entry)) {
		struct type *type = type_of(table, entry.type);
		type->count++;
		type->bytes += entry.bytes;
		table->objects++;
		table->bytes += entry.bytes;
		if (table->edges.references)
			note_node(table, &entry, (uint32_t)(type - table->types));
		uint32_t bit = hash_of(entry.address, MAYBE_BITS);
		if (table->maybe[bit / BITS_OF_BYTE] >> bit % BITS_OF_BYTE & 1)
			note_size(table, &entry);
	}
	table->lost |= entries.reader.bad;
}

static void note_field(struct nt_heap_table *table, uint64_t object, uint32_t at)
{
	uint32_t bit = hash_of(object, MAYBE_BITS);
	table->maybe[bit / BITS_OF_BYTE] |= (uint8_t)(1u << bit % BITS_OF_BYTE);
	nt_index_put(&table->field_of, object, at);
}

static void take_statics(struct nt_heap_table *table, const struct nt_nettrace_event *event)
{
	struct nt_heap_static_entry entry;
	struct nt_heap_entries entries = nt_heap_statics_begin(event->payload, event->payload_length);
	while (!is_behind(table, event) && nt_heap_static_next(&entries, &entry)) {
		char *name = table->field_count < STATICS_MAX ? keep_text(table, entry.name, entry.name_units) : NULL;
		if (!entry.object || !name) {
			table->fields_lost |= entry.object && !name;
			free(name);
			continue;
		}
		table->fields = nt_grow(table->fields, &table->field_capacity, table->field_count + 1, sizeof(*table->fields));
		/* One object may be in several fields: the last one has its size, and the others get it at the end. */
		note_field(table, entry.object, (uint32_t)table->field_count);
		table->fields[table->field_count++] =
			(struct field){ .name = name, .place = entry.place, .object = entry.object, .type = entry.type };
	}
	table->fields_lost |= entries.reader.bad;
}

/* ---- the collection ---- */

static void take_start(struct nt_heap_table *table, const struct nt_nettrace_event *event)
{
	uint32_t number;
	if (!table->begun && nt_heap_is_asked_collection(event->payload, event->payload_length, &number)) {
		table->begun = true;
		table->number = number;
		table->begin_time = event->time;
	}
}

static void take_end(struct nt_heap_table *table, const struct nt_nettrace_event *event)
{
	struct nt_reader reader = nt_reader_of(event->payload, event->payload_length);
	if (table->begun && nt_reader_u32(&reader) == table->number && !reader.bad && !table->ended) {
		table->ended = true;
		table->end_time = event->time;
	}
}

static void note_stop(nt_time stops[STOPS_MAX], size_t *count, nt_time time)
{
	if (*count < STOPS_MAX)
		stops[(*count)++] = time;
}

/* From the last stop before its begin to the first restart behind its end. */
static nt_time pause_of(const struct nt_heap_table *table)
{
	nt_time stopped = NT_TIME_UNKNOWN, restarted = NT_TIME_UNKNOWN;
	for (size_t i = 0; i < table->suspended_count; i++)
		if (table->suspended[i] <= table->begin_time && (stopped == NT_TIME_UNKNOWN || table->suspended[i] > stopped))
			stopped = table->suspended[i];
	for (size_t i = 0; i < table->restarted_count; i++)
		if (table->restarted[i] >= table->end_time && table->restarted[i] < restarted)
			restarted = table->restarted[i];
	return !table->ended || stopped == NT_TIME_UNKNOWN || restarted == NT_TIME_UNKNOWN ? NT_TIME_UNKNOWN : restarted - stopped;
}

static void take_event(void *context, const struct nt_nettrace_event *event)
{
	struct nt_heap_table *table = context;
	table->begun_to_come = true;
	if (strcmp(event->meta->provider, NT_CLR_PROVIDER) != 0)
		return;
	switch (event->meta->id) {
	case NT_HEAP_TYPES:
		take_types(table, event);
		break;
	case NT_HEAP_NODES:
		take_nodes(table, event);
		break;
	case NT_HEAP_EDGES:
	case NT_HEAP_ROOTS:
	case NT_HEAP_PAIRS:
		if (table->edges.references && !is_behind(table, event))
			nt_heap_references_event(&table->edges, event->meta->id, event->payload, event->payload_length);
		break;
	case NT_HEAP_STATICS:
		take_statics(table, event);
		break;
	case NT_HEAP_GC_START:
		take_start(table, event);
		break;
	case NT_HEAP_GC_END:
		take_end(table, event);
		break;
	case NT_HEAP_SUSPEND:
		note_stop(table->suspended, &table->suspended_count, event->time);
		break;
	case NT_HEAP_RESTARTED:
		note_stop(table->restarted, &table->restarted_count, event->time);
		break;
	default:
		break;
	}
}

static void take_loss(void *context, const struct nt_nettrace_lost *lost)
{
	struct nt_heap_table *table = context;
	table->lost |= lost->count > 0;
}

struct nt_nettrace_sink nt_heap_table_sink(struct nt_heap_table *table)
{
	return (struct nt_nettrace_sink){ .context = table, .event = take_event, .lost = take_loss };
}

struct nt_heap_table *nt_heap_table_new(uint64_t graph_bytes)
{
	struct nt_heap_table *table = nt_alloc(sizeof(*table));
	table->edges.references = graph_bytes ? nt_heap_references_of_events(graph_bytes) : NULL;
	return table;
}

void nt_heap_table_free(struct nt_heap_table *table)
{
	if (!table)
		return;
	for (size_t i = 0; i < table->type_count; i++) {
		free(table->types[i].name);
		free(table->types[i].arguments);
	}
	for (size_t i = 0; i < table->field_count; i++)
		free(table->fields[i].name);
	free(table->types);
	free(table->fields);
	nt_index_fini(&table->type_of);
	nt_index_fini(&table->field_of);
	nt_index_fini(&table->module_of);
	free(table->modules);
	nt_heap_references_free(table->edges.references);
	free(table);
}

bool nt_heap_table_has_begun(const struct nt_heap_table *table)
{
	return table->begun_to_come;
}

uint64_t nt_heap_table_count(const struct nt_heap_table *table)
{
	return table->objects;
}

/* ---- names ---- */

struct text {
	char *at;
	size_t left; /* with the NUL */
};

static void put(struct text *text, const char *words)
{
	size_t length = strlen(words);
	if (length >= text->left)
		length = text->left - 1;
	memcpy(text->at, words, length);
	text->at += length;
	text->left -= length;
	*text->at = '\0';
}

static void put_raw(const struct nt_heap_table *table, uint64_t id, unsigned depth, struct text *text);

static void put_array(const struct nt_heap_table *table, const struct type *type, unsigned depth, struct text *text)
{
	put_raw(table, type->arguments[0], depth + 1, text);
	put(text, "[");
	for (unsigned i = 1; i < type->rank; i++)
		put(text, ",");
	put(text, "]");
}

/* In the spelling of the runtime, of which type_full.h makes what people write. */
static void put_raw(const struct nt_heap_table *table, uint64_t id, unsigned depth, struct text *text)
{
	char unknown[32];
	/* Types may have each other as arguments: what is full goes no further. */
	if (text->left <= 1)
		return;
	uint32_t at = depth < DEPTH_MAX ? nt_index_get(&table->type_of, id) : NT_INDEX_NONE;
	const struct type *type = at != NT_INDEX_NONE ? &table->types[at] : NULL;
	if (type && type->is_array && type->argument_count == 1) {
		put_array(table, type, depth, text);
		return;
	}
	if (!type || !type->name) {
		snprintf(unknown, sizeof(unknown), id ? "?0x%" PRIx64 : "?", id);
		put(text, unknown);
		return;
	}
	put(text, type->name);
	if (!type->argument_count || strchr(type->name, '['))
		return;
	for (uint32_t i = 0; i < type->argument_count; i++) {
		put(text, i ? "," : "[");
		put_raw(table, type->arguments[i], depth + 1, text);
	}
	put(text, "]");
}

static char *name_of(struct nt_heap_table *table, uint64_t id)
{
	char raw[NT_METHOD_NAME_MAX], shown[NT_METHOD_NAME_MAX];
	struct text text = { raw, sizeof(raw) };
	put_raw(table, id, table->shown_bytes < SHOWN_MAX_BYTES ? 0 : DEPTH_MAX, &text);
	nt_type_full_show((struct nt_slice){ raw, strlen(raw) }, shown, sizeof(shown));
	table->shown_bytes += strlen(shown);
	return nt_text_escaped(shown, strlen(shown));
}

/* ---- the end ---- */

static int by_field(const void *a, const void *b)
{
	const struct nt_heap_static *left = a, *right = b;
	int order = strcmp(left->field, right->field);
	return order ? order : strcmp(left->type, right->type);
}

/* rows[i] becomes the row of type i. */
static void take_over_types(struct nt_heap_table *table, struct nt_heap_found *heap, uint32_t *rows)
{
	heap->types = nt_realloc(NULL, table->type_count + 1, sizeof(*heap->types));
	for (size_t i = 0; i < table->type_count; i++) {
		const struct type *type = &table->types[i];
		rows[i] = (uint32_t)heap->type_count;
		if (type->count)
			heap->types[heap->type_count++] = (struct nt_heap_type){
				.id = type->id, .name = name_of(table, type->id), .count = type->count, .bytes = type->bytes
			};
	}
}

static void take_over_statics(struct nt_heap_table *table, struct nt_heap_found *heap)
{
	heap->statics = nt_realloc(NULL, table->field_count + 1, sizeof(*heap->statics));
	for (size_t i = 0; i < table->field_count; i++) {
		const struct field *field = &table->fields[i];
		heap->statics[heap->static_count++] = (struct nt_heap_static){ .field = nt_text_escaped(field->name, strlen(field->name)),
									       .place = field->place,
									       .object = field->object,
									       .type_id = field->type,
									       .type = name_of(table, field->type),
									       .bytes = field->bytes,
									       .bytes_known = field->bytes_known };
	}
	qsort(heap->statics, heap->static_count, sizeof(*heap->statics), by_field);
}

struct nt_heap_found *nt_heap_table_finish(struct nt_heap_table *table)
{
	struct nt_heap_found *heap = nt_alloc(sizeof(*heap));
	uint64_t told = table->any_event ? (uint64_t)table->newest_index + 1 : 0;
	uint32_t *rows = nt_realloc(NULL, table->type_count + 1, sizeof(*rows));
	take_over_types(table, heap, rows);
	take_over_statics(table, heap);
	heap->modules = table->modules;
	heap->module_count = table->module_count;
	table->modules = NULL;
	table->module_count = table->module_capacity = 0;
	heap->object_count = table->objects;
	heap->bytes = table->bytes;
	/* A number that comes twice is not the runtime's word. */
	heap->came_pct = told ? 100.0 * (double)(table->events < told ? table->events : told) / (double)told : 0;
	/* Another loss may be of types alone, whose objects have no name then, or of the last objects. */
	heap->partial = heap->came_pct < 100 || !table->ended || table->lost;
	heap->statics_partial = table->fields_lost || table->lost;
	heap->pause_ns = pause_of(table);
	heap->took_ns = NT_TIME_UNKNOWN;
	if (table->edges.references)
		nt_heap_references_finish(table->edges.references, rows, heap);
	free(rows);
	return heap;
}
