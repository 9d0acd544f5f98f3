/* SPDX-License-Identifier: GPL-2.0-only */
/* Counters as rows of a snapshot. Source: EventCounters and Meters, over the diagnostics port. */
#ifndef NETTOP_COUNTER_ROW_H
#define NETTOP_COUNTER_ROW_H

#include "nettop/event.h"
#include "nettop/known.h"
#include "nettop/trend.h"

enum {
	NT_COUNTER_TOLD = 3,  /* values that a row has of one interval */
	NT_COUNTER_TAGS = 64, /* tags of a row, of which it is known whether they differ */
};

/* What it said at the end of one of its periods. */
struct nt_counter_told {
	nt_time at;
	double value, p95, p99; /* a state, the change of events in the period; of a histogram its median, and its other quantiles */
};

/* A counter that the target publishes: of an EventSource, or an instrument of a Meter with one set of tags. */
struct nt_counter_row {
	uint64_t id;
	const char *provider, *name;
	const char *display_name, *unit, *tags;   /* NULL = none */
	const char *description;                  /* what the instrument counts, in the program's own words; NULL = none, or not told */
	const char *instrument_tags, *meter_tags; /* that all its series have in common; NULL = none, or not told */
	const char *label;                        /* name and tags: `dotnet.gc.collections{gc.heap.generation=gen0}` */
	uint64_t differ;                          /* bit i: the i-th tag differs from that of another series of the same instrument */
	enum nt_counter_kind kind;
	/*
	 * A state as it was last told; of events their total: the program's own where it tells one, else since nettop listens; of a histogram the
	 * median of its last period.
	 */
	struct nt_f64 value;
	struct nt_f64 change;     /* in this interval */
	struct nt_f64 rate_per_s; /* over the periods that ended last */
	struct nt_f64 least,
		greatest; /* of the value, since nettop listens; of a histogram its p50 and p99; not known of a total, which only grows */
	struct nt_f64 least_per_s, greatest_per_s; /* of the rate, since nettop listens */
	struct nt_f64 p50, p95, p99;               /* of a histogram's last period */
	struct nt_trend trend;                     /* value of a state, rate of events, p99 of a histogram */
	nt_time heard;                             /* when it was last told */
	/* What it told in this interval, oldest first: of more than there is room for the newest, those before taken into one. */
	struct nt_counter_told told[NT_COUNTER_TOLD];
	size_t told_count;
	bool fresh; /* first interval of the row */
	bool ended; /* it is no longer told */
};

#endif
