// SPDX-License-Identifier: GPL-2.0-only
#include "source/eventpipe/eventpipe_session.h"

#include "base/alloc.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
	BUFFER_MB = 64,
	ANSWER_MS = 5000,
	PIECE_BYTES = 1 << 16, /* read at a time */
	FIRST_EARLY_MS = 1000, /* until a request to stop has surely been carried out, also where there is no CPU for it */
	FIRST_LATE_MS = 20000, /* the first collection of Meters that is not over by then will not be: likewise */
};

/* From the request on: the runtime may begin to write before we hear of it. */
static void note(struct nt_eventpipe_session *session, int fd)
{
	if (fd < 0 || session->noted_fd >= 0 || !session->config->stream_note)
		return;
	session->noted_fd = fd;
	session->config->stream_note(session->config->undo_context, fd);
}

/* For all who hold it. */
static void shut_down(struct nt_eventpipe_session *session)
{
	if (session->noted_fd < 0)
		return;
	shutdown(session->noted_fd, SHUT_RDWR);
	session->config->stream_done(session->config->undo_context, session->noted_fd);
	session->noted_fd = -1;
}

/* The request of a plan; returns its length. */
static size_t request_of(const struct nt_eventpipe_plan *plan, const struct nt_eventpipe_details *details, enum nt_ipc_command command,
			 uint8_t request[NT_IPC_REQUEST_MAX])
{
	struct nt_counter_request counters;
	const struct nt_ipc_provider *beside = nt_eventpipe_plan_beside(plan);
	const struct nt_ipc_provider providers[] = { nt_eventpipe_plan_provider(plan, details->config),
						     beside ? *beside : (struct nt_ipc_provider){ .name = NULL } };
	struct nt_ipc_session wanted = {
		.buffer_mb = details->buffer_mb ? details->buffer_mb : BUFFER_MB,
		.rundown_keyword = details->rundown,
		.stackwalk = plan->stackwalk,
		.providers = providers,
		.provider_count = beside ? 2 : 1,
	};
	if (details->providers) {
		wanted.providers = details->providers;
		wanted.provider_count = details->provider_count;
	}
	if (plan->counters != NT_COUNTERS_NONE) {
		nt_counter_request_fill(&counters, plan->counters, details->counters, details->period_ns);
		wanted.providers = counters.providers;
		wanted.provider_count = counters.provider_count;
	}
	return nt_ipc_collect_tracing(command, &wanted, request, NT_IPC_REQUEST_MAX);
}

/* Connect to the port and send. */
static enum nt_status ask(struct nt_eventpipe_socket *socket, const struct nt_target *target, const uint8_t *request, size_t length,
			  nt_time deadline, struct nt_ipc_exchange **out, struct nt_error *err)
{
	int fd;
	enum nt_status status = nt_eventpipe_socket_get(socket, target, &fd, err);
	if (status != NT_OK)
		return status;
	status = nt_ipc_start_at(target, fd, request, length, deadline, out, err);
	if (status == NT_ERR_GONE)
		nt_eventpipe_socket_forget(socket);
	return status;
}

enum nt_status nt_eventpipe_session_open(const struct nt_target *target, const struct nt_eventpipe_plan *plan,
					 const struct nt_eventpipe_details *details, const struct nt_nettrace_sink *sink, nt_time now,
					 struct nt_eventpipe_session **out, struct nt_error *err)
{
	enum nt_ipc_command command = nt_ipc_collect_command(details->runtime_major);
	if (!command)
		return nt_error_set(err, NT_ERR_UNSUPPORTED, "the runtime is older than .NET 5");
	uint8_t request[NT_IPC_REQUEST_MAX];
	size_t length = request_of(plan, details, command, request);
	struct nt_ipc_exchange *exchange;
	nt_time answer_ns = details->answer_ns ? details->answer_ns : ANSWER_MS * NT_NS_PER_MS;
	enum nt_status status = ask(details->socket, target, request, length, now + answer_ns, &exchange, err);
	if (status != NT_OK)
		return status;
	struct nt_eventpipe_session *session = nt_alloc(sizeof(*session));
	*session = (struct nt_eventpipe_session){ .plan = plan,
						  .target = target,
						  .socket = details->socket,
						  .config = details->config,
						  .exchange = exchange,
						  .fd = -1,
						  .noted_fd = -1,
						  .trace = nt_nettrace_new(sink, details->budget),
						  .silent = true,
						  .period_ns = details->period_ns,
						  .choice = details->choice,
						  .asked = now };
	note(session, nt_ipc_fd(exchange));
	*out = session;
	return NT_OK;
}

static void end_exchange(struct nt_eventpipe_session *session)
{
	nt_ipc_close(session->exchange);
	session->exchange = NULL;
}

/* The answer to the request for the session; behind it, on the same connection, the stream. */
static enum nt_status begin(struct nt_eventpipe_session *session, nt_time now, struct nt_error *err)
{
	struct nt_ipc_reply reply;
	enum nt_status status = nt_ipc_advance(session->exchange, now, &reply, err);
	if (status == NT_OK)
		status = nt_ipc_reply_session(&reply, &session->id, err);
	if (status != NT_OK)
		return status;
	session->fd = nt_ipc_take_fd(session->exchange);
	note(session, session->fd);
	session->state = NT_EVENTPIPE_READING;
	end_exchange(session);
	return NT_OK;
}

/* It was to end when the runtime's queue of connections was full: the request has not been sent yet, and nobody else sends it. */
static enum nt_status ask_to_end(struct nt_eventpipe_session *session, nt_time now, struct nt_error *err)
{
	struct nt_ipc_reply reply;
	if (session->state != NT_EVENTPIPE_STOPPING || nt_ipc_fd(session->exchange) >= 0)
		return NT_OK;
	enum nt_status status = nt_ipc_advance(session->exchange, now, &reply, err);
	return status < 0 ? status : NT_OK;
}

static enum nt_status read_piece(struct nt_eventpipe_session *session, size_t *left, struct nt_error *err)
{
	uint8_t piece[PIECE_BYTES];
	ssize_t length = read(session->fd, piece, *left < sizeof(piece) ? *left : sizeof(piece));
	if (length > 0) {
		*left -= (size_t)length;
		session->stream_bytes += (size_t)length;
		if (session->config->stream_read)
			session->config->stream_read(session->config->undo_context);
		return nt_nettrace_feed(session->trace, piece, (size_t)length, err);
	}
	if (length < 0 && (errno == EAGAIN || errno == EINTR))
		return NT_AGAIN;
	return nt_error_set(err, NT_ERR_GONE, "the connection to the runtime was cut");
}

enum nt_status nt_eventpipe_session_advance(struct nt_eventpipe_session *session, nt_time now, size_t budget_bytes, struct nt_error *err)
{
	enum nt_status status = session->state == NT_EVENTPIPE_ASKING ? begin(session, now, err) : ask_to_end(session, now, err);
	size_t left = budget_bytes;
	while (status == NT_OK && left)
		status = read_piece(session, &left, err);
	if (session->state == NT_EVENTPIPE_ASKING)
		return status;
	/* Nothing new in the time of a whole flush: the last one is complete. The same when nothing more will come. */
	if ((status == NT_AGAIN && left == budget_bytes) || status < 0)
		nt_nettrace_settle(session->trace);
	session->silent = status != NT_OK;
	return status;
}

/*
 * It begins a period after the runtime got our request, and takes a moment because all of it is compiled then. A request that has no answer yet is on its way: closed, it
 * would be carried out all the same, and its session be ended whenever the runtime finds that nobody is there.
 */
bool nt_eventpipe_session_may_stop(const struct nt_eventpipe_session *session, bool collected, nt_time now)
{
	if (collected || !nt_counter_set_has_meters(session->plan->counters) || session->state == NT_EVENTPIPE_STOPPING)
		return true;
	nt_time due = session->asked + session->period_ns;
	bool early = session->state == NT_EVENTPIPE_READING && now < due - FIRST_EARLY_MS * NT_NS_PER_MS;
	return early || now > due + FIRST_LATE_MS * NT_NS_PER_MS;
}

bool nt_eventpipe_session_stop(struct nt_eventpipe_session *session, nt_time now)
{
	if (session->state != NT_EVENTPIPE_READING)
		return session->state == NT_EVENTPIPE_STOPPING;
	uint8_t request[NT_IPC_HEADER_BYTES + sizeof(session->id)];
	size_t length = nt_ipc_stop_tracing(session->id, request, sizeof(request));
	if (ask(session->socket, session->target, request, length, now + ANSWER_MS * NT_NS_PER_MS, &session->exchange, NULL) != NT_OK)
		return false;
	/* The end of the stream says more than the answer, which comes after it. */
	session->state = NT_EVENTPIPE_STOPPING;
	session->stop_asked = now;
	return true;
}

void nt_eventpipe_session_close(struct nt_eventpipe_session *session)
{
	if (!session)
		return;
	shut_down(session);
	nt_ipc_close(session->exchange);
	if (session->fd >= 0)
		close(session->fd);
	nt_nettrace_free(session->trace);
	free(session);
}
