/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How a level has grown over minutes. What goes up and comes down again, as memory does with each collection, is no growth, and neither is what rose once and stays: compared are the
 * least values of 20 s, and a sixth of the time in which it did not rise is enough to say that it does not grow.
 */
#ifndef NT_MODEL_SLOPE_H
#define NT_MODEL_SLOPE_H

#include "model/history/kept_figures.h"

#define NT_SLOPE_LEAST_NS (120 * NT_NS_PER_S)
#define NT_SLOPE_MOST_NS  (600 * NT_NS_PER_S)

struct nt_slope {
	bool steady;       /* it has risen in each sixth of the time, by half of what an even rise would have been at least */
	double from, to;   /* the least of the first and of the last 20 s */
	nt_time over_ns;   /* between both */
	double per_s;      /* the median slope between any two of the least values (Theil and Sen) */
	nt_time length_ns; /* of the time up to the newest moment that it is of */
};

/*
 * Of what was since `since`, NT_SLOPE_MOST_NS at most. False: what is known does not reach back for NT_SLOPE_LEAST_NS, or a quarter of it is missing, or moments are longer than 20 s.
 */
bool nt_slope_of(const struct nt_kept_figures *kept, enum nt_kept_series series, nt_time since, struct nt_slope *out);

/* The sum of a rate over the last length_ns; unknown where it was not known for a quarter of that. */
struct nt_f64 nt_slope_sum(const struct nt_kept_figures *kept, enum nt_kept_series rate, nt_time length_ns);

#endif
