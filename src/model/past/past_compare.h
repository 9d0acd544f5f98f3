/* SPDX-License-Identifier: GPL-2.0-only */
/* A span of the past against another one. */
#ifndef NT_MODEL_PAST_COMPARE_H
#define NT_MODEL_PAST_COMPARE_H

#include "model/past/past.h"

/*
 * The span [from, to) as nt_past_span() has it, with `difference` of each process: what is not as it was in [before_from, before_to). `before`: the same past, or that of another process, which is alone
 * in it; rows are the same by their names. NULL: nothing of the span is kept.
 */
struct nt_snapshot *nt_past_compare(struct nt_past *before, nt_time before_from, nt_time before_to, struct nt_past *past, nt_time from,
				    nt_time to);

#endif
