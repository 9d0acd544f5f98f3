/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Proof that the model depends on nothing but its inputs: keep every batch and every tick of a run, apply them to a fresh model at the end and
 * compare each snapshot, all of it as text, with the one that was made live. And that what is kept of the past (model/past) is what it was: likewise, when it is added, and at the end.
 */
#ifndef NT_APP_REPLAY_CHECK_H
#define NT_APP_REPLAY_CHECK_H

#include "nettop/model.h"

struct nt_replay_check;

struct nt_replay_check *nt_replay_check_new(const struct nt_model_config *config);
void nt_replay_check_free(struct nt_replay_check *check); /* NULL is allowed */

/* Note an input of the live model, in order; of a tick also what it made, NULL = nothing. Both are only read. */
void nt_replay_check_batch(struct nt_replay_check *check, const struct nt_batch *batch);
void nt_replay_check_tick(struct nt_replay_check *check, const struct nt_tick *tick, const struct nt_snapshot *made);

/* Replay what was noted. Returns whether every tick made the same again; *count snapshots were compared. */
bool nt_replay_check_result(const struct nt_replay_check *check, size_t *count);

#endif
