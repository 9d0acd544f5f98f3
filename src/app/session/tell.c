// SPDX-License-Identifier: GPL-2.0-only
/* Which events are told one by one: the model is told what is looked at, EventPipe or LTTng what was chosen. */
#include "app/session/session_internal.h"
#include "source/eventpipe/eventpipe.h"

#include <string.h>

static struct nt_source *eventpipe_of(struct nt_session *session)
{
	for (size_t i = 0; i < session->slot_count; i++)
		if (session->slots[i].ops->id == NT_SOURCE_EVENTPIPE && !session->slots[i].ended)
			return session->slots[i].source;
	return NULL;
}

static void send(struct nt_session *session, enum nt_tell_what what)
{
	struct nt_event *event = nt_inputs_begin(&session->inputs, NT_SOURCE_APP, NT_EV_TELL, nt_clock_now(), session->setup.target->pid);
	char note[NT_EVENTS_CHOICE_TEXT];
	event->u.tell.what = (uint32_t)what;
	if (what == NT_TELL_CHOSEN) {
		event->u.tell.patterns = 1;
		event->u.tell.stacks = session->chosen.with_stacks;
		nt_batch_announce_str(session->inputs.own, 1, session->chosen.text, strlen(session->chosen.text));
		if (*nt_events_choice_note(session->chosen.patterns, session->chosen.count, &session->chosen.lttng, note, sizeof(note))) {
			event->u.tell.note = 2;
			nt_batch_announce_str(session->inputs.own, 2, note, strlen(note));
		}
	}
	nt_inputs_send(&session->inputs);
}

/* In a session of their own, whichever the screens read: a relay lets in one reader at a time. */
static void choose_over_lttng(struct nt_session *session)
{
	if (!session->over_lttng && session->chosen.lttng.count)
		session->over_lttng = nt_tell_lttng_new(session->setup.target, &session->told_config, &session->inputs);
	if (session->over_lttng)
		nt_tell_lttng_choose(session->over_lttng, &session->chosen.lttng);
}

void nt_session_tell(struct nt_session *session, unsigned wanted)
{
	enum nt_tell_what what = !(wanted & NT_WANT_TOLD)                               ? NT_TELL_NOTHING
				 : session->chosen.count || session->chosen.lttng.count ? NT_TELL_CHOSEN
											: NT_TELL_ANYWAY;
	struct nt_source *eventpipe = eventpipe_of(session);
	if (session->choice_is_new && (eventpipe || session->over_lttng || session->chosen.lttng.count)) {
		if (eventpipe)
			nt_eventpipe_tell(eventpipe, session->chosen.patterns, session->chosen.count);
		choose_over_lttng(session);
		session->choice_is_new = false;
		session->told = NT_TELL_COUNT; /* what was told until now is of others */
	}
	if (session->over_lttng)
		nt_tell_lttng_want(session->over_lttng, what == NT_TELL_CHOSEN);
	if (what == session->told)
		return;
	session->told = what;
	send(session, what);
}

void nt_session_begin_telling(struct nt_session *session)
{
	struct nt_error err;
	session->told_config = session->config;
	session->told_config.lttng_session = NULL;
	/* It was found to be one when the options were read. */
	session->choice_is_new = nt_events_choice_parse(session->setup.options->event_choice, &session->chosen, &err) == NT_OK;
}

void nt_session_choose_events(struct nt_session *session, const struct nt_events_choice *choice)
{
	session->chosen = *choice;
	session->choice_is_new = true;
	nt_session_tell(session, session->looked_at | session->always);
}
