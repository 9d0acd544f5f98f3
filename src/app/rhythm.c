// SPDX-License-Identifier: GPL-2.0-only
#include "app/rhythm.h"

nt_time nt_rhythm_next(nt_time now, nt_time interval_end, nt_time period)
{
	nt_time closing = interval_end + NT_RHYTHM_AFTER_MS * NT_NS_PER_MS;
	if (closing <= now)
		return now + NT_RHYTHM_LATE_MS * NT_NS_PER_MS;
	/* Whole periods are counted back from the closing look. One that would come at once is left out, the closing one never is. */
	nt_time next = closing - (closing - now) / period * period;
	if (next < closing && next - now < period / 4)
		next += period;
	return next;
}
