/* SPDX-License-Identifier: GPL-2.0-only */
/* Room app/relay: processes of other hosts, by a relay. */
/* All .NET processes that the sessions of one relay tell of, in one model and one list; nobody is asked anything, and nothing of this machine is looked at. */
#ifndef NT_APP_RELAY_H
#define NT_APP_RELAY_H

#include "app/common/options.h"
#include "app/loop/loop.h"
#include "nettop/process_row.h"

struct nt_relay;

/* Called for each interval; the snapshot has the rows, and what is known of their processes. It is lent. */
typedef void nt_relay_sink(void *context, struct nt_snapshot *snapshot);

/* `options` are borrowed; options->relay says which one. *out is the caller's. */
enum nt_status nt_relay_new(const struct nt_options *options, nt_relay_sink *sink, void *sink_context, struct nt_relay **out,
			    struct nt_error *err);
void nt_relay_free(struct nt_relay *relay); /* NULL is allowed */

enum nt_status nt_relay_watch(struct nt_relay *relay, struct nt_loop *loop, struct nt_error *err);

/* Take what came, close what is due; returns when to come again at the latest. */
nt_time nt_relay_pump(struct nt_relay *relay);

/* The last interval and the summary, to the sink. */
void nt_relay_finish(struct nt_relay *relay);

/* With --check-replay, as nt_session_replay_equal(). */
int nt_relay_replay_equal(const struct nt_relay *relay, size_t *count);

/* What is wrong with the relay or with what comes from it; "" = nothing. Borrowed until the next call. */
const char *nt_relay_says(struct nt_relay *relay);

#endif
