/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What would be garbage without a node: the objects that every path from the root leads to through it, its dominators' tree (Georgiadis, Tarjan and Werneck, Finding dominators in practice, 2006: Semi-NCA). Exact. An object that two
 * static fields hold is held by neither of them alone.
 */
#ifndef NT_MODEL_HEAP_HELD_H
#define NT_MODEL_HEAP_HELD_H

#include "nettop/heap_graph.h"

struct nt_heap_held {
	uint64_t count, bytes; /* of objects, the node among them if it is one */
};

/*
 * Fills held[i] for nodes[0..count). False: it would take longer than such a graph takes (a made-up one may be of that form); then nothing is known. A node that no path leads to holds nothing.
 */
bool nt_heap_held_by(const struct nt_heap_graph *graph, const uint32_t *nodes, size_t count, struct nt_heap_held *held);

#endif
