// SPDX-License-Identifier: GPL-2.0-only
#include "source/perf/perf_rate.h"

#include <stdio.h>

enum { LOOK_MS = 1000, QUIET_LOOKS = 5 };

void nt_perf_rate_init(struct nt_perf_rate *rate, unsigned hz, unsigned most)
{
	unsigned usual = NT_PERF_BUSY_CPUS_MIN * hz > NT_PERF_SAMPLES_MAX ? NT_PERF_BUSY_CPUS_MIN * hz : NT_PERF_SAMPLES_MAX;
	*rate = (struct nt_perf_rate){ .period_ns = NT_NS_PER_S / hz, .most = most ? most : usual, .divisor = 1, .before = 1 };
}

void nt_perf_rate_set(struct nt_perf_rate *rate, unsigned divisor, nt_time now)
{
	rate->before = rate->divisor;
	rate->divisor = divisor;
	rate->since = now;
}

/* Samples of the rate asked for that would have come in this time, in the most that may. */
static double load(const struct nt_perf_rate *rate, uint64_t arrived, nt_time now)
{
	double most = (double)rate->most * (double)(now - rate->looked) / (double)NT_NS_PER_S;
	return (double)(arrived - rate->arrived) * rate->divisor / most;
}

bool nt_perf_rate_look(struct nt_perf_rate *rate, uint64_t arrived, nt_time now)
{
	if (rate->looked && now < rate->looked + LOOK_MS * NT_NS_PER_MS)
		return false;
	double asked = rate->looked ? load(rate, arrived, now) : 0;
	rate->looked = now;
	rate->arrived = arrived;
	unsigned divisor = rate->divisor;
	/* A little over it does not matter: four busy CPUs are not five. */
	while (asked > 1.1 * divisor && divisor < NT_PERF_DIVISOR_MAX)
		divisor *= 2;
	rate->quiet = divisor > 1 && asked < 0.9 * divisor / 2 ? rate->quiet + 1 : 0;
	if (rate->quiet == QUIET_LOOKS) {
		divisor /= 2;
		rate->quiet = 0;
	}
	if (divisor == rate->divisor)
		return false;
	nt_perf_rate_set(rate, divisor, now);
	return true;
}

unsigned nt_perf_rate_times(const struct nt_perf_rate *rate, nt_time time)
{
	return time < rate->since ? rate->before : rate->divisor;
}

unsigned nt_perf_rate_hz(const struct nt_perf_rate *rate, unsigned asked_hz)
{
	return (asked_hz + rate->divisor / 2) / rate->divisor;
}

void nt_perf_rate_say(const struct nt_perf_rate *rate, unsigned asked_hz, struct nt_probe *out)
{
	if (rate->divisor > 1)
		snprintf(out->reason, sizeof(out->reason),
			 "%u of %u samples per second of each CPU: so much is running that more would cost nettop more than they tell",
			 nt_perf_rate_hz(rate, asked_hz), asked_hz);
}
