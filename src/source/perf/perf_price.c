// SPDX-License-Identifier: GPL-2.0-only
/* How many samples are asked for, by what they cost nettop and the target. */
#include "source/common/price.h"
#include "source/common/sources.h"
#include "source/perf/perf_watch.h"

#include <linux/perf_event.h>

enum {
	PRICE_MS = 1000, /* rhythm of reading the target's context switches, after the first look */
	PRICE_FIRST_MS = 100,
	START_HZ = 125, /* at most, of a program that nettop has started, at first: each sample delays its start */
};

static void set_period(struct nt_perf_watch *p)
{
	uint64_t period_ns = p->rate.period_ns * p->rate.divisor;
	nt_perf_list_control(p->attach->lists[0], PERF_EVENT_IOC_PERIOD, (uintptr_t)&period_ns);
}

static unsigned start_divisor(const struct nt_perf_watch *p)
{
	unsigned divisor = 1;
	while (p->attach->features.hz > START_HZ * divisor)
		divisor *= 2;
	return divisor;
}

static void start_gently(struct nt_perf_watch *p, nt_time now)
{
	if (start_divisor(p) == 1)
		return;
	p->starts_until = now + NT_STARTING_MS * NT_NS_PER_MS;
	nt_perf_rate_set(&p->rate, start_divisor(p), now);
	set_period(p);
}

void nt_perf_price_begin(struct nt_perf_watch *p)
{
	nt_perf_rate_init(&p->rate, p->attach->features.hz, p->config->perf_most);
	nt_perf_duty_init(&p->duty, p->attach->features.switches ? NT_PRICE_SWITCH_RECORD : NT_PRICE_TASK_SWITCH,
			  nt_perf_duty_limit_pct(p->config));
	if (p->config->starting && p->attach->features.of_cpus)
		start_gently(p, nt_clock_now());
}

bool nt_perf_price_adapt(struct nt_perf_watch *p)
{
	nt_time now = nt_clock_now();
	if (!p->attach->features.of_cpus)
		return false;
	bool changed = nt_perf_rate_look(&p->rate, p->arrived, now);
	if (p->starts_until && now >= p->starts_until) {
		p->starts_until = 0;
		changed = true;
		/* A load that asked for fewer still does so. */
		if (p->rate.divisor == start_divisor(p))
			nt_perf_rate_set(&p->rate, 1, now);
	}
	if (changed)
		set_period(p);
	return changed;
}

/* Is another part of the time counted from now on? */
static bool look_at_price(struct nt_perf_watch *p, nt_time now, bool *too_dear)
{
	if (now < p->next_price)
		return false;
	p->next_price = now + (p->duty.looked ? PRICE_MS : PRICE_FIRST_MS) * NT_NS_PER_MS;
	bool told = nt_switches_read(&p->switches, p->target->proc_dir);
	bool changed = told && nt_perf_duty_look(&p->duty, p->switches.cpu_ns, p->switches.count, now);
	if (p->attach->features.switches) {
		*too_dear = told && nt_perf_duty_is_too_dear(&p->duty);
		if (!*too_dear)
			p->duty.parts = 1;
		return false;
	}
	if (changed)
		nt_perf_rate_set(&p->rate, p->duty.parts, now);
	return changed;
}

enum nt_perf_priced nt_perf_price_keep(struct nt_perf_watch *p, nt_time now)
{
	bool too_dear = false;
	if (p->attach->features.of_cpus)
		return NT_PERF_AS_BEFORE;
	bool changed = look_at_price(p, now, &too_dear);
	if (!p->attach->features.switches && nt_perf_duty_turn(&p->duty, now)) {
		nt_perf_attach_pause(p->attach, !p->duty.on);
		nt_perf_cover_say(&p->cover, p->box, p->target->pid, now, p->duty.on);
	}
	return too_dear ? NT_PERF_TOO_DEAR : changed ? NT_PERF_CHANGED : NT_PERF_AS_BEFORE;
}
