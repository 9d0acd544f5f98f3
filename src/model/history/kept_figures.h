/* SPDX-License-Identifier: GPL-2.0-only */
/* Room model/history: figures of the last ten minutes. */
/*
 * What the figures of a process were in the last ten minutes: a moment a second, or an interval where that is longer. What grows is judged by it. It is the one store of figures over
 * time: who goes back in time reads it, newest first or by its times, and a recording may fill it; a further series is a line in kept_figures.c and one here.
 * Bounded: NT_KEPT_MOMENTS moments, 92 KB a process, in one piece; older ones are forgotten. What was not known in a moment is not known of it.
 */
#ifndef NT_MODEL_KEPT_FIGURES_H
#define NT_MODEL_KEPT_FIGURES_H

#include "model/common/span.h"
#include "nettop/snapshot.h"

enum nt_kept_series {
	/* How it was at the end of the moment. */
	NT_KEPT_HEAP,        /* bytes of the GC heap after the last collection */
	NT_KEPT_HEAP_FULL,   /* the same, after the last one of all generations: what that left is garbage no more */
	NT_KEPT_LOH,         /* bytes */
	NT_KEPT_RSS,         /* bytes */
	NT_KEPT_THREADS,     /* of the process, as the kernel counts them */
	NT_KEPT_DESCRIPTORS, /* open */
	NT_KEPT_HANDLES,     /* GC handles, after the last collection */
	NT_KEPT_TIMERS,      /* active */
	NT_KEPT_WORKERS,     /* of the thread pool */
	NT_KEPT_QUEUED,      /* items that wait for one */
	NT_KEPT_IN_FLIGHT,   /* requests served */
	NT_KEPT_CPU,         /* % of one CPU */
	/* What happened in the moment, a second. */
	NT_KEPT_SERVED,      /* requests that ended */
	NT_KEPT_DONE,        /* work items of the pool */
	NT_KEPT_ALLOCATED,   /* bytes */
	NT_KEPT_COLLECTIONS, /* of any generation */
	NT_KEPT_PAUSED,      /* ns in which all threads stood */
	NT_KEPT_COUNT
};

enum { NT_KEPT_MOMENTS = 600, NT_KEPT_FIRST_RATE = NT_KEPT_SERVED };

struct nt_kept_moment {
	nt_time time;   /* its end */
	uint32_t known; /* bit i: values[i] is */
	double values[NT_KEPT_COUNT];
};

/* All zero is an empty one. */
struct nt_kept_figures {
	struct nt_kept_moment moments[NT_KEPT_MOMENTS]; /* a ring */
	uint64_t count;                                 /* ever added */
	/* The moment that goes on. */
	bool begun;
	nt_time t0;
	struct {
		double sum;
		nt_time known_ns;
	} counted[NT_KEPT_COUNT];
	struct nt_f64 heap_full;
};

/* An interval is over; the figures of the snapshot are those of it. True: a moment is over with it. An interval without length is none. */
bool nt_kept_add(struct nt_kept_figures *kept, const struct nt_span *span, const struct nt_process_snapshot *process);

/* A moment, 0 = the newest, borrowed until the next is added; NULL: it is forgotten, or was never. */
const struct nt_kept_moment *nt_kept_moment(const struct nt_kept_figures *kept, size_t back);

struct nt_f64 nt_kept_value(const struct nt_kept_moment *moment, enum nt_kept_series series);

#endif
