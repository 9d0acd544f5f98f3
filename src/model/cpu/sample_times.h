/* SPDX-License-Identifier: GPL-2.0-only */
/* When in the interval samples were taken: see nettop/interval_samples.h. */
#ifndef NT_MODEL_SAMPLE_TIMES_H
#define NT_MODEL_SAMPLE_TIMES_H

#include "model/common/span.h"
#include "nettop/interval_samples.h"

/* All zero is one without samples. */
struct nt_sample_times {
	struct nt_interval_samples open; /* `known` is not filled */
};

/* So many samples were taken at this time, and came in the interval that is being closed. */
void nt_sample_times_add(struct nt_sample_times *times, nt_time time, unsigned count, const struct nt_span *span);

/* Fill the snapshot and start the next interval. `known`: samples were taken. */
void nt_sample_times_close(struct nt_sample_times *times, bool known, const struct nt_span *span, struct nt_interval_samples *out);

#endif
