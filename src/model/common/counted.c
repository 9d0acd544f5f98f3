// SPDX-License-Identifier: GPL-2.0-only
#include "model/common/counted.h"

/* How long it may be silent before it does not tell any more. */
static const nt_time silence_ns = 3 * NT_NS_PER_S;
enum { SILENT_PERIODS = 3 };

void nt_counted_grew(struct nt_counted *counted, nt_time time, nt_time period_ns, double change)
{
	if (!(change >= 0) || !period_ns)
		return;
	nt_time begin = time > period_ns ? time - period_ns : 0;
	if (!counted->counting || begin > counted->until + period_ns / 2)
		counted->since = begin;
	counted->counting = true;
	counted->until = time;
	counted->period_ns = period_ns;
	counted->interval += change;
	counted->interval_ns += period_ns;
	counted->told_ns += period_ns;
}

void nt_counted_stands(struct nt_counted *counted, nt_time time, nt_time period_ns, double value)
{
	/* What lies further back has a gap in between. */
	bool follows = counted->value_ns && time > counted->value_ns && (time - counted->value_ns) / 2 < period_ns;
	if (follows)
		nt_counted_grew(counted, time, time - counted->value_ns, value - counted->value);
	counted->value = value;
	counted->value_ns = time;
}

void nt_counted_close(struct nt_counted *counted, const struct nt_span *span)
{
	nt_time since_ns = span->t1 > counted->until ? span->t1 - counted->until : 0;
	if (since_ns > silence_ns && since_ns / SILENT_PERIODS > counted->period_ns)
		counted->counting = false;
	if (counted->interval_ns)
		counted->per_s = counted->interval * (double)NT_NS_PER_S / (double)counted->interval_ns;
	nt_time from = counted->since > span->t0 ? counted->since : span->t0;
	nt_time overdue = counted->until + counted->period_ns + counted->period_ns / 2;
	nt_time to = span->t1 <= overdue ? span->t1 : counted->until;
	counted->covered_ns = counted->counting && to > from ? to - from : 0;
}

double nt_counted_amount(const struct nt_counted *counted)
{
	return counted->per_s * (double)counted->covered_ns / (double)NT_NS_PER_S;
}

void nt_counted_next(struct nt_counted *counted)
{
	counted->interval = 0;
	counted->interval_ns = 0;
}
