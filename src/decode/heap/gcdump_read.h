/* SPDX-License-Identifier: GPL-2.0-only */
/* Room decode/heap: heaps in files of other tools. */
/*
 * A .gcdump file, as dotnet-gcdump and PerfView write it and nettop does: the objects of a heap and what each refers to (microsoft/perfview: FastSerialization.cs, graph.cs, MemoryGraph.cs, GCHeapDump.cs). In it is an object GCHeapDump
 * of versions 9 and 10, which has an object Graphs.MemoryGraph of versions 0 and 1:
 *
 *   total size i64, root i32, types (count i32; each: name, size i32, module), nodes (count i32; place of each in the blob, u32), blob (length i32, bytes), addresses (count i32, u64 each), then tagged fields
 *
 * Strings are their length in bytes, i32, and that many bytes; -1 = null. A node is compressed integers: type * 2, + 1 when its size follows and is not that of its type; how many references; each as the distance to the node that it
 * leads to. Not read: graphs of more than 2^31 nodes, and types whose names are in other files (deferred types of Project N).
 */
#ifndef NT_DECODE_GCDUMP_READ_H
#define NT_DECODE_GCDUMP_READ_H

#include "nettop/heap_found.h"

struct nt_gcdump {
	struct nt_heap_found *
		heap; /* owned; with its graph (whose fields are apart where nettop wrote it), and rows of types and static fields made of that. Of what cannot be known nothing: no pause, no address of a field */
	char *process;        /* owned; NULL = not told */
	uint64_t pid;         /* 0 = not told */
	int64_t time_unix_ns; /* 0 = not told: others than nettop write it in a time zone that they do not name */
};

/*
 * Pure. `graph_bytes`: memory that the graph may take, and a look at it (nt_heap_graph_memory()). On success *out is the caller's, to be ended with nt_gcdump_fini(). False: *why is the reason, half a sentence, static.
 */
bool nt_gcdump_read(const uint8_t *bytes, size_t length, uint64_t graph_bytes, struct nt_gcdump *out, const char **why);
void nt_gcdump_fini(struct nt_gcdump *dump);

#endif
