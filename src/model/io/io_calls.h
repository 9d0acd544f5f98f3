/* SPDX-License-Identifier: GPL-2.0-only */
/* Calls on what has a name, added up: of one row, and of all. Sums in fixed memory; how long calls took is kept in the buckets in which it comes. */
#ifndef NT_MODEL_IO_CALLS_H
#define NT_MODEL_IO_CALLS_H

#include "model/common/span.h"
#include "nettop/event.h"
#include "nettop/snapshot.h"

/* How long calls took. */
struct nt_io_latency {
	uint64_t count;
	uint64_t buckets[NT_IO_LATENCY_BUCKETS];
};

/* Of one row. All zero is a beginning. */
struct nt_io_call_sums {
	struct nt_io_calls interval, all;
	struct nt_io_latency *latency; /* owned; NULL = no call yet */
};

/* Of all rows, and of what has none. All zero is a beginning. */
struct nt_io_call_totals {
	struct nt_io_calls interval, all;
	nt_time covered_ns, covered_all_ns; /* in the open interval, and in all */
	uint64_t unnamed, unnamed_all, lost, lost_all;
	bool told, told_before;   /* calls are counted now; they have been, if only for a while */
	const char *reason, *fix; /* the table's: why they are not; NULL = nobody asks */
};

void nt_io_call_sums_fini(struct nt_io_call_sums *sums);

/* A CALLS event. False: it is of no sort that there is. */
bool nt_io_call_sums_add(struct nt_io_call_sums *sums, const struct nt_ev_calls *calls);
bool nt_io_call_totals_add(struct nt_io_call_totals *totals, const struct nt_ev_calls *calls);

/* A CALLS_TOLD event; texts are the table's, NULL = none. */
void nt_io_call_totals_told(struct nt_io_call_totals *totals, nt_time time, const struct nt_ev_calls_told *told, const char *reason,
			    const char *fix);

/* Into a row, and the next interval begins. Percentiles are right within an eighth: the middle of a bucket. */
void nt_io_call_sums_close(struct nt_io_call_sums *sums, struct nt_io_row *out);
void nt_io_call_totals_close(struct nt_io_call_totals *totals, struct nt_process_snapshot *process);

#endif
