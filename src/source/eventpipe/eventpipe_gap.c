// SPDX-License-Identifier: GPL-2.0-only
#include "source/eventpipe/eventpipe_gap.h"

void nt_eventpipe_gap_begin(struct nt_eventpipe_gap *gap, nt_time from, bool whole)
{
	if (gap->from == NT_TIME_UNKNOWN)
		*gap = (struct nt_eventpipe_gap){ from, whole };
}

void nt_eventpipe_gap_close(struct nt_eventpipe_gap *gap, nt_time until, uint32_t pid, struct nt_outbox *box)
{
	if (gap->from == NT_TIME_UNKNOWN)
		return;
	struct nt_ev_lost lost = { .what = NT_LOST_GAP, .from = gap->from };
	nt_outbox_lost(box, until, pid, &lost);
	gap->from = NT_TIME_UNKNOWN;
}

bool nt_eventpipe_gap_at_end(const struct nt_eventpipe_gap *gap, const struct nt_target *target)
{
	/* A runtime that ends in order closes its sessions when all was written: nothing is missing then. One that is killed has not sent the last tenth of a second. */
	bool by_its_end = gap->whole && !nt_target_alive(target);
	return gap->from != NT_TIME_UNKNOWN && !by_its_end;
}
