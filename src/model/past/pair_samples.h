/* SPDX-License-Identifier: GPL-2.0-only */
/* One side of a pair, read from the past: methods, by the samples that are kept. */
#ifndef NT_MODEL_PAST_PAIR_SAMPLES_H
#define NT_MODEL_PAST_PAIR_SAMPLES_H

#include "model/past/span_pair.h"

/* A side that is being read. All zero but the first two, whose pair has begun that side. */
struct nt_pair_samples {
	struct nt_span_pair *pair; /* borrowed; the figures of its rows: own samples, and those of what it calls as well */
	enum nt_pair_side side;
	bool untold; /* an interval of the fold that is read */
};

/* Count what an interval has of the span, one after the other. One that ended behind it may tell of some that were taken in it. */
void nt_pair_samples_read(struct nt_pair_samples *reading, const struct nt_snapshot *interval, const struct nt_process_snapshot *process);

#endif
