// SPDX-License-Identifier: GPL-2.0-only
#include "app/keeper/keeper_errands.h"

#include "app/keeper/keeper_verbs.h"
#include "base/signal_to.h"
#include "nettop/clock.h"
#include "source/decoder/decoder_child.h"
#include "source/lttng/lttng_child.h"
#include "source/lttng/lttng_daemons.h"
#include "target/common/as_user.h"
#include "target/common/deed.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define SIGNAL_PROCESS_GROUP 4u /* PIDFD_SIGNAL_PROCESS_GROUP, Linux 6.9 */

pid_t nt_keeper_fork_sibling(void)
{
	return (pid_t)syscall(SYS_clone, CLONE_PARENT | SIGCHLD, NULL, NULL, NULL, NULL);
}

void nt_keeper_errands_collect(void)
{
	while (waitpid(-1, NULL, WNOHANG) > 0)
		continue;
}

void nt_keeper_errands_end(int limit_ms)
{
	nt_time deadline = nt_clock_now() + limit_ms * NT_NS_PER_MS;
	while (waitpid(-1, NULL, WNOHANG) >= 0 && nt_clock_now() < deadline)
		poll(NULL, 0, 1);
}

static void do_deed(const char *text, const int *fds, size_t count, pid_t nettop)
{
	struct nt_deed deed;
	(void)nettop;
	if (count && nt_deed_parse(text, fds + 1, count - 1, &deed) && fork() == 0)
		nt_deed_become(&deed, fds[0]);
}

/* Children of nettop's, which waits for their ends as for that of any other. */
static void start_sessiond(const char *argument, const int *fds, size_t count, pid_t nettop)
{
	(void)argument;
	(void)nettop;
	if (count == 1 && nt_keeper_fork_sibling() == 0)
		nt_lttng_sessiond_become(fds[0]);
}

static void start_relayd(const char *argument, const int *fds, size_t count, pid_t nettop)
{
	(void)nettop;
	if (count == 1 && nt_keeper_fork_sibling() == 0)
		nt_lttng_relay_become(argument, fds[0]);
}

/* What it is handed comes by a socket of its own. */
static void start_decoder(const char *argument, const int *fds, size_t count, pid_t nettop)
{
	(void)nettop;
	if (count != 2 || nt_keeper_fork_sibling() != 0)
		return;
	int32_t pid = getpid();
	send(fds[0], &pid, sizeof(pid), MSG_NOSIGNAL);
	nt_decoder_child_become(fds[1], argument);
}

/* A descriptor of the group's leader: its number stays its own while nettop has not waited for it, and nettop may do so at any time. */
static void send_signal(const char *text, const int *fds, size_t count, pid_t nettop)
{
	struct nt_lttng_process process;
	struct nt_procfs_stat stat;
	int number, pidfd;
	(void)fds;
	(void)count;
	if (sscanf(text, "%" SCNu32 ":%" SCNu64 " %d", &process.pid, &process.start_ticks, &number) != 3 || process.pid < 2 ||
	    process.pid > INT_MAX || (pidfd = pidfd_open((pid_t)process.pid, 0)) < 0)
		return;
	if (nt_lttng_process_stat(process.pid, &stat) && stat.start_ticks == process.start_ticks && stat.ppid == (uint32_t)nettop &&
	    pidfd_send_signal(pidfd, number, NULL, SIGNAL_PROCESS_GROUP) < 0 && errno == EINVAL)
		nt_signal_group((pid_t)process.pid, number);
	close(pidfd);
}

static const struct errand {
	const char *verb;
	void (*run)(const char *argument, const int *fds, size_t count, pid_t nettop);
} errands[] = {
	{ NT_DEED_VERB, do_deed },          { NT_LTTNG_SESSIOND_VERB, start_sessiond }, { NT_LTTNG_RELAYD_VERB, start_relayd },
	{ NT_DECODER_VERB, start_decoder }, { NT_KEEPER_SIGNAL, send_signal },
};

bool nt_keeper_errand(const char *verb, const char *argument, const int *fds, size_t count, pid_t nettop)
{
	for (size_t i = 0; i < sizeof(errands) / sizeof(errands[0]); i++) {
		if (strcmp(verb, errands[i].verb) != 0)
			continue;
		errands[i].run(argument, fds, count, nettop);
		for (size_t fd = 0; fd < count; fd++)
			close(fds[fd]);
		return true;
	}
	return false;
}
