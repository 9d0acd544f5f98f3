/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reading a live session: a babeltrace2 graph of the live source and a sink of ours. All of it belongs to the worker thread, because the live
 * source waits for the relay without limit. Another thread frees it from there with nt_lttng_link_cut().
 */
#ifndef NT_SOURCE_LTTNG_VIEWER_H
#define NT_SOURCE_LTTNG_VIEWER_H

#include <stdbool.h>
#include <stdint.h>

#include "nettop/status.h"

struct bt_message; /* babeltrace2 */
struct nt_lttng_viewer;

/* What the viewer needs from its user; called from nt_lttng_viewer_run() only. */
struct nt_lttng_viewer_sink {
	void *context;
	bool (*has_room)(void *context);                               /* false: ask the relay for nothing, it stores */
	void (*take)(void *context, const struct bt_message *message); /* message: borrowed */
};

enum { NT_LTTNG_URL_BYTES = 512, NT_LTTNG_SESSIONS_MAX = 1024 /* of one relay; further ones are not seen */ };

/* A session that a relay has: hosts and names as the tracers have said them. */
struct nt_lttng_viewer_session {
	char name[256], host[128], url[NT_LTTNG_URL_BYTES];
	bool has_streams; /* a program has registered with it */
};

/* The live sessions of the relay at net://HOST[:PORT]. Errors: it does not answer. */
enum nt_status nt_lttng_viewer_list(const char *relay_url, struct nt_lttng_viewer_session *out, size_t most, size_t *count,
				    struct nt_error *err);

/*
 * The live URL of a session as the relay at 127.0.0.1:live_port knows it. It is there as soon as its channel is. NT_AGAIN: not yet. Errors: the
 * relay does not answer.
 */
enum nt_status nt_lttng_viewer_find(uint16_t live_port, const char *session, char url[NT_LTTNG_URL_BYTES], struct nt_error *err);

/* Nothing is connected before the first run. *out is the caller's. */
enum nt_status nt_lttng_viewer_new(const char *url, const struct nt_lttng_viewer_sink *sink, struct nt_lttng_viewer **out,
				   struct nt_error *err);

/*
 * Take what the relay has, at most 15 messages. NT_OK: there may be more. NT_AGAIN: nothing now, or no room; wait some ms. NT_END: the session was
 * destroyed and everything of it is read. Errors: the connection is lost; nothing will come any more.
 */
enum nt_status nt_lttng_viewer_run(struct nt_lttng_viewer *viewer, struct nt_error *err);

void nt_lttng_viewer_free(struct nt_lttng_viewer *viewer); /* NULL is allowed */

#endif
