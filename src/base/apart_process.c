// SPDX-License-Identifier: GPL-2.0-only
#include "base/apart_process.h"

#include "base/passed_fds.h"
#include "nettop/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

/* Of both: everything else of nettop's is closed. What hangs must hold nothing that somebody waits for the end of. */
enum { SOCKET_FD = 3, PLACES_FD };

static bool is_worker; /* of this process */

/* The forker has no places. */
static void keep_only(int socket, int places)
{
	dup3(socket, SOCKET_FD, O_CLOEXEC); /* if it is that one already, nothing happens */
	if (places >= 0)
		dup3(places, PLACES_FD, O_CLOEXEC);
	close_range(places >= 0 ? PLACES_FD + 1 : SOCKET_FD + 1, ~0u, 0);
}

void nt_apart_go_on(void)
{
	if (is_worker)
		eventfd_write(PLACES_FD, 1);
}

/* A packet; ends when nettop has gone. */
static size_t hear(void *packet, size_t size, int fds[NT_PASSED_FDS_MAX], size_t *count)
{
	ssize_t got;
	while ((got = nt_passed_fds_take(SOCKET_FD, packet, size, 0, fds, count)) < 0 && errno == EINTR)
		continue;
	if (got <= 0)
		_exit(0);
	return (size_t)got;
}

static uint64_t used_ns(void)
{
	struct timespec used;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
	return (uint64_t)used.tv_sec * NT_NS_PER_S + (uint64_t)used.tv_nsec;
}

_Noreturn static void work(void)
{
	static struct nt_apart_packet packet;
	static struct nt_apart_reply reply;
	for (uint64_t before = 0;; before += reply.cpu_ns) {
		int given[NT_PASSED_FDS_MAX], fd = -1;
		size_t count;
		if (hear(&packet, sizeof(packet), given, &count) < offsetof(struct nt_apart_packet, asked))
			_exit(1);
		memset(reply.answer, 0, packet.answer_size);
		packet.work(packet.asked, given, reply.answer, &fd);
		reply.cpu_ns = used_ns() - before;
		if (!nt_passed_fds_send(SOCKET_FD, &reply, offsetof(struct nt_apart_reply, answer) + packet.answer_size, &fd, fd >= 0))
			_exit(1);
		if (fd >= 0)
			close(fd);
		for (size_t i = 0; i < count; i++)
			close(given[i]);
	}
}

static void fork_worker(const int ends[NT_APART_ENDS])
{
	char word = 0;
	pid_t pid = fork();
	if (pid == 0) {
		is_worker = true;
		keep_only(ends[NT_APART_SOCKET], ends[NT_APART_PLACES]);
		work();
	}
	int pidfd = pid > 0 ? pidfd_open(pid, 0) : -1;
	nt_passed_fds_send(SOCKET_FD, &word, 1, &pidfd, pidfd >= 0);
	if (pidfd >= 0)
		close(pidfd);
}

void nt_apart_fork_workers(int socket)
{
	static const int ignored[] = {
		SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGTSTP, SIGTTOU, SIGTTIN, SIGPIPE, SIGCHLD
	}; /* the last: nobody collects them */
	setsid();
	for (size_t i = 0; i < sizeof(ignored) / sizeof(ignored[0]); i++)
		signal(ignored[i], SIG_IGN);
	prctl(PR_SET_NAME, "nettop-opener");
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	socket = fcntl(socket, F_DUPFD_CLOEXEC, SOCKET_FD);
	for (int fd = 0; fd < SOCKET_FD; fd++)
		dup2(null, fd);
	keep_only(socket, -1);
	for (;;) {
		int fds[NT_PASSED_FDS_MAX];
		size_t count;
		char word;
		hear(&word, 1, fds, &count);
		if (count == NT_APART_ENDS)
			fork_worker(fds);
		for (size_t i = 0; i < count; i++)
			close(fds[i]);
	}
}
