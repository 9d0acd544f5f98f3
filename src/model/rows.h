/* SPDX-License-Identifier: GPL-2.0-only */
/* Method rows: how many samples have a method as leaf (self) or anywhere in the chain (total), in the interval, the window and since attach. */
#ifndef NT_MODEL_ROWS_H
#define NT_MODEL_ROWS_H

#include "model/frames.h"
#include "model/majority.h"
#include "model/span.h"
#include "nettop/snapshot.h"

struct nt_row {
	uint64_t self_interval, total_interval;
	uint64_t self_all, total_all;
	double window_self, window_total;
	double tier_window[NT_TIER_COUNT];
	uint32_t tier_samples[NT_TIER_COUNT];
	uint64_t address;                  /* of the newest frame, to see when the code is gone */
	uint64_t born;                     /* interval in which it first counted; 0 = never */
	uint64_t seen;                     /* interval in which it last counted */
	nt_time seen_until;                /* and the end of that */
	struct nt_majority thread, caller; /* of code that has its bounds only: names of threads, and of the nearest managed methods */
	struct nt_trend trend;
	uint64_t trend_step; /* of its last cell; see struct nt_rows */
	uint32_t mark;       /* of the chain that is being resolved: counts once per chain */
};

struct nt_rows {
	struct nt_row *items; /* owned; by row number */
	size_t count, capacity;
	double window_samples;
	uint64_t interval_samples, samples_all;
	uint64_t trend_step; /* number of the newest cell of all trends: an interval without length has none */
	uint8_t trend_known; /* were samples taken in the last intervals? As in struct nt_trend */
};

void nt_rows_init(struct nt_rows *rows);
void nt_rows_fini(struct nt_rows *rows);

/* The row of a number; made when new. Valid until the next call with a larger number. */
struct nt_row *nt_rows_get(struct nt_rows *rows, uint32_t number);

/* Count one sample of the open interval for the rows of a chain; frames[0] is the leaf's. */
void nt_rows_count(struct nt_rows *rows, const nt_frame *frames, size_t count, unsigned samples, const struct nt_span *span);

/* Take `samples` of closed intervals, with `weight` in the window, away from the rows of a chain, or give them to it. */
void nt_rows_take(struct nt_rows *rows, const nt_frame *frames, size_t count, uint64_t samples, double weight);
void nt_rows_give(struct nt_rows *rows, const nt_frame *frames, size_t count, uint64_t samples, double weight, const struct nt_span *span);

/* Nothing has been counted. */
void nt_rows_restart(struct nt_rows *rows);

/* One interval passed: everything in the window weighs less. */
void nt_rows_decay(struct nt_rows *rows, double decay);

/*
 * Has the row weighed nothing for so long that it may be given up when there are too many? nt_rows_fold() adds what it counted to the row
 * NT_KEY_OTHER and empties it.
 */
bool nt_rows_forgotten(const struct nt_rows *rows, uint32_t number, const struct nt_span *span);

/* The same of a row whose code is gone: for a shorter time, and it may still weigh a little. */
bool nt_rows_outlived(const struct nt_rows *rows, uint32_t number, const struct nt_span *span);
void nt_rows_fold(struct nt_rows *rows, uint32_t number);

/* The past of a row that has become part of another one. */
void nt_rows_add_trend(struct nt_rows *rows, uint32_t number, const struct nt_row *past);

/* Write the rows in view (all when span->final) in their order and start the next interval. `known`: samples were taken. */
void nt_rows_close(struct nt_rows *rows, const struct nt_resolver *resolver, const struct nt_span *span, bool known,
		   struct nt_process_snapshot *process);

#endif
