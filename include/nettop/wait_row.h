/* SPDX-License-Identifier: GPL-2.0-only */
/* Rows of waits: by the place that waits, for one reason, of one thread, and where all time went. */
#ifndef NETTOP_WAIT_ROW_H
#define NETTOP_WAIT_ROW_H

#include "nettop/known.h"
#include "nettop/wait.h"

#include <stdbool.h>
#include <stdint.h>

struct nt_call_stack; /* nettop/snapshot.h */

/* A thread's last 10 s in slices of the clock, oldest first. */
enum { NT_STRIP_CELLS = 50, NT_STRIP_SLICE_MS = 200 };

struct nt_wait_strip {
	/*
	 * What most of each slice was: nt_wait_kind_mark(); blank: most of it nobody has told of. In the last one the interval ends: of it what lies before that
	 * counts.
	 */
	char cells[NT_STRIP_CELLS + 1];
	uint64_t polled; /* a bit for each cell, the oldest is bit 0: it was looked at time and again; else each switch was told */
};

/* How what is told in it is known: "polled", "exact", or "mixed"; NULL: nothing is. */
const char *nt_wait_strip_method(const struct nt_wait_strip *strip);

/* Waits at one place of the program for one sort of thing. */
struct nt_wait_row {
	uint64_t id;
	const char *site;   /* the program's method that waits; NULL = not known */
	const char *module; /* its assembly; NULL = not known */
	const char *means;  /* how it waits there: Task.Wait; NULL = not known */
	const char
		*what; /* for what most of them do, by name: a path, who is at the other end of a socket, a lock's type; NULL = not known */
	const struct nt_call_stack *waited_from; /* a stack with that; NULL = not known */
	enum nt_wait_kind kind;
	bool polled; /* threads were looked at: shorter waits were not seen, and counts are lower bounds */
	bool timed;  /* some were told by their begin and end alone: the run queue is in the time waited, and who ended them is not known */
	uint64_t count, count_all;                      /* waits that ended: in the interval, since attach */
	uint64_t spent_ns, spent_all_ns;                /* time spent waiting, by threads that still wait, too */
	uint64_t runq_ns, runq_all_ns;                  /* after they were woken, until they had a CPU */
	double window_per_s, window_spent, window_runq; /* over the window: waits that ended in a second, ns in a second */
	struct nt_u64 p50_ns, p99_ns;                   /* of the waits that ended since attach; not known of those that were polled */
	struct nt_u64 max_ns;                           /* longest, by threads that still wait, too; of those polled a lower bound */
	uint32_t waiting_count;                         /* threads that wait now */
	uint32_t waker_tid;                             /* thread that ended most of the last waits; 0 = not known, or it was none */
	const char *waker_name;                         /* its name, or "interrupt"; NULL = not known */
	const char *waker_at;                           /* the program's method in which it mostly did; NULL = not known */
	uint32_t holder_tid;     /* thread that had the monitor or Lock which most of the last waits were for; 0 = not known, or nobody */
	const char *holder_name; /* its name; NULL = not known */
	uint32_t longest_tid;    /* thread that waited longest in the last interval in which any did; 0 = not known */
	bool idle;               /* for work: folded */
	bool fresh;              /* first interval of the row */
	bool marked;             /* a finding is about it */
};

/* Time of one sort: in the interval, since attach, and over the window in ns a second. */
struct nt_wait_time {
	uint64_t ns, all_ns;
	double window;
};

/* All waits for one reason, or all of one thread. */
struct nt_wait_sum_row {
	uint64_t id;
	enum nt_wait_kind kind; /* the reason; of a thread: what it waits for now, NT_WAIT_RUNS when it does not */
	uint32_t tid;           /* 0 = by reason, or the row of several threads */
	const char *name;       /* of the thread; NULL = not known */
	const char *site;       /* of a reason where most of it was waited, of a thread where it waits now; NULL = not known */
	/* Of a reason: waited, and nothing else. Of a thread: for anything but work or a CPU; for a CPU after it was woken; for work. */
	struct nt_wait_time wait, runq, idle;
	struct nt_f64 cpu_pct;             /* of the thread, in the interval */
	uint64_t count, count_all;         /* waits that ended, those of `idle` left out */
	double window_per_s;               /* such over the window */
	struct nt_u64 p50_ns, p99_ns;      /* of the waits that ended since attach; not known of those polled, nor of a thread */
	struct nt_u64 max_ns;              /* longest, by threads that still wait, too; of those polled a lower bound */
	uint32_t waiting_count;            /* threads that wait now */
	uint32_t longest_tid;              /* of a reason: as in struct nt_wait_row */
	const struct nt_wait_strip *strip; /* of the thread, in the snapshot; NULL = nothing was told of it, or it is one too many */
	bool polled, timed;                /* as in struct nt_wait_row */
	bool quiet;                        /* for work, or a thread that has waited for nothing else: folded */
	bool ended;                        /* the thread */
	bool fresh;
};

/* Where time went: a method of the program, or what ran without one. */
struct nt_wall_row {
	uint64_t id;
	const char *site, *module; /* NULL = not known */
	enum nt_wait_kind kind;    /* what most of its waiting was for; NT_WAIT_RUNS: it has not waited */
	struct nt_wait_time run;   /* had a CPU: by samples, each of which stands for so much CPU time */
	struct nt_wait_time wait;  /* waited, for work where `idle` says so */
	struct nt_wait_time runq;  /* had been woken, and no CPU yet */
	bool polled;               /* some of its waiting was looked at time and again */
	bool timed;                /* or told by its begin and end alone, as in struct nt_wait_row */
	bool idle;                 /* waits for work: folded */
};

#endif
