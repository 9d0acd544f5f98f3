/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The call stacks of the samples as a tree: stacks that begin alike share their nodes. The model keeps it while somebody asks for it
 * (NT_EV_KEEP_STACKS), in bounded memory.
 *
 * From the root to the leaf a path is: the thread, its outermost function, ... , the function that was running. Kernel frames are the last ones
 * of a path, below the system call or the code that was interrupted. Recursion is there as it was; frames of broken chains that lie in no
 * executable mapping are not.
 *
 * Every frame has a name. Code that nobody can name has a stand-in (`libfoo.so+0x1234`, `[jit code]`, `[no call chain]`) and `reason` says why. What
 * was evicted to stay within the bounds is a child of the node that it was below, with the frame NT_FRAME_EVICTED: the total of
 * every node stays right, and the sum over all nodes is the number of samples.
 */
#ifndef NETTOP_STACKS_H
#define NETTOP_STACKS_H

#include "nettop/event.h"
#include "nettop/pause_side.h"

/* What the model keeps of call stacks; the numbers are those of NT_EV_KEEP_STACKS. */
enum nt_stacks_wanted {
	NT_STACKS_NONE = 0,
	NT_STACKS_WINDOW = 1, /* those of the exponential window: older ones weigh less and leave */
	NT_STACKS_ALL = 2,    /* all from now on; every sample weighs 1. In the final snapshot only */
	NT_STACKS_TIMED = 3,  /* the same, and when each was taken */
	NT_STACKS_WALL =
		4, /* as NT_STACKS_ALL, in ns of the wall clock: samples weigh the CPU time that they stand for, and waits are in it */
	NT_STACKS_WALL_TIMED = 5,
	NT_STACKS_SIDES = 6, /* as NT_STACKS_ALL, and on which side of the pauses for collections each sample was taken */
	NT_STACKS_SIDES_TIMED = 7,
	NT_STACKS_WANTED_COUNT
};

/* Are samples of CPU time told apart by the side of the pauses that they were taken on? */
static inline bool nt_stacks_have_sides(enum nt_stacks_wanted wanted)
{
	return wanted == NT_STACKS_WINDOW || wanted == NT_STACKS_SIDES || wanted == NT_STACKS_SIDES_TIMED;
}

/* What a thread did in a time: nt_stack_frame.what of its root in a tree with NT_STACKS_WALL. */
enum nt_time_part {
	NT_TIME_RUNS,    /* had a CPU, by samples */
	NT_TIME_BLOCKED, /* by each switch; of a thread whose switches are not told, by looks */
	NT_TIME_READY,   /* could have run, and had no CPU, by each switch */
	NT_TIME_PARTS
};

enum nt_frame_sort {
	NT_FRAME_CODE,
	NT_FRAME_THREAD,  /* a root: `name` is the thread's, `tid` its number */
	NT_FRAME_EVICTED, /* calls below its parent that were too many to keep each: "(evicted)". As a root: threads */
};

/* One function, in code of one tier. */
struct nt_stack_frame {
	enum nt_frame_sort sort;
	uint32_t tid;  /* of a thread; else 0 */
	uint32_t what; /* of a thread: nt_ev_moment.what of what happened in it; one that several happened in is several roots */
	enum nt_pause_side
		side; /* of a thread: of its samples. One with samples on several sides is several roots. Told where nt_stacks_have_sides() */
	uint64_t id;      /* of its struct nt_method_row, the same for all tiers of a method; of a thread: of its struct nt_thread_row */
	const char *name; /* display form; of a thread: NULL = not known */
	const char *raw_name; /* as the runtime or the image wrote it; NULL = same as name */
	const char *module;   /* NULL = none */
	const char *reason;   /* why it has no better name; NULL = it has one */
	enum nt_code_kind kind;
	enum nt_tier tier;
	bool own; /* the program's own method: nt_purpose_of_key() */
};

#define NT_STACK_ROOT UINT32_MAX

struct nt_stack_node {
	uint32_t parent; /* its caller: index in the nodes, smaller than its own; NT_STACK_ROOT = none, it is a root */
	uint32_t frame;  /* index in the frames */
	double self; /* samples with this node as leaf, of moments their weight; NT_STACKS_WINDOW: weighted. The total of a node is the sum over its subtree */
};

/* When samples were taken. */
struct nt_stack_moment {
	nt_time time;
	uint32_t node;    /* their leaf: index in the nodes */
	uint32_t samples; /* of which one was taken, for all; of a moment its weight */
};

/* In the snapshot. */
struct nt_stack_tree {
	enum nt_stacks_wanted wanted;        /* which it is; NT_STACKS_NONE: nobody asked, all else is 0 */
	const struct nt_stack_frame *frames; /* each once */
	uint32_t frame_count;
	const struct nt_stack_node *nodes; /* a node comes after its parent; siblings differ in their frames */
	uint32_t node_count;
	double samples; /* sum of all `self` */
	double evicted; /* of these, what is in nodes with NT_FRAME_EVICTED */
	double side_samples
		[NT_PAUSE_SIDES]; /* of these, how many were in pauses and outside; the rest is not told, or of threads that were evicted */
	const struct nt_stack_moment *moments; /* NT_STACKS_TIMED: in order of time; else none */
	uint32_t moment_count;
	uint64_t untimed;  /* samples of which there is none, because there were too many */
	nt_time coarse_ns; /* of the past: samples of long ago are told apart by so long times only, see nettop/interval_samples.h; 0 = all are of the time that is said */
	uint64_t happened[NT_MOMENTS_ASKED_MAX]; /* by nt_ev_moment.what: how often, as far as it was told */
};

#endif
