// SPDX-License-Identifier: GPL-2.0-only
#include "source/eventpipe/eventpipe_socket.h"

#include "base/alloc.h"
#include "target/port/diagnostics.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The screen stands still for so long; after NT_HAND_ABANDONED_MAX attempts that hung it does not any more. */
#define LOOK_NS (NT_NS_PER_S / 2)

/* Its target is its own, as far as it is looked at: an abandoned errand may outlive ours. */
struct errand {
	struct nt_errand errand;
	struct nt_target target;
	struct nt_diagnostics_socket found;
	struct nt_exception_gate gate;
};

static void run(struct nt_errand *base)
{
	struct errand *errand = (struct errand *)base;
	nt_diagnostics_find_socket(&errand->target, &errand->found);
	if (errand->found.fd >= 0)
		nt_exception_gate_read(&errand->target, &errand->gate);
}

static void release(struct nt_errand *base)
{
	struct errand *errand = (struct errand *)base;
	if (errand->found.fd >= 0)
		close(errand->found.fd);
	free(errand->target.proc_dir);
	free(errand->target.root_dir);
	free(errand->target.environment_text);
	free(errand);
}

static struct errand *new_errand(const struct nt_target *target)
{
	struct errand *errand = nt_alloc(sizeof(*errand));
	*errand = (struct errand){ .errand = { .run = run, .release = release },
				   .target = { .pid = target->pid,
					       .ns_pid = target->ns_pid,
					       .start_ticks = target->start_ticks,
					       .uid = target->uid,
					       .proc_dir = nt_strdup(target->proc_dir),
					       .root_dir = nt_strdup(target->root_dir) },
				   .found = { .fd = -1 } };
	if (target->environment_text) {
		errand->target.environment_text = nt_alloc(target->environment_length + 1);
		memcpy(errand->target.environment_text, target->environment_text, target->environment_length);
		errand->target.environment_length = target->environment_length;
	}
	return errand;
}

static enum nt_status find(struct nt_eventpipe_socket *socket, const struct nt_target *target, struct nt_error *err)
{
	if (!socket->hand)
		socket->hand = nt_hand_new();
	struct errand *errand = new_errand(target);
	if (nt_hand_do(socket->hand, &errand->errand, LOOK_NS) != NT_OK)
		return nt_error_set(err, NT_ERR_TIMEOUT,
				    "the folder of the diagnostics port of process %u does not answer: a mount that hangs?", target->pid);
	enum nt_status status = nt_ipc_check_socket(target, &errand->found, err);
	if (status == NT_OK) {
		socket->fd = errand->found.fd;
		socket->gate = errand->gate;
		errand->found.fd = -1;
	}
	release(&errand->errand);
	return status;
}

void nt_eventpipe_socket_init(struct nt_eventpipe_socket *socket)
{
	*socket = (struct nt_eventpipe_socket){ .fd = -1 };
}

void nt_eventpipe_socket_forget(struct nt_eventpipe_socket *socket)
{
	if (socket->fd >= 0)
		close(socket->fd);
	socket->fd = -1;
}

void nt_eventpipe_socket_fini(struct nt_eventpipe_socket *socket)
{
	nt_eventpipe_socket_forget(socket);
	nt_hand_free(socket->hand);
	socket->hand = NULL;
}

enum nt_status nt_eventpipe_socket_find(struct nt_eventpipe_socket *socket, const struct nt_target *target, struct nt_error *err)
{
	return socket->fd < 0 ? find(socket, target, err) : NT_OK;
}

enum nt_status nt_eventpipe_socket_get(struct nt_eventpipe_socket *socket, const struct nt_target *target, int *fd, struct nt_error *err)
{
	enum nt_status status = nt_eventpipe_socket_find(socket, target, err);
	if (status != NT_OK)
		return status;
	*fd = fcntl(socket->fd, F_DUPFD_CLOEXEC, 0);
	return *fd >= 0 ? NT_OK
			: nt_error_errno(err, NT_ERR_FAILED, errno, "cannot connect to the diagnostics port of process %u", target->pid);
}
