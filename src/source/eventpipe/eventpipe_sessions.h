/* SPDX-License-Identifier: GPL-2.0-only */
/* The EventPipe sessions that there are with one process: at most one for each plan. */
#ifndef NT_SOURCE_EVENTPIPE_SESSIONS_H
#define NT_SOURCE_EVENTPIPE_SESSIONS_H

#include "source/eventpipe/eventpipe_progress.h"
#include "source/eventpipe/eventpipe_session.h"

struct nt_eventpipe_sessions {
	struct nt_eventpipe_session *at[NT_EVENTPIPE_PLANS_MAX]; /* owned; NULL = free place */
	struct nt_eventpipe_events *events;                      /* borrowed; where what they bring goes */
};

/* How many have come so far at least. */
size_t nt_eventpipe_sessions_count(const struct nt_eventpipe_sessions *sessions, enum nt_eventpipe_state least);

/* Were all that there are read to their orderly ends? */
bool nt_eventpipe_sessions_whole(const struct nt_eventpipe_sessions *sessions);

/* Close that one, and say up to when it covered what it brings. Nothing where there is none. */
void nt_eventpipe_sessions_close(struct nt_eventpipe_sessions *sessions, size_t index);
void nt_eventpipe_sessions_close_all(struct nt_eventpipe_sessions *sessions);

/* Where the session of that plan is, or may be put; NULL = there is no room. */
struct nt_eventpipe_session **nt_eventpipe_sessions_place(struct nt_eventpipe_sessions *sessions, const struct nt_eventpipe_plan *plan);

/* As nt_eventpipe_session_may_stop(). */
bool nt_eventpipe_sessions_may_stop(const struct nt_eventpipe_sessions *sessions, const struct nt_eventpipe_session *session, nt_time now);

/* May all that there are be closed? A runtime ends a session whose connection is closed, so the same holds as for stopping it. */
bool nt_eventpipe_sessions_may_close(const struct nt_eventpipe_sessions *sessions, nt_time now);
void nt_eventpipe_sessions_close_those_that_may(struct nt_eventpipe_sessions *sessions, nt_time now);

/* Stop those of other plans than these, as soon as that may be. True when there is no such session left. */
bool nt_eventpipe_sessions_stop_others(struct nt_eventpipe_sessions *sessions, nt_time now, const struct nt_eventpipe_plan *const *plans,
				       size_t count);

#endif
