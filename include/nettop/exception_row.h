/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Exceptions as rows of a snapshot: by type, by the place that throws, one by one. Source: the runtime's own events by EventPipe; places, stacks and what became of one
 * from sessions that are open only while somebody looks (NT_WANT_STACKS, NT_WANT_CATCHES). The one that ended the process is known by the last look at it as well, so it is in
 * the list also where its event was never sent.
 */
#ifndef NETTOP_EXCEPTION_ROW_H
#define NETTOP_EXCEPTION_ROW_H

#include "nettop/clock.h"
#include "nettop/trend.h"

#include <stdbool.h>
#include <stdint.h>

struct nt_call_stack; /* snapshot.h */

struct nt_exception_row {
	uint64_t id;
	const char *type;
	const char *message;                     /* the last one; in the snapshot */
	const char *thrown_at;                   /* the program's method that throws most of them; NULL = not known */
	const struct nt_call_stack *thrown_from; /* a stack with that; NULL = not known */
	uint64_t count, count_all;
	uint64_t fate_count,
		caught_count; /* of so many it is known what became of them, which is told while somebody looks; so many of these were caught */
	struct nt_trend trend; /* per second */
	bool fresh;            /* first interval of the row */
	bool marked;           /* a finding is about it */
};

/* A place of the program that throws, of the exceptions that were told with their stacks. */
struct nt_throw_site_row {
	uint64_t id;
	const char *site;                        /* the program's method */
	const struct nt_call_stack *thrown_from; /* a stack with that; NULL = no longer kept */
	const char *type;                        /* of most that were thrown there lately */
	uint64_t count, count_all;
	struct nt_trend trend; /* per second */
	bool fresh;
};

/* What became of an exception. Its name, for the screen and JSON: nt_exception_fate_name(). */
enum nt_exception_fate {
	NT_FATE_UNKNOWN,   /* nobody told, or what was told has several meanings */
	NT_FATE_CAUGHT,    /* a catch block was entered for it */
	NT_FATE_RETHROWN,  /* likewise, and again further out: it was thrown on with `throw;` */
	NT_FATE_NO_CATCH,  /* no catch block was: another took its place, a filter threw it, the runtime's own code took it */
	NT_FATE_UNDER_WAY, /* not yet, at the interval's end */
	NT_FATE_UNHANDLED, /* nobody caught it: the process ended by it */
	NT_FATE_COUNT
};

/* caught, rethrown, no catch, under way, unhandled; NULL for one that is not known. */
const char *nt_exception_fate_name(enum nt_exception_fate fate);

/* One of the last that were thrown. Its texts are the snapshot's. */
struct nt_thrown_row {
	uint64_t id;        /* 1, 2, 3 ... since attach */
	nt_time time;       /* when it was thrown; of one that ended the process and that no event told of: when that ended */
	uint32_t tid;       /* 0 = not known */
	const char *thread; /* name of the thread, as of then; NULL = not known */
	const char *type;
	const char *message;                     /* cut; NULL = it had none */
	const char *thrown_at;                   /* the program's method; NULL = not known */
	const struct nt_call_stack *thrown_from; /* NULL = not known */
	const char *caught_at;                   /* the method whose catch block was entered last; NULL = not known, or none */
	enum nt_exception_fate fate;
	bool nested; /* thrown while another was on its way or being handled, on the same thread */
};

#endif
