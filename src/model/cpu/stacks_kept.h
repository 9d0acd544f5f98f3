/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The call stacks of the samples, while somebody asks for them: a prefix tree of threads and frames. A sample goes into the tree when the names of
 * its frames are final; until then it waits, for some intervals at most, and is shown under the names that there are.
 */
#ifndef NT_MODEL_STACKS_KEPT_H
#define NT_MODEL_STACKS_KEPT_H

#include "model/common/moments.h"
#include "model/common/span.h"
#include "model/common/trie.h"
#include "model/cpu/frames.h"
#include "model/process/threads.h"
#include "nettop/snapshot.h"

/* A root of the tree. Its label: the upper half of the id, which tells all threads apart, and what happened in it, or on which side of the pauses. */
struct nt_stacks_thread {
	uint64_t id; /* of its row; 0 = not known */
	uint32_t tid;
	uint32_t what; /* nt_ev_moment.what; of samples 0 */
	enum nt_pause_side side;
	const char *name; /* the table's; NULL = not known */
};

/* Samples of one interval that wait for names. */
struct nt_open_stack {
	struct nt_chain *chain;
	uint32_t thread; /* label of the root */
	double weight;
	nt_time time;   /* of one of them */
	uint64_t since; /* number of the interval */
};

struct nt_stacks {
	enum nt_stacks_wanted wanted;
	struct nt_frames *frames;         /* borrowed */
	struct nt_trie trie;              /* labels: threads at its root, else nt_frame */
	struct nt_moments moments;        /* nt_stacks_are_timed() */
	struct nt_stacks_thread *threads; /* owned */
	size_t thread_count, thread_capacity;
	size_t crowded; /* with more threads than this those that no stack has are forgotten */
	struct nt_index threads_by_label;
	struct nt_open_stack *open; /* owned */
	size_t open_count, open_capacity;
	nt_frame path[NT_STACK_DEPTH]; /* of the sample that is being counted: outermost frame first */
	uint32_t depth;
	uint64_t happened[NT_MOMENTS_ASKED_MAX]; /* by nt_ev_moment.what */
};

/* What goes into the tree, besides its chain. */
struct nt_stacks_sample {
	const struct nt_thread *thread; /* NULL = not known */
	nt_time time;
	uint32_t what;
	enum nt_pause_side side; /* of samples, whose `what` is 0; of moments NT_SIDE_NOT_TOLD. Kept where nt_stacks_have_sides() */
	double weight;
};

void nt_stacks_init(struct nt_stacks *stacks, struct nt_frames *frames);
void nt_stacks_fini(struct nt_stacks *stacks);

/* As NT_EV_KEEP_STACKS says. */
void nt_stacks_want(struct nt_stacks *stacks, enum nt_stacks_wanted wanted);

static inline bool nt_stacks_are_of_all(enum nt_stacks_wanted wanted)
{
	return wanted >= NT_STACKS_ALL;
}

static inline bool nt_stacks_are_timed(enum nt_stacks_wanted wanted)
{
	return wanted == NT_STACKS_TIMED || wanted == NT_STACKS_WALL_TIMED || wanted == NT_STACKS_SIDES_TIMED;
}

static inline bool nt_stacks_are_of_wall(enum nt_stacks_wanted wanted)
{
	return wanted == NT_STACKS_WALL || wanted == NT_STACKS_WALL_TIMED;
}

/* One interval passed: what is in the window weighs less, and what waited long enough goes into the tree. */
void nt_stacks_advance(struct nt_stacks *stacks, const struct nt_span *span);

/* A sample of the interval that is being closed; its chain has been resolved, NULL: it has none. */
void nt_stacks_count(struct nt_stacks *stacks, struct nt_chain *chain, const struct nt_stacks_sample *sample, const struct nt_span *span);

/* Keep the chains of a table that wait, while it is packed. */
void nt_stacks_keep_open(struct nt_stacks *stacks, const struct nt_ids *ids);

/* The chains of this table end: what waits for their names goes into the tree. */
void nt_stacks_forget(struct nt_stacks *stacks, const struct nt_ids *ids);

/* Visit the keys that the tree needs. */
void nt_stacks_each_key(const struct nt_stacks *stacks, void (*visit)(uint32_t key, void *context), void *context);

/* stacks_fill.c: the tree as the snapshot has it; see nettop/stacks.h. What is kept of all samples: in the final one only. */
void nt_stacks_fill(struct nt_stacks *stacks, const struct nt_span *span, struct nt_snapshot *snapshot,
		    struct nt_process_snapshot *process);

/*
 * For stacks_fill.c: show a stack that waits under the names that there are now; take it away again, before anything else has changed. False: there is no
 * room for it, and nothing is evicted for it.
 */
bool nt_stacks_lend(struct nt_stacks *stacks, const struct nt_open_stack *open);
void nt_stacks_take_back(struct nt_stacks *stacks, const struct nt_open_stack *open);

#endif
