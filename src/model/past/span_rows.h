/* SPDX-License-Identifier: GPL-2.0-only */
/* The rows of a process in a span: of several intervals, put together as nt_span_lists says. */
#ifndef NT_MODEL_PAST_SPAN_ROWS_H
#define NT_MODEL_PAST_SPAN_ROWS_H

#include "base/arena.h"
#include "base/index.h"
#include "model/past/span_lists.h"

/* So many of the newest are kept of a list of events; the others are counted. */
enum { NT_SPAN_EVENTS_MOST = 20000 };

/* One list while it is made. */
struct nt_span_part {
	unsigned char *rows; /* owned; what they point to lies in the arena */
	bool *standing;      /* owned: it is there at the end */
	size_t count, capacity, standing_capacity;
	size_t left_out;
	struct nt_index by_id;
};

struct nt_span_rows {
	nt_time t0, t1; /* of the span */
	struct nt_arena *arena;
	size_t intervals; /* that were added */
	struct nt_span_part parts[NT_SPAN_LISTS];
};

/* How an interval lies to the span. */
enum nt_span_place {
	NT_SPAN_LATER,  /* behind it: it may tell of what happened in it */
	NT_SPAN_LAST,   /* the last one, whose snapshot is the span's: its rows lie in the arena */
	NT_SPAN_BEFORE, /* before that */
};

void nt_span_rows_fini(struct nt_span_rows *rows); /* leaves one without rows */

/* Intervals are added from the newest to the oldest. `whole`: all of it lies in the span, else only what has a time of its own is of it. */
void nt_span_rows_add(struct nt_span_rows *rows, const struct nt_snapshot *interval, const struct nt_process_snapshot *process,
		      enum nt_span_place place, bool whole);

/* Let these be the process's rows: they lie in the arena. `whole`: the span is one of whole intervals, else rows that have sums are not known. */
void nt_span_rows_fill(struct nt_span_rows *rows, bool whole, struct nt_process_snapshot *process);

/* So many events of a list, by the offset of its rows, have none. */
size_t nt_span_rows_left_out(const struct nt_span_rows *rows, size_t list);

#endif
