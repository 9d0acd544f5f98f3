/* SPDX-License-Identifier: GPL-2.0-only */
/* What is told one by one, single requests and work items: each as long as it does not cost the target too much; and why it is not told. */
#ifndef NT_SOURCE_EVENTPIPE_AFFORD_H
#define NT_SOURCE_EVENTPIPE_AFFORD_H

#include "source/eventpipe/eventpipe_events.h"
#include "source/eventpipe/eventpipe_limit.h"

/* All zero is one that has not looked yet. */
struct nt_eventpipe_afford {
	struct nt_eventpipe_limit requests, items;
};

/* Of a set of enum nt_demand bits those that may be asked for now, by what `events` have cost so far. Asked for anew what was over its limit gets another try. */
unsigned nt_eventpipe_afford_of(struct nt_eventpipe_afford *afford, const struct nt_eventpipe_events *events, unsigned most_pct,
				unsigned demand, nt_time now);

/* The bits of what is over its limit. */
unsigned nt_eventpipe_afford_dear(const struct nt_eventpipe_afford *afford);

/* Why they do not come although somebody may want them, into `said`. `never`: bits of what this kind of program does not have; `major`: of its runtime, 0 = not known. */
void nt_eventpipe_afford_tell(const struct nt_eventpipe_afford *afford, unsigned never, unsigned major, struct nt_outbox *box,
			      struct nt_ev_source_state *said);

#endif
