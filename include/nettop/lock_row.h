/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Waits for locks as rows of a snapshot: by the place that waits, by lock, by the thread that held it. Source: the runtime's events of contention, by LTTng or EventPipe; places
 * and stacks by EventPipe while somebody looks (NT_WANT_STACKS); the type of what is locked, and where its owner is, by looks from outside (NT_WANT_LOOKS).
 */
#ifndef NETTOP_LOCK_ROW_H
#define NETTOP_LOCK_ROW_H

#include "nettop/known.h"
#include "nettop/trend.h"

#include <stdbool.h>
#include <stdint.h>

struct nt_call_stack; /* snapshot.h */

/* Waits for locks at one place of the program. */
struct nt_lock_row {
	uint64_t id;
	const char *site;                        /* the program's method that waited; NULL = not known */
	const struct nt_call_stack *waited_from; /* a stack with that; NULL = not known */
	uint64_t count, count_all;               /* waits that ended: in the interval, since attach */
	uint64_t spent_ns, spent_all_ns;         /* time spent waiting, by threads that still wait, too */
	double window_per_s, window_spent;       /* over the window: waits that ended in a second, ns spent in a second */
	struct nt_u64 p50_ns, p99_ns, max_ns;    /* of the waits that ended since attach */
	uint32_t waiting_count;                  /* threads that wait now */
	uint32_t owner_tid;                      /* who held the lock in most of the last waits; 0 = not known */
	const char *owner_name;                  /* NULL = not known */
	struct nt_trend trend;                   /* ms spent waiting in a second */
	bool fresh;                              /* first interval of the row */
	bool marked;                             /* a finding is about it */
};

/* Waits for one lock, or for what one thread held. */
struct nt_lock_group_row {
	uint64_t id;
	uint64_t lock_id;   /* of a row by lock: the runtime's number of it, used again when it is gone; 0 = not said, or not of one lock */
	const char *type;   /* of the object that is locked, as it was last seen from outside while somebody waited; NULL = not known */
	uint32_t owner_tid; /* by lock: who has it, or held it in most of the last waits; 0 = not known */
	const char *owner_name; /* NULL = not known */
	const char *
		owner_at; /* where that thread is now: where it waits, or its hottest method, a managed one where there is one; NULL = not known */
	const struct nt_call_stack *owner_stack; /* where it waits; NULL = it does not, or that is not known */
	const char *site;                        /* the program's method that waited most; NULL = not known */
	const struct nt_call_stack *waited_from; /* a stack with that; NULL = not known */
	uint64_t count, count_all, spent_ns, spent_all_ns;
	double window_per_s, window_spent;
	uint64_t max_ns; /* of the waits that ended since attach; 0 = none has */
	uint32_t waiting_count;
	struct nt_trend trend;
	bool others; /* all beyond those that have a row */
	bool fresh;
};

#endif
