/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a duration that is told once a second and more usually is, and what it is now: a route's p99. kept_figures.h has the figures of the process; of hundreds of rows that would
 * be too much, so of each there are the last seconds and, of ten minutes, a value for each 10 s. All of it is about the *level*: what three of its last five seconds reached. A single
 * slow request is none, whatever it lasted, and seconds in which nothing ended are none of the five.
 */
#ifndef NT_MODEL_USUAL_H
#define NT_MODEL_USUAL_H

#include "nettop/clock.h"
#include "nettop/known.h"

#include <stddef.h>

enum {
	NT_USUAL_SECONDS = 5,
	NT_USUAL_REACHED = 3,
	NT_USUAL_LEAST_COUNT = 10, /* in those seconds: fewer requests say nothing of a level */
	NT_USUAL_PARTS = 60,
	NT_USUAL_LEAST_PARTS = 6,
};

/* All zero is an empty one; 650 bytes. */
struct nt_usual {
	struct {
		nt_time time;
		uint64_t count, value_ns;
	} seconds[NT_USUAL_SECONDS]; /* a ring */
	size_t second_count;         /* ever */
	struct nt_usual_part {
		uint32_t number;       /* which 10 s */
		uint32_t level_us;     /* the highest in it; 0 = none was known */
	} parts[NT_USUAL_PARTS], open; /* a ring, and the one that goes on */
	size_t part_count;             /* ever */
	struct nt_usual_part usual;    /* reckoned in part `number` */
	nt_time usual_over_ns;
	nt_time high_since; /* 0 = it is not */
};

/* What is known at the end of an interval. */
struct nt_usual_now {
	struct nt_u64 level_ns; /* now */
	uint64_t count;         /* of those seconds */
	struct nt_u64 usual_ns; /* before: three quarters of the parts had no higher level. Not known before there are six */
	nt_time usual_over_ns;  /* from the first to the last of them */
	bool high;              /* three times what is usual, and 250 ms more */
};

/* A second in which `count` ended is told at `time`. */
void nt_usual_add(struct nt_usual *usual, nt_time time, uint64_t count, uint64_t value_ns);

/*
 * An interval ends at `now`; seconds told in the last `within_ns` count. What is high is not added to what is usual, for ten minutes at most: then it is forgotten what was, and what
 * lasts so long becomes usual.
 */
struct nt_usual_now nt_usual_close(struct nt_usual *usual, nt_time now, nt_time within_ns);

#endif
