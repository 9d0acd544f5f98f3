// SPDX-License-Identifier: GPL-2.0-only
#include "output/stacks/stacks_layout.h"

#include "base/alloc.h"
#include "output/stacks/stacks_parts.h"

#include <stdlib.h>
#include <string.h>

static int compare_u32(uint32_t a, uint32_t b)
{
	return (a > b) - (a < b);
}

static const char *name_of(const struct nt_stack_frame *frame)
{
	return frame->name ? frame->name : "";
}

/* Callers before callees, callees of one caller together, by name. */
static int compare(const void *left, const void *right, void *context)
{
	const struct nt_stack_tree *tree = context;
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
	const struct nt_stack_node *a_node = &tree->nodes[a], *b_node = &tree->nodes[b];
	const struct nt_stack_frame *a_frame = &tree->frames[a_node->frame], *b_frame = &tree->frames[b_node->frame];
	/* NT_STACK_ROOT comes first: it is the largest number. */
	int order = compare_u32(a_node->parent + 1, b_node->parent + 1);
	if (!order)
		order = strcmp(name_of(a_frame), name_of(b_frame));
	if (!order)
		order = compare_u32(a_frame->tid, b_frame->tid);
	return order ? order : compare_u32(a, b);
}

static uint32_t *sorted(const struct nt_stack_tree *tree)
{
	struct nt_stack_tree context = *tree;
	uint32_t *order = nt_alloc(tree->node_count * sizeof(*order));
	for (uint32_t i = 0; i < tree->node_count; i++)
		order[i] = i;
	qsort_r(order, tree->node_count, sizeof(*order), compare, &context);
	return order;
}

/* A caller has the samples of its callees, too; it comes before them in the tree. */
static void add_up(struct nt_stacks_layout *layout, const struct nt_stack_tree *tree)
{
	for (uint32_t n = tree->node_count; n-- > 0;) {
		uint32_t parent = tree->nodes[n].parent;
		layout->boxes[n].count += nt_stacks_samples(&tree->nodes[n]);
		*(parent == NT_STACK_ROOT ? &layout->samples : &layout->boxes[parent].count) += layout->boxes[n].count;
	}
}

/* Each box begins where the one beside it, over the same caller, ended. */
static void place(struct nt_stacks_layout *layout, const struct nt_stack_tree *tree)
{
	uint32_t *order = sorted(tree);
	uint64_t *ends = nt_alloc(tree->node_count * sizeof(*ends)); /* of what has been placed over each node */
	uint64_t end = 0;
	for (uint32_t i = 0; i < tree->node_count; i++) {
		struct nt_stacks_box *box = &layout->boxes[order[i]];
		uint32_t parent = tree->nodes[order[i]].parent;
		uint64_t *beside = parent == NT_STACK_ROOT ? &end : &ends[parent];
		box->depth = parent == NT_STACK_ROOT ? 0 : layout->boxes[parent].depth + 1;
		ends[order[i]] = box->first = *beside;
		*beside += box->count;
		if (layout->deepest <= box->depth)
			layout->deepest = box->depth + 1;
	}
	free(order);
	free(ends);
}

void nt_stacks_layout_make(struct nt_stacks_layout *layout, const struct nt_stack_tree *tree)
{
	*layout = (struct nt_stacks_layout){ .boxes = nt_alloc(tree->node_count * sizeof(*layout->boxes)) };
	add_up(layout, tree);
	place(layout, tree);
}

void nt_stacks_layout_fini(struct nt_stacks_layout *layout)
{
	free(layout->boxes);
	*layout = (struct nt_stacks_layout){ 0 };
}
