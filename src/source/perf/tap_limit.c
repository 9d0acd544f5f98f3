// SPDX-License-Identifier: GPL-2.0-only
#include "source/perf/tap_limit.h"

/* However little the target uses, so much of a CPU may be paid: 0.2 %. */
enum { LEAST_PART = 500 };

static void raise(struct nt_tap_limit *limit, double factor)
{
	while (factor > 1 && limit->divisor < NT_TAP_DIVISOR_MAX) {
		limit->divisor *= 2;
		factor /= 2;
	}
}

/* It comes back when what it was paid for is made up for. */
static void take_away(struct nt_tap_limit *limit, double factor, nt_time span, nt_time now)
{
	nt_time away = (nt_time)((double)span * (factor - 1)), most = NT_TAP_OFF_MOST_MS * NT_NS_PER_MS;
	limit->off = true;
	limit->turn = now + (away < most ? away : most);
}

static void judge(struct nt_tap_limit *limit, const struct nt_tap_sums *sums, unsigned limit_pct, unsigned most_hz, nt_time span,
		  nt_time now)
{
	uint64_t hits = sums->hits - limit->hits, told = sums->told - limit->told, cpu_ns = sums->cpu_ns - limit->cpu_ns;
	double hit_ns = (double)hits * (double)sums->hit_price_ns, told_ns = (double)told * (double)sums->told_price_ns;
	/* What was paid is in the CPU time that was used, but never all of it. */
	double own_ns = (double)cpu_ns - hit_ns - told_ns, least_ns = (double)cpu_ns / 10;
	double may_ns = (own_ns > least_ns ? own_ns : least_ns) * limit_pct / 100;
	if (may_ns < (double)span / LEAST_PART)
		may_ns = (double)span / LEAST_PART;
	double most = (double)most_hz * (double)span / (double)NT_NS_PER_S;
	limit->paid_ns += (uint64_t)(hit_ns + told_ns);
	if ((double)told > most)
		raise(limit, (double)told / most);
	else if (told_ns > may_ns / 2)
		raise(limit, 2 * told_ns / may_ns);
	else if (limit->divisor > 1 && (double)told < most / 4 && told_ns < may_ns / 8)
		limit->divisor /= 2;
	if (sums->removable && hit_ns > may_ns)
		take_away(limit, hit_ns / may_ns, span, now);
}

bool nt_tap_limit_look(struct nt_tap_limit *limit, const struct nt_tap_sums *sums, unsigned limit_pct, unsigned most_hz, nt_time now)
{
	const struct nt_tap_limit before = *limit;
	nt_time span = now - limit->looked;
	if (!limit->divisor)
		limit->divisor = 1;
	if (limit->looked && limit->off) {
		limit->off_ns += span;
		limit->off = now < limit->turn;
	} else if (limit->looked && span < NT_TAP_ON_MS * NT_NS_PER_MS) {
		return false; /* too short to judge by */
	} else if (limit->looked) {
		limit->on_ns += span;
		judge(limit, sums, limit_pct, most_hz, span, now);
	}
	limit->looked = now;
	limit->hits = sums->hits;
	limit->told = sums->told;
	limit->cpu_ns = sums->cpu_ns;
	return limit->divisor != before.divisor || limit->off != before.off;
}

double nt_tap_limit_on_pct(const struct nt_tap_limit *limit)
{
	double all = (double)(limit->on_ns + limit->off_ns);
	return all > 0 ? 100 * (double)limit->on_ns / all : 100;
}
