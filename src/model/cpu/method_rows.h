/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Method rows: how many samples have a method as leaf (self) or anywhere in the chain (total), in the interval, the window and since attach.
 *
 * There are tens of thousands of them beside a large program, so a row has what each needs. What it weighs in the window has a place only while it
 * is in the list; samples by tier, and what was going on, only those of which there is something to say.
 */
#ifndef NT_MODEL_METHOD_ROWS_H
#define NT_MODEL_METHOD_ROWS_H

#include "base/slots.h"
#include "model/common/majority.h"
#include "model/common/span.h"
#include "model/cpu/frames.h"
#include "nettop/snapshot.h"

struct nt_row {
	uint64_t self_all, total_all;
	uint64_t own_all;   /* samples for which it is the place that people look for: see nt_rows_own() */
	uint64_t address;   /* of the newest frame, to see when the code is gone */
	nt_time seen_until; /* end of the interval `seen` */
	uint32_t seen;      /* interval in which it last counted; 0 = never */
	uint32_t mark;      /* of the chain that is being resolved: counts once per chain */
	uint32_t window;    /* number of its struct nt_row_window; 0 = it weighs nothing */
	uint32_t context;   /* number of its struct nt_row_context; 0 = none */
	uint32_t tiers;     /* number of its struct nt_row_tiers; 0 = all samples are of one tier: */
	uint8_t tier;
	bool fresh; /* first counted in the open interval */
};

/* The last values of a row, as in struct nt_trend. */
struct nt_row_trend {
	float cells[NT_TREND_CELLS];
	uint32_t step; /* of the last cell; see struct nt_rows */
};

struct nt_row_window {
	double self, total, own;
	uint32_t self_interval, total_interval, own_interval;
	struct nt_row_trend trend;
};

struct nt_row_tiers {
	double window[NT_TIER_COUNT];
	uint32_t samples[NT_TIER_COUNT];
};

/* Of code that has its bounds only: names of threads, and of the nearest managed methods. */
struct nt_row_context {
	struct nt_majority thread, caller;
};

struct nt_rows {
	struct nt_row *items; /* owned; by row number */
	size_t count, capacity;
	struct nt_slots windows, tiers, contexts;
	double window_samples;
	uint64_t interval_samples, samples_all;
	uint32_t trend_step; /* number of the newest cell of all trends: an interval without length has none */
	uint8_t trend_known; /* were samples taken in the last intervals? As in struct nt_trend */
	enum nt_sample_kind kind;
};

void nt_rows_init(struct nt_rows *rows, enum nt_sample_kind kind);
void nt_rows_fini(struct nt_rows *rows);

/* The row of a number; made when new. Valid until the next call with a larger number. */
struct nt_row *nt_rows_get(struct nt_rows *rows, uint32_t number);

/* Count one sample of the open interval for the rows of a chain; frames[0] is the leaf's. */
void nt_rows_count(struct nt_rows *rows, const nt_frame *frames, size_t count, unsigned samples, const struct nt_span *span);

/*
 * Of the samples just counted for a chain, the row `number` has those that are its own: the first of the frames that is the program's, or the leaf. Each sample is
 * one row's own; nt_rows_own_move(): of closed intervals, from one row to another.
 */
void nt_rows_own(struct nt_rows *rows, uint32_t number, unsigned samples);
void nt_rows_own_move(struct nt_rows *rows, uint32_t from, uint32_t to, uint64_t samples, double weight);

/* Take `samples` of closed intervals, with `weight` in the window, away from the rows of a chain, or give them to it. */
void nt_rows_take(struct nt_rows *rows, const nt_frame *frames, size_t count, uint64_t samples, double weight);
void nt_rows_give(struct nt_rows *rows, const nt_frame *frames, size_t count, uint64_t samples, double weight, const struct nt_span *span);

/* What was going on when a row was sampled; made when new. Valid until the next call. */
struct nt_row_context *nt_rows_context(struct nt_rows *rows, uint32_t number);

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

/* The past of a row; and give it to the row that it has become part of. */
struct nt_row_trend nt_rows_trend(const struct nt_rows *rows, uint32_t number);
void nt_rows_add_trend(struct nt_rows *rows, uint32_t number, const struct nt_row_trend *past);

/*
 * Write the rows in view (all when span->final) in their order and start the next interval. `known`: samples were taken. `others`: of the other kinds of samples,
 * by kind, NULL where none came: a row that is in view by one of them is in the list, too, and each row has what it weighs by all.
 */
void nt_rows_close(struct nt_rows *rows, struct nt_rows *const *others, const struct nt_resolver *resolver, const struct nt_span *span,
		   bool known, struct nt_snapshot *snapshot, struct nt_process_snapshot *process);

/* Visit the texts that are kept. */
void nt_rows_each_text(const struct nt_rows *rows, nt_text_visit *visit, void *context);

/* So many samples in the window are nothing. */
#define NT_ROW_NEGLIGIBLE 0.005

/* NULL = it weighs nothing. */
static inline struct nt_row_window *nt_row_window(const struct nt_rows *rows, const struct nt_row *row)
{
	return row->window ? nt_slots_at(&rows->windows, row->window) : NULL;
}

/* NULL = all samples are of the tier row->tier. */
static inline struct nt_row_tiers *nt_row_tiers(const struct nt_rows *rows, const struct nt_row *row)
{
	return row->tiers ? nt_slots_at(&rows->tiers, row->tiers) : NULL;
}

/* It weighs nothing any more. */
void nt_row_leave_window(struct nt_rows *rows, struct nt_row *row);

/* Let the trend's last cell be this one: in those between, the row had no samples. */
void nt_row_trend_move(struct nt_row_trend *trend, uint32_t step);

#endif
