// SPDX-License-Identifier: GPL-2.0-only
#include "source/lttng/lttng_link.h"

#include "base/alloc.h"
#include "base/signal_to.h"
#include "source/common/inner_tids.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { BATCHES = 16 };

static struct nt_lttng_owner who_we_are(void)
{
	struct nt_lttng_owner self = { .pid = (uint32_t)getpid(), .pid_ns = nt_inner_tids_namespace("/proc/self") };
	struct nt_procfs_stat stat_line;
	if (nt_lttng_process_stat(self.pid, &stat_line))
		self.start_ticks = stat_line.start_ticks;
	return self;
}

struct nt_lttng_link *nt_lttng_link_new(const struct nt_source_config *config)
{
	struct nt_lttng_link *link = nt_alloc(sizeof(*link));
	link->runtime_dir = nt_strdup(config->runtime_dir);
	link->foreign_session = nt_strdup(config->lttng_session);
	link->live_timer_us = config->lttng_live_timer_us;
	link->self = who_we_are();
	link->undo_note = config->undo_note;
	link->undo_context = config->undo_context;
	pthread_mutex_init(&link->lock, NULL);
	atomic_init(&link->owners, 1);
	link->wake_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	link->ended_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	link->channel = nt_channel_new(NT_SOURCE_LTTNG, BATCHES);
	if (link->wake_fd >= 0 && link->ended_fd >= 0 && link->channel)
		return link;
	nt_lttng_link_drop(link);
	return NULL;
}

static void close_if_open(int fd)
{
	if (fd >= 0)
		close(fd);
}

void nt_lttng_link_drop(struct nt_lttng_link *link)
{
	if (!link || atomic_fetch_sub(&link->owners, 1) != 1)
		return;
	nt_lttng_out_fini(&link->out);
	nt_lttng_telling_free(link->telling);
	nt_channel_free(link->channel);
	nt_lttng_watched_fini(&link->watched);
	close_if_open(link->wake_fd);
	close_if_open(link->ended_fd);
	pthread_mutex_destroy(&link->lock);
	free(link->runtime_dir);
	free(link->foreign_session);
	nt_follow_drop(link->follow);
	free(link);
}

void nt_lttng_link_order(struct nt_lttng_link *link, enum nt_lttng_order order)
{
	if (order > atomic_load(&link->order))
		atomic_store(&link->order, order);
	eventfd_write(link->wake_fd, 1);
}

void nt_lttng_link_note(struct nt_lttng_link *link, const char *verb, const char *argument)
{
	pthread_mutex_lock(&link->lock);
	if (link->undo_note)
		link->undo_note(link->undo_context, verb, argument);
	pthread_mutex_unlock(&link->lock);
}

void nt_lttng_link_set_daemon(struct nt_lttng_link *link, enum nt_lttng_daemon which, const struct nt_lttng_process *process)
{
	pthread_mutex_lock(&link->lock);
	link->daemons[which] = process ? *process : (struct nt_lttng_process){ 0 };
	pthread_mutex_unlock(&link->lock);
}

void nt_lttng_link_daemons(struct nt_lttng_link *link, struct nt_lttng_process daemons[NT_LTTNG_DAEMON_COUNT])
{
	pthread_mutex_lock(&link->lock);
	memcpy(daemons, link->daemons, sizeof(link->daemons));
	pthread_mutex_unlock(&link->lock);
}

void nt_lttng_link_abandon(struct nt_lttng_link *link)
{
	pthread_mutex_lock(&link->lock);
	link->undo_note = NULL;
	pthread_mutex_unlock(&link->lock);
}

/* ---- cutting ---- */

/* Does this socket lead to the relay that is being read, or to a session daemon? */
static bool leads_to_daemon(int fd, unsigned live_port)
{
	union {
		struct sockaddr any;
		struct sockaddr_in in;
		struct sockaddr_un un;
	} peer = { 0 };
	socklen_t length = sizeof(peer);
	if (getpeername(fd, &peer.any, &length) < 0)
		return false;
	if (peer.any.sa_family == AF_INET)
		return live_port && ntohs(peer.in.sin_port) == live_port;
	static const char tail[] = "/client-lttng-sessiond";
	size_t path_length = strnlen(peer.un.sun_path, sizeof(peer.un.sun_path));
	return peer.any.sa_family == AF_UNIX && path_length >= sizeof(tail) - 1 && path_length < sizeof(peer.un.sun_path) &&
	       strcmp(peer.un.sun_path + path_length - (sizeof(tail) - 1), tail) == 0;
}

/* The libraries keep their sockets to themselves. A copy of the descriptor cannot become another file between the look and the deed. */
static void shut_if_daemon(int fd, unsigned live_port)
{
	int copy = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	if (copy < 0)
		return;
	if (leads_to_daemon(copy, live_port))
		shutdown(copy, SHUT_RDWR);
	close(copy);
}

void nt_lttng_shut_connections(unsigned live_port)
{
	DIR *dir = opendir("/proc/self/fd");
	if (!dir)
		return;
	for (struct dirent *entry; (entry = readdir(dir));)
		if (entry->d_name[0] != '.')
			shut_if_daemon(atoi(entry->d_name), live_port);
	closedir(dir);
}

void nt_lttng_link_cut(struct nt_lttng_link *link)
{
	atomic_store(&link->was_cut, true);
	/* Under the lock the worker cannot collect it, so the pid is still its. */
	pthread_mutex_lock(&link->lock);
	if (link->daemons[NT_LTTNG_RELAYD].pid)
		nt_signal_process((pid_t)link->daemons[NT_LTTNG_RELAYD].pid, SIGKILL);
	pthread_mutex_unlock(&link->lock);
	nt_lttng_shut_connections(atomic_load(&link->live_port));
}
