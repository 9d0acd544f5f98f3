/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The exponential window: a value of n intervals ago weighs decay^n. Only + - * / and comparisons are used, so that every machine computes
 * the same bits.
 */
#ifndef NT_MODEL_DECAY_H
#define NT_MODEL_DECAY_H

#include <stdint.h>

/* The factor per interval that halves a weight in `half_life` intervals (> 0). */
double nt_window_decay(unsigned half_life);

/* decay^n; 0 when n is so large that nothing is left. */
double nt_window_power(double decay, uint64_t n);

#endif
