/* SPDX-License-Identifier: GPL-2.0-only */
/* A thread of the target in a snapshot: what it used in the interval, what it does now, where it was sampled. Texts are the snapshot's. */
#ifndef NETTOP_THREAD_ROW_H
#define NETTOP_THREAD_ROW_H

#include "nettop/clock.h"
#include "nettop/known.h"
#include "nettop/trend.h"
#include "nettop/wait.h"

/* What a thread is there for. */
enum nt_role {
	NT_ROLE_UNKNOWN,
	NT_ROLE_POOL,
	NT_ROLE_GC,
	NT_ROLE_JIT,
	NT_ROLE_FINALIZER,
	NT_ROLE_RUNTIME, /* the runtime's own, for something else */
	NT_ROLE_APPLICATION,
	NT_ROLE_COUNT
};

/* A method in which a thread was sampled, by the samples that have it as leaf. */
struct nt_hot_method {
	uint64_t method_id; /* of its struct nt_method_row */
	const char *name;
	double samples; /* weighted as the window is */
	double pct;     /* of the thread's own */
};

enum { NT_HOT_METHODS = 16 };

struct nt_call_stack; /* nettop/snapshot.h */

/* What several threads do together. A figure is unknown when that of one of them is. */
struct nt_alike {
	uint32_t count;
	struct nt_f64 cpu_pct, user_pct, kernel_pct;
	uint64_t samples;
};

struct nt_thread_row {
	uint64_t id; /* tid and start time */
	uint32_t tid;
	const char *name;
	enum nt_role role;
	struct nt_f64 cpu_pct; /* interval */
	struct nt_f64 user_pct, kernel_pct;
	char state;              /* R S D ...; 0 = not known */
	nt_time state_ns;        /* for how long, 0 = not known */
	nt_time busy_ns;         /* it has used at least 90 % of a CPU for so long; 0 = it does not */
	double busy_pct;         /* and so much in that time */
	struct nt_u64 idle_ns;   /* since it was last seen to use CPU time; unknown: not seen yet */
	struct nt_u64 lock_ns;   /* waits for a lock for so long; unknown: it waits for none, or that cannot be known */
	uint32_t lock_owner_tid; /* holds that lock; 0 = not known */
	bool deadlocked;         /* it waits for a thread that waits, in the end, for it */
	/* What it waits for; not known of one that is not looked at from outside, and whose switches nobody tells. */
	bool waits; /* the following says what for */
	enum nt_wait_kind wait;
	struct nt_u64 wait_ns;                 /* for so long, */
	bool wait_at_least;                    /* or longer: since before nettop came, or with looks at a lock in between */
	bool wait_partial;                     /* callers are missing in wait_from, or it is not known */
	const char *wait_means, *wait_at;      /* Task.Wait; the program's method that waits; NULL = not known */
	const char *wait_what;                 /* type of the object, peer, path; NULL = not known */
	uint32_t wait_owner_tid;               /* holds it; 0 = not known, or nobody */
	const struct nt_call_stack *wait_from; /* where; NULL = not known, or no managed code is on its stack */
	uint32_t managed_id;                   /* Environment.CurrentManagedThreadId; 0 = it is none of managed code, or not known */
	bool looked_at;                        /* a moment ago: one that does not wait has run then */
	struct nt_f64 allocated_per_s;         /* bytes, lately; unknown: nobody reads that, or it runs no managed code */
	struct nt_u64 allocated_bytes;         /* since it began */
	struct nt_trend trend;                 /* CPU, 100 = one CPU */
	uint64_t samples;                      /* interval */
	double window_samples;                 /* weighted */
	const struct nt_hot_method *hot;       /* in the snapshot; most samples first, NULL = none */
	uint32_t hot_count;                    /* at most NT_HOT_METHODS */
	bool ended, fresh;
	bool parked; /* a worker of the pool that waits for work */
	struct nt_alike
		alike; /* of the first of those that serve sessions of EventPipe, or wait at one place; a count of 0 in all other rows */
	bool folded;   /* the others of those: where rows fold (column.h) they are in that row */
	bool marked;   /* a finding is about it */
};

/* A stable lower-case name for JSON and configuration: "" pool gc jit fin rt app. Never NULL; "?" for a value out of range. */
const char *nt_role_name(enum nt_role role);

#endif
