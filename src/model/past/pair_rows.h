/* SPDX-License-Identifier: GPL-2.0-only */
/* One side of a pair, read from the past: the rows of a list, by what each interval counts of them. */
#ifndef NT_MODEL_PAST_PAIR_ROWS_H
#define NT_MODEL_PAST_PAIR_ROWS_H

#include "model/past/span_lists.h"
#include "model/past/span_pair.h"

/* Count the rows of a list that is compared, of an interval; nothing where not all of it lies in the side's span, or nothing is told. */
void nt_pair_rows_read(struct nt_span_pair *pair, enum nt_pair_side side, const struct nt_span_list *list,
		       const struct nt_snapshot *interval, const struct nt_process_snapshot *process);

#endif
