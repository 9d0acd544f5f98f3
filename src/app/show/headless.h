/* SPDX-License-Identifier: GPL-2.0-only */
/* A session that nobody looks at while it goes on: frames of text, JSON, a report at the end. */
#ifndef NT_APP_HEADLESS_H
#define NT_APP_HEADLESS_H

#include "app/session/session.h"

/*
 * Pump the session, whose sources are open, until the target or the person ends it, the duration in the options is over, or `enough` says so (NULL: it
 * never does). The session is not finished then.
 */
void nt_headless_follow(struct nt_session *session, const struct nt_session_setup *setup, struct nt_loop *loop,
			bool (*enough)(const void *context), const void *context);

/* All of one: open the sources, follow, finish. The snapshots go to the sink of the setup. Returns the exit status. */
int nt_headless_run(const struct nt_session_setup *setup, bool (*enough)(const void *context), const void *context, struct nt_error *err);

#endif
