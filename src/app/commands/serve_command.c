// SPDX-License-Identifier: GPL-2.0-only
#include "app/commands/serve_command.h"

#include "app/common/exit.h"
#include "app/common/version.h"
#include "app/loop/loop.h"
#include "app/many/many.h"
#include "app/show/watch.h"
#include "output/metrics/openmetrics.h"
#include "output/metrics/otlp_metrics.h"
#include "serve/sealed_text.h"
#include "serve/sender.h"
#include "serve/web.h"

#include <limits.h>
#include <stdio.h>
#include <unistd.h>

/* Collectors are sent to less often than a screen changes. */
#define OTLP_INTERVAL_NS (10 * NT_NS_PER_S)

struct server {
	const struct nt_options *options;
	struct nt_many *many;     /* owned */
	struct nt_loop *loop;     /* owned */
	struct nt_web *web;       /* owned; NULL = nobody is served */
	struct nt_sender *sender; /* owned; NULL = nobody is sent anything */
	char host[HOST_NAME_MAX + 1];
	struct nt_snapshot *snapshot; /* owned: the newest; NULL = none yet */
	uint64_t number;              /* of that */
	int web_fd, sender_fd;        /* of their processes, as the loop knows them; -1 = none */
	bool told_nobody;
};

/* ---- the text ---- */

static uint64_t version(void *context)
{
	const struct server *server = context;
	return server->number;
}

static struct nt_metrics_own own_of(const struct server *server)
{
	const struct nt_web_sums served = server->web ? nt_web_sums(server->web) : (struct nt_web_sums){ 0 };
	const struct nt_sender_sums sent = server->sender ? nt_sender_sums(server->sender) : (struct nt_sender_sums){ 0 };
	return (struct nt_metrics_own){ .version = NT_VERSION,
					.host = *server->host ? server->host : NULL,
					.served_count = served.text_count,
					.server_end_count = served.end_count + sent.end_count,
					.server_cpu_ns = served.cpu_ns + sent.cpu_ns,
					.sends = server->sender,
					.sent_count = sent.sent_count,
					.dropped_count = sent.dropped_count,
					.waiting_count = sent.waiting_count };
}

/* Before the first look at who is there nothing is known, which is no answer. */
static int make_text(void *context, enum nt_web_form form)
{
	static const enum nt_metrics_text forms[NT_WEB_FORMS] = {
		[NT_WEB_OPENMETRICS] = NT_METRICS_OPENMETRICS, [NT_WEB_PROMETHEUS] = NT_METRICS_PROMETHEUS
	};
	const struct server *server = context;
	struct nt_text_buffer text = { 0 };
	if (!server->snapshot)
		return -1;
	const struct nt_metrics_own own = own_of(server);
	nt_openmetrics_write(server->snapshot, &own, forms[form], &text);
	int fd = nt_sealed_text(text.bytes, text.length);
	nt_text_buffer_fini(&text);
	return fd;
}

static void send_snapshot(struct server *server)
{
	struct nt_protobuf request = { 0 };
	const struct nt_metrics_own own = own_of(server);
	nt_otlp_metrics_write(server->snapshot, &own, nt_clock_realtime_offset(), &request);
	nt_sender_put(server->sender, request.bytes, request.length);
	nt_protobuf_fini(&request);
}

static void take(void *context, struct nt_snapshot *snapshot)
{
	struct server *server = context;
	if (snapshot->final)
		return;
	nt_snapshot_release(server->snapshot);
	server->snapshot = nt_snapshot_retain(snapshot);
	server->number++;
	if (server->sender)
		send_snapshot(server);
}

/* ---- the loop ---- */

static void say(struct nt_error *problem)
{
	char text[NT_ERROR_TEXT * 2];
	if (problem->cause_count)
		fprintf(stderr, "nettop: %s\n", nt_error_text(problem, text, sizeof(text)));
}

static void say_where(const struct server *server)
{
	char text[NT_LISTEN_TEXT];
	if (server->sender)
		fprintf(stderr, "nettop: sends to %s\n", nt_sender_url(server->sender));
	if (!server->web)
		return;
	const struct nt_listen_address *address = nt_web_address(server->web);
	fprintf(stderr, "nettop: http://%s/metrics\n", nt_listen_text(address, text));
	if (!address->loopback)
		fprintf(stderr,
			"nettop: whoever reaches %s reads these figures: there is no password and no encryption; put a proxy before it\n",
			text);
}

static void say_nobody(struct server *server)
{
	if (server->told_nobody || !server->options->target || !nt_many_has_looked(server->many) || nt_many_count(server->many))
		return;
	server->told_nobody = true;
	fprintf(stderr, "nettop: there is no .NET process %s yet; nettop waits for it\n", server->options->target);
}

/* A process has another descriptor when it was started again; of one that is closed the loop knows nothing any more. */
static enum nt_status follow_fd(const struct server *server, int fd, int *known, struct nt_error *err)
{
	enum nt_status status = fd >= 0 && *known < 0 ? nt_loop_watch(server->loop, fd, err) : NT_OK;
	*known = fd;
	return status;
}

/* Those who serve and send go on. *next: when they do again. */
static enum nt_status pump_others(struct server *server, nt_time now, nt_time *next, struct nt_error *err)
{
	struct nt_error problems[2] = { 0 };
	nt_time next_web = NT_TIME_UNKNOWN, next_sender = NT_TIME_UNKNOWN;
	enum nt_status statuses[] = { NT_OK, NT_OK }, status = NT_OK;
	if (server->web)
		statuses[0] = nt_web_pump(server->web, now, &next_web, &problems[0]);
	if (server->sender)
		statuses[1] = nt_sender_pump(server->sender, now, &next_sender, &problems[1]);
	for (size_t i = 0; i < 2; i++) {
		if (statuses[i] < 0) {
			*err = problems[i];
			return statuses[i];
		}
		say(&problems[i]);
	}
	if (server->web)
		status = follow_fd(server, nt_web_fd(server->web), &server->web_fd, err);
	if (status == NT_OK && server->sender)
		status = follow_fd(server, nt_sender_fd(server->sender), &server->sender_fd, err);
	*next = next_web < next_sender ? next_web : next_sender;
	return status;
}

static enum nt_status follow(struct server *server, struct nt_error *err)
{
	nt_time duration_ns = server->options->duration_ns, end = duration_ns ? nt_clock_now() + duration_ns : NT_TIME_UNKNOWN;
	while (nt_clock_now() < end) {
		struct nt_error problem = { 0 };
		nt_time next_other;
		nt_many_pump(server->many, &problem);
		say(&problem);
		say_nobody(server);
		enum nt_status status = pump_others(server, nt_clock_now(), &next_other, err);
		if (status != NT_OK)
			return status;
		nt_time next = nt_many_next_pump(server->many);
		next = next_other < next ? next_other : next;
		nt_loop_wake_at(server->loop, next < end ? next : end);
		if (nt_loop_wait(server->loop) & NT_WAKE_SIGNAL && nt_loop_interrupted(server->loop, true))
			break;
	}
	return NT_OK;
}

static enum nt_status open_others(struct server *server, struct nt_error *err)
{
	const struct nt_web_source source = { .context = server, .version = version, .make = make_text };
	const struct nt_options *options = server->options;
	enum nt_status status = options->otlp ? nt_sender_open(options->otlp, &server->sender, err) : NT_OK;
	if (status == NT_OK && (options->listen || !options->otlp))
		status = nt_web_open(options->listen ? options->listen : NT_LISTEN_DEFAULT, &source, &server->web, err);
	return status;
}

static int serve(struct nt_many_setup *setup, struct nt_error *err)
{
	struct server server = { .options = setup->options, .web_fd = -1, .sender_fd = -1 };
	if (gethostname(server.host, sizeof(server.host) - 1) != 0)
		*server.host = '\0';
	setup->sink = take;
	setup->sink_context = &server;
	enum nt_status status = nt_loop_new(&server.loop, err);
	if (status == NT_OK)
		status = open_others(&server, err);
	if (status == NT_OK)
		status = nt_many_new(setup, &server.many, err);
	if (status == NT_OK)
		status = nt_many_watch(server.many, server.loop, err);
	if (status == NT_OK) {
		nt_many_look(server.many, setup->options->with);
		say_where(&server);
		status = follow(&server, err);
	}
	nt_web_close(server.web);
	nt_sender_close(server.sender);
	server.sender = NULL;
	if (status == NT_OK)
		nt_many_finish(server.many);
	nt_many_free(server.many);
	nt_snapshot_release(server.snapshot);
	nt_loop_free(server.loop);
	return nt_exit_of(status);
}

int nt_serve_command(struct nt_options *options, struct nt_error *err)
{
	struct nt_listen_address address;
	if (!options->target && !nt_many_is_asked_for(options))
		return nt_exit_of(nt_error_set(err, NT_ERR_USAGE, "which processes? Give a pid or a name, or all: nettop serve -p NAME"));
	if (options->listen && nt_listen_parse(options->listen, &address, err) != NT_OK)
		return NT_EXIT_USAGE;
	if (options->otlp && !options->delay_given)
		options->delay_ns = OTLP_INTERVAL_NS;
	return nt_watch_several(options, serve, err);
}
