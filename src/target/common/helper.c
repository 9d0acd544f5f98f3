// SPDX-License-Identifier: GPL-2.0-only
#include "target/common/helper.h"

#include "base/passed_fds.h"
#include "nettop/clock.h"
#include "nettop/status.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { REPLACED_MS = 1000, STEP_MS = 10 };

/* Of the number, and as long as something is sent to it: when nettop ends, a thread that was left behind by somebody may come back and ask. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int helper = -1;

void nt_helper_is_at(int socket)
{
	pthread_mutex_lock(&lock);
	helper = socket;
	pthread_mutex_unlock(&lock);
}

bool nt_helper_is_there(void)
{
	pthread_mutex_lock(&lock);
	bool there = helper >= 0;
	pthread_mutex_unlock(&lock);
	return there;
}

bool nt_helper_send(int socket, const char *verb, const char *argument, const int *fds, size_t count)
{
	char line[NT_HELPER_LINE_BYTES];
	int length = snprintf(line, sizeof(line), "%s %s", verb, argument);
	nt_assert(length > 0 && length < (int)sizeof(line));
	return nt_passed_fds_send(socket, line, (size_t)length, fds, count);
}

/* The one who is asked may have ended a moment ago, and another may take its place; or there is no room for a moment. */
static bool send_in_time(const char *verb, const char *argument, const int *fds, size_t count)
{
	nt_time deadline = nt_clock_now() + REPLACED_MS * NT_NS_PER_MS;
	for (;;) {
		pthread_mutex_lock(&lock);
		bool there = helper >= 0, sent = there && nt_helper_send(helper, verb, argument, fds, count);
		pthread_mutex_unlock(&lock);
		if (sent || !there || nt_clock_now() >= deadline)
			return sent;
		poll(NULL, 0, STEP_MS);
	}
}

int nt_helper_ask(const char *verb, const char *argument, const int *fds, size_t count)
{
	int ends[2], given[NT_HELPER_FDS_MAX];
	nt_assert(count < NT_HELPER_FDS_MAX);
	if (!nt_helper_is_there() || socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) < 0)
		return -1;
	given[0] = ends[1];
	for (size_t i = 0; i < count; i++)
		given[1 + i] = fds[i];
	bool sent = send_in_time(verb, argument, given, 1 + count);
	close(ends[1]);
	if (sent)
		return ends[0];
	close(ends[0]);
	return -1;
}

bool nt_helper_hear(int answer_fd, void *answer, size_t size, int limit_ms, bool *late)
{
	struct pollfd fd = { .fd = answer_fd, .events = POLLIN };
	nt_time deadline = nt_clock_now() + (nt_time)limit_ms * NT_NS_PER_MS;
	int ready;
	do {
		nt_time now = nt_clock_now();
		ready = poll(&fd, 1, now < deadline ? (int)((deadline - now) / NT_NS_PER_MS) + 1 : 0);
	} while (ready < 0 && errno == EINTR);
	if (late)
		*late = ready == 0;
	return ready > 0 && recv(answer_fd, answer, size, MSG_DONTWAIT) == (ssize_t)size;
}

long nt_helper_take(int socket, char *line, size_t size, int fds[NT_HELPER_FDS_MAX], size_t *count)
{
	ssize_t length = nt_passed_fds_take(socket, line, size - 1, 0, fds, count);
	if (length >= 0)
		line[length] = '\0';
	return length;
}
