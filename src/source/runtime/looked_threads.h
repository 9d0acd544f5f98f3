/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The threads of the target from one look to the next. A thread that has not run since the last look is where it was, so only those are asked about that have, and those that may wait for a lock: that passes from one to
 * the next without waking all who wait for it. What the reader saw of a thread counts only when it did not run meanwhile: its count of switches, which the kernel keeps, is the same before and after.
 */
#ifndef NT_SOURCE_LOOKED_THREADS_H
#define NT_SOURCE_LOOKED_THREADS_H

#include "source/common/outbox.h"
#include "source/common/socket_names.h"
#include "source/contract/reader_wire.h"
#include "source/perf/switches.h"
#include "source/runtime/native_stacks.h"
#include "source/common/wait_fact.h"

/* The frames of native code of a thread too, when they are wanted. */
struct nt_looked_native {
	uint8_t *copy; /* owned; of its stack, in this look; NULL = none has come */
	size_t copied;
	bool asked;      /* a copy was, in this look */
	unsigned tries;  /* how often one was */
	uint64_t number; /* it is being walked under this; 0 = it is not */
	bool known;      /* `frames` are all, native and managed */
	bool whole;
	uint64_t *frames; /* owned */
	uint32_t count;
};

struct nt_looked_thread {
	uint32_t tid;
	uint64_t cpu_ns, switches; /* as of the last look */
	nt_time told;              /* up to when it was told of */
	nt_time since;             /* it has not run since then; NT_TIME_UNKNOWN = it has */
	bool since_before;         /* and nobody has seen since when: that was the first look at it */
	bool first;                /* this look is */
	uint32_t managed_id;       /* as the reader said; 0 = it did not, or it is no managed thread */
	bool introduced;           /* the reader was asked who it is */
	struct nt_wait_fact fact;
	bool asked;     /* the reader was, in this look */
	unsigned tries; /* how often it was, in this wait */
	bool known;     /* where it is: `frames` */
	bool partial;
	uint64_t *frames; /* owned */
	uint32_t count;
	uint32_t owner;               /* who holds the lock that it may wait for; 0 = nobody, or not known */
	uint64_t object;              /* and whose that is */
	bool knows_lock;              /* it had one in some look of this wait */
	char *type;                   /* owned: and its type, as C# writes it; NULL = not known */
	struct nt_wait_anchor anchor; /* of its innermost managed frame */
	struct nt_looked_native native;
};

struct nt_looked_threads {
	struct nt_looked_thread *items; /* owned; ascending by tid */
	size_t count;
	bool ran;             /* some thread has, between the last look and this one; or one has come, or gone */
	uint32_t again_after; /* of those that are asked again without having run: whose turn is next; 0 = all had theirs */
	struct nt_switches before, after;
	struct nt_socket_names sockets; /* that they wait at */
	bool want_native;
	struct nt_native_stacks *native; /* borrowed; NULL = nobody walks */
};

void nt_looked_threads_fini(struct nt_looked_threads *threads);

/* Are frames of native code wanted from now on, and who walks for them (borrowed; NULL = nobody)? When not, what is known of them is forgotten. */
void nt_looked_threads_native(struct nt_looked_threads *threads, bool wanted, struct nt_native_stacks *native);

/*
 * A look begins: which threads there are, and which of them have run since the last one. Writes the tids of those that wait now and have to be asked about into `tids`, at most `max`, and returns
 * how many; those that nobody knows yet are among them in any case. The others keep what is known of them.
 */
size_t nt_looked_threads_begin(struct nt_looked_threads *threads, const char *proc_dir, nt_time now, uint32_t *tids, size_t max);

/* After begin(): the stack pointers of threads of which a copy of the stack is wanted; at most `max`, others in the next look. Returns how many. */
size_t nt_looked_threads_copies(struct nt_looked_threads *threads, uint64_t *stack_pointers, size_t max);

/* The reader has read this: a COPIED. */
void nt_looked_threads_copied(struct nt_looked_threads *threads, const struct nt_reader_record *copied);

/* The reader saw this of thread `tid`. `owner`: of what it waits for, in nettop's pid namespace. `saw` and what is borrowed in it: a THREAD. */
void nt_looked_threads_saw(struct nt_looked_threads *threads, uint32_t tid, uint32_t owner, const struct nt_reader_record *saw);

/* Where looks are told. */
struct nt_look_told {
	uint32_t pid;
	bool as_moments; /* somebody asked for where threads wait: a MOMENT besides, of the time since the last look */
	uint32_t what;   /* its nt_ev_moment.what */
	struct nt_outbox *box;
};

/* The look ends: drop what was seen of threads that ran meanwhile, and tell of each thread (STACK events). */
void nt_looked_threads_end(struct nt_looked_threads *threads, const char *proc_dir, nt_time now, const struct nt_look_told *told);

#endif
