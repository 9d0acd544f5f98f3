/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How many of the samples that were asked for are taken: one of `divisor`, so that what arrives, and with it what nettop costs, stays bounded however many CPUs are
 * busy. A sample counts for as many as it stands for, so shares and sums are those of the rate that was asked for. Samples are numerous where they are left out, so
 * nothing is lost of what the screen shows.
 */
#ifndef NT_SOURCE_PERF_RATE_H
#define NT_SOURCE_PERF_RATE_H

#include "nettop/source.h"

#include <stdbool.h>
#include <stdint.h>

enum {
	NT_PERF_SAMPLES_MAX = 4000, /* may arrive in a second: a share of 1 % has an error of a sixth of it */
	NT_PERF_BUSY_CPUS_MIN = 4,  /* and so many CPUs may always be sampled at the full rate, however high */
	NT_PERF_DIVISOR_MAX = 256,
};

struct nt_perf_rate {
	uint64_t period_ns; /* of the rate asked for */
	unsigned most;      /* samples that may arrive in a second */
	unsigned divisor;   /* in force: a power of two */
	unsigned before;    /* of samples before `since` */
	nt_time since;
	uint64_t arrived; /* when it was looked at last */
	nt_time looked;   /* 0 = never */
	unsigned quiet;   /* looks in a row at which more would do */
};

/* most: samples that may arrive in a second; 0 = NT_PERF_SAMPLES_MAX, or as many as NT_PERF_BUSY_CPUS_MIN give at this rate. */
void nt_perf_rate_init(struct nt_perf_rate *rate, unsigned hz, unsigned most);

/*
 * What has arrived so far, of whomever. Call it as often as you like: it looks once a second. True: from `now` on the divisor in force is another one, and the caller
 * sets it. Up at once, down after some seconds, so that a load that comes and goes does not make it swing.
 */
bool nt_perf_rate_look(struct nt_perf_rate *rate, uint64_t arrived, nt_time now);

/* From `now` on it is this one, which somebody else has chosen. */
void nt_perf_rate_set(struct nt_perf_rate *rate, unsigned divisor, nt_time now);

/* Samples that are taken in a second of a CPU's time, of so many that were asked for; why there are fewer, if there are, into out->reason. */
unsigned nt_perf_rate_hz(const struct nt_perf_rate *rate, unsigned asked_hz);
void nt_perf_rate_say(const struct nt_perf_rate *rate, unsigned asked_hz, struct nt_probe *out);

/* For how many samples of the rate asked for one of this time stands. */
unsigned nt_perf_rate_times(const struct nt_perf_rate *rate, nt_time time);

#endif
