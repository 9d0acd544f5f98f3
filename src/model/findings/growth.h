/* SPDX-License-Identifier: GPL-2.0-only */
/* What grows, and when it reaches its limit. For evidence.c, findings.c and growth_text.c only. */
#ifndef NT_MODEL_GROWTH_H
#define NT_MODEL_GROWTH_H

#include "model/history/kept_figures.h"

enum nt_growing_kind {
	NT_GROWING_HEAP,   /* after collections of all generations */
	NT_GROWING_MEMORY, /* RSS, where the heap and what was allocated since the last collection do not explain it */
	NT_GROWING_THREADS,
	NT_GROWING_DESCRIPTORS,
	NT_GROWING_HANDLES,
	NT_GROWING_TIMERS,
	NT_GROWING_COUNT
};

struct nt_growing {
	bool judged; /* known for long enough; else the following is all zero */
	double grew; /* 0 = it does not grow */
	double from, to, per_s;
	nt_time over_ns;
	double in_an_hour; /* so much of its way to twice the size, or to the limit where that is nearer: 1 = it gets there in an hour */
	/* Of what a limit is known. */
	const char *limit_of; /* "the limit of its cgroup"; NULL = no limit is known */
	double limit;         /* its own unit */
	nt_time limit_in_ns;
	struct nt_f64 heap; /* of NT_GROWING_MEMORY: what the heap has */
};

/*
 * At the end of a moment; `process` is its snapshot. The first minute of a process is its start, and no growth; the two minutes after that are what is needed at least. Of the last ten
 * minutes, five and two that counts in which it grew most.
 */
void nt_growth_judge(const struct nt_kept_figures *kept, nt_time now, const struct nt_process_snapshot *process,
		     struct nt_growing out[NT_GROWING_COUNT]);

#endif
