// SPDX-License-Identifier: GPL-2.0-only
/* Which frames a flame graph folds into their callers. */
#include "output/stacks/stacks_layout.h"

#include "base/alloc.h"

#include <stdlib.h>

enum { CYCLE_MAX = 4 /* methods that call each other in turn */ };

static bool is_managed(const struct nt_stack_frame *frame)
{
	return frame->sort == NT_FRAME_CODE && (frame->kind == NT_CODE_JIT || frame->kind == NT_CODE_R2R);
}

static const struct nt_stack_frame *frame_of(const struct nt_stack_tree *tree, uint32_t node)
{
	return &tree->frames[tree->nodes[node].frame];
}

/* Code of one method; its tiers are several frames. */
static bool is_same(const struct nt_stack_tree *tree, uint32_t a, uint32_t b)
{
	const struct nt_stack_frame *x = frame_of(tree, a), *y = frame_of(tree, b);
	return x == y || (x->sort == NT_FRAME_CODE && y->sort == NT_FRAME_CODE && x->id && x->id == y->id);
}

static uint32_t caller_of(const struct nt_stack_tree *tree, uint32_t node, unsigned levels)
{
	while (levels-- && node != NT_STACK_ROOT)
		node = tree->nodes[node].parent;
	return node;
}

/* Do the last `length` frames repeat those before them? */
static bool repeats(const struct nt_stack_tree *tree, uint32_t node, unsigned length)
{
	uint32_t before = caller_of(tree, node, length);
	for (unsigned i = 0; i < length; i++) {
		if (before == NT_STACK_ROOT || !is_same(tree, node, before))
			return false;
		node = tree->nodes[node].parent;
		before = tree->nodes[before].parent;
	}
	return true;
}

static bool is_recursion(const struct nt_stack_tree *tree, uint32_t node)
{
	for (unsigned length = 1; length <= CYCLE_MAX; length++)
		if (repeats(tree, node, length))
			return true;
	return false;
}

/* What a node has to do with the program's own code. */
struct place {
	bool above; /* managed code calls it, or it is some itself */
	bool below; /* it calls managed code */
};

static struct place *find_places(const struct nt_stack_tree *tree)
{
	struct place *places = nt_alloc(tree->node_count * sizeof(*places));
	for (uint32_t n = 0; n < tree->node_count; n++) {
		uint32_t caller = tree->nodes[n].parent;
		places[n].above = is_managed(frame_of(tree, n)) || (caller != NT_STACK_ROOT && places[caller].above);
	}
	for (uint32_t n = tree->node_count; n-- > 0;) {
		uint32_t caller = tree->nodes[n].parent;
		if (caller != NT_STACK_ROOT)
			places[caller].below |= places[n].below || is_managed(frame_of(tree, n));
	}
	return places;
}

void nt_stacks_fold(struct nt_stacks_layout *layout, const struct nt_stack_tree *tree)
{
	struct place *places = find_places(tree);
	layout->folded_deepest = 0;
	for (uint32_t n = 0; n < tree->node_count; n++) {
		struct nt_stacks_box *box = &layout->boxes[n];
		uint32_t caller = tree->nodes[n].parent;
		box->row = 0;
		if (caller == NT_STACK_ROOT)
			continue;
		/* How the runtime comes to call the program is the same in all threads, and nobody's question. */
		bool leads_in = frame_of(tree, n)->sort == NT_FRAME_CODE && !places[n].above && places[n].below;
		box->folded = leads_in || is_recursion(tree, n);
		box->row = layout->boxes[caller].row + !box->folded;
	}
	for (uint32_t n = tree->node_count; n-- > 0;) {
		struct nt_stacks_box *box = &layout->boxes[n];
		uint32_t caller = tree->nodes[n].parent;
		if (layout->folded_deepest <= box->row)
			layout->folded_deepest = box->row + 1;
		if (box->folded && layout->boxes[caller].folds < box->folds + 1)
			layout->boxes[caller].folds = box->folds + 1;
	}
	free(places);
}
