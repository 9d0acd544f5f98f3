/* SPDX-License-Identifier: GPL-2.0-only */
/* Room ui/calls: the call tree of a method. */
/*
 * The call tree of one method: what of it is open, and its rows. Rows are known by their path from the method, so what was opened stays open from
 * snapshot to snapshot.
 */
#ifndef NT_UI_CALLS_H
#define NT_UI_CALLS_H

#include "base/index.h"
#include "nettop/call_row.h"
#include "nettop/column.h"
#include "ui/calls/call_index.h"

enum { NT_CALLS_ROWS = 4096, NT_CALLS_ZOOM = 64, NT_CALLS_TEXTS = 4 };

/* All zero is the tree of nothing. */
struct nt_calls {
	struct nt_stack_frame method;       /* of whose calls it is; name NULL: nt_calls_enter() was not called yet */
	char *method_texts[NT_CALLS_TEXTS]; /* owned: its texts, because it outlives the snapshot */
	bool callers, unfolded;             /* see struct nt_call_query */
	struct nt_restriction restricted;
	uint64_t zoom[NT_CALLS_ZOOM];    /* ids of rows, from the method's child down to the row at the top */
	size_t zoomed;                   /* how many: 0 = the method is at the top */
	struct nt_stack_frame top;       /* the frame of the row at the top */
	char *top_texts[NT_CALLS_TEXTS]; /* owned, likewise */
	struct nt_index open;            /* ids of rows that show their children */
	struct nt_restriction entered;   /* the restriction that it was entered with */
	bool narrowed;                   /* something else is at the top, or it is restricted otherwise */
	bool begun;                      /* the hottest path has been opened */
	bool fresh;                      /* entered, and nothing of it has been in the stacks since: it may turn by itself */
	uint64_t opening;                /* all below the row of this id is opened by the next build; 0 = nothing */
	struct nt_call_row *rows;        /* owned; at least one, after a build. Their frames are borrowed from the stacks */
	size_t count, capacity;
};

void nt_calls_fini(struct nt_calls *calls);

/*
 * Look at this method, in the stacks of a thread or of one side of the pauses if `restricted` is to that: at its callees, or, where the first stacks with it have none, at its callers. It turns by
 * itself that once.
 */
void nt_calls_enter(struct nt_calls *calls, const struct nt_method_row *method, const struct nt_restriction *restricted);

/* Its callers in place of its callees, or the other way round. */
void nt_calls_turn(struct nt_calls *calls);

/* In which order rows of one parent come: as nt_row_compare() has it. */
struct nt_calls_order {
	const struct nt_column *sort;
	bool ascending;
	const struct nt_column_context *context;
};

/* Make the rows anew, from the stacks of another snapshot or after something was opened or closed. */
void nt_calls_build(struct nt_calls *calls, const struct nt_stack_tree *tree, unsigned hide, const struct nt_calls_order *order);

void nt_calls_open(struct nt_calls *calls, const struct nt_call_row *row, bool open);

/* The row and all below it; when all of that is open already: close it. */
void nt_calls_toggle_branch(struct nt_calls *calls, const struct nt_call_row *row);

/* Put this row at the top. False: it lies too deep. */
bool nt_calls_zoom(struct nt_calls *calls, const struct nt_call_row *row);

/* Frames of one module or kind alone, or the stacks of one thread or of one side of the pauses. */
void nt_calls_restrict(struct nt_calls *calls, const struct nt_restriction *restricted);

/* As it was entered, again. */
void nt_calls_widen(struct nt_calls *calls);

/* The thread in whose stacks a row mostly is; NULL = not known. */
const struct nt_stack_frame *nt_calls_thread_of(const struct nt_calls *calls, const struct nt_stack_tree *tree, unsigned hide,
						const struct nt_call_row *row);

#endif
