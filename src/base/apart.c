// SPDX-License-Identifier: GPL-2.0-only
#include "base/apart.h"

#include "base/alloc.h"
#include "base/apart_process.h"
#include "base/mount_of.h"
#include "base/passed_fds.h"
#include "nettop/clock.h"
#include "nettop/status.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/pidfd.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

struct worker {
	int fd;     /* the socket, in packets; -1 = there is none */
	int places; /* an eventfd: of how many further folders it has come to */
	int pidfd;
};

static const struct worker nobody = { -1, -1, -1 };

struct hung {
	int pidfd;
	char *where;
	char device[NT_MOUNT_DEVICE_BYTES]; /* "" = not known */
};

/* One of a process, as its rights are: all threads send to the same ones. */
static struct {
	pthread_mutex_t lock;
	int forker; /* the socket; -1 = there is none */
	struct worker idle;
	struct hung hung[NT_APART_HUNG_MAX];
	size_t hung_count;
	clockid_t forker_clock; /* its CPU time */
	uint64_t forker_ns;     /* when it was last looked */
	uint64_t cpu_ns;        /* of the workers, as far as they said */
} office = { .lock = PTHREAD_MUTEX_INITIALIZER, .forker = -1, .idle = { -1, -1, -1 } };

void nt_apart_start(void)
{
	int ends[2];
	if (office.forker >= 0 || socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) < 0)
		return;
	pid_t pid = fork();
	if (pid == 0)
		nt_apart_fork_workers(ends[1]);
	close(ends[1]);
	if (pid < 0 || clock_getcpuclockid(pid, &office.forker_clock) != 0)
		close(ends[0]); /* so it ends */
	else
		office.forker = ends[0];
}

uint64_t nt_apart_cpu_ns(void)
{
	struct timespec used;
	pthread_mutex_lock(&office.lock);
	if (office.forker >= 0 && clock_gettime(office.forker_clock, &used) == 0)
		office.forker_ns = (uint64_t)used.tv_sec * NT_NS_PER_S + (uint64_t)used.tv_nsec;
	uint64_t cpu_ns = office.cpu_ns + office.forker_ns;
	pthread_mutex_unlock(&office.lock);
	return cpu_ns;
}

static void end_worker(struct worker *worker)
{
	close(worker->fd);
	close(worker->places);
	close(worker->pidfd);
	*worker = nobody;
}

static bool is_readable(int fd, int limit_ms)
{
	struct pollfd ready = { .fd = fd, .events = POLLIN };
	int result;
	while ((result = poll(&ready, 1, limit_ms)) < 0 && errno == EINTR)
		continue;
	return result > 0;
}

static void forget_ended(void)
{
	for (size_t i = 0; i < office.hung_count;) {
		if (!is_readable(office.hung[i].pidfd, 0)) {
			i++;
			continue;
		}
		close(office.hung[i].pidfd);
		free(office.hung[i].where);
		office.hung[i] = office.hung[--office.hung_count];
	}
}

/* A file system with many folders gets no more of them than one with few. */
static bool hangs_in(const char *where)
{
	char device[NT_MOUNT_DEVICE_BYTES];
	bool known = nt_mount_of(where, device), found = office.hung_count == NT_APART_HUNG_MAX;
	size_t of_device = 0;
	for (size_t i = 0; i < office.hung_count; i++) {
		found = found || strcmp(office.hung[i].where, where) == 0;
		of_device += known && strcmp(office.hung[i].device, device) == 0;
	}
	return found || of_device >= NT_APART_HUNG_OF_DEVICE_MAX;
}

static bool hangs(const struct nt_apart *apart)
{
	forget_ended();
	if (!office.hung_count)
		return false;
	bool found = hangs_in(apart->where);
	for (size_t i = 0; !found && i < apart->further_count; i++)
		found = hangs_in(apart->further[i]);
	return found;
}

/* The forker is never at anything that takes time. */
static struct worker hire(void)
{
	int ends[2], fds[NT_PASSED_FDS_MAX], places = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	size_t count = 0;
	char word = 0;
	if (places < 0)
		return nobody;
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) < 0) {
		close(places);
		return nobody;
	}
	const int theirs[NT_APART_ENDS] = { [NT_APART_SOCKET] = ends[1], [NT_APART_PLACES] = places };
	struct worker worker = nobody;
	bool made = nt_passed_fds_send(office.forker, &word, 1, theirs, NT_APART_ENDS) &&
		    is_readable(office.forker, NT_APART_PATIENCE_MS) && nt_passed_fds_take(office.forker, &word, 1, 0, fds, &count) > 0 &&
		    count == 1;
	close(ends[1]);
	if (made) {
		worker = (struct worker){ .fd = ends[0], .places = places, .pidfd = fds[0] };
	} else {
		close(ends[0]);
		close(places);
		close(office.forker); /* an answer that comes late must not be taken for the next one */
		office.forker = -1;
	}
	return worker;
}

/* The one that waits, or a new one; then that is this thread's alone. 0, or an errno value. */
static int take_worker(const struct nt_apart *apart, struct worker *worker)
{
	*worker = nobody;
	pthread_mutex_lock(&office.lock);
	int error = office.forker >= 0 && hangs(apart) ? ETIMEDOUT : 0;
	if (!error && office.forker >= 0) {
		*worker = office.idle.fd >= 0 ? office.idle : hire();
		office.idle = nobody;
	}
	pthread_mutex_unlock(&office.lock);
	return error;
}

static void give_back(struct worker *worker)
{
	pthread_mutex_lock(&office.lock);
	bool kept = office.idle.fd < 0;
	if (kept)
		office.idle = *worker;
	pthread_mutex_unlock(&office.lock);
	if (!kept)
		end_worker(worker);
}

/* Where it has come to. */
static const char *place_of(const struct worker *worker, const struct nt_apart *apart)
{
	eventfd_t places = 0;
	if (eventfd_read(worker->places, &places) < 0 || !places || !apart->further_count)
		return apart->where;
	return apart->further[places < apart->further_count ? places - 1 : apart->further_count - 1];
}

static void leave_behind(struct worker *worker, const char *where)
{
	pidfd_send_signal(worker->pidfd, SIGKILL, NULL, 0);
	pthread_mutex_lock(&office.lock);
	if (office.hung_count < NT_APART_HUNG_MAX) {
		struct hung *hung = &office.hung[office.hung_count++];
		*hung = (struct hung){ .pidfd = worker->pidfd, .where = nt_strdup(where) };
		if (!nt_mount_of(where, hung->device))
			*hung->device = '\0';
		worker->pidfd = -1;
	}
	pthread_mutex_unlock(&office.lock);
	close(worker->fd);
	close(worker->places);
	if (worker->pidfd >= 0)
		close(worker->pidfd);
}

static bool send_errand(const struct worker *worker, const struct nt_apart *apart)
{
	struct nt_apart_packet packet = { .work = apart->work, .answer_size = apart->answer_size };
	nt_assert(apart->asked_size <= NT_APART_BYTES && apart->answer_size <= NT_APART_BYTES);
	memcpy(packet.asked, apart->asked, apart->asked_size);
	if (apart->further_count)
		eventfd_read(worker->places, &(eventfd_t){ 0 }); /* of the errand before */
	return nt_passed_fds_send(worker->fd, &packet, offsetof(struct nt_apart_packet, asked) + apart->asked_size, apart->given,
				  apart->given_count);
}

static bool take_answer(const struct worker *worker, const struct nt_apart *apart)
{
	struct nt_apart_reply reply;
	int fds[NT_PASSED_FDS_MAX];
	size_t count = 0, size = offsetof(struct nt_apart_reply, answer) + apart->answer_size;
	ssize_t got = nt_passed_fds_take(worker->fd, &reply, size, 0, fds, &count);
	*apart->fd = count ? fds[0] : -1; /* it sends no more than one */
	if (got != (ssize_t)size)
		return false;
	memcpy(apart->answer, reply.answer, apart->answer_size);
	pthread_mutex_lock(&office.lock);
	office.cpu_ns += reply.cpu_ns;
	pthread_mutex_unlock(&office.lock);
	return true;
}

int nt_apart_do(const struct nt_apart *apart)
{
	struct worker worker;
	*apart->fd = -1;
	memset(apart->answer, 0, apart->answer_size);
	int error = take_worker(apart, &worker);
	if (error)
		return error;
	if (worker.fd < 0) {
		apart->work(apart->asked, apart->given, apart->answer, apart->fd);
		return 0;
	}
	if (!send_errand(&worker, apart)) {
		error = errno;
	} else if (!is_readable(worker.fd, NT_APART_PATIENCE_MS)) {
		leave_behind(&worker, place_of(&worker, apart));
		return ETIMEDOUT;
	} else if (!take_answer(&worker, apart)) {
		error = EIO;
	}
	if (error)
		end_worker(&worker);
	else
		give_back(&worker);
	return error;
}
