// SPDX-License-Identifier: GPL-2.0-only
#include "source/perf/perf_duty.h"

#include <stdio.h>

/* Used less than this between two looks, the CPU time is too short to be a measure. */
#define LEAST_CPU_NS (2 * NT_NS_PER_MS)

/* Paid between two looks: below, it is no matter. 0.2 % of a CPU. */
#define LEAST_PRICE_NS (2 * NT_NS_PER_MS)

enum { MOST_LIMIT_PCT = 100 };

void nt_perf_duty_init(struct nt_perf_duty *duty, enum nt_price price, unsigned limit_pct)
{
	*duty = (struct nt_perf_duty){
		.price_ns = nt_price_of(price, 1), .limit = limit_pct / 100.0, .share = 1, .whole = -1, .parts = 1, .on = true
	};
}

bool nt_perf_duty_look(struct nt_perf_duty *duty, uint64_t cpu_ns, uint64_t switches, nt_time now)
{
	uint64_t used = cpu_ns - duty->cpu_ns, paid = duty->price_ns * (switches - duty->switches);
	bool first = !duty->looked;
	duty->cpu_ns = cpu_ns;
	duty->switches = switches;
	duty->looked = now;
	if (first)
		return false;
	uint64_t paid_now = paid / duty->parts;
	duty->last_ns = paid_now;
	duty->paid_ns += paid_now;
	if (used < LEAST_CPU_NS)
		return false;
	/* What was paid is in the CPU time that was used. */
	duty->whole = (double)paid / (double)(used > 2 * paid_now ? used - paid_now : used / 2 + 1);
	double wanted = duty->whole / (duty->limit * duty->share);
	unsigned parts = duty->parts;
	if (duty->limit >= MOST_LIMIT_PCT / 100.0)
		parts = 1; /* whatever it costs */
	else if (wanted > parts || wanted < 0.7 * parts)
		parts = wanted <= 1 ? 1 : wanted >= NT_PERF_DUTY_MOST ? NT_PERF_DUTY_MOST : (unsigned)wanted + 1;
	if (parts == duty->parts)
		return false;
	duty->parts = parts;
	duty->turn = now;
	return true;
}

bool nt_perf_duty_turn(struct nt_perf_duty *duty, nt_time now)
{
	if (duty->parts == 1 && duty->on)
		return false;
	if (duty->parts > 1 && now < duty->turn)
		return false;
	duty->on = duty->parts == 1 || !duty->on;
	duty->turn = now + (nt_time)NT_PERF_DUTY_ON_MS * NT_NS_PER_MS * (duty->on ? 1 : duty->parts - 1);
	return true;
}

bool nt_perf_duty_is_too_dear(const struct nt_perf_duty *duty)
{
	return duty->parts > 1 && duty->last_ns >= LEAST_PRICE_NS;
}

void nt_perf_duty_say(const struct nt_perf_duty *duty, bool user_only, struct nt_probe *out)
{
	snprintf(out->reason, sizeof(out->reason),
		 "sampled 1/%u of the time%s: all the time would cost it ~%.0f %% of its CPU time, because it switches threads so often "
		 "and nettop may only sample threads, not CPUs; --max-target-cost is %.0f %%",
		 duty->parts, user_only ? ", and no kernel code" : "", 100 * duty->whole, 100 * duty->limit);
}

static void say_limit(const struct nt_perf_duty *duty, struct nt_probe *out)
{
	double cost_pct = 100 * duty->whole / duty->share;
	snprintf(out->fix, sizeof(out->fix), "start nettop with --max-target-cost %.0f",
		 cost_pct + 1 < MOST_LIMIT_PCT ? cost_pct + 1 : MOST_LIMIT_PCT);
}

void nt_perf_duty_say_dear(const struct nt_perf_duty *duty, const char *what, struct nt_probe *out)
{
	snprintf(out->reason, sizeof(out->reason), "%s ~%.0f %% of its CPU time; --max-target-cost is %.0f %%", what, 100 * duty->whole,
		 100 * duty->limit);
	say_limit(duty, out);
}

void nt_perf_duty_say_ended(const struct nt_perf_duty *duty, nt_time after_ns, struct nt_probe *out)
{
	snprintf(out->reason, sizeof(out->reason),
		 "threads are switched so often that to be told of it costs the process ~%.0f %% of its CPU time: ended after %.1f s, "
		 "because --max-target-cost is %.0f %%",
		 100 * duty->whole, (double)after_ns / (double)NT_NS_PER_S, 100 * duty->limit);
	say_limit(duty, out);
}
