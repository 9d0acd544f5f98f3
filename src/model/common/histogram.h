/* SPDX-License-Identifier: GPL-2.0-only */
/* Percentiles of durations in fixed memory: 64 buckets per power of two, so a percentile is right within 1 %. */
#ifndef NT_MODEL_HISTOGRAM_H
#define NT_MODEL_HISTOGRAM_H

#include "nettop/snapshot.h"

enum {
	NT_HISTOGRAM_SUB_BITS = 6,
	NT_HISTOGRAM_BUCKETS = (64 - NT_HISTOGRAM_SUB_BITS + 1) << NT_HISTOGRAM_SUB_BITS,
};

/* All zero is an empty one. */
struct nt_histogram {
	uint32_t buckets[NT_HISTOGRAM_BUCKETS];
	uint64_t count;
	uint64_t max;
};

void nt_histogram_add(struct nt_histogram *histogram, uint64_t value);
void nt_histogram_reset(struct nt_histogram *histogram);

/* Add the values of `from`. */
void nt_histogram_merge(struct nt_histogram *histogram, const struct nt_histogram *from);

/* The value that `per_mille` of the values do not exceed; unknown when there are none. */
struct nt_u64 nt_histogram_percentile(const struct nt_histogram *histogram, unsigned per_mille);

#endif
