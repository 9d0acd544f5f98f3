// SPDX-License-Identifier: GPL-2.0-only
#include "target/common/as_user.h"

#include "base/signal_to.h"
#include "nettop/clock.h"

#include <fcntl.h>
#include <linux/capability.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LIMIT_MS = 500, LIMIT_S = 1, NOT_BECOME = 101, FDS_MAX = 8 };

/* For good: this user and nothing that comes with being another. The system's own calls, because libc's would want to tell our other threads. */
static bool become(uid_t uid, gid_t gid)
{
	struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct none[2] = { 0 };
	if (geteuid() != uid || geteuid() == 0) {
		if (syscall(SYS_setgroups, 0, NULL) < 0 || syscall(SYS_setresgid, gid, gid, gid) < 0 ||
		    syscall(SYS_setresuid, uid, uid, uid) < 0)
			return false;
	}
	return syscall(SYS_capset, &head, none) == 0 && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && geteuid() == uid;
}

/* Of nettop's descriptors nothing else is kept: if we hang here, nobody may wait for us to close one. */
static bool keep_only(const int *fds, size_t count)
{
	int above[FDS_MAX];
	if (count > FDS_MAX)
		return false;
	for (size_t i = 0; i < count; i++)
		if ((above[i] = fcntl(fds[i], F_DUPFD, (int)count)) < 0)
			return false;
	for (size_t i = 0; i < count; i++)
		if (dup2(above[i], (int)i) < 0)
			return false;
	return close_range((unsigned)count, ~0u, 0) == 0;
}

static int await(pid_t child)
{
	nt_time deadline = nt_clock_now() + LIMIT_MS * NT_NS_PER_MS;
	int status = 0;
	pid_t ended;
	while ((ended = waitpid(child, &status, WNOHANG)) == 0 && nt_clock_now() < deadline)
		poll(NULL, 0, 1);
	if (ended == 0) {
		nt_signal_process(child, SIGKILL);
		waitpid(child, NULL, WNOHANG);
		return NT_AS_USER_HANGS;
	}
	return ended > 0 && WIFEXITED(status) && WEXITSTATUS(status) != NOT_BECOME ? WEXITSTATUS(status) : NT_AS_USER_REFUSED;
}

int nt_as_user(uid_t uid, gid_t gid, const int *fds, size_t count, int (*act)(const void *context), const void *context)
{
	pid_t child = fork();
	if (child == 0)
		_exit(keep_only(fds, count) && become(uid, gid) ? act(context) : NOT_BECOME);
	return child > 0 ? await(child) : NT_AS_USER_REFUSED;
}

/* Not caught: what waits for a file system may still be ended by a signal that is deadly. */
static void end_in_time(void)
{
	sigset_t alarm_alone;
	sigemptyset(&alarm_alone);
	sigaddset(&alarm_alone, SIGALRM);
	signal(SIGALRM, SIG_DFL);
	sigprocmask(SIG_UNBLOCK, &alarm_alone, NULL);
	alarm(LIMIT_S);
}

void nt_as_user_become(uid_t uid, gid_t gid, const int *fds, size_t count, int (*act)(const void *context), const void *context, int socket)
{
	int kept[FDS_MAX], answer = NT_AS_USER_REFUSED;
	if (count >= FDS_MAX)
		_exit(1);
	memcpy(kept, fds, count * sizeof(*fds));
	kept[count] = socket;
	end_in_time();
	if (!keep_only(kept, count + 1))
		_exit(1);
	if (become(uid, gid)) {
		prctl(PR_SET_PDEATHSIG,
		      SIGKILL); /* that user may stop us, and then no alarm does; becoming him has undone it if it was set before */
		answer = act(context);
	}
	send((int)count, &answer, sizeof(answer), MSG_NOSIGNAL);
	_exit(0);
}
