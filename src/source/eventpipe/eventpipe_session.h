/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One EventPipe session: asked for, read, stopped. Nothing here waits. A session that is not read does harm: the target's exit hangs, its diagnostics port
 * too while the session is being stopped. So it is read until its end, or its connection is closed.
 */
#ifndef NT_SOURCE_EVENTPIPE_SESSION_H
#define NT_SOURCE_EVENTPIPE_SESSION_H

#include "decode/eventpipe/nettrace.h"
#include "nettop/source.h"
#include "source/eventpipe/eventpipe_plan.h"
#include "source/eventpipe/eventpipe_socket.h"
#include "target/port/diagnostics.h"

enum nt_eventpipe_state {
	NT_EVENTPIPE_ASKING,   /* the runtime has not answered yet */
	NT_EVENTPIPE_READING,  /* the stream has begun */
	NT_EVENTPIPE_STOPPING, /* the rest is being read */
};

struct nt_eventpipe_session {
	const struct nt_eventpipe_plan *plan; /* static */
	const struct nt_target *target;       /* borrowed */
	enum nt_eventpipe_state state;
	struct nt_ipc_exchange *exchange;      /* owned; the request to begin or to stop */
	struct nt_nettrace *trace;             /* owned */
	int fd;                                /* owned; of the stream; -1 = none yet */
	int noted_fd;                          /* the keeper holds it, too; -1 = none yet */
	struct nt_eventpipe_socket *socket;    /* borrowed */
	const struct nt_source_config *config; /* borrowed */
	uint64_t id;                           /* the runtime's, to stop it */
	bool silent;                           /* nothing was there when it was read last */
	nt_time period_ns;                     /* of its counters */
	unsigned choice;                       /* of them: as in struct nt_eventpipe_details */
	nt_time asked;                         /* when it was asked for */
	uint64_t stream_bytes;                 /* read so far */
	nt_time newest;                        /* up to here its stream has been read; 0 = nothing of it yet */
	nt_time stop_asked;                    /* when it was asked to end; 0 = not yet */
	bool whole;                            /* it was read to its orderly end */
	bool covers;                           /* the model was told that it brings everything */
};

/* What a session is asked for besides its plan. */
struct nt_eventpipe_details {
	struct nt_eventpipe_socket *socket; /* borrowed for the session's life */
	unsigned runtime_major;
	const struct nt_source_config *config;   /* borrowed for the session's life */
	nt_time period_ns;                       /* of a plan with counters, */
	const char *counters;                    /* and the names of some: nt_counter_request_fill(). Borrowed for the call */
	unsigned choice;                         /* how often these have changed: a session of an older choice is to be asked for anew */
	struct nt_nettrace_budget *budget;       /* borrowed for the session's life: of all sessions with the target */
	uint64_t rundown;                        /* keywords of the list of all methods that the runtime gives at the stop; 0 = none */
	const struct nt_ipc_provider *providers; /* in place of the plan's, borrowed for the call; NULL = the plan's */
	size_t provider_count;
	uint32_t buffer_mb; /* in the target's memory, as it is used; 0 = 64: a flood of 800 000 events a second fits */
	nt_time answer_ns;  /* until the runtime must have answered; 0 = 5 s */
};

/* Ask for it. On success *out is the caller's, who ends it with nt_eventpipe_session_close(). Errors are those of nt_ipc_start(), and TIMEOUT: no socket
 * was found in time. */
enum nt_status nt_eventpipe_session_open(const struct nt_target *target, const struct nt_eventpipe_plan *plan,
					 const struct nt_eventpipe_details *details, const struct nt_nettrace_sink *sink, nt_time now,
					 struct nt_eventpipe_session **out, struct nt_error *err);

/*
 * Go on as far as that is possible now, but read at most about `budget_bytes`. NT_OK: there may be more. NT_AGAIN: nothing more for now. NT_END: the
 * stream ended as it should, all of it has been delivered. Errors: the runtime's refusal; GONE: the connection was cut; MALFORMED.
 */
enum nt_status nt_eventpipe_session_advance(struct nt_eventpipe_session *session, nt_time now, size_t budget_bytes, struct nt_error *err);

/*
 * May the runtime be asked to end it now? Not while it collects Meters for the first time in its life: it waits for the thread that collects, with a lock that
 * this thread needs for its very first event, and its diagnostics port hangs for good (AggregationManager.Dispose, TplEventSource; .NET 10.0.12). `collected`: it
 * has got over that.
 */
bool nt_eventpipe_session_may_stop(const struct nt_eventpipe_session *session, bool collected, nt_time now);

/* Ask the runtime to end it; goes on until NT_END. False: it cannot be asked, what is left is to close it. */
bool nt_eventpipe_session_stop(struct nt_eventpipe_session *session, nt_time now);

/* Close it, whatever its state: the runtime ends a session whose connection is closed. NULL is allowed. */
void nt_eventpipe_session_close(struct nt_eventpipe_session *session);

#endif
