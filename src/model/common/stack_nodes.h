/* SPDX-License-Identifier: GPL-2.0-only */
/* A prefix tree of call stacks (trie.h) as the snapshot has it (nettop/stacks.h). */
#ifndef NT_MODEL_STACK_NODES_H
#define NT_MODEL_STACK_NODES_H

#include "base/arena.h"
#include "model/common/trie.h"
#include "nettop/stacks.h"

/* What a label of the trie means: of a node at its root, or of another one. Called once for each. */
typedef struct nt_stack_frame nt_stack_frame_of(const void *context, uint32_t label, bool root);

/* Where the nodes of the trie have come to lie. */
struct nt_stack_places {
	uint32_t *of_node;     /* owned; by number in the trie. What was evicted below one is the next */
	uint32_t evicted_root; /* of what was evicted below none */
};

void nt_stack_places_fini(struct nt_stack_places *places);

/* Fill frames, nodes and their sums of `tree`, in `arena`. What weighs next to nothing is left out. */
void nt_stack_nodes_fill(const struct nt_trie *trie, nt_stack_frame_of *meaning, const void *context, struct nt_arena *arena,
			 struct nt_stack_tree *tree, struct nt_stack_places *places);

#endif
