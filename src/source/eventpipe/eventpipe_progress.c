// SPDX-License-Identifier: GPL-2.0-only
#include "source/eventpipe/eventpipe_progress.h"

/* Of the sessions that count, of single requests, activities and work items. Counters say themselves which time they are of. */
static void say(struct nt_eventpipe_session *session, const struct nt_eventpipe_events *events, nt_time time, bool covered)
{
	const struct nt_eventpipe_plan *plan = session->plan;
	enum nt_eventpipe_role role = nt_eventpipe_plan_role(plan);
	bool says = role == NT_EVENTPIPE_REQUESTS || role == NT_EVENTPIPE_ACTIVITIES || role == NT_EVENTPIPE_POOL_ITEMS ||
		    (role == NT_EVENTPIPE_COUNTS && plan->counters == NT_COUNTERS_NONE);
	if (covered == session->covers || !says)
		return;
	session->covers = covered;
	nt_outbox_add(events->box, NT_EV_COVER, time, events->pid, 0)->u.cover =
		(struct nt_ev_cover){ .what = plan->wants, .covered = covered };
}

void nt_eventpipe_progress_begin(struct nt_eventpipe_events *events)
{
	events->began_here = events->newest_here = 0;
}

void nt_eventpipe_progress_note(struct nt_eventpipe_session *session, const struct nt_eventpipe_events *events, enum nt_status status,
				nt_time quiet_until)
{
	if (events->began_here)
		say(session, events, events->began_here, true);
	if (events->newest_here > session->newest)
		session->newest = events->newest_here;
	if (status == NT_AGAIN && session->state != NT_EVENTPIPE_ASKING && quiet_until > session->newest)
		session->newest = quiet_until;
	session->whole = status == NT_END;
}

void nt_eventpipe_progress_end(struct nt_eventpipe_session *session, const struct nt_eventpipe_events *events)
{
	say(session, events, session->whole && session->stop_asked ? session->stop_asked : session->newest, false);
}

nt_time nt_eventpipe_progress_of(struct nt_eventpipe_session *const *sessions, size_t count, nt_time until)
{
	for (size_t i = 0; i < count; i++)
		if (sessions[i] && sessions[i]->state == NT_EVENTPIPE_READING && sessions[i]->newest < until)
			until = sessions[i]->newest;
	return until;
}
