// SPDX-License-Identifier: GPL-2.0-only
#include "source/perf/perf_cover.h"

/* Longer than any rest between two rounds (TRY_AGAIN, attaching): rings have room for more than a second at full rate. */
static const nt_time stall_ns = 2 * NT_NS_PER_S;

void nt_perf_cover_say(struct nt_perf_cover *cover, struct nt_outbox *box, uint32_t pid, nt_time now, bool covered)
{
	if (covered != cover->covers)
		nt_outbox_add(box, NT_EV_COVER, now, pid, 0)->u.cover = (struct nt_ev_cover){ .what = 1, .covered = covered };
	cover->covers = covered;
}

void nt_perf_cover_reads(struct nt_perf_cover *cover, nt_time now)
{
	cover->since = cover->read_at && now > cover->read_at + stall_ns ? cover->read_at : 0;
	cover->read_at = now;
}

void nt_perf_cover_overflowed(struct nt_perf_cover *cover, struct nt_outbox *box, uint32_t pid, nt_time room_ns)
{
	nt_time from = cover->since + room_ns;
	if (!cover->since || !cover->covers || cover->read_at <= from)
		return;
	nt_perf_cover_say(cover, box, pid, from, false);
	nt_perf_cover_say(cover, box, pid, cover->read_at, true);
}
