/* SPDX-License-Identifier: GPL-2.0-only */
/* How long the row of something that has ended stays: long enough to be read, whatever the interval. */
#ifndef NT_MODEL_TOMBSTONE_H
#define NT_MODEL_TOMBSTONE_H

#include "model/common/span.h"

static inline nt_time nt_tombstone_ns(const struct nt_span *span)
{
	const nt_time least_ns = 5 * NT_NS_PER_S, ten_intervals_ns = 10 * nt_span_length(span);
	return ten_intervals_ns > least_ns ? ten_intervals_ns : least_ns;
}

#endif
