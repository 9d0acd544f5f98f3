/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Proof that the model depends on nothing but its inputs: keep every batch and every tick of a run, apply them to a fresh model at the end and
 * compare each snapshot, written as JSON with all rows, with the one that was made live.
 */
#ifndef NT_APP_REPLAY_CHECK_H
#define NT_APP_REPLAY_CHECK_H

#include "nettop/model.h"

struct nt_replay_check;

struct nt_replay_check *nt_replay_check_new(const struct nt_model_config *config);
void nt_replay_check_free(struct nt_replay_check *check); /* NULL is allowed */

/* Note an input of the live model, in order. */
void nt_replay_check_batch(struct nt_replay_check *check, const struct nt_batch *batch);
void nt_replay_check_tick(struct nt_replay_check *check, nt_time now);
void nt_replay_check_end(struct nt_replay_check *check, nt_time until);
void nt_replay_check_close(struct nt_replay_check *check, nt_time now, bool final);

/* Note an output of the live model (all but the final one). */
void nt_replay_check_snapshot(struct nt_replay_check *check, const struct nt_snapshot *snapshot);

/* Replay everything; `final` is the live final snapshot. 1 = every snapshot equal, 0 = not. */
int nt_replay_check_result(struct nt_replay_check *check, const struct nt_snapshot *final);

#endif
