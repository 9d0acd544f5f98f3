/* SPDX-License-Identifier: GPL-2.0-only */
/* The objects of a heap, summed up by type as they come in a stream: what is kept does not grow with the heap. */
#ifndef NT_SOURCE_HEAP_TABLE_H
#define NT_SOURCE_HEAP_TABLE_H

#include "decode/eventpipe/nettrace.h"
#include "nettop/heap_found.h"

struct nt_heap_table;

/* `graph_bytes`: memory that the graph of the heap may take (nettop/heap_graph.h); 0 = none is made. */
struct nt_heap_table *nt_heap_table_new(uint64_t graph_bytes);
void nt_heap_table_free(struct nt_heap_table *table); /* NULL is allowed */

/* Where its stream goes; borrows the table. */
struct nt_nettrace_sink nt_heap_table_sink(struct nt_heap_table *table);

/* Has anything come, whatever it is? Then whoever writes the stream is at work. */
bool nt_heap_table_has_begun(const struct nt_heap_table *table);

/* Objects so far. */
uint64_t nt_heap_table_count(const struct nt_heap_table *table);

/* All has come: what it is, the caller's. Each type of the runtime is a row, whatever its name, in no order, until nt_heap_found_join(). Times and bytes of the stream are for the caller to fill in, but for the pause. */
struct nt_heap_found *nt_heap_table_finish(struct nt_heap_table *table);

#endif
