/* SPDX-License-Identifier: GPL-2.0-only */
/* What follows from the rows and figures of a span, once they are there: the pauses of each generation, who used most CPU, shares. */
#ifndef NT_MODEL_PAST_SPAN_FOLLOWS_H
#define NT_MODEL_PAST_SPAN_FOLLOWS_H

#include "nettop/snapshot.h"

/* Of the collections in it. */
void nt_span_follow_pauses(struct nt_process_snapshot *process, nt_time length);

/* Of rows that have sums: the span is one of whole intervals, as many as `intervals`. */
void nt_span_follow_sums(struct nt_process_snapshot *process, size_t intervals);

/* Strips of the last intervals: no cell of an interval before the span. */
void nt_span_cut_series(struct nt_process_snapshot *process, size_t intervals);

#endif
