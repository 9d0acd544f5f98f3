/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Paths that begin alike, stored once: a prefix tree with a weight at each node. Bounded: what weighs least goes first, and its weight stays with
 * the node that it was below.
 */
#ifndef NT_MODEL_TRIE_H
#define NT_MODEL_TRIE_H

#include "base/index.h"

#include <stdbool.h>

#define NT_TRIE_ROOT UINT32_MAX /* the caller of the first node of a path */

struct nt_trie_node {
	uint32_t parent; /* smaller than its own number, or NT_TRIE_ROOT */
	uint32_t label;
	double self; /* weight of the paths that end here */
	double cut;  /* weight of the paths that ended below and are not told apart any more */
};

struct nt_trie {
	struct nt_trie_node *nodes; /* owned; a node comes after its parent */
	uint32_t count, limit;
	size_t capacity;
	double cut;              /* of the root */
	struct nt_index by_edge; /* (parent, label) -> node */
	uint32_t generation;     /* changes when nodes get other numbers. Never 0 */
};

/* limit: of the nodes; at least the length of the longest path. */
void nt_trie_init(struct nt_trie *trie, uint32_t limit);
void nt_trie_fini(struct nt_trie *trie);

/* Are there so many nodes left? */
bool nt_trie_has_room(const struct nt_trie *trie, uint32_t nodes);

/*
 * Give up what weighs least, a quarter of the nodes. All get other numbers: returned is, for each number before, the one now. Of a node that was given up it is that of the next one above it
 * that was not, with NT_TRIE_EVICTED; NT_TRIE_ROOT where none is left. The caller's: free() it.
 */
#define NT_TRIE_EVICTED (UINT32_C(1) << 31)
uint32_t *nt_trie_evict(struct nt_trie *trie);

/* Give up what weighs less than `least` and keep nothing of it. All get other numbers. */
void nt_trie_prune(struct nt_trie *trie, double least);

/* The node below `parent` (or NT_TRIE_ROOT) with this label, made when new: there must be room. Adds nothing to it. */
uint32_t nt_trie_child(struct nt_trie *trie, uint32_t parent, uint32_t label);

/* Everything weighs less. */
void nt_trie_decay(struct nt_trie *trie, double factor);

/* Weight of each node with all below it. The caller's: free() it. NULL when there is no node. */
double *nt_trie_totals(const struct nt_trie *trie);

#endif
