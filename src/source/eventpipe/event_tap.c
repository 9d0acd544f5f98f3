// SPDX-License-Identifier: GPL-2.0-only
#include "source/eventpipe/event_tap.h"

#include "base/alloc.h"
#include "decode/clr/clr.h"
#include "source/common/price.h"
#include "source/eventpipe/eventpipe_limit.h"
#include "source/eventpipe/eventpipe_session.h"

#include <limits.h>
#include <stdlib.h>

enum { READ_BYTES = 4 << 20 };

static const struct nt_eventpipe_plan plans[] = {
	{ .name = "events asked for", .last_major = UINT_MAX, .provider = { .name = NT_CLR_PROVIDER, .level = 1 } },
	{ .name = "events asked for", .last_major = UINT_MAX, .provider = { .name = NT_CLR_PROVIDER, .level = 1 }, .stackwalk = true },
};

struct nt_event_tap {
	const struct nt_target *target;
	const struct nt_source_config *config;
	const struct nt_event_pattern *patterns;
	size_t pattern_count;
	struct nt_event_request request;
	struct nt_eventpipe_socket socket;
	struct nt_nettrace_budget budget;
	struct nt_eventpipe_limit limit;
	struct nt_eventpipe_session *session; /* owned */
	struct nt_event_teller *teller;       /* owned */
	bool with_stacks;
};

static enum nt_status check_harm(struct nt_event_tap *tap, struct nt_error *err)
{
	const struct nt_event_pattern *pattern = nt_event_patterns_harmful(tap->patterns, tap->pattern_count);
	if (!pattern)
		return NT_OK;
	enum nt_status status = nt_eventpipe_socket_find(&tap->socket, tap->target, err);
	if (status != NT_OK || tap->socket.gate.state == NT_GATE_HARMLESS)
		return status;
	return nt_error_set(err, NT_ERR_FORBIDDEN,
			    "%s/%s is not asked for: the process is served by LTTng's own library (%s), and the runtime fires it over "
			    "LTTng, too, where a "
			    "text that is null would end the process",
			    pattern->provider, pattern->event, *tap->socket.gate.path ? tap->socket.gate.path : "not known");
}

enum nt_status nt_event_tap_open(const struct nt_target *target, const struct nt_source_config *config,
				 const struct nt_event_pattern *patterns, size_t count, const struct nt_event_sink *sink, nt_time now,
				 struct nt_event_tap **out, struct nt_error *err)
{
	struct nt_event_tap *tap = nt_alloc(sizeof(*tap));
	tap->target = target;
	tap->config = config;
	tap->patterns = patterns;
	tap->pattern_count = count;
	for (size_t i = 0; i < count; i++)
		tap->with_stacks |= patterns[i].with_stack;
	tap->teller = nt_event_teller_new(patterns, count, config->no_payload, sink);
	nt_eventpipe_socket_init(&tap->socket);
	enum nt_status status = nt_event_request_make(patterns, count, &tap->request, err);
	if (status == NT_OK)
		status = check_harm(tap, err);
	const struct nt_eventpipe_details details = { .socket = &tap->socket,
						      .runtime_major = nt_target_runtime_major(target),
						      .config = config,
						      .budget = &tap->budget,
						      .providers = tap->request.providers,
						      .provider_count = tap->request.count };
	const struct nt_nettrace_sink stream = nt_event_teller_sink(tap->teller);
	if (status == NT_OK)
		status = nt_eventpipe_session_open(target, &plans[tap->with_stacks], &details, &stream, now, &tap->session, err);
	if (status == NT_OK)
		*out = tap;
	else
		nt_event_tap_close(tap);
	return status;
}

uint64_t nt_event_tap_price_ns(const struct nt_event_tap *tap)
{
	uint64_t events = nt_event_teller_came(tap->teller) + nt_event_teller_lost(tap->teller);
	return nt_price_of(NT_PRICE_EVENTPIPE, events) + (tap->with_stacks ? nt_price_of(NT_PRICE_EVENTPIPE_STACK, events) : 0);
}

enum nt_status nt_event_tap_advance(struct nt_event_tap *tap, nt_time now, struct nt_error *err)
{
	enum nt_status status = nt_eventpipe_session_advance(tap->session, now, READ_BYTES, err);
	if (status == NT_END && tap->limit.dear_pct > 0)
		return nt_eventpipe_limit_refuse(&tap->limit, "", err);
	if (status < 0 || status == NT_END)
		return status;
	if (!(tap->limit.dear_pct > 0) &&
	    nt_eventpipe_limit_is_over(&tap->limit, nt_event_tap_price_ns(tap), tap->target->pid, tap->config->max_target_cost_pct, now)) {
		nt_eventpipe_session_stop(tap->session, now);
	}
	return NT_AGAIN;
}

bool nt_event_tap_began(const struct nt_event_tap *tap)
{
	return tap->session->state != NT_EVENTPIPE_ASKING;
}

bool nt_event_tap_stop(struct nt_event_tap *tap, nt_time now)
{
	return nt_eventpipe_session_stop(tap->session, now);
}

int nt_event_tap_fd(const struct nt_event_tap *tap)
{
	return tap->session->fd;
}

uint64_t nt_event_tap_stream_bytes(const struct nt_event_tap *tap)
{
	return tap->session->stream_bytes;
}

uint64_t nt_event_tap_lost(const struct nt_event_tap *tap)
{
	return nt_event_teller_lost(tap->teller);
}

void nt_event_tap_close(struct nt_event_tap *tap)
{
	if (!tap)
		return;
	nt_eventpipe_session_close(tap->session);
	nt_eventpipe_socket_fini(&tap->socket);
	nt_event_teller_free(tap->teller);
	free(tap);
}
