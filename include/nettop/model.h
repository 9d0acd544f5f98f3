/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The model: batches in, snapshots out. It opens no file and reads no clock; its only inputs are nt_model_apply() and nt_model_tick(), so that
 * the same batches and ticks give the same snapshots, byte for byte.
 */
#ifndef NETTOP_MODEL_H
#define NETTOP_MODEL_H

#include "nettop/event.h"
#include "nettop/snapshot.h"

struct nt_model;

struct nt_model_config {
	uint32_t pid;              /* the one target (later: processes are added by TARGET events) */
	nt_time start;             /* begin of the first interval */
	nt_time interval_ns;       /* > 0 */
	nt_time watermark_ns;      /* how long an interval waits for its sources: 300 ms, 500 ms with EventPipe */
	unsigned window_half_life; /* of the exponential window, in intervals: 5 */
	size_t history_limit;      /* rows of collections kept: 2000 */
	size_t text_slack_bytes; /* so much of new texts is worth a look at which are used; 0 = as much as was used last, at least 256 KB */
};

/* Defaults as in the design. */
void nt_model_config_init(struct nt_model_config *config);

/* The model is owned by the caller. Snapshots taken from it must be released before nt_model_free(). */
struct nt_model *nt_model_new(const struct nt_model_config *config);
void nt_model_free(struct nt_model *model);

/* Apply one batch; it is only read and stays the caller's. */
void nt_model_apply(struct nt_model *model, const struct nt_batch *batch);

/*
 * Time passed. Closes the open interval when every open source has reported past its end, or watermark_ns after its end. Returns a snapshot
 * (a reference that the caller releases) when an interval closed, else NULL. Call again until NULL: several intervals may be due.
 */
struct nt_snapshot *nt_model_tick(struct nt_model *model, nt_time now);

/*
 * Questions about what the open interval has so far, for whoever can answer: asked a little before it ends, most of it has a name when it closes. What is
 * asked afterwards is in the snapshot. An array of *count that is the caller's; NULL = there are none.
 */
struct nt_question *nt_model_ask(struct nt_model *model, nt_time now, size_t *count);

/* Close the open interval at `now` whatever is missing: the first frame, and the end. Returns a snapshot, never NULL. With `final` the
 * snapshot's total figures are complete and every row is in it. */
struct nt_snapshot *nt_model_close(struct nt_model *model, nt_time now, bool final);

/*
 * The end, for all subjects alike: nothing that happens at `until` or later counts, and no interval reaches beyond. What happened before may still be told:
 * the interval that ends there is closed by nt_model_close() alone.
 */
void nt_model_end(struct nt_model *model, nt_time until);

/* Is everything before that end in an interval that is closed? */
bool nt_model_has_ended(const struct nt_model *model);

/* When the open interval ends. */
nt_time nt_model_interval_end(const struct nt_model *model);

/*
 * Keep call stacks from now on, in another way than before, or no more. What was kept is forgotten, unless `wanted` is what it was. Nothing of it is
 * kept at first: it costs time per sample and up to some megabytes.
 */
void nt_model_want_stacks(struct nt_model *model, enum nt_stacks_wanted wanted);

/*
 * From now on the snapshots tell where in this method the samples were, and its code; the newest samples from before count, too. `method`: id of a
 * struct nt_method_row; 0 = of none.
 */
void nt_model_annotate(struct nt_model *model, uint64_t method);

/* Change the interval from the next one on (key `d`). */
void nt_model_set_interval(struct nt_model *model, nt_time interval_ns);

#endif
