// SPDX-License-Identifier: GPL-2.0-only
#include "source/perf_duty.h"

#include "source/price.h"

/* Used less than this between two looks, the CPU time is too short to be a measure. */
#define LEAST_CPU_NS (2 * NT_NS_PER_MS)

void nt_perf_duty_init(struct nt_perf_duty *duty, unsigned limit_pct)
{
	*duty = (struct nt_perf_duty){ .limit = limit_pct / 100.0, .whole = -1, .parts = 1, .on = true };
}

bool nt_perf_duty_look(struct nt_perf_duty *duty, uint64_t cpu_ns, uint64_t switches, nt_time now)
{
	uint64_t used = cpu_ns - duty->cpu_ns, paid = nt_price_of(NT_PRICE_TASK_SWITCH, switches - duty->switches);
	bool first = !duty->looked;
	duty->cpu_ns = cpu_ns;
	duty->switches = switches;
	duty->looked = now;
	if (first)
		return false;
	uint64_t paid_now = paid / duty->parts;
	duty->paid_ns += paid_now;
	if (used < LEAST_CPU_NS)
		return false;
	/* What was paid is in the CPU time that was used. */
	duty->whole = (double)paid / (double)(used > 2 * paid_now ? used - paid_now : used / 2 + 1);
	double wanted = duty->whole / duty->limit;
	unsigned parts = duty->parts;
	if (wanted > parts || wanted < 0.7 * parts)
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
