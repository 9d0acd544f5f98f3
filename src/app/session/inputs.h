/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * All that enters the model of a session passes here: batches and ticks, nothing else. What app/ itself states and decides is a batch of its own. So whoever keeps
 * what passes (--check-replay does, and nettop record) has all that is needed to make the same snapshots again.
 */
#ifndef NT_APP_INPUTS_H
#define NT_APP_INPUTS_H

#include "app/session/replay_check.h"
#include "app/session/tape.h"
#include "nettop/model.h"

struct nt_inputs {
	struct nt_model *model;         /* owned */
	struct nt_batch *own;           /* owned; what app/ states, until it is sent */
	struct nt_replay_check *replay; /* owned; NULL = not checked */
	struct nt_tape *tape;           /* borrowed; NULL = nothing is written down */
};

void nt_inputs_init(struct nt_inputs *inputs, const struct nt_model_config *config, bool check_replay, struct nt_tape *tape);
void nt_inputs_fini(struct nt_inputs *inputs);

/* Apply a batch, which stays the caller's. An empty one is nothing. */
void nt_inputs_batch(struct nt_inputs *inputs, const struct nt_batch *batch);

/*
 * Begin a batch in the name of `source` with one event, which the caller completes before nt_inputs_send(). Its epoch is 0, which no interner uses; texts are
 * announced in `own`.
 */
struct nt_event *nt_inputs_begin(struct nt_inputs *inputs, enum nt_source_id source, enum nt_event_kind kind, nt_time time, uint32_t pid);
void nt_inputs_send(struct nt_inputs *inputs);

/* As nt_model_take_tick(). */
struct nt_snapshot *nt_inputs_tick(struct nt_inputs *inputs, const struct nt_tick *tick);

#endif
