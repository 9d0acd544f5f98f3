// SPDX-License-Identifier: GPL-2.0-only
#include "output/heap/gcdump_write.h"

#include "base/alloc.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum tag { TAG_NULL = 1, TAG_OBJECT = 4, TAG_END = 6, TAG_BYTE = 8, TAG_SKIP = 12, TAG_STRING = 13 };

/* As others have it: what of a version may be read by whom. */
enum { VERSION = 10, VERSION_LEAST = 8, GRAPH_VERSION = 1, GRAPH_VERSION_LEAST = 0, COMPRESSED_MAX = 5 };

struct writer {
	FILE *out;
	uint64_t length; /* so far */
};

static void put(struct writer *writer, const void *bytes, size_t size)
{
	fwrite(bytes, 1, size, writer->out);
	writer->length += size;
}

static void put_u8(struct writer *writer, uint8_t value)
{
	put(writer, &value, sizeof(value));
}

static void put_i32(struct writer *writer, int32_t value)
{
	put(writer, &value, sizeof(value));
}

static void put_i64(struct writer *writer, int64_t value)
{
	put(writer, &value, sizeof(value));
}

/* NULL is null. */
static void put_string(struct writer *writer, const char *text)
{
	size_t length = text ? strlen(text) : 0;
	put_i32(writer, text ? (int32_t)length : -1);
	put(writer, text ? text : "", length);
}

static void begin_object(struct writer *writer, const char *type, int32_t version, int32_t least)
{
	put_u8(writer, TAG_OBJECT);
	put_u8(writer, TAG_OBJECT); /* its type, which has none of its own */
	put_u8(writer, TAG_NULL);
	put_i32(writer, version);
	put_i32(writer, least);
	put_string(writer, type);
	put_u8(writer, TAG_END);
}

/* ---- names ---- */

static const struct word {
	const char *shown, *name;
} words[] = { { "bool", "Boolean" },  { "byte", "Byte" },     { "sbyte", "SByte" },  { "char", "Char" },     { "short", "Int16" },
	      { "ushort", "UInt16" }, { "int", "Int32" },     { "uint", "UInt32" },  { "long", "Int64" },    { "ulong", "UInt64" },
	      { "nint", "IntPtr" },   { "nuint", "UIntPtr" }, { "float", "Single" }, { "double", "Double" }, { "decimal", "Decimal" },
	      { "string", "String" }, { "object", "Object" } };

static const char *name_of_word(const char *text, size_t length)
{
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strlen(words[i].shown) == length && memcmp(words[i].shown, text, length) == 0)
			return words[i].name;
	return NULL;
}

static bool is_of_name(char c)
{
	return isalnum((unsigned char)c) || c == '.' || c == '_' || (unsigned char)c >= 0x80;
}

/* As the readers of such files expect it: System.Int32 for int, no blanks; roots in brackets, "[static var Shop.Cache.s_items]". */
static void put_type_name(struct writer *writer, const struct nt_heap_graph_type *type)
{
	static const char shown[] = "static ", written[] = "static var ", space[] = "System.";
	enum { LONGER = 5 /* System.Int32 for int, and what is around it */ };
	bool is_static = type->is_root && strncmp(type->name, shown, sizeof(shown) - 1) == 0;
	const char *at = type->name + (is_static ? sizeof(shown) - 1 : 0);
	char *text = nt_realloc(NULL, strlen(at) + sizeof(written) + 2, LONGER), *end = text;
	if (type->is_root)
		*end++ = '[';
	if (is_static)
		end = stpcpy(end, written);
	while (*at) {
		size_t word = 0;
		while (is_of_name(at[word]))
			word++;
		const char *name = type->is_root ? NULL : name_of_word(at, word);
		if (name)
			end = stpcpy(stpcpy(end, space), name);
		else
			end = mempcpy(end, at, word);
		at += word;
		if (*at && (type->is_root || *at != ' '))
			*end++ = *at;
		at += *at != '\0';
	}
	if (type->is_root)
		*end++ = ']';
	*end = '\0';
	put_string(writer, text);
	free(text);
}

/* ---- nodes ---- */

/* Returns how many bytes it has. */
static size_t compress(int32_t value, uint8_t bytes[COMPRESSED_MAX])
{
	enum { BITS = 7, VALUE = 0x7f, MORE = 0x80 };
	size_t count = 1;
	/* So many that the highest bit of the first one is its sign. */
	while (count < COMPRESSED_MAX && (value < -(INT64_C(1) << (BITS * count - 1)) || value >= INT64_C(1) << (BITS * count - 1)))
		count++;
	for (size_t i = 0; i < count; i++) {
		int64_t part = (int64_t)value >> (BITS * (count - 1 - i));
		bytes[i] = (uint8_t)((part & VALUE) | (i + 1 < count ? MORE : 0));
	}
	return count;
}

struct sizes {
	const struct nt_heap_graph *graph;
	int32_t *of_type; /* owned: of the first node of each; -1 = it has none */
};

static int32_t bytes_of(const struct nt_heap_graph *graph, uint32_t node)
{
	return graph->bytes[node] > INT32_MAX ? INT32_MAX : (int32_t)graph->bytes[node];
}

static void find_sizes(struct sizes *sizes)
{
	const struct nt_heap_graph *graph = sizes->graph;
	sizes->of_type = nt_realloc(NULL, graph->type_count + 1, sizeof(*sizes->of_type));
	for (size_t i = 0; i < graph->type_count; i++)
		sizes->of_type[i] = -1;
	for (uint32_t i = 0; i < graph->count; i++)
		if (sizes->of_type[graph->type_of[i]] < 0)
			sizes->of_type[graph->type_of[i]] = bytes_of(graph, i);
}

/* A node's bytes to `writer`; NULL = they are counted only. Returns how many they are. */
static uint64_t put_node(const struct sizes *sizes, uint32_t node, struct writer *writer)
{
	const struct nt_heap_graph *graph = sizes->graph;
	uint8_t bytes[COMPRESSED_MAX];
	int32_t size = bytes_of(graph, node);
	uint32_t type = graph->type_of[node], first = graph->first_edge[node], last = graph->first_edge[node + 1];
	bool own = size != sizes->of_type[type];
	const int32_t head[] = { (int32_t)(type << 1 | own), size, (int32_t)(last - first) };
	uint64_t length = 0;
	for (int i = 0; i < 3; i++) {
		size_t count = i == 1 && !own ? 0 : compress(head[i], bytes);
		if (writer)
			put(writer, bytes, count);
		length += count;
	}
	for (uint32_t edge = first; edge < last; edge++) {
		size_t count = compress((int32_t)((int64_t)graph->edges[edge] - node), bytes);
		if (writer)
			put(writer, bytes, count);
		length += count;
	}
	return length;
}

static uint64_t blob_length(const struct sizes *sizes)
{
	uint64_t length = 0;
	for (uint32_t i = 0; i < sizes->graph->count; i++)
		length += put_node(sizes, i, NULL);
	return length;
}

static void put_graph(struct writer *writer, const struct nt_heap_graph *graph, uint64_t total_bytes)
{
	struct sizes sizes = { .graph = graph };
	uint64_t place = 0;
	find_sizes(&sizes);
	begin_object(writer, "Graphs.MemoryGraph", GRAPH_VERSION, GRAPH_VERSION_LEAST);
	put_i64(writer, (int64_t)total_bytes);
	put_i32(writer, (int32_t)graph->root);
	put_i32(writer, (int32_t)graph->type_count);
	for (size_t i = 0; i < graph->type_count; i++) {
		put_type_name(writer, &graph->types[i]);
		put_i32(writer, sizes.of_type[i]);
		put_string(writer, NULL); /* module */
	}
	put_i32(writer, (int32_t)graph->count);
	for (uint32_t i = 0; i < graph->count; i++) {
		put_i32(writer, (int32_t)(uint32_t)place);
		place += put_node(&sizes, i, NULL);
	}
	put_i32(writer, (int32_t)place);
	for (uint32_t i = 0; i < graph->count; i++)
		put_node(&sizes, i, writer);
	put_i32(writer, (int32_t)graph->count);
	for (uint32_t i = 0; i < graph->count; i++)
		put_i64(writer, graph->addresses ? (int64_t)graph->addresses[i] : 0);
	put_u8(writer, TAG_BYTE);
	put_u8(writer, 1); /* 64 bits */
	put_u8(writer, TAG_END);
	free(sizes.of_type);
}

/* ---- the file ---- */

const char *nt_gcdump_refusal(const struct nt_heap_report *report)
{
	const struct nt_heap_found *heap = report->heap;
	if (!heap->graph)
		return heap->no_graph ? heap->no_graph : "references were not asked for";
	struct sizes sizes = { .graph = heap->graph };
	find_sizes(&sizes);
	enum { OF_A_NODE = 12 /* its place, and its address */ };
	bool fits = blob_length(&sizes) + (uint64_t)heap->graph->count * OF_A_NODE <= INT32_MAX / 2;
	free(sizes.of_type);
	return fits ? NULL : "its references do not fit into a .gcdump file";
}

void nt_gcdump_write(FILE *out, const struct nt_heap_report *report)
{
	static const int64_t ticks_to_1970 = INT64_C(621355968000000000), ns_of_tick = 100;
	static const float whole = 1; /* no sample: each object stands for one */
	struct writer writer = { .out = out };
	put_string(&writer, "!FastSerialization.1");
	begin_object(&writer, "GCHeapDump", VERSION, VERSION_LEAST);
	put_graph(&writer, report->heap->graph, report->heap->bytes);
	put_u8(&writer, 1); /* 64 bits, once more */
	put(&writer, &whole, sizeof(whole));
	put(&writer, &whole, sizeof(whole));
	put_u8(&writer, TAG_NULL); /* no heap of scripts, */
	put_u8(&writer, TAG_NULL); /* no segments, */
	put_string(&writer, NULL); /* no log */
	put_i64(&writer, ticks_to_1970 + report->time_unix_ns / ns_of_tick);
	put_string(&writer, NULL); /* machine */
	put_string(&writer, report->name);
	put_i32(&writer, (int32_t)report->pid);
	put_i64(&writer, 0);
	put_i64(&writer, 0);
	put_i32(&writer, 0);
	put_u8(&writer, TAG_SKIP);
	put_i32(&writer, 0);
	put_u8(&writer, TAG_NULL);
	/* Where one may go on who does not read that object. */
	int32_t behind = (int32_t)(uint32_t)writer.length;
	put_u8(&writer, TAG_STRING);
	put_string(&writer, "nettop");
	put_u8(&writer, TAG_END);
	put_u8(&writer, TAG_END); /* of all objects */
	int32_t table = (int32_t)(uint32_t)writer.length;
	put_i32(&writer, 1);
	put_i32(&writer, behind);
	int32_t trailer = (int32_t)(uint32_t)writer.length;
	put_i32(&writer, table);
	put_i32(&writer, trailer);
}
