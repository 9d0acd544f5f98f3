/* SPDX-License-Identifier: GPL-2.0-only */
/* From when on events are missing because a session broke off, and whether they still are at the end. */
#ifndef NT_SOURCE_EVENTPIPE_GAP_H
#define NT_SOURCE_EVENTPIPE_GAP_H

#include "source/common/outbox.h"
#include "target/process/target.h"

struct nt_eventpipe_gap {
	nt_time from; /* NT_TIME_UNKNOWN = nothing is missing */
	bool whole;   /* the runtime broke it off after it had written all that it had */
};

/* All that came before `from` was had, what follows is missed. One that goes on stays as it began. */
void nt_eventpipe_gap_begin(struct nt_eventpipe_gap *gap, nt_time from, bool whole);

/* Everything comes again, from `until` on: tell of what `pid` did meanwhile. Nothing to do where nothing is missing. */
void nt_eventpipe_gap_close(struct nt_eventpipe_gap *gap, nt_time until, uint32_t pid, struct nt_outbox *box);

/* Nothing will come any more: was what came last missed? */
bool nt_eventpipe_gap_at_end(const struct nt_eventpipe_gap *gap, const struct nt_target *target);

#endif
