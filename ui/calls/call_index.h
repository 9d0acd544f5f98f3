/* SPDX-License-Identifier: GPL-2.0-only */
/* The call stacks of a snapshot made ready to be walked in both directions: totals, children, and which frames are to be seen. */
#ifndef NT_UI_CALL_INDEX_H
#define NT_UI_CALL_INDEX_H

#include "nettop/snapshot.h"
#include "ui/rows/restrict.h"

/* What of the stacks is looked at. */
struct nt_call_query {
	uint64_t method; /* id of its row */
	bool callers;    /* who called it; else whom it called */
	bool unfolded;   /* what the runtime's own code calls of itself is shown, too */
	unsigned hide;   /* enum nt_hide bits */
	const struct nt_restriction
		*restricted; /* to the stacks of one thread or of one side of the pauses, or to frames of one module or kind */
};

struct nt_call_index {
	const struct nt_stack_tree *tree;  /* borrowed */
	const struct nt_call_query *query; /* borrowed */
	double *totals,
		*selfs; /* by node, owned; a folded frame's self is its caller's, that of code which is not the program's likewise where only that is looked at */
	uint32_t *first_child, *next; /* by node, owned; NT_STACK_ROOT = none */
	double samples;               /* in all stacks that are looked at */
};

/* A place in the stacks, and how many samples of it are meant. */
struct nt_call_place {
	uint32_t node;
	double total, self;
};

struct nt_call_places {
	struct nt_call_place *items; /* owned */
	size_t count, capacity;
};

void nt_call_index_init(struct nt_call_index *index, const struct nt_stack_tree *tree, const struct nt_call_query *query);
void nt_call_index_fini(struct nt_call_index *index);

/* Where the method is in the stacks; each sample is in one of the places. Added to `out`. */
void nt_call_index_method(const struct nt_call_index *index, struct nt_call_places *out);

/* What was called from there, or what called that, as far as it is to be seen. Added to `out`. */
void nt_call_index_next(const struct nt_call_index *index, const struct nt_call_place *place, struct nt_call_places *out);

static inline const struct nt_stack_frame *nt_call_frame_of(const struct nt_call_index *index, uint32_t node)
{
	return &index->tree->frames[index->tree->nodes[node].frame];
}

/* The thread in which most of the samples of these places are; NULL = none. */
const struct nt_stack_frame *nt_call_index_thread(const struct nt_call_index *index, const struct nt_call_place *places, size_t count);

#endif
