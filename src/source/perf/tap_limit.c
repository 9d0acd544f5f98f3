// SPDX-License-Identifier: GPL-2.0-only
#include "source/perf/tap_limit.h"

/* However little the target uses, so much of a CPU may be paid: a part in so many. */
enum { LEAST_PART = 100 };

static double above_zero(double value)
{
	return value > 0 ? value : 0;
}

/* What it may cost in this span. What was paid is in the CPU time that was used, but never all of it. */
static double allowance(double used_ns, double paid_ns, unsigned limit_pct, nt_time span)
{
	double own_ns = used_ns - paid_ns > used_ns / 10 ? used_ns - paid_ns : used_ns / 10;
	double may_ns = own_ns * limit_pct / 100, least_ns = (double)span / LEAST_PART;
	return may_ns > least_ns ? may_ns : least_ns;
}

static void divide(struct nt_tap_limit *limit, double told, double most)
{
	limit->debt_told = above_zero(limit->debt_told + told - most);
	double factor = most > 0 ? told / most : 1;
	if (limit->debt_told > most * 10)
		for (; factor > 1 && limit->divisor < NT_TAP_DIVISOR_MAX; factor /= 2)
			limit->divisor *= 2;
	else if (limit->divisor > 1 && told < most / 4)
		limit->divisor /= 2;
}

bool nt_tap_limit_look(struct nt_tap_limit *limit, const struct nt_tap_sums *sums, unsigned limit_pct, unsigned most_hz, nt_time now)
{
	const unsigned divisor = limit->divisor;
	const bool off = limit->off, first = !limit->looked;
	nt_time span = now - limit->looked;
	if (!first && span < NT_TAP_LOOK_MS * NT_NS_PER_MS)
		return false; /* too short to judge by */
	if (first)
		limit->divisor = 1;
	double hits = (double)(sums->hits - limit->hits), told = (double)(sums->told - limit->told);
	double paid_ns = hits * (double)sums->hit_price_ns + told * (double)sums->told_price_ns;
	double used_ns = (double)(sums->cpu_ns > limit->cpu_ns ? sums->cpu_ns - limit->cpu_ns : 0);
	if (!first) {
		limit->debt_ns = above_zero(limit->debt_ns + paid_ns - allowance(used_ns, paid_ns, limit_pct, span));
		limit->paid_ns += (uint64_t)paid_ns;
		*(off ? &limit->off_ns : &limit->on_ns) += span;
		if (!off)
			divide(limit, told, (double)most_hz * (double)span / (double)NT_NS_PER_S);
		limit->off = sums->removable && (off ? limit->debt_ns > 0 : limit->debt_ns > NT_TAP_DEBT_MS * (double)NT_NS_PER_MS);
	}
	limit->looked = now;
	limit->hits = sums->hits;
	limit->told = sums->told;
	limit->cpu_ns = sums->cpu_ns;
	return limit->divisor != divisor || limit->off != off;
}

double nt_tap_limit_on_pct(const struct nt_tap_limit *limit)
{
	double all = (double)(limit->on_ns + limit->off_ns);
	return all > 0 ? 100 * (double)limit->on_ns / all : 100;
}
