// SPDX-License-Identifier: GPL-2.0-only
#include "source/eventpipe/eventpipe_sessions.h"

size_t nt_eventpipe_sessions_count(const struct nt_eventpipe_sessions *sessions, enum nt_eventpipe_state least)
{
	size_t count = 0;
	for (size_t i = 0; i < NT_EVENTPIPE_PLANS_MAX; i++)
		count += sessions->at[i] && sessions->at[i]->state >= least;
	return count;
}

void nt_eventpipe_sessions_close(struct nt_eventpipe_sessions *sessions, size_t index)
{
	if (sessions->at[index])
		nt_eventpipe_progress_end(sessions->at[index], sessions->events);
	nt_eventpipe_session_close(sessions->at[index]);
	sessions->at[index] = NULL;
}

void nt_eventpipe_sessions_close_all(struct nt_eventpipe_sessions *sessions)
{
	for (size_t i = 0; i < NT_EVENTPIPE_PLANS_MAX; i++)
		nt_eventpipe_sessions_close(sessions, i);
}

bool nt_eventpipe_sessions_whole(const struct nt_eventpipe_sessions *sessions)
{
	for (size_t i = 0; i < NT_EVENTPIPE_PLANS_MAX; i++)
		if (sessions->at[i] && !sessions->at[i]->whole)
			return false;
	return true;
}

struct nt_eventpipe_session **nt_eventpipe_sessions_place(struct nt_eventpipe_sessions *sessions, const struct nt_eventpipe_plan *plan)
{
	struct nt_eventpipe_session **free_place = NULL;
	for (size_t i = 0; i < NT_EVENTPIPE_PLANS_MAX; i++) {
		if (sessions->at[i] && sessions->at[i]->plan == plan)
			return &sessions->at[i];
		if (!sessions->at[i])
			free_place = &sessions->at[i];
	}
	return free_place;
}

static bool is_planned(const struct nt_eventpipe_plan *plan, const struct nt_eventpipe_plan *const *plans, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (plans[i] == plan)
			return true;
	return false;
}

bool nt_eventpipe_sessions_may_stop(const struct nt_eventpipe_sessions *sessions, const struct nt_eventpipe_session *session, nt_time now)
{
	return nt_eventpipe_session_may_stop(session, sessions->events->counters.collected, now);
}

bool nt_eventpipe_sessions_may_close(const struct nt_eventpipe_sessions *sessions, nt_time now)
{
	for (size_t i = 0; i < NT_EVENTPIPE_PLANS_MAX; i++)
		if (sessions->at[i] && !nt_eventpipe_sessions_may_stop(sessions, sessions->at[i], now))
			return false;
	return true;
}

void nt_eventpipe_sessions_close_those_that_may(struct nt_eventpipe_sessions *sessions, nt_time now)
{
	for (size_t i = 0; i < NT_EVENTPIPE_PLANS_MAX; i++)
		if (sessions->at[i] && nt_eventpipe_sessions_may_stop(sessions, sessions->at[i], now))
			nt_eventpipe_sessions_close(sessions, i);
}

bool nt_eventpipe_sessions_stop_others(struct nt_eventpipe_sessions *sessions, nt_time now, const struct nt_eventpipe_plan *const *plans,
				       size_t count)
{
	bool none = true;
	for (size_t i = 0; i < NT_EVENTPIPE_PLANS_MAX; i++) {
		struct nt_eventpipe_session *session = sessions->at[i];
		if (!session || is_planned(session->plan, plans, count))
			continue;
		if (nt_eventpipe_sessions_may_stop(sessions, session, now) && !nt_eventpipe_session_stop(session, now))
			nt_eventpipe_sessions_close(sessions, i);
		else
			none = false;
	}
	return none;
}
