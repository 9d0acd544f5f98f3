/* SPDX-License-Identifier: GPL-2.0-only */
/* Samples of long ago, with less of when they were taken: nt_interval_samples.folded_from. */
#ifndef NT_MODEL_PAST_SAMPLES_FOLD_H
#define NT_MODEL_PAST_SAMPLES_FOLD_H

#include "nettop/snapshot.h"

/*
 * Put the kept samples of these intervals together with the last of them, as far as the processes are in that: how many were of a thread with a stack stays, which part of the time they were
 * taken in goes. What lies in the last one is then borrowed from the others. `count` > 0; they follow each other.
 */
void nt_samples_fold(struct nt_snapshot *const *intervals, size_t count);

#endif
