/* SPDX-License-Identifier: GPL-2.0-only */
/* A span of the past, chosen to parts of an interval, as a snapshot. */
#ifndef NT_MODEL_PAST_SPAN_H
#define NT_MODEL_PAST_SPAN_H

#include "model/past/past.h"

/*
 * The span [from, to) as a snapshot: the caller's, with one reference. NULL: nothing of it is kept. It is one long interval: what a snapshot has of its interval is of the span. Totals since attach are those at the end of
 * the last interval of which a part lies in the span, whose snapshot it is besides.
 * - `t0` and `t1`: the span, from the first part (nettop/interval_samples.h) that begins in it to the end of the last one. Where samples are folded (nt_past_folded()) it is wider: all of
 *   their time is in it, and `stacks.coarse_ns` says for how long that is;
 * - `methods`: those of the samples taken in these parts, by their own samples. Window and interval of their figures both are the span. Spans that follow each other have each sample once;
 * - `stacks`: their call tree, each sample with weight 1;
 * - `interval.cpu.samples` and for how long these are told: less than the span where samples were not kept, or some were left out;
 * - rows with a time of their own: those whose time lies in it, each once (model/past/span_lists.h). Of one list the newest NT_SPAN_EVENTS_MOST. Of chosen events those that have no row are
 *   counted (`told.gone_count`), also those that their own interval had no more; of the interval in which the span begins these may be from before it;
 * - findings: those that held in one of its intervals;
 * - where it begins and ends with an interval, rows that count and the other figures: sums, what was so at the end, or not known. Else they are not known, and their lists are empty;
 * - the hottest methods of each thread, and of each side of the pauses: by the samples of the call tree;
 * - what is of the window alone, and not of the span, is not known: nettop's own cost, at which instructions of a method the samples were.
 */
struct nt_snapshot *nt_past_span(struct nt_past *past, nt_time from, nt_time to);

/*
 * Give the processes of a snapshot of this past (nt_past_get()) the call trees that they had then, in its window: they are not kept, but follow from the samples that are. Of a process whose
 * samples are not kept it is as it came. Where samples are folded, those of the last folded time may be of after its end: `stacks.coarse_ns`.
 */
void nt_past_add_stacks(struct nt_past *past, struct nt_snapshot *snapshot);

/* The process of that pid in an interval; NULL = it is not there. */
const struct nt_process_snapshot *nt_past_process(const struct nt_snapshot *interval, uint32_t pid);

#endif
