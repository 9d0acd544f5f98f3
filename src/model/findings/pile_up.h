/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Requests that pile up: more are in flight than in the minutes before, and fewer end. Both: who opens connections that stay open has more in flight, and a night has fewer that end.
 * Whose callers wait for their answers before they ask again has no more in flight than it has callers: there it tells that none ends at all.
 * For evidence.c, findings.c and findings_text.c only.
 */
#ifndef NT_MODEL_PILE_UP_H
#define NT_MODEL_PILE_UP_H

#include "model/history/kept_figures.h"

enum { NT_PILE_MORE = 5, NT_PILE_TIMES = 3, NT_PILE_FEWER_TIMES = 2 };
#define NT_PILE_STUCK_NS (10 * NT_NS_PER_S)

struct nt_pile {
	bool judged; /* both are known, now and for a minute before; else the following is all zero */
	double in_flight,
		in_flight_usual; /* the fewest of the last three moments; what three quarters of the moments before did not exceed */
	double ended_per_s, ended_usual; /* in these; the median */
	nt_time over_ns;                 /* the moments before */
	double more, times;              /* in flight, than usual; infinite times where there were none */
	double fewer_times;              /* as many ended than do; 0 where less than one a second did */
	nt_time stuck_ns;                /* for so long none has ended; 0 where less than one a second did */
	bool piled;                      /* the first reaches its number above, and the two others or the last do */
};

/* At the end of a moment. since: they pile up since then, 0 = they do not: what is usual is what was before. */
struct nt_pile nt_pile_up_judge(const struct nt_kept_figures *kept, nt_time since);

#endif
