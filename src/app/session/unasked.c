// SPDX-License-Identifier: GPL-2.0-only
#include "app/session/unasked.h"

/* What EventPipe has cost the target so far: during a start that is compilations before all. */
static uint64_t paid_ns(const struct nt_session *session)
{
	struct nt_source_stats stats = { 0 };
	for (size_t i = 0; i < session->slot_count; i++)
		if (session->slots[i].source && session->slots[i].ops->id == NT_SOURCE_EVENTPIPE)
			session->slots[i].ops->stats(session->slots[i].source, &stats);
	return stats.price_ns;
}

bool nt_session_asks_unasked(struct nt_session *session, nt_time now)
{
	if (!session->wants_compilations && now >= session->starts_until)
		return false;
	return !nt_eventpipe_limit_is_over(&session->unasked_limit, paid_ns(session), session->setup.target->pid,
					   (unsigned)session->setup.options->max_target_cost_pct, now);
}
