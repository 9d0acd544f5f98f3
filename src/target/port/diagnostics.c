// SPDX-License-Identifier: GPL-2.0-only
#include "target/port/diagnostics.h"

#include "base/alloc.h"
#include "base/apart.h"
#include "base/file.h"
#include "decode/kernel/procfs_text.h"
#include "target/common/as_root.h"
#include "target/needs/prerequisites.h"
#include "target/port/ipc_fate.h"
#include "target/process/diagnostics_socket.h"
#include "target/process/runtime_start.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum { RETRY_MS = 5 /* of nt_ipc_wait() while the queue is full */ };

struct nt_ipc_exchange {
	const struct nt_target *target; /* borrowed */
	nt_time deadline;
	int fd;          /* the connection; -1 = taken */
	int socket_file; /* to connect to; -1 = the request is sent */
	uint8_t *request;
	size_t request_length;
	uint8_t *reply;
	size_t reply_capacity, reply_length;
};

/* In the table's words where doctor says the same. */
static enum nt_status no_socket(const struct nt_target *target, const struct nt_diagnostics_socket *socket, struct nt_error *err)
{
	enum nt_status status = NT_OK;
	struct nt_facts *facts = nt_alloc(sizeof(*facts));
	facts->target = target;
	snprintf(facts->socket_dir, sizeof(facts->socket_dir), "%s", socket->folder);
	if (target->environment_readable)
		status = nt_prerequisite_error(NT_NEEDS_DIAGNOSTICS, facts, err);
	if (status == NT_OK)
		status = nt_prerequisite_error(NT_NEEDS_SOCKET, facts, err);
	free(facts);
	return status;
}

static enum nt_status no_runtime(const struct nt_target *target, struct nt_error *err)
{
	struct nt_facts *facts = nt_alloc(sizeof(*facts));
	facts->target = target;
	enum nt_status status = nt_prerequisite_error(NT_NEEDS_RUNTIME, facts, err);
	free(facts);
	return status;
}

static enum nt_status has_ended(const struct nt_target *target, struct nt_error *err)
{
	return nt_error_set(err, NT_ERR_GONE, "process %u (%s) has ended", target->pid, target->name);
}

/* All of the target's files, or that one of another user's. */
static enum nt_status closed_to_us(const struct nt_target *target, struct nt_error *err)
{
	struct nt_facts *facts = nt_alloc(sizeof(*facts));
	facts->target = target;
	facts->root_error = nt_facts_root_error(target);
	nt_facts_read_self(facts, "");
	enum nt_status status = nt_prerequisite_error(NT_NEEDS_TARGET_FILES, facts, err);
	free(facts);
	if (status != NT_OK)
		return status;
	status = nt_error_set(err, NT_ERR_FORBIDDEN, "the diagnostics port of process %u belongs to uid %u and nettop runs as uid %u",
			      target->pid, target->uid, geteuid());
	char *fix = nt_as_root(target->pid);
	nt_error_set_fix(err, fix);
	free(fix);
	return status;
}

/* T: stopped by a signal; t: by a debugger. */
static bool is_stopped(const struct nt_target *target)
{
	char *path = nt_format("%s/stat", target->proc_dir), *text;
	size_t length;
	struct nt_procfs_stat stat;
	bool stopped = false;
	if (nt_file_read(AT_FDCWD, path, 4096, &text, &length) == 0) {
		stopped = nt_procfs_stat_parse(text, length, &stat) && (stat.state == 'T' || stat.state == 't');
		free(text);
	}
	free(path);
	return stopped;
}

static enum nt_status stands_still(const struct nt_target *target, struct nt_error *err)
{
	char fix[64];
	enum nt_status status =
		nt_error_set(err, NT_ERR_TIMEOUT, "process %u is stopped (by SIGSTOP or a debugger) and answers nobody", target->pid);
	snprintf(fix, sizeof(fix), "kill -CONT %u", target->pid);
	nt_error_set_fix(err, fix);
	return status;
}

static enum nt_status no_answer(const struct nt_ipc_exchange *exchange, struct nt_error *err)
{
	const struct nt_target *target = exchange->target;
	if (!nt_target_alive(target))
		return has_ended(target, err);
	if (is_stopped(target))
		return stands_still(target, err);
	return nt_error_set(err, NT_ERR_TIMEOUT,
			    "process %u does not answer %s on its diagnostics port: it is frozen, locked up by counters (dotnet/runtime "
			    "#119014), or another program keeps the port busy",
			    target->pid, nt_ipc_request_name(exchange->request, exchange->request_length));
}

static enum nt_status closed_unanswered(const struct nt_ipc_exchange *exchange, struct nt_error *err)
{
	if (!nt_target_alive(exchange->target))
		return has_ended(exchange->target, err);
	return nt_error_set(err, NT_ERR_GONE, "process %u closed the connection to its diagnostics port without an answer to %s",
			    exchange->target->pid, nt_ipc_request_name(exchange->request, exchange->request_length));
}

enum nt_status nt_ipc_check_socket(const struct nt_target *target, const struct nt_diagnostics_socket *found, struct nt_error *err)
{
	if (found->fd >= 0)
		return NT_OK;
	if (!nt_target_alive(target))
		return has_ended(target, err);
	if (found->error == EACCES || found->error == EPERM)
		return closed_to_us(target, err);
	if (found->strange)
		return nt_error_set(err, NT_ERR_FORBIDDEN, "%s/%s is not a socket of the target's user: not used", found->folder,
				    found->name);
	return no_socket(target, found, err);
}

static enum nt_status open_socket_file(const struct nt_target *target, int *fd, struct nt_error *err)
{
	struct nt_diagnostics_socket found;
	nt_diagnostics_find_socket(target, &found);
	*fd = found.fd;
	return nt_ipc_check_socket(target, &found, err);
}

/* Whoever listens must be the target: the name could have been taken by somebody else. A pid of 0 is one that our namespace does not see. */
static enum nt_status check_peer(const struct nt_ipc_exchange *exchange, struct nt_error *err)
{
	const struct nt_target *target = exchange->target;
	struct ucred peer;
	socklen_t size = sizeof(peer);
	if (getsockopt(exchange->fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) < 0)
		return nt_error_errno(err, NT_ERR_FAILED, errno, "cannot see who listens on the diagnostics port of process %u",
				      target->pid);
	if (peer.pid ? (uint32_t)peer.pid == target->pid : peer.uid == target->uid)
		return NT_OK;
	return nt_error_set(err, NT_ERR_FORBIDDEN, "the diagnostics socket of process %u is answered by process %d (uid %u): not used",
			    target->pid, (int)peer.pid, peer.uid);
}

static enum nt_status send_whole(struct nt_ipc_exchange *exchange, struct nt_error *err)
{
	ssize_t sent = send(exchange->fd, exchange->request, exchange->request_length, MSG_NOSIGNAL | MSG_DONTWAIT);
	if (sent == (ssize_t)exchange->request_length)
		return NT_OK;
	if (sent >= 0)
		errno = EMSGSIZE;
	if (errno == EPIPE || errno == ECONNRESET)
		return closed_unanswered(exchange, err);
	return nt_error_errno(err, NT_ERR_FAILED, errno, "cannot send to the diagnostics port of process %u", exchange->target->pid);
}

struct reached {
	int error;
};

static void connect_there(const void *asked, const int *given, void *answer, int *fd)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	(void)asked;
	(void)fd;
	snprintf(address.sun_path, sizeof(address.sun_path), "/proc/self/fd/%d", given[1]);
	((struct reached *)answer)->error = connect(given[0], (struct sockaddr *)&address, sizeof(address)) < 0 ? errno : 0;
}

/* Apart: the kernel may ask the file system of the socket's file whether we may. Returns 0 or an errno value. */
static int reach(const struct nt_ipc_exchange *exchange)
{
	struct reached reached;
	const char nothing = 0;
	const int given[] = { exchange->fd, exchange->socket_file };
	int fd;
	char *where = nt_format("diagnostics port of %u", exchange->target->pid);
	int error = nt_apart_do(&(struct nt_apart){ .work = connect_there,
						    .where = where,
						    .asked = &nothing,
						    .asked_size = sizeof(nothing),
						    .given = given,
						    .given_count = 2,
						    .answer = &reached,
						    .answer_size = sizeof(reached),
						    .fd = &fd });
	free(where);
	return error ? error : reached.error;
}

/* Connect and send. NT_AGAIN: the runtime's queue of connections is full. */
static enum nt_status call(struct nt_ipc_exchange *exchange, struct nt_error *err)
{
	const struct nt_target *target = exchange->target;
	errno = reach(exchange);
	if (errno) {
		if (errno == EAGAIN || errno == EINTR)
			return NT_AGAIN;
		if (errno == EACCES || errno == EPERM)
			return closed_to_us(target, err);
		if (errno != ECONNREFUSED)
			return nt_error_errno(err, NT_ERR_FAILED, errno, "cannot connect to the diagnostics port of process %u",
					      target->pid);
		if (!nt_target_alive(target))
			return has_ended(target, err);
		return nt_error_set(err, NT_ERR_GONE,
				    "nobody listens on the diagnostics socket of process %u: another process has left it behind",
				    target->pid);
	}
	close(exchange->socket_file);
	exchange->socket_file = -1;
	enum nt_status status = check_peer(exchange, err);
	return status == NT_OK ? send_whole(exchange, err) : status;
}

static enum nt_runtime_kind kind_of(const struct nt_target *target)
{
	if (target->deployment == NT_DEPLOYED_NATIVE_AOT)
		return NT_RUNTIME_NATIVE_AOT;
	return target->is_dotnet ? NT_RUNTIME_CORE_CLR : NT_RUNTIME_UNKNOWN;
}

static bool is_too_early(const struct nt_target *target, enum nt_ipc_command command)
{
	struct timespec now;
	return command == NT_IPC_ENABLE_PERF_MAP && nt_runtime_start_is_fragile(nt_target_runtime_major(target)) &&
	       (clock_gettime(CLOCK_BOOTTIME, &now) < 0 ||
		!nt_runtime_is_past_its_start(target->proc_dir, (nt_time)now.tv_sec * NT_NS_PER_S + (nt_time)now.tv_nsec));
}

/* Nothing is sent to a runtime that would not survive it, or that is known to refuse it. */
static enum nt_status check_command(const struct nt_target *target, const uint8_t *request, size_t length, struct nt_error *err)
{
	enum nt_runtime_kind kind = kind_of(target);
	unsigned major = target->runtime ? nt_target_runtime_major(target) : 0;
	enum nt_ipc_command command = nt_ipc_request_command(request, length);
	if (is_too_early(target, command))
		return nt_error_set(err, NT_ERR_FAILED, "process %u is still starting, or waits at its start: it would not survive %s now",
				    target->pid, nt_ipc_request_name(request, length));
	if (nt_ipc_fate(kind, major, command) == NT_IPC_SURVIVES)
		return NT_OK;
	return nt_error_set(err, NT_ERR_UNSUPPORTED, "%s does not have the command %s", nt_runtime_kind_text(kind),
			    nt_ipc_request_name(request, length));
}

static enum nt_status open_exchange(const struct nt_target *target, int socket_file, const uint8_t *request, size_t length,
				    nt_time deadline, struct nt_ipc_exchange **out, struct nt_error *err)
{
	nt_assert(length >= NT_IPC_HEADER_BYTES);
	enum nt_status status = check_command(target, request, length, err);
	if (status != NT_OK) {
		close(socket_file);
		return status;
	}
	struct nt_ipc_exchange *exchange = nt_alloc(sizeof(*exchange));
	*exchange = (struct nt_ipc_exchange){
		.target = target,
		.deadline = deadline,
		.socket_file = socket_file,
		.fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0),
		.request = nt_alloc(length),
		.request_length = length,
	};
	memcpy(exchange->request, request, length);
	status = exchange->fd < 0 ? nt_error_errno(err, NT_ERR_FAILED, errno, "cannot make a socket") : call(exchange, err);
	if (status < 0) {
		nt_ipc_close(exchange);
		return status;
	}
	*out = exchange;
	return NT_OK;
}

/* Asked first: it would carry out later what nobody wants any more then. */
static enum nt_status check_target(const struct nt_target *target, struct nt_error *err)
{
	if (!nt_target_has_runtime(target))
		return no_runtime(target, err);
	return is_stopped(target) ? stands_still(target, err) : NT_OK;
}

enum nt_status nt_ipc_start_at(const struct nt_target *target, int socket_file, const uint8_t *request, size_t length, nt_time deadline,
			       struct nt_ipc_exchange **out, struct nt_error *err)
{
	*out = NULL;
	enum nt_status status = check_target(target, err);
	if (status == NT_OK)
		return open_exchange(target, socket_file, request, length, deadline, out, err);
	close(socket_file);
	return status;
}

enum nt_status nt_ipc_start(const struct nt_target *target, const uint8_t *request, size_t length, nt_time deadline,
			    struct nt_ipc_exchange **out, struct nt_error *err)
{
	int socket_file;
	*out = NULL;
	enum nt_status status = check_target(target, err);
	if (status == NT_OK)
		status = open_socket_file(target, &socket_file, err);
	return status == NT_OK ? open_exchange(target, socket_file, request, length, deadline, out, err) : status;
}

enum nt_status nt_ipc_post(const struct nt_target *target, const uint8_t *request, size_t length, struct nt_error *err)
{
	struct nt_ipc_exchange *exchange;
	int socket_file;
	enum nt_status status = open_socket_file(target, &socket_file, err);
	if (status == NT_OK)
		status = open_exchange(target, socket_file, request, length, 0, &exchange, err);
	if (status != NT_OK)
		return status;
	if (exchange->socket_file >= 0)
		status = no_answer(exchange, err);
	nt_ipc_close(exchange);
	return status;
}

int nt_ipc_fd(const struct nt_ipc_exchange *exchange)
{
	return exchange->socket_file >= 0 ? -1 : exchange->fd;
}

/* Read what belongs to the reply and not a byte more. NT_OK: it is whole. */
static enum nt_status receive(struct nt_ipc_exchange *exchange, struct nt_error *err)
{
	for (;;) {
		size_t total;
		enum nt_status status = nt_ipc_reply_length(exchange->request, exchange->request_length, exchange->reply,
							    exchange->reply_length, &total, err);
		if (status != NT_AGAIN)
			return status;
		exchange->reply = nt_grow(exchange->reply, &exchange->reply_capacity, total, 1);
		ssize_t got = recv(exchange->fd, exchange->reply + exchange->reply_length, total - exchange->reply_length, MSG_DONTWAIT);
		if (got == 0 || (got < 0 && errno == ECONNRESET))
			return closed_unanswered(exchange, err);
		if (got < 0 && errno != EINTR)
			return errno == EAGAIN ? NT_AGAIN
					       : nt_error_errno(err, NT_ERR_FAILED, errno, "cannot read from the diagnostics port");
		if (got > 0)
			exchange->reply_length += (size_t)got;
	}
}

enum nt_status nt_ipc_advance(struct nt_ipc_exchange *exchange, nt_time now, struct nt_ipc_reply *out, struct nt_error *err)
{
	enum nt_status status = exchange->socket_file >= 0 ? call(exchange, err) : NT_OK;
	if (status == NT_OK)
		status = receive(exchange, err);
	if (status == NT_OK)
		status = nt_ipc_reply_parse(exchange->reply, exchange->reply_length, out, err);
	return status == NT_AGAIN && now >= exchange->deadline ? no_answer(exchange, err) : status;
}

enum nt_status nt_ipc_wait(struct nt_ipc_exchange *exchange, struct nt_ipc_reply *out, struct nt_error *err)
{
	for (;;) {
		nt_time now = nt_clock_now();
		enum nt_status status = nt_ipc_advance(exchange, now, out, err);
		if (status != NT_AGAIN)
			return status;
		struct pollfd poll_fd = { .fd = nt_ipc_fd(exchange), .events = POLLIN };
		nt_time left_ms = exchange->deadline > now ? (exchange->deadline - now) / NT_NS_PER_MS + 1 : 0;
		int limit_ms = poll_fd.fd < 0 ? RETRY_MS : 1000;
		poll(&poll_fd, poll_fd.fd >= 0, left_ms < (nt_time)limit_ms ? (int)left_ms : limit_ms);
	}
}

int nt_ipc_take_fd(struct nt_ipc_exchange *exchange)
{
	int fd = exchange->fd;
	exchange->fd = -1;
	return fd;
}

void nt_ipc_close(struct nt_ipc_exchange *exchange)
{
	if (!exchange)
		return;
	if (exchange->fd >= 0)
		close(exchange->fd);
	if (exchange->socket_file >= 0)
		close(exchange->socket_file);
	free(exchange->request);
	free(exchange->reply);
	free(exchange);
}
