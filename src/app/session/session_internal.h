/* SPDX-License-Identifier: GPL-2.0-only */
/* What the files of the session share. */
#ifndef NT_APP_SESSION_INTERNAL_H
#define NT_APP_SESSION_INTERNAL_H

#include "app/common/events_choice.h"
#include "app/session/handover.h"
#include "app/session/inputs.h"
#include "app/session/self_cost.h"
#include "app/session/session.h"
#include "app/session/tell_lttng.h"
#include "source/eventpipe/eventpipe_limit.h"

/* A source that is in use, or why it is not. */
struct nt_slot {
	const struct nt_source_ops *ops;
	struct nt_source *source; /* NULL = not open */
	bool ended;
	bool passed_over; /* it would work, but another brings more */
	bool asked;       /* what for: `demand` */
	unsigned demand;
};

struct nt_session {
	struct nt_session_setup setup;
	struct nt_source_config config;
	struct nt_inputs inputs; /* the model, and all that enters it */
	struct nt_slot slots[NT_SOURCE_COUNT];
	size_t slot_count;
	struct nt_self_cost *self_cost;
	nt_time next_look, next_self;
	nt_time asked;           /* end of the interval that was asked about before it was over */
	nt_time next_ask;        /* of code that may be freed */
	bool wants_requests;     /* a process has what tells of requests */
	bool wants_compilations; /* one compiles a lot, and it is not known what */
	nt_time starts_until;    /* of a program that nettop has started: nobody could look in time at what it compiles at its start */
	struct nt_eventpipe_limit unasked_limit; /* of what compilations cost while nobody looks at them */
	nt_time passing_until;                   /* there has been such code, or that is not known yet */
	nt_time closing;                         /* end of the interval whose closing look was made last */
	bool target_ended;
	bool leaving;                        /* sources are being stopped: nothing new is begun in the target */
	struct nt_handover lttng, eventpipe; /* each relied on for the runtime's events? */
	bool eventpipe_can;                  /* it is open and not refused, though perhaps nothing is asked of it */
	bool mapped;                         /* a map names what the JIT makes, as soon as it is made */
	bool read;                           /* so do the runtime's own data */
	struct nt_loop *loop;                /* borrowed; NULL = nobody watches the descriptors */
	unsigned always;                     /* the same of what is collected whatever that is */
	unsigned looked_at;                  /* enum nt_demand bits of what is on the screen */
	uint64_t annotated;                  /* the method whose code is on the screen; 0 = none */
	enum nt_stacks_wanted stacks;        /* what the model was told to keep */
	struct nt_events_choice chosen;      /* events that are told one by one */
	struct nt_tell_lttng *over_lttng;    /* owned; NULL = nothing has been chosen over LTTng */
	struct nt_source_config told_config; /* of its session */
	bool choice_is_new;                  /* EventPipe does not know it yet */
	enum nt_tell_what told;              /* as the model knows it */
};

/* The descriptors of the open sources. Returns how many there are. */
size_t nt_session_descriptors(const struct nt_session *session, int fds[NT_SOURCE_COUNT]);

/* What happens from now on does not count: all read now what they know, and no interval goes on. Returns that moment. */
nt_time nt_session_end(struct nt_session *session);

/* Put the questions that there are about what has come so far. */
void nt_session_ask_now(struct nt_session *session);

/* Close the open interval and send its snapshot to the sink. `complete`: all sources have said all that they had to say. */
void nt_session_close_now(struct nt_session *session, bool final, bool complete);

/* tell.c: what the options have chosen. */
void nt_session_begin_telling(struct nt_session *session);

/* Of this enum nt_demand bits are wanted now. */
void nt_session_tell(struct nt_session *session, unsigned wanted);

#endif
