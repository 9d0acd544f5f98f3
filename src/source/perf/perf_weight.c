// SPDX-License-Identifier: GPL-2.0-only
#include "source/perf/perf_weight.h"

#include "nettop/clock.h"

void nt_perf_weight_init(struct nt_perf_weight *weight, unsigned hz)
{
	*weight = (struct nt_perf_weight){ .fallback_ns = NT_NS_PER_S / hz };
}

void nt_perf_weight_is_time(struct nt_perf_weight *weight)
{
	weight->ns_per_unit = 1;
}

void nt_perf_weight_measure(struct nt_perf_weight *weight, uint64_t value, uint64_t running_ns)
{
	/* Less than a millisecond says little about a rate: wait for more. */
	if (value <= weight->last_value || running_ns < weight->last_running_ns + NT_NS_PER_MS)
		return;
	weight->ns_per_unit = (double)(running_ns - weight->last_running_ns) / (double)(value - weight->last_value);
	weight->last_value = value;
	weight->last_running_ns = running_ns;
}

uint64_t nt_perf_weight_ns(const struct nt_perf_weight *weight, uint64_t period)
{
	if (weight->ns_per_unit <= 0)
		return weight->fallback_ns;
	return (uint64_t)((double)period * weight->ns_per_unit + 0.5);
}
