/* SPDX-License-Identifier: GPL-2.0-only */
/* Figures of allocations, as columns and panels read them. */
#ifndef NETTOP_ALLOC_FIGURES_H
#define NETTOP_ALLOC_FIGURES_H

#include "nettop/column.h"

/* Those over a window. */
static inline const struct nt_alloc_sums *nt_alloc_sums_over(const struct nt_alloc_figures *figures, enum nt_window window)
{
	switch (window) {
	case NT_WINDOW_INTERVAL:
		return &figures->interval;
	case NT_WINDOW_ATTACH:
		return &figures->all;
	default:
		return &figures->window;
	}
}

/* How much of that time was sampled. In the recent window weighted as the sums are, so that their quotient is a rate. */
static inline double nt_alloc_seconds(const struct nt_alloc_sampling *sampling, enum nt_window window)
{
	switch (window) {
	case NT_WINDOW_INTERVAL:
		return sampling->interval_s;
	case NT_WINDOW_ATTACH:
		return sampling->all_s;
	default:
		return sampling->window_s;
	}
}

/* The same as a time; not of the recent window, in which it is weighted. */
static inline nt_time nt_alloc_covered_ns(const struct nt_alloc_sampling *sampling, enum nt_window window)
{
	return (nt_time)(nt_alloc_seconds(sampling, window) * (double)NT_NS_PER_S);
}

/* Unknown when it is no number of bytes, objects or samples: a recording may say anything. */
static inline struct nt_u64 nt_alloc_whole(double value)
{
	return value >= 0 && value < 0x1p63 ? nt_u64_of((uint64_t)(value + 0.5)) : (struct nt_u64){ 0 };
}

static inline struct nt_u64 nt_alloc_bytes_per_s(const struct nt_alloc_sums *sums, double seconds)
{
	return seconds > 0 ? nt_alloc_whole(sums->bytes / seconds) : (struct nt_u64){ 0 };
}

#endif
