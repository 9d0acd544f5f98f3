/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a full collection tells of the heap when a session asks for it (ClrEtwAll.man, provider Microsoft-Windows-DotNETRuntime): types, objects, references, roots, static fields. Each event
 * has many of its kind, which are read one by one.
 */
#ifndef NT_DECODE_HEAP_EVENTS_H
#define NT_DECODE_HEAP_EVENTS_H

#include "decode/common/reader.h"

enum nt_heap_event_id {
	NT_HEAP_GC_START = 1,
	NT_HEAP_GC_END = 2,
	NT_HEAP_SUSPEND = 9,   /* GCSuspendEEBegin */
	NT_HEAP_RESTARTED = 3, /* GCRestartEEEnd */
	NT_HEAP_TYPES = 15,    /* BulkType */
	NT_HEAP_ROOTS = 16,    /* GCBulkRootEdge */
	NT_HEAP_PAIRS = 17,    /* GCBulkRootConditionalWeakTableElementEdge */
	NT_HEAP_NODES = 18,    /* GCBulkNode */
	NT_HEAP_EDGES = 19,    /* GCBulkEdge */
	NT_HEAP_STATICS = 38,  /* GCBulkRootStaticVar */
	NT_HEAP_THREAD = 85    /* ThreadCreated */
};

/* GC, types, objects of the heap, names of types; of threads; and what makes the runtime collect and tell: GCHeapCollect. */
#define NT_HEAP_KEYWORDS        UINT64_C(0x1180001)
#define NT_HEAP_THREAD_KEYWORD  UINT64_C(0x10000)
#define NT_HEAP_COLLECT_KEYWORD UINT64_C(0x800000)

/* The entries of one event. */
struct nt_heap_entries {
	struct nt_reader reader;
	uint32_t left;  /* entries that are to be read still */
	uint32_t index; /* not of types and fields: the number of this event among those of its kind in its walk, without gaps */
};

struct nt_heap_type_entry {
	uint64_t id, module;
	const uint8_t *name; /* UTF-16LE, unaligned; borrowed from the payload */
	size_t name_units;
	bool is_array;            /* of the type that the only argument is; its own name is empty then */
	unsigned rank;            /* of such an array; 0 = of one dimension that begins at 0 */
	const uint8_t *arguments; /* of a generic type: ids, 8 bytes each, unaligned */
	uint32_t argument_count;
};

struct nt_heap_node_entry {
	uint64_t address, bytes, type;
	uint64_t references; /* how many of the edges are its own: those behind the edges of the object before */
};

enum nt_heap_root_kind { NT_HEAP_ROOT_STACK, NT_HEAP_ROOT_FINALIZER, NT_HEAP_ROOT_HANDLE, NT_HEAP_ROOT_OTHER, NT_HEAP_ROOT_KINDS };

struct nt_heap_root_entry {
	uint64_t object;
	enum nt_heap_root_kind kind; /* what is beyond those that are known is OTHER */
	bool is_weak;                /* it does not keep the object */
};

/* A value that lives as long as its key (ConditionalWeakTable). */
struct nt_heap_pair_entry {
	uint64_t key, value;
};

struct nt_heap_static_entry {
	uint64_t place;        /* where the field lies */
	uint64_t object, type; /* the object that it has, and its type */
	const uint8_t *name;   /* as above */
	size_t name_units;
};

/* Begin to read an event: of types; of static fields; of one of the others. */
struct nt_heap_entries nt_heap_types_begin(const uint8_t *payload, size_t length);
struct nt_heap_entries nt_heap_numbered_begin(const uint8_t *payload, size_t length);
struct nt_heap_entries nt_heap_statics_begin(const uint8_t *payload, size_t length);

/* The next entry; false: there is none any more, or the payload breaks its layout (entries->reader.bad). */
bool nt_heap_type_next(struct nt_heap_entries *entries, struct nt_heap_type_entry *out);
bool nt_heap_edge_next(struct nt_heap_entries *entries, uint64_t *object);
bool nt_heap_root_next(struct nt_heap_entries *entries, struct nt_heap_root_entry *out);
bool nt_heap_pair_next(struct nt_heap_entries *entries, struct nt_heap_pair_entry *out);
bool nt_heap_static_next(struct nt_heap_entries *entries, struct nt_heap_static_entry *out);

/*
 * Of objects there are as many as there are: inlined, and one look whether all of an entry is there.
 */
static inline bool nt_heap_node_next(struct nt_heap_entries *entries, struct nt_heap_node_entry *out)
{
	uint64_t words[4];
	const uint8_t *bytes = entries->left ? nt_reader_bytes(&entries->reader, sizeof(words)) : NULL;
	if (!bytes)
		return false;
	entries->left--;
	memcpy(words, bytes, sizeof(words));
	*out = (struct nt_heap_node_entry){ .address = words[0], .bytes = words[1], .type = words[2], .references = words[3] };
	return true;
}

/* Is this GCStart of a full blocking collection that somebody asked for? */
bool nt_heap_is_asked_collection(const uint8_t *payload, size_t length, uint32_t *number);

#endif
