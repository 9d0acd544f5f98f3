/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What each of the last intervals was, in a few figures: for the screen of time, which shows all of them at once. Bounded: NT_TIMELINE_MOMENTS; the oldest are forgotten. What was not known
 * is not known here.
 */
#ifndef NT_UI_TIMELINE_H
#define NT_UI_TIMELINE_H

#include "nettop/snapshot.h"

/* A quarter of an hour in intervals of a second, and the short ones of a start. */
enum { NT_TIMELINE_MOMENTS = 1024 };

enum nt_timeline_strip {
	NT_TIMELINE_CPU,      /* % of one CPU */
	NT_TIMELINE_GC,       /* % of the time in which all threads stood */
	NT_TIMELINE_JIT,      /* ms a second */
	NT_TIMELINE_WAITS,    /* s a second, of threads that do not wait for work */
	NT_TIMELINE_REQUESTS, /* served, a second */
	NT_TIMELINE_STRIPS
};

struct nt_timeline_moment {
	uint64_t sequence;
	nt_time t0, t1;
	struct nt_f64 values[NT_TIMELINE_STRIPS];
	bool marked; /* a finding held */
	struct nt_interval_samples samples;
};

/* All zero is empty. */
struct nt_timeline {
	struct nt_timeline_moment *moments; /* owned: a ring */
	uint64_t count;                     /* ever */
};

void nt_timeline_fini(struct nt_timeline *timeline);

/* An interval is over. */
void nt_timeline_add(struct nt_timeline *timeline, const struct nt_snapshot *snapshot);

/* How many there are, and one of them: 0 = the newest. */
size_t nt_timeline_count(const struct nt_timeline *timeline);
const struct nt_timeline_moment *nt_timeline_at(const struct nt_timeline *timeline, size_t back);

#endif
