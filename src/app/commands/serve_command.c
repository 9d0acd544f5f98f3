// SPDX-License-Identifier: GPL-2.0-only
#include "app/commands/serve_command.h"

#include "app/common/exit.h"
#include "app/common/version.h"
#include "app/loop/loop.h"
#include "app/many/many.h"
#include "app/show/watch.h"
#include "output/metrics/openmetrics.h"
#include "serve/web.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

struct server {
	const struct nt_options *options;
	struct nt_many *many;         /* owned */
	struct nt_loop *loop;         /* owned */
	struct nt_web *web;           /* owned */
	struct nt_snapshot *snapshot; /* owned: the newest; NULL = none yet */
	uint64_t number;              /* of that */
	int watched_fd;               /* of the web's process; -1 = none is watched */
	bool told_nobody;
};

static void take(void *context, struct nt_snapshot *snapshot)
{
	struct server *server = context;
	if (snapshot->final)
		return;
	nt_snapshot_release(server->snapshot);
	server->snapshot = nt_snapshot_retain(snapshot);
	server->number++;
}

/* ---- the text ---- */

static uint64_t version(void *context)
{
	const struct server *server = context;
	return server->number;
}

static bool write_whole(int fd, const char *bytes, size_t length)
{
	while (length) {
		ssize_t written = write(fd, bytes, length);
		if (written < 0 && errno == EINTR)
			continue;
		if (written < 0)
			return false;
		bytes += written;
		length -= (size_t)written;
	}
	return true;
}

/* Before the first look at who is there: nothing is known, which is no answer. */
static bool write_text(void *context, enum nt_web_form form, int fd)
{
	static const enum nt_metrics_text forms[NT_WEB_FORMS] = {
		[NT_WEB_OPENMETRICS] = NT_METRICS_OPENMETRICS, [NT_WEB_PROMETHEUS] = NT_METRICS_PROMETHEUS
	};
	const struct server *server = context;
	struct nt_text_buffer text = { 0 };
	if (!server->snapshot)
		return false;
	const struct nt_web_sums sums = nt_web_sums(server->web);
	const struct nt_metrics_own own = {
		.version = NT_VERSION, .served_count = sums.text_count, .server_end_count = sums.end_count, .server_cpu_ns = sums.cpu_ns
	};
	nt_openmetrics_write(server->snapshot, &own, forms[form], &text);
	bool written = write_whole(fd, text.bytes, text.length);
	nt_text_buffer_fini(&text);
	return written;
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
	const struct nt_listen_address *address = nt_web_address(server->web);
	char text[NT_LISTEN_TEXT];
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

/* The process has another descriptor when it was started again; of one that is closed the loop knows nothing any more. */
static enum nt_status pump_web(struct server *server, nt_time now, nt_time *next, struct nt_error *err)
{
	struct nt_error problem = { 0 };
	enum nt_status status = nt_web_pump(server->web, now, next, &problem);
	if (status < 0) {
		*err = problem;
		return status;
	}
	say(&problem);
	int fd = nt_web_fd(server->web);
	if (fd >= 0 && server->watched_fd < 0)
		status = nt_loop_watch(server->loop, fd, err);
	server->watched_fd = fd;
	return status < 0 ? status : NT_OK;
}

static enum nt_status follow(struct server *server, struct nt_error *err)
{
	nt_time duration_ns = server->options->duration_ns, end = duration_ns ? nt_clock_now() + duration_ns : NT_TIME_UNKNOWN;
	while (nt_clock_now() < end) {
		struct nt_error problem = { 0 };
		nt_time next_web;
		nt_many_pump(server->many, &problem);
		say(&problem);
		say_nobody(server);
		enum nt_status status = pump_web(server, nt_clock_now(), &next_web, err);
		if (status != NT_OK)
			return status;
		nt_time next = nt_many_next_pump(server->many);
		next = next_web < next ? next_web : next;
		nt_loop_wake_at(server->loop, next < end ? next : end);
		if (nt_loop_wait(server->loop) & NT_WAKE_SIGNAL && nt_loop_interrupted(server->loop, true))
			break;
	}
	return NT_OK;
}

static int serve(struct nt_many_setup *setup, struct nt_error *err)
{
	struct server server = { .options = setup->options, .watched_fd = -1 };
	const struct nt_web_source source = { .context = &server, .version = version, .write = write_text };
	setup->sink = take;
	setup->sink_context = &server;
	enum nt_status status = nt_loop_new(&server.loop, err);
	if (status == NT_OK)
		status = nt_web_open(setup->options->listen ? setup->options->listen : NT_LISTEN_DEFAULT, &source, &server.web, err);
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
	return nt_watch_several(options, serve, err);
}
