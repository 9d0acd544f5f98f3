// SPDX-License-Identifier: GPL-2.0-only
#include "serve/web_process.h"

#include "base/alloc.h"
#include "base/library.h"
#include "base/passed_fds.h"
#include "nettop/clock.h"
#include "serve/serve_child.h"
#include "serve/web_confined.h"
#include "serve/web_request.h"
#include "source/decoder/decoder_process.h"

#include <errno.h>
#include <microhttpd.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- the library ---- */

struct library {
#define FUNCTION(name) __typeof__(MHD_##name) *name;
#include "serve/microhttpd.def"
};

static const struct nt_library_function functions[] = {
#define FUNCTION(name) { "MHD_" #name, offsetof(struct library, name) },
#include "serve/microhttpd.def"
};

static bool load(void *context)
{
	struct library *library = context;
	struct nt_error failure = { 0 };
	return nt_library_load("libmicrohttpd.so.12", "libmicrohttpd", functions, sizeof(functions) / sizeof(functions[0]), library,
			       &failure) &&
	       !failure.cause_count;
}

/* ---- requests ---- */

struct web;

/* A connection that waits for nettop. */
struct waiting {
	struct MHD_Connection *connection; /* NULL = the place is free */
	enum nt_web_form form;
	bool answered; /* nettop has; it is about to be told */
};

struct web {
	struct library mhd;
	struct MHD_Daemon *daemon;
	bool loopback;
	struct MHD_Response *texts[NT_WEB_FORMS]; /* nettop's newest answer; NULL = it had none */
	bool asked[NT_WEB_FORMS];                 /* and its next one is waited for */
	nt_time since[NT_WEB_FORMS];              /* since when */
	struct waiting waiting[NT_WEB_CONNECTIONS];
};

static enum MHD_Result refuse(const struct web *web, struct MHD_Connection *connection, unsigned status, const char *text)
{
	char copy[NT_WEB_SENTENCE];
	size_t length = strlen(text);
	nt_assert(length < sizeof(copy));
	memcpy(copy, text, length + 1);
	struct MHD_Response *response = web->mhd.create_response_from_buffer(length, copy, MHD_RESPMEM_MUST_COPY);
	if (!response)
		return MHD_NO;
	web->mhd.add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, "text/plain; charset=utf-8");
	if (status == MHD_HTTP_METHOD_NOT_ALLOWED)
		web->mhd.add_response_header(response, MHD_HTTP_HEADER_ALLOW, "GET, HEAD");
	enum MHD_Result result = web->mhd.queue_response(connection, status, response);
	web->mhd.destroy_response(response);
	return result;
}

/* One question is enough for all who wait for its answer. */
static void ask(struct web *web, enum nt_web_form form)
{
	const nt_web_word word = (nt_web_word)form;
	if (web->asked[form])
		return;
	ssize_t written;
	while ((written = write(NT_DECODER_FD, &word, sizeof(word))) < 0 && errno == EINTR)
		continue;
	if (written < 0)
		_exit(0); /* nettop has gone */
	web->asked[form] = true;
	web->since[form] = nt_clock_now();
}

static enum MHD_Result wait_for_text(struct web *web, struct MHD_Connection *connection, enum nt_web_form form, void **place)
{
	for (size_t i = 0; i < NT_WEB_CONNECTIONS; i++) {
		struct waiting *waiting = &web->waiting[i];
		if (waiting->connection)
			continue;
		*waiting = (struct waiting){ .connection = connection, .form = form };
		*place = waiting;
		web->mhd.suspend_connection(connection);
		ask(web, form);
		return MHD_YES;
	}
	return MHD_NO; /* there are no more connections than places */
}

static enum MHD_Result tell(struct web *web, struct waiting *waiting)
{
	struct MHD_Connection *connection = waiting->connection;
	struct MHD_Response *text = web->texts[waiting->form];
	waiting->connection = NULL;
	if (!text)
		return refuse(web, connection, MHD_HTTP_SERVICE_UNAVAILABLE, "nettop did not answer\n");
	return web->mhd.queue_response(connection, MHD_HTTP_OK, text);
}

/* Called when the head of a request has come, and again when it goes on. A body is never read: the connection is closed behind the answer. */
static enum MHD_Result answer(void *context, struct MHD_Connection *connection, const char *path, const char *method, const char *version,
			      const char *body, size_t *body_size, void **place)
{
	struct web *web = context;
	(void)version, (void)body, (void)body_size;
	if (*place)
		return tell(web, *place);
	const struct nt_web_request request = {
		.method = method,
		.path = path,
		.host = web->mhd.lookup_connection_value(connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_HOST),
		.accept = web->mhd.lookup_connection_value(connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_ACCEPT),
		.loopback = web->loopback,
	};
	const char *refusal;
	enum nt_web_form form;
	unsigned status = nt_web_judge(&request, &form, &refusal);
	return status == MHD_HTTP_OK ? wait_for_text(web, connection, form, place) : refuse(web, connection, status, refusal);
}

/* Of a connection that has ended nobody waits any more. */
static void forget(void *context, struct MHD_Connection *connection, void **place, enum MHD_RequestTerminationCode how)
{
	(void)context, (void)how;
	struct waiting *waiting = *place;
	if (waiting && waiting->connection == connection)
		waiting->connection = NULL;
	*place = NULL;
}

/* ---- what nettop says ---- */

static void go_on(struct web *web, enum nt_web_form form)
{
	web->asked[form] = false;
	for (size_t i = 0; i < NT_WEB_CONNECTIONS; i++) {
		struct waiting *waiting = &web->waiting[i];
		if (!waiting->connection || waiting->form != form || waiting->answered)
			continue;
		waiting->answered = true;
		web->mhd.resume_connection(waiting->connection);
	}
}

static void forget_text(struct web *web, enum nt_web_form form)
{
	if (web->texts[form])
		web->mhd.destroy_response(web->texts[form]);
	web->texts[form] = NULL;
}

/* The descriptor belongs to the response from then on. */
static void take_text(struct web *web, enum nt_web_form form, int fd)
{
	struct stat stat;
	forget_text(web, form);
	if (fd < 0 || fstat(fd, &stat) != 0)
		return;
	struct MHD_Response *text = web->texts[form] = web->mhd.create_response_from_fd((size_t)stat.st_size, fd);
	if (text)
		web->mhd.add_response_header(text, MHD_HTTP_HEADER_CONTENT_TYPE, nt_web_content_type(form));
}

static void hear(struct web *web)
{
	int fds[NT_PASSED_FDS_MAX];
	size_t count;
	nt_web_word word;
	ssize_t got = nt_passed_fds_take(NT_DECODER_FD, &word, sizeof(word), MSG_DONTWAIT, fds, &count);
	if (got < 0 && (errno == EINTR || errno == EAGAIN))
		return;
	if (got != sizeof(word) || word >= NT_WEB_FORMS)
		_exit(0);
	take_text(web, (enum nt_web_form)word, count ? fds[0] : -1);
	go_on(web, (enum nt_web_form)word);
}

/* nettop may stand still; who waits for it is told. */
static void give_up_waiting(struct web *web)
{
	for (int form = 0; form < NT_WEB_FORMS; form++)
		if (web->asked[form] && nt_clock_now() > web->since[form] + NT_WEB_PATIENCE_MS * NT_NS_PER_MS) {
			forget_text(web, (enum nt_web_form)form);
			go_on(web, (enum nt_web_form)form);
		}
}

static bool begin(struct web *web, int socket)
{
	web->daemon =
		web->mhd.start_daemon(MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_SUPPRESS_DATE_NO_CLOCK, 0, NULL, NULL, answer, web,
				      MHD_OPTION_LISTEN_SOCKET, socket, MHD_OPTION_CONNECTION_LIMIT, (unsigned)NT_WEB_CONNECTIONS,
				      MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)NT_WEB_IDLE_S, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
				      (size_t)NT_WEB_REQUEST_BYTES, MHD_OPTION_NOTIFY_COMPLETED, forget, web, MHD_OPTION_END);
	return web->daemon != NULL;
}

_Noreturn static void serve(struct web *web)
{
	const union MHD_DaemonInfo *info = web->mhd.get_daemon_info(web->daemon, MHD_DAEMON_INFO_EPOLL_FD);
	struct pollfd ready[] = { { .fd = NT_DECODER_FD, .events = POLLIN }, { .fd = info->epoll_fd, .events = POLLIN } };
	enum { LONGEST_MS = 500 };
	for (;;) {
		MHD_UNSIGNED_LONG_LONG most;
		nt_time wait_ms = LONGEST_MS;
		if (web->mhd.get_timeout(web->daemon, &most) == MHD_YES && most < wait_ms)
			wait_ms = most;
		const struct timespec wait = { .tv_nsec = (long)(wait_ms * NT_NS_PER_MS) };
		ppoll(ready, sizeof(ready) / sizeof(ready[0]), &wait, NULL);
		if (ready[0].revents)
			hear(web);
		give_up_waiting(web);
		web->mhd.run(web->daemon);
	}
}

bool nt_web_is_meant(int argc, char **argv)
{
	return argc == 2 && strcmp(argv[1], NT_WEB_WORD) == 0;
}

int nt_web_process_serve(void)
{
	struct web *web = nt_alloc(sizeof(*web));
	struct nt_web_begin said;
	int fds[NT_PASSED_FDS_MAX];
	size_t count;
	int status = nt_serve_child_begin("nettop-web", load, &web->mhd);
	if (status)
		return status;
	if (!nt_web_confine())
		return 1;
	if (nt_passed_fds_take(NT_DECODER_FD, &said, sizeof(said), 0, fds, &count) != sizeof(said) || count != 1)
		return 0;
	web->loopback = said.loopback;
	if (!begin(web, fds[0]))
		return 1;
	serve(web);
}
