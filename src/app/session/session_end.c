// SPDX-License-Identifier: GPL-2.0-only
/* The end of a session: the sources are stopped and what they still have is read. */
#include "app/session/session_internal.h"
#include "source/eventpipe/eventpipe.h"

#include <poll.h>

enum {
	FINISH_MS = 1500,  /* how long the end may take to be read: what it says is to be written before the guard ends it all */
	MAPPINGS_MS = 300, /* for the target's mappings to be read: some ms, unless its files hang */
	LEAVE_MS = 200,    /* of a target that answers it is a tenth of that */
	STEP_MS = 10,
	STEP_EVENTS = 4096,
};

/* Who knows names is stopped last: what the others deliver at their end may still need them. */
enum part { EVENT_SOURCES, NAMES };

static bool in_part(const struct nt_slot *slot, enum part part)
{
	bool names = slot->ops->id == NT_SOURCE_CODEMAP || slot->ops->id == NT_SOURCE_RUNTIME;
	return slot->source && !slot->ended && names == (part == NAMES);
}

static bool has_ended(const struct nt_session *session, enum part part)
{
	for (size_t i = 0; i < session->slot_count; i++)
		if (in_part(&session->slots[i], part))
			return false;
	return true;
}

static void wait_for_sources(const struct nt_session *session, int timeout_ms)
{
	int fds[NT_SOURCE_COUNT];
	struct pollfd polls[NT_SOURCE_COUNT];
	size_t count = nt_session_descriptors(session, fds);
	for (size_t i = 0; i < count; i++)
		polls[i] = (struct pollfd){ .fd = fds[i], .events = POLLIN };
	poll(polls, count, timeout_ms);
}

static void stop(struct nt_session *session, enum part part)
{
	session->leaving = true;
	for (size_t i = 0; i < session->slot_count; i++)
		if (in_part(&session->slots[i], part))
			session->slots[i].ops->stop(session->slots[i].source);
}

static void read_to_end(struct nt_session *session, enum part part, nt_time deadline)
{
	stop(session, part);
	while (!has_ended(session, part) && nt_clock_now() < deadline) {
		nt_session_pump(session);
		if (!has_ended(session, part))
			wait_for_sources(session, 10);
	}
}

/* A source that ended in time may still have lost what came last: then not all was read. */
static bool misses_an_end(const struct nt_session *session)
{
	for (size_t i = 0; i < session->slot_count; i++) {
		const struct nt_slot *slot = &session->slots[i];
		struct nt_source_stats stats = { 0 };
		if (slot->source)
			slot->ops->stats(slot->source, &stats);
		if (stats.end_missed)
			return true;
	}
	return false;
}

void nt_session_await_runtimes(struct nt_source *eventpipe, nt_time deadline)
{
	if (nt_eventpipe_may_close(eventpipe))
		return;
	eventpipe->ops->stop(eventpipe);
	while (!nt_eventpipe_may_close(eventpipe) && nt_clock_now() < deadline) {
		struct nt_batch *batch;
		struct nt_error err = { 0 };
		poll(NULL, 0, STEP_MS);
		if (eventpipe->ops->drain(eventpipe, STEP_EVENTS, &batch, &err) == NT_OK)
			eventpipe->ops->give_back(eventpipe, batch);
	}
}

/*
 * The sources can be closed in the middle of anything but that: the keeper puts right what they leave. But it waits for nettop's end first, and nettop for its: where the
 * code map can take its perf map back by itself, both are done at once.
 */
void nt_session_take_leave(struct nt_session *session)
{
	nt_time now = nt_clock_now();
	read_to_end(session, NAMES, now + LEAVE_MS * NT_NS_PER_MS);
	for (size_t i = 0; i < session->slot_count; i++) {
		const struct nt_slot *slot = &session->slots[i];
		if (slot->ops->id == NT_SOURCE_EVENTPIPE && slot->source && !slot->ended)
			nt_session_await_runtimes(slot->source, now + FINISH_MS * NT_NS_PER_MS);
	}
}

/* Code that ran where no mapping is known is asked for when that has been read. */
static void learn_mappings(struct nt_session *session, nt_time deadline)
{
	nt_time until = nt_clock_now() + MAPPINGS_MS * NT_NS_PER_MS;
	nt_session_ask_now(session);
	if (!nt_model_awaits_mappings(session->inputs.model))
		return;
	while (nt_model_awaits_mappings(session->inputs.model) && nt_clock_now() < (until < deadline ? until : deadline)) {
		wait_for_sources(session, 10);
		nt_session_pump(session);
	}
	nt_session_ask_now(session);
}

void nt_session_finish(struct nt_session *session)
{
	nt_time end = nt_session_end(session), deadline = end + FINISH_MS * NT_NS_PER_MS;
	read_to_end(session, EVENT_SOURCES, deadline);
	/* Ask for the names of the last samples: the code map answers what it was asked before it was stopped. */
	session->next_self = 0;
	nt_session_close_interval(session);
	learn_mappings(session, deadline);
	read_to_end(session, NAMES, deadline);
	bool in_time = has_ended(session, EVENT_SOURCES) && has_ended(session, NAMES);
	nt_session_close_now(session, true, in_time && !misses_an_end(session));
}
