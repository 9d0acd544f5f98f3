// SPDX-License-Identifier: GPL-2.0-only
#include "decode/heap/gcdump_read.h"

#include "base/alloc.h"
#include "base/text.h"
#include "decode/common/reader.h"
#include "decode/heap/gcdump_names.h"

#include <limits.h>
#include <stdlib.h>

/* What stands before a value, and what ends an object. */
enum tag { TAG_NULL = 1, TAG_REFERENCE = 2, TAG_OBJECT = 4, TAG_PRIVATE = 5, TAG_END = 6, TAG_BYTE = 8, TAG_SKIP = 12, TAG_STRING = 13 };

enum { VERSION_LEAST = 9, VERSION_MOST = 10, GRAPH_VERSION_MOST = 1, TYPE_LEAST_BYTES = 12 };

static const char signature[] = "!FastSerialization.1";
static const char broken[] = "it is cut off, or no .gcdump file";

struct string {
	const char *text; /* borrowed; NULL = null */
	size_t length;
};

static struct string take_string(struct nt_reader *reader)
{
	int32_t length = nt_reader_i32(reader);
	if (length == -1)
		return (struct string){ 0 };
	reader->bad |= length < 0;
	const uint8_t *text = nt_reader_bytes(reader, reader->bad ? 0 : (size_t)length);
	return (struct string){ text ? (const char *)text : "", text ? (size_t)length : 0 };
}

/* A count of things of so many bytes, which have to be there. */
static uint32_t take_count(struct nt_reader *reader, size_t bytes)
{
	int32_t count = nt_reader_i32(reader);
	if (count < 0 || (size_t)count > nt_reader_left(reader) / bytes)
		reader->bad = true;
	return reader->bad ? 0 : (uint32_t)count;
}

/* The begin of an object of this type, up to its first field. */
static bool begin_object(struct nt_reader *reader, const char *type, int32_t *version, int32_t *least)
{
	uint8_t object = nt_reader_u8(reader), of = nt_reader_u8(reader), none = nt_reader_u8(reader);
	*version = nt_reader_i32(reader);
	*least = nt_reader_i32(reader);
	struct string name = take_string(reader);
	uint8_t end = nt_reader_u8(reader);
	return !reader->bad && (object == TAG_OBJECT || object == TAG_PRIVATE) && (of == TAG_OBJECT || of == TAG_PRIVATE) &&
	       none == TAG_NULL && end == TAG_END && name.text && name.length == strlen(type) && memcmp(name.text, type, name.length) == 0;
}

/* ---- the graph ---- */

struct layout {
	uint32_t type_count, node_count;
	int32_t *type_sizes;      /* owned */
	const uint8_t *places;    /* of nodes in the blob, 4 bytes each */
	struct nt_reader blob;    /* all of it */
	const uint8_t *addresses; /* NULL = not as many as nodes */
};

/* Seven bits a byte, the most significant first, the first one with the sign. */
static int32_t take_compressed(struct nt_reader *reader)
{
	enum { BYTES_MAX = 5, SIGN = 0x40, MORE = 0x80, VALUE = 0x7f };
	uint8_t byte = nt_reader_u8(reader);
	int64_t value = (int64_t)(byte & VALUE) - (byte & SIGN ? 0x80 : 0);
	for (unsigned i = 1; byte & MORE && i < BYTES_MAX; i++) {
		byte = nt_reader_u8(reader);
		value = value * 0x80 + (byte & VALUE);
	}
	/* The fifth byte has four bits that do not fit any more. */
	return (int32_t)(uint32_t)(uint64_t)value;
}

static struct nt_reader node_at(const struct layout *layout, uint32_t node)
{
	uint32_t place;
	memcpy(&place, layout->places + (size_t)node * sizeof(place), sizeof(place));
	struct nt_reader at = layout->blob;
	nt_reader_bytes(&at, place);
	return at;
}

static bool take_types(struct nt_reader *reader, struct layout *layout, struct nt_heap_graph *graph)
{
	layout->type_count = take_count(reader, TYPE_LEAST_BYTES);
	layout->type_sizes = nt_realloc(NULL, (size_t)layout->type_count + 1, sizeof(*layout->type_sizes));
	graph->types = nt_alloc(((size_t)layout->type_count + 1) * sizeof(*graph->types));
	for (uint32_t i = 0; i < layout->type_count; i++) {
		struct string name = take_string(reader);
		layout->type_sizes[i] = nt_reader_i32(reader);
		take_string(reader); /* module */
		if (reader->bad || !name.text)
			return false;
		graph->types[i].name = nt_gcdump_type_name(name.text, name.length, &graph->types[i].is_root);
		graph->type_count = i + 1;
	}
	return true;
}

static bool take_layout(struct nt_reader *reader, struct layout *layout, struct nt_heap_graph *graph)
{
	nt_reader_u64(reader); /* total size */
	int32_t root = nt_reader_i32(reader);
	if (!take_types(reader, layout, graph))
		return false;
	layout->node_count = take_count(reader, sizeof(uint32_t));
	layout->places = nt_reader_bytes(reader, layout->node_count * sizeof(uint32_t));
	uint32_t blob = take_count(reader, 1);
	layout->blob = nt_reader_of(nt_reader_bytes(reader, blob), blob);
	if (reader->bad || root < 0 || (uint32_t)root >= layout->node_count || layout->node_count > NT_HEAP_NODES_MAX)
		return false;
	graph->root = (uint32_t)root;
	uint32_t addresses = take_count(reader, sizeof(uint64_t));
	const uint8_t *all = nt_reader_bytes(reader, addresses * sizeof(uint64_t));
	layout->addresses = addresses == layout->node_count ? all : NULL;
	return !reader->bad;
}

/* What stands before the references of a node. False: it is none. */
static bool take_node(const struct layout *layout, struct nt_reader *at, uint32_t *type, int32_t *bytes, uint32_t *references)
{
	int32_t what = take_compressed(at);
	*type = (uint32_t)what >> 1;
	if (at->bad || what < 0 || *type >= layout->type_count)
		return false;
	*bytes = what & 1 ? take_compressed(at) : layout->type_sizes[*type];
	int32_t count = take_compressed(at);
	/* Each reference takes a byte. */
	if (at->bad || count < 0 || (size_t)count > nt_reader_left(at))
		return false;
	*bytes = *bytes < 0 ? 0 : *bytes;
	*references = (uint32_t)count;
	return true;
}

/* Types, sizes, and how many references there are. Nodes may share their bytes; those of a program do not, so together they have no more references than the blob has bytes. */
static bool take_nodes(const struct layout *layout, struct nt_heap_graph *graph)
{
	uint64_t references = 0;
	graph->count = layout->node_count;
	graph->type_of = nt_realloc(NULL, graph->count, sizeof(*graph->type_of));
	graph->bytes = nt_realloc(NULL, graph->count, sizeof(*graph->bytes));
	graph->first_edge = nt_realloc(NULL, (size_t)graph->count + 1, sizeof(*graph->first_edge));
	for (uint32_t i = 0; i < graph->count; i++) {
		struct nt_reader at = node_at(layout, i);
		int32_t bytes;
		uint32_t count;
		if (!take_node(layout, &at, &graph->type_of[i], &bytes, &count))
			return false;
		graph->bytes[i] = graph->types[graph->type_of[i]].is_root ? 0 : (uint32_t)bytes;
		graph->first_edge[i] = (uint32_t)references;
		references += count;
		if (references > (size_t)(layout->blob.end - layout->blob.at))
			return false;
	}
	graph->first_edge[graph->count] = (uint32_t)references;
	return true;
}

static bool take_edges(const struct layout *layout, struct nt_heap_graph *graph)
{
	graph->edges = nt_realloc(NULL, (size_t)graph->first_edge[graph->count] + 1, sizeof(*graph->edges));
	for (uint32_t i = 0; i < graph->count; i++) {
		struct nt_reader at = node_at(layout, i);
		uint32_t type, count;
		int32_t bytes;
		take_node(layout, &at, &type, &bytes, &count);
		for (uint32_t j = 0; j < count; j++) {
			int64_t to = (int64_t)i + take_compressed(&at);
			if (at.bad || to < 0 || to >= graph->count)
				return false;
			graph->edges[graph->first_edge[i] + j] = (uint32_t)to;
		}
	}
	return true;
}

static struct nt_heap_graph *take_graph(struct nt_reader *reader, uint64_t graph_bytes, const char **why)
{
	struct nt_heap_graph *graph = nt_alloc(sizeof(*graph));
	struct layout layout = { 0 };
	bool good = take_layout(reader, &layout, graph);
	if (good && nt_heap_graph_memory(layout.node_count, (size_t)(layout.blob.end - layout.blob.at)) > graph_bytes) {
		*why = "it has more objects and references than fit into the memory that nettop may take";
		good = false;
	}
	good = good && take_nodes(&layout, graph) && take_edges(&layout, graph);
	free(layout.type_sizes);
	if (good)
		return graph;
	nt_heap_graph_free(graph);
	return NULL;
}

/* ---- rows ---- */

static void add_types(struct nt_heap_found *heap)
{
	const struct nt_heap_graph *graph = heap->graph;
	struct nt_heap_type *rows = nt_alloc((graph->type_count + 1) * sizeof(*rows));
	for (uint32_t i = 0; i < graph->count; i++) {
		struct nt_heap_type *row = &rows[graph->type_of[i]];
		if (graph->types[graph->type_of[i]].is_root)
			continue;
		row->count++;
		row->bytes += graph->bytes[i];
		heap->object_count++;
		heap->bytes += graph->bytes[i];
	}
	for (size_t i = 0; i < graph->type_count; i++) {
		if (!rows[i].count)
			continue;
		rows[heap->type_count] = rows[i];
		rows[heap->type_count++].name = nt_strdup(graph->types[i].name);
	}
	heap->types = rows;
}

/* dotnet-gcdump and PerfView put the type of the object in the place of the class, which they do not know. */
static void settle_owner(struct nt_heap_graph_type *root, char **owner, const char *field, const char *object_type)
{
	if (!*owner || strcmp(*owner, object_type) != 0)
		return;
	free(*owner);
	*owner = NULL;
	free(root->name);
	root->name = nt_format("static %s", field);
}

/* A node may stand for several fields of one name, of which nothing is known apart. */
static void add_statics(struct nt_heap_found *heap)
{
	const struct nt_heap_graph *graph = heap->graph;
	size_t capacity = 0;
	for (uint32_t i = 0; i < graph->count; i++) {
		struct nt_heap_graph_type *type = &graph->types[graph->type_of[i]];
		uint32_t first = graph->first_edge[i], objects = graph->first_edge[i + 1] - first;
		char *owner, *field;
		if (!type->is_root || !objects || !nt_gcdump_static(type->name, &owner, &field))
			continue;
		uint32_t to = graph->edges[first];
		const char *object_type = graph->types[graph->type_of[to]].name;
		settle_owner(type, &owner, field, object_type);
		if (objects > 1) {
			free(owner);
			free(field);
			continue;
		}
		heap->statics = nt_grow(heap->statics, &capacity, heap->static_count + 1, sizeof(*heap->statics));
		heap->statics[heap->static_count++] = (struct nt_heap_static){ .field = field,
									       .owner = owner,
									       .type = nt_strdup(object_type),
									       .bytes = graph->bytes[to],
									       .bytes_known = true,
									       .node = i };
	}
}

/* ---- the file ---- */

/* Behind the graph. What of it is of a form that is not known is not there: it tells of the process, not of its heap. */
static void take_rest(struct nt_reader *reader, struct nt_gcdump *out)
{
	static const int64_t ticks_to_1970 = INT64_C(621355968000000000), ns_of_tick = 100;
	nt_reader_u8(reader);  /* 64 bits */
	nt_reader_u64(reader); /* two factors of samples */
	uint8_t script = nt_reader_u8(reader), segments = nt_reader_u8(reader);
	take_string(reader); /* log */
	int64_t ticks = (int64_t)nt_reader_u64(reader);
	take_string(reader); /* machine */
	struct string process = take_string(reader);
	int32_t pid = nt_reader_i32(reader);
	nt_reader_u64(reader); /* memory of the process, twice */
	nt_reader_u64(reader);
	uint32_t factors = take_count(reader, sizeof(float));
	nt_reader_bytes(reader, factors * sizeof(float));
	if (reader->bad || script != TAG_NULL || segments != TAG_NULL)
		return;
	out->process = process.text && process.length ? nt_text_escaped(process.text, process.length) : NULL;
	out->pid = pid > 0 ? (uint64_t)pid : 0;
	bool skipped = nt_reader_u8(reader) == TAG_SKIP && (nt_reader_u32(reader), nt_reader_u8(reader)) == TAG_NULL;
	struct string tool = skipped && nt_reader_u8(reader) == TAG_STRING ? take_string(reader) : (struct string){ 0 };
	bool ours = !reader->bad && tool.text && tool.length == 6 && memcmp(tool.text, "nettop", 6) == 0;
	out->heap->graph->fields_apart = ours;
	if (ours && ticks > ticks_to_1970 && ticks - ticks_to_1970 < INT64_MAX / ns_of_tick)
		out->time_unix_ns = (ticks - ticks_to_1970) * ns_of_tick;
}

/* The end of the graph: tagged fields, of which one is known. */
static bool end_graph(struct nt_reader *reader)
{
	uint8_t tag = nt_reader_u8(reader);
	if (tag == TAG_BYTE) {
		nt_reader_u8(reader);
		tag = nt_reader_u8(reader);
	}
	return tag == TAG_END && !reader->bad;
}

bool nt_gcdump_read(const uint8_t *bytes, size_t length, uint64_t graph_bytes, struct nt_gcdump *out, const char **why)
{
	struct nt_reader reader = nt_reader_of(bytes, length);
	struct string sign = take_string(&reader);
	int32_t version, least, graph_version, graph_least;
	*out = (struct nt_gcdump){ 0 };
	*why = broken;
	if (!sign.text || sign.length != strlen(signature) || memcmp(sign.text, signature, sign.length) != 0 ||
	    !begin_object(&reader, "GCHeapDump", &version, &least))
		return false;
	if (version < VERSION_LEAST || least > VERSION_MOST) {
		*why = "it is of a version that is not known";
		return false;
	}
	if (!begin_object(&reader, "Graphs.MemoryGraph", &graph_version, &graph_least))
		return false;
	if (graph_least > 0) {
		*why = "its types are named in other files";
		return false;
	}
	struct nt_heap_graph *graph = take_graph(&reader, graph_bytes, why);
	if (!graph)
		return false;
	out->heap = nt_alloc(sizeof(*out->heap));
	out->heap->graph = graph;
	out->heap->came_pct = 100;
	out->heap->pause_ns = out->heap->took_ns = NT_TIME_UNKNOWN;
	out->heap->stream_bytes = length;
	add_types(out->heap);
	add_statics(out->heap);
	if (end_graph(&reader))
		take_rest(&reader, out);
	return true;
}

void nt_gcdump_fini(struct nt_gcdump *dump)
{
	nt_heap_found_free(dump->heap);
	free(dump->process);
	*dump = (struct nt_gcdump){ 0 };
}
