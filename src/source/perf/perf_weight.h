/* SPDX-License-Identifier: GPL-2.0-only */
/* What a sample stands for, in ns of CPU time. Pure arithmetic. */
#ifndef NT_SOURCE_PERF_WEIGHT_H
#define NT_SOURCE_PERF_WEIGHT_H

#include <stdint.h>

/*
 * cpu-clock counts ns: a sample's period is its weight. Hardware cycles pass faster or slower with the clock of the CPU, and the kernel varies the period to
 * meet the frequency: their rate is measured by the events themselves, which count cycles and the time during which they counted.
 */
struct nt_perf_weight {
	double ns_per_unit;                   /* 0 = not known yet */
	uint64_t last_value, last_running_ns; /* of the last measurement */
	uint64_t fallback_ns;                 /* the nominal distance of samples */
};

void nt_perf_weight_init(struct nt_perf_weight *weight, unsigned hz);

/* The period is in ns already. */
void nt_perf_weight_is_time(struct nt_perf_weight *weight);

/* The events' sums so far: units counted, and ns of CPU time in which they were. */
void nt_perf_weight_measure(struct nt_perf_weight *weight, uint64_t value, uint64_t running_ns);

uint64_t nt_perf_weight_ns(const struct nt_perf_weight *weight, uint64_t period);

#endif
