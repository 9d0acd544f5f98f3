/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How much of what a tap could tell is told, so that it does not cost the target more than it may: pure, without a clock. What it costs beyond that is a debt. A burst may run into debt;
 * when there is too much of it, fewer are told, and a probe is taken away until the debt is paid.
 */
#ifndef NT_SOURCE_TAP_LIMIT_H
#define NT_SOURCE_TAP_LIMIT_H

#include "nettop/clock.h"

#include <stdbool.h>
#include <stdint.h>

enum {
	NT_TAP_LOOK_MS = 50,  /* between two looks at least */
	NT_TAP_DEBT_MS = 100, /* CPU time of the target, that may be owed */
	NT_TAP_DIVISOR_MAX = 1 << 20,
};

/* All zero is a beginning: all is told. */
struct nt_tap_limit {
	unsigned divisor;      /* one in so many is told; 0 = all */
	bool off;              /* it is away */
	nt_time off_ns, on_ns; /* so long in all, up to the last look */
	nt_time looked;        /* 0 = never */
	uint64_t hits, told, cpu_ns;
	double debt_ns;   /* of CPU time */
	double debt_told; /* of records */
	uint64_t paid_ns; /* CPU time that it has taken from the target, an estimate */
};

/* What happened since the beginning. */
struct nt_tap_sums {
	uint64_t hits, told;    /* in all; as records */
	uint64_t cpu_ns;        /* that the target has used */
	uint64_t hit_price_ns;  /* of each that happens, told or not */
	uint64_t told_price_ns; /* besides, of each that is told */
	bool removable;         /* it can be taken away for a while, and costs nothing then */
};

/* At each look: what is to be, from now on, is in `limit`. `limit_pct`: of the target's CPU time; `most_hz`: records in a second. True: something has changed. */
bool nt_tap_limit_look(struct nt_tap_limit *limit, const struct nt_tap_sums *sums, unsigned limit_pct, unsigned most_hz, nt_time now);

/* Part of the time in which it was there, in percent. */
double nt_tap_limit_on_pct(const struct nt_tap_limit *limit);

#endif
