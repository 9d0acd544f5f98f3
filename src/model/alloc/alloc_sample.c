// SPDX-License-Identifier: GPL-2.0-only
#include "model/alloc/alloc_sample.h"

/* Mean distance of two picked bytes. */
static const double distance_bytes = 102400;

/* AllocationKind of the runtime. */
enum { KIND_LARGE = 1, KIND_PINNED = 2 };

/* q^n by squaring: only multiplications, so that every machine computes the same bits. */
static double power(double q, uint64_t n)
{
	double result = 1;
	for (; n; n >>= 1, q *= q)
		if (n & 1)
			result *= q;
	return result;
}

struct nt_alloc_sums nt_alloc_sums_of(const struct nt_ev_alloc *sample)
{
	struct nt_alloc_sums sums = { .samples = 1 };
	if (!sample->object_bytes)
		return sums;
	double chance = 1 - power(1 - 1 / distance_bytes, sample->object_bytes);
	sums.objects = 1 / chance;
	sums.bytes = (double)sample->object_bytes / chance;
	sums.large_bytes = sample->alloc_kind == KIND_LARGE ? sums.bytes : 0;
	sums.pinned_bytes = sample->alloc_kind == KIND_PINNED ? sums.bytes : 0;
	sums.variance = (1 - chance) * sums.bytes * sums.bytes;
	return sums;
}

struct nt_alloc_sums nt_alloc_sums_of_tick(const struct nt_ev_alloc *tick)
{
	struct nt_alloc_sums sums = { .samples = 1, .bytes = (double)tick->amount_bytes };
	bool alone = tick->alloc_kind != 0 && tick->object_bytes >= tick->amount_bytes;
	if (tick->object_bytes)
		sums.objects = alone ? 1 : sums.bytes / (double)tick->object_bytes;
	sums.large_bytes = tick->alloc_kind == KIND_LARGE ? sums.bytes : 0;
	sums.pinned_bytes = tick->alloc_kind == KIND_PINNED ? sums.bytes : 0;
	sums.variance = alone ? 0 : sums.bytes * sums.bytes;
	return sums;
}
