// SPDX-License-Identifier: GPL-2.0-only
#include "model/cpu/sample_times.h"

void nt_sample_times_add(struct nt_sample_times *times, nt_time time, unsigned count, const struct nt_span *span)
{
	if (time < span->t0)
		times->open.late += count;
	else if (time < span->t1) /* one from behind the end is counted early, when too many wait: it has no part yet */
		times->open.parts[nt_interval_part(span->t0, span->t1, time)] += count;
}

void nt_sample_times_close(struct nt_sample_times *times, bool known, const struct nt_span *span, struct nt_interval_samples *out)
{
	*out = known && nt_span_length(span) ? times->open : (struct nt_interval_samples){ 0 };
	out->known = known && nt_span_length(span);
	times->open = (struct nt_interval_samples){ 0 };
}
