// SPDX-License-Identifier: GPL-2.0-only
/* What a screen wants of the model beside what the sources are asked for. */
#include "app/session/session.h"

#include "app/session/session_internal.h"

static struct nt_event *decide(struct nt_session *session, enum nt_event_kind kind)
{
	return nt_inputs_begin(&session->inputs, NT_SOURCE_APP, kind, nt_clock_now(), session->setup.target->pid);
}

void nt_session_annotate(struct nt_session *session, uint64_t method)
{
	if (method == session->annotated)
		return;
	session->annotated = method;
	decide(session, NT_EV_LOOK)->u.look.method = method;
	nt_inputs_send(&session->inputs);
}

void nt_session_keep_samples(struct nt_session *session)
{
	decide(session, NT_EV_KEEP_SAMPLES)->u.keep_samples.wanted = 1;
	nt_inputs_send(&session->inputs);
}
