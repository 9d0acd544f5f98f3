/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counters in the two formats of `dotnet-counters collect --format csv|json`, so that what reads its files reads these. A value for each period that was told: of
 * events their change in the period, of a histogram three quantiles. What nobody told has no line: where dotnet-counters writes 0 for the mean of nothing, there is
 * none; and a counter without a name for people has its own, where dotnet-counters has none.
 */
#ifndef NT_OUTPUT_COUNTER_LINES_H
#define NT_OUTPUT_COUNTER_LINES_H

#include "nettop/snapshot.h"

#include <stdio.h>

struct nt_counter_lines {
	FILE *out;
	bool json;
	nt_time interval_ns;        /* the period that was asked for */
	int64_t realtime_offset_ns; /* nt_clock_realtime_offset() */
	bool any;                   /* a value has been written */
};

/* What comes first. `process`: its name; `now`: when it is written. */
void nt_counter_lines_begin(struct nt_counter_lines *lines, const char *process, nt_time now);

/* The values of the interval, in the order of time. Write errors stay in the stream (ferror). */
void nt_counter_lines_add(struct nt_counter_lines *lines, const struct nt_process_snapshot *process);

/* What comes last. */
void nt_counter_lines_end(struct nt_counter_lines *lines);

#endif
