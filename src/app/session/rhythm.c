// SPDX-License-Identifier: GPL-2.0-only
#include "app/session/rhythm.h"

bool nt_rhythm_asks(nt_time now, nt_time interval_end)
{
	return now + NT_RHYTHM_ASK_MS * NT_NS_PER_MS >= interval_end && now < interval_end;
}

nt_time nt_rhythm_next(nt_time now, nt_time interval_end, nt_time period)
{
	nt_time closing = interval_end + NT_RHYTHM_AFTER_MS * NT_NS_PER_MS;
	if (closing <= now)
		return now + NT_RHYTHM_LATE_MS * NT_NS_PER_MS;
	if (now + NT_RHYTHM_ASK_MS * NT_NS_PER_MS >= interval_end)
		return closing;
	if (!period) /* a source has become due since it was looked at */
		return now + 1;
	/* Whole periods are counted back from the asking look. One that would come at once is left out, the asking one never is. */
	nt_time asking = interval_end - NT_RHYTHM_ASK_MS * NT_NS_PER_MS;
	nt_time next = asking - (asking - now) / period * period;
	if (next < asking && next - now < period / 4)
		next += period;
	return next;
}
