/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * When to look at the sources, besides when one of them has news. Each wake-up costs, so there are few, and one of them comes just after the end of
 * the interval: then its frame is soon there, and what is read then is not old. The one before comes a little before that end: what it has read and nobody
 * has asked about yet gets its name in time for the frame.
 */
#ifndef NT_APP_RHYTHM_H
#define NT_APP_RHYTHM_H

#include "nettop/clock.h"

#include <stdbool.h>

enum {
	NT_RHYTHM_PERIOD_MS = 1000, /* between two looks, unless a source needs them more often */
	NT_RHYTHM_ASK_MS = 100,     /* before the end of the interval: several times what answers take */
	NT_RHYTHM_AFTER_MS = 5,     /* after the end of the interval: more than a sample takes to become visible */
	NT_RHYTHM_LATE_MS = 50,     /* between two looks while an interval that is over waits for a source */
};

/* Has the time come to ask about what the open interval has? */
bool nt_rhythm_asks(nt_time now, nt_time interval_end);

/* The time of the next look, later than `now`; `interval_end` is that of the open interval, `period` the time between two looks within it, in ns; 0 = at once. */
nt_time nt_rhythm_next(nt_time now, nt_time interval_end, nt_time period);

#endif
