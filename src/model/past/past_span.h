/* SPDX-License-Identifier: GPL-2.0-only */
/* A span of the past, chosen to parts of an interval, as a snapshot. */
#ifndef NT_MODEL_PAST_SPAN_H
#define NT_MODEL_PAST_SPAN_H

#include "model/past/past.h"

/*
 * The span [from, to) as a snapshot: the caller's, with one reference. NULL: nothing of it is kept. It is that of the last interval of which a part lies in the span, but for:
 * - `t0` and `t1`: the span, from the first part (nettop/interval_samples.h) that begins in it to the end of the last one;
 * - `methods`: those of the samples taken in these parts, by their own samples. Window and interval of their figures both are the span; since attach they are what they were then. Spans that
 *   follow each other have each sample once;
 * - `stacks`: their call tree, each sample with weight 1;
 * - `interval.cpu.samples` and for how long these are told: less than the span where samples were not kept, or some were left out;
 * - the other figures of the interval, where the span is not just one: counters are sums when the span is of whole intervals and each of them knows it; states are those at its end when an interval ends there. All
 *   others are not known;
 * - what else is of the window or of an interval alone and not of the span is not known: purposes, sides of pauses, nettop's own cost.
 * Lists other than `methods`, series and findings are still those of that last interval: who shows them says so.
 */
struct nt_snapshot *nt_past_span(struct nt_past *past, nt_time from, nt_time to);

/*
 * Give the processes of a snapshot of this past (nt_past_get()) the call trees that they had then, in its window: they are not kept, but follow from the samples that are. Of a process whose
 * samples are not kept it is as it came.
 */
void nt_past_add_stacks(struct nt_past *past, struct nt_snapshot *snapshot);

#endif
