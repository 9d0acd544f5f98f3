/* SPDX-License-Identifier: GPL-2.0-only */
/* A place where threads wait, and for what: a row of the list of waits. */
#ifndef NETTOP_WAIT_ROW_H
#define NETTOP_WAIT_ROW_H

#include "nettop/known.h"
#include "nettop/wait.h"

#include <stdbool.h>
#include <stdint.h>

struct nt_call_stack; /* nettop/snapshot.h */

/* Waits at one place of the program for one sort of thing. */
struct nt_wait_row {
	uint64_t id;
	const char *site;  /* the program's method that waits; NULL = not known */
	const char *means; /* how it waits there: Task.Wait; NULL = not known */
	const char
		*what; /* for what most of them do, by name: a path, who is at the other end of a socket, a lock's type; NULL = not known */
	const struct nt_call_stack *waited_from; /* a stack with that; NULL = not known */
	enum nt_wait_kind kind;
	bool polled;                     /* threads were looked at: shorter waits were not seen, and counts are lower bounds */
	uint64_t count, count_all;       /* waits that ended: in the interval, since attach */
	uint64_t spent_ns, spent_all_ns; /* time spent waiting, by threads that still wait, too */
	uint64_t runq_ns, runq_all_ns;   /* after they were woken, until they had a CPU */
	double window_per_s, window_spent, window_runq; /* over the window: waits that ended in a second, ns in a second */
	struct nt_u64 p50_ns, p99_ns;                   /* of the waits that ended since attach; not known of those that were polled */
	struct nt_u64 max_ns;                           /* longest, by threads that still wait, too; of those polled a lower bound */
	uint32_t waiting_count;                         /* threads that wait now */
	uint32_t waker_tid;                             /* thread that ended most of the last waits; 0 = not known, or it was none */
	const char *waker_name;                         /* its name, or "interrupt"; NULL = not known */
	const char *waker_at;                           /* the program's method in which it mostly did; NULL = not known */
	uint32_t holder_tid;     /* thread that had the monitor or Lock which most of the last waits were for; 0 = not known, or nobody */
	const char *holder_name; /* its name; NULL = not known */
	bool idle;               /* for work: folded */
	bool fresh;              /* first interval of the row */
	bool marked;             /* a finding is about it */
};

#endif
