/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The model: batches in, snapshots out. It opens no file and reads no clock; its only inputs are batches and ticks, so that the same batches and ticks give
 * the same snapshots, byte for byte. What nettop decides (what is looked at, how long intervals are, where all ends) is an event, too: kinds 0x21 to 0x2f of
 * NT_SOURCE_APP (nettop/event_kind.h).
 */
#ifndef NETTOP_MODEL_H
#define NETTOP_MODEL_H

#include "nettop/event.h"
#include "nettop/snapshot.h"

struct nt_model;

/* In so many intervals what is in the window comes to weigh half. */
enum { NT_WINDOW_HALF_LIFE = 5 };

struct nt_model_config {
	uint32_t pid;              /* of the first process; a TARGET event of another one adds it, within a bound */
	nt_time start;             /* begin of the first interval */
	nt_time interval_ns;       /* > 0 */
	nt_time watermark_ns;      /* how long an interval waits for its sources: 300 ms */
	unsigned window_half_life; /* of the exponential window, in intervals: NT_WINDOW_HALF_LIFE */
	size_t history_limit;      /* rows of collections kept: 2000 */
	uint32_t site_frames;      /* innermost ones that are kept of the stack of a thread that waits; 0 = 64 */
	size_t text_slack_bytes; /* so much of new texts is worth a look at which are used; 0 = as much as was used last, at least 256 KB */
};

/* Defaults as in the design. */
void nt_model_config_init(struct nt_model_config *config);

/* The model is owned by the caller. Snapshots taken from it must be released before nt_model_free(). */
struct nt_model *nt_model_new(const struct nt_model_config *config);
void nt_model_free(struct nt_model *model);

/* Apply one batch; it is only read and stays the caller's. */
void nt_model_apply(struct nt_model *model, const struct nt_batch *batch);

/* What a tick says besides the time. The numbers are those of recordings. */
enum nt_tick_how {
	NT_TICK_DUE = 0,   /* an interval that is due closes */
	NT_TICK_CLOSE = 1, /* the open interval closes whatever is missing: the first frame, and the end */
	NT_TICK_FINAL = 2, /* the same; the snapshot's total figures are complete, and every row is in it */
};

/* Time passed. */
struct nt_tick {
	nt_time now;
	enum nt_tick_how how;
	bool complete; /* NT_TICK_FINAL: all sources were read to their end; the snapshot says so */
};

/*
 * Returns a snapshot (a reference that the caller releases) when an interval closed, else NULL. When it is due: every open source has reported past its end, or
 * watermark_ns have passed since. Several intervals may be due: call again until NULL. NT_TICK_CLOSE and NT_TICK_FINAL never return NULL.
 */
struct nt_snapshot *nt_model_take_tick(struct nt_model *model, const struct nt_tick *tick);

/* The same in short. */
static inline struct nt_snapshot *nt_model_tick(struct nt_model *model, nt_time now)
{
	return nt_model_take_tick(model, &(struct nt_tick){ .now = now, .how = NT_TICK_DUE });
}

static inline struct nt_snapshot *nt_model_close(struct nt_model *model, nt_time now, bool final)
{
	return nt_model_take_tick(model, &(struct nt_tick){ .now = now, .how = final ? NT_TICK_FINAL : NT_TICK_CLOSE });
}

/*
 * The answer to the newest NT_EV_ASK: questions about what the open interval had by then, for whoever can answer. Asked a little before it ends, most of it has a
 * name when it closes; what is asked afterwards is in the snapshot. Borrowed until the next batch or tick.
 */
const struct nt_question *nt_model_questions(const struct nt_model *model, size_t *count);

/*
 * Have the mappings of a process been asked for, and not been read yet? What lies in one that becomes known is asked for when that is closed next; after the end no
 * interval closes that would have to, so the newest NT_EV_ASK does.
 */
bool nt_model_awaits_mappings(const struct nt_model *model);

/* Is everything before the end that NT_EV_END has set in an interval that is closed? */
bool nt_model_has_ended(const struct nt_model *model);

/*
 * An event that counts, at the moment at which a model takes it in: no duplicate of what another source tells, nothing from behind the end, what happens in the order of intervals. Valid while it is shown.
 */
struct nt_shown_event {
	enum nt_source_id source;
	const struct nt_event *event;
	/* What an id of it means: `length` bytes, which no NUL ends. 0 bytes: nothing. */
	const char *(*text)(const struct nt_shown_event *shown, nt_str id, size_t *length);
	const void *ids, *names; /* the model's */
};

/* Show each to `see`, from now on, for whoever writes down what happened in another form. NULL: to nobody, as in the beginning. */
void nt_model_show_events(struct nt_model *model, void (*see)(void *context, const struct nt_shown_event *shown), void *context);

/* When the open interval ends. */
nt_time nt_model_interval_end(const struct nt_model *model);

#endif
