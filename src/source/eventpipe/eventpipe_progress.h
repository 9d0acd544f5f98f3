/* SPDX-License-Identifier: GPL-2.0-only */
/* How far a session's stream has been read, and what the model is told of that. */
#ifndef NT_SOURCE_EVENTPIPE_PROGRESS_H
#define NT_SOURCE_EVENTPIPE_PROGRESS_H

#include "source/eventpipe/eventpipe_events.h"
#include "source/eventpipe/eventpipe_session.h"

/* Before it is read: what comes is noted from here on. */
void nt_eventpipe_progress_begin(struct nt_eventpipe_events *events);

/*
 * It has been read, with this result. Says from when on its events come, at its first. A runtime that is not starved of CPU writes ten times a second, so what is
 * older has come when there is nothing more to read: `quiet_until`.
 */
void nt_eventpipe_progress_note(struct nt_eventpipe_session *session, const struct nt_eventpipe_events *events, enum nt_status status,
				nt_time quiet_until);

/* It ends: says up to when all of its events have come. One that was asked to end and has been read whole has said all, a broken one what was read of it. */
void nt_eventpipe_progress_end(struct nt_eventpipe_session *session, const struct nt_eventpipe_events *events);

/* Up to when everything of all these sessions has come, but not beyond `until`. NULL entries are none. */
nt_time nt_eventpipe_progress_of(struct nt_eventpipe_session *const *sessions, size_t count, nt_time until);

#endif
