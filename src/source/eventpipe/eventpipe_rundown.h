/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The runtime's list of all its methods, on demand: a session that is opened, stopped at once, and read to its end, because the runtime gives the list at the stop.
 * Asked for by questions (NT_METHODS_IMAGE, NT_IL_MAP_IMAGE); one session answers all that wait when it begins. The settings of the collector come in the same way, without a list where
 * nobody wants one.
 */
#ifndef NT_SOURCE_EVENTPIPE_RUNDOWN_H
#define NT_SOURCE_EVENTPIPE_RUNDOWN_H

#include "source/eventpipe/eventpipe_session.h"
#include "source/eventpipe/rundown_list.h"

struct nt_eventpipe_rundown {
	bool methods_wanted;                      /* since the session began that is there, if any */
	uint64_t il_wanted[NT_RUNDOWN_ASKED_MAX]; /* likewise: addresses of code */
	size_t il_wanted_count;
	bool settings_wanted;                 /* of the collector: likewise */
	bool settings_told;                   /* they do not change: once */
	nt_time settings_next;                /* not asked for before, as that failed last; 0 = it never did */
	unsigned settings_rest_s;             /* then: between the two last times */
	struct nt_eventpipe_session *session; /* owned; NULL = none */
	struct nt_rundown_list *list;         /* owned; what the session says, or what is being handed over; NULL = neither */
	nt_time began;                        /* of the session */
};

/* All zero: nothing is wanted. Ends a session that is there. */
void nt_eventpipe_rundown_fini(struct nt_eventpipe_rundown *rundown);

/* Take the questions that are for it; returns how many. */
size_t nt_eventpipe_rundown_ask(struct nt_eventpipe_rundown *rundown, const struct nt_question *questions, size_t count);

/* The settings of the collector are wanted, which come with each list, too. Asked for until the runtime has answered, less and less often. */
void nt_eventpipe_rundown_want_settings(struct nt_eventpipe_rundown *rundown, nt_time now);

/* Is there something to do? Then it wants to be looked at often: while the list is read, the runtime answers nobody else at its port. */
bool nt_eventpipe_rundown_busy(const struct nt_eventpipe_rundown *rundown);

/* Go on as far as that is possible now. Answers go into the box, not many at a time. */
void nt_eventpipe_rundown_go_on(struct nt_eventpipe_rundown *rundown, const struct nt_target *target,
				const struct nt_eventpipe_details *details, nt_time now, struct nt_outbox *box);

/* nettop is about to be stopped: no stream may stay unread. What was asked is answered with a reason. */
void nt_eventpipe_rundown_give_up(struct nt_eventpipe_rundown *rundown, nt_time now, const char *reason);

#endif
