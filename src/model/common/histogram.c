// SPDX-License-Identifier: GPL-2.0-only
#include "model/common/histogram.h"

#include <string.h>

static unsigned bucket_of(uint64_t value)
{
	if (value < 1u << NT_HISTOGRAM_SUB_BITS)
		return (unsigned)value;
	unsigned shift = 63 - NT_HISTOGRAM_SUB_BITS - (unsigned)__builtin_clzll(value);
	return ((shift + 1) << NT_HISTOGRAM_SUB_BITS) + (unsigned)(value >> shift) - (1u << NT_HISTOGRAM_SUB_BITS);
}

/* The middle of a bucket. */
static uint64_t value_of(unsigned bucket)
{
	unsigned octave = bucket >> NT_HISTOGRAM_SUB_BITS;
	if (octave == 0)
		return bucket;
	unsigned shift = octave - 1;
	uint64_t low = (uint64_t)((bucket & ((1u << NT_HISTOGRAM_SUB_BITS) - 1)) + (1u << NT_HISTOGRAM_SUB_BITS)) << shift;
	return low + ((UINT64_C(1) << shift) >> 1);
}

void nt_histogram_add(struct nt_histogram *histogram, uint64_t value)
{
	uint32_t *bucket = &histogram->buckets[bucket_of(value)];
	if (*bucket != UINT32_MAX)
		++*bucket;
	histogram->count++;
	if (value > histogram->max)
		histogram->max = value;
}

void nt_histogram_reset(struct nt_histogram *histogram)
{
	if (histogram->count)
		memset(histogram, 0, sizeof(*histogram));
}

void nt_histogram_merge(struct nt_histogram *histogram, const struct nt_histogram *from)
{
	for (unsigned i = 0; i < NT_HISTOGRAM_BUCKETS; i++) {
		uint32_t room = UINT32_MAX - histogram->buckets[i];
		histogram->buckets[i] += from->buckets[i] < room ? from->buckets[i] : room;
	}
	histogram->count += from->count;
	if (from->max > histogram->max)
		histogram->max = from->max;
}

struct nt_u64 nt_histogram_percentile(const struct nt_histogram *histogram, unsigned per_mille)
{
	if (!histogram->count)
		return (struct nt_u64){ 0 };
	uint64_t rank = histogram->count / 1000 * per_mille + (histogram->count % 1000 * per_mille + 999) / 1000;
	uint64_t seen = 0;
	for (unsigned i = 0; i < NT_HISTOGRAM_BUCKETS; i++) {
		seen += histogram->buckets[i];
		if (seen >= rank && seen) {
			uint64_t value = value_of(i);
			return nt_u64_of(value < histogram->max ? value : histogram->max);
		}
	}
	return nt_u64_of(histogram->max);
}
