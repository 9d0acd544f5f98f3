/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Everything between the worker and the target's events: session daemon, relay, session, viewer. Made in this order, undone in the reverse. Worker
 * thread only.
 */
#ifndef NT_SOURCE_LTTNG_CONNECTION_H
#define NT_SOURCE_LTTNG_CONNECTION_H

#include "source/lttng/lttng_decode.h"
#include "source/lttng/lttng_link.h"
#include "source/lttng/lttng_session.h"
#include "source/lttng/lttng_viewer.h"

struct nt_lttng_connection {
	struct nt_lttng_link *link;                       /* borrowed */
	void (*say)(void *context, const char *sentence); /* what a long wait is for */
	void (*give_up)(void *context, struct nt_lttng_watched *watched,
			const char *reason); /* of several processes: one that cannot be had */
	void *say_context;
	unsigned session_number; /* of the next session's name */
	bool alloc_on;           /* AllocationSampled is enabled in the session */
	bool draining;           /* waits do not end because of an order to finish */
	bool early;              /* the only target may not run yet: it is not waited for */
	nt_time provided_at;     /* early: when the runtime's provider was first seen in it; 0 = not yet */

	struct nt_lttng_process sessiond;      /* pid 0 = none, or not visible */
	struct nt_lttng_process own_sessiond;  /* the one that we started; pid 0 = none */
	struct nt_lttng_process registered_at; /* the session daemon at which all targets that there still are were seen */
	nt_time sessiond_lost_at;              /* 0 = never had one */
	int sessiond_pidfd, relay_pidfd;       /* -1 = none; readable when it ended */

	struct nt_lttng_relay relay;
	struct nt_lttng_session *session; /* NULL = none, or somebody else's */
	char session_name[NT_LTTNG_NAME_BYTES];
	struct nt_lttng_viewer *viewer;
	struct nt_lttng_decoder *decoder;
	nt_time started_at; /* events from here on are delivered */
};

/* `say`, `give_up` and their context are the caller's to set afterwards. */
void nt_lttng_connection_init(struct nt_lttng_connection *connection, struct nt_lttng_link *link);
void nt_lttng_connection_fini(struct nt_lttng_connection *connection);

/*
 * Make all of it; tracing has started on return. NT_END: ordered to end, or all targets ended. Errors: FORBIDDEN, ABSENT and UNSUPPORTED will
 * not go away by themselves; others are worth another attempt. What was made before the error stays until nt_lttng_disconnect().
 */
enum nt_status nt_lttng_connect(struct nt_lttng_connection *connection, struct nt_error *err);

/*
 * May the stream be read? One that is read before the program's events are declared makes babeltrace 2.0 write beyond an array of its own (2.1 does not:
 * "ctf: grow stored_values array when necessary"). So of a program that is yet to start nothing is read before it has the runtime's provider; nothing is lost,
 * because the relay stores it. Asks the session daemon.
 */
bool nt_lttng_may_view(struct nt_lttng_connection *connection);

/* As nt_lttng_viewer_run(). When it hangs for too long, the main thread cuts it (nt_lttng_link_cut()). */
enum nt_status nt_lttng_view(struct nt_lttng_connection *connection, struct nt_error *err);

/* Undo all but the session daemon. Harmless when there is nothing. */
void nt_lttng_disconnect(struct nt_lttng_connection *connection);

/* End the session daemon that we started, unless somebody uses it. */
void nt_lttng_release_sessiond(struct nt_lttng_connection *connection);

/*
 * Wait at most timeout_ms. NT_OK: the time is over, or the main thread wants something. NT_END: ordered to end, or all targets ended (neither
 * counts while draining, where only GIVE_UP does). NT_ERR_GONE: a daemon has ended.
 */
enum nt_status nt_lttng_wait(struct nt_lttng_connection *connection, int timeout_ms, struct nt_error *err);

/* A sentence for the end of the stream: which daemon ended, or who destroyed the session. `status` is what the viewer returned. */
enum nt_status nt_lttng_diagnose(struct nt_lttng_connection *connection, enum nt_status status, struct nt_error *err);

#endif
