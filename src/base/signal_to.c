// SPDX-License-Identifier: GPL-2.0-only
#include "base/signal_to.h"

#include <errno.h>
#include <signal.h>
#include <unistd.h>

/* We are 1 ourselves where a container has nothing else. */
static bool is_one(pid_t pid)
{
	if (pid > 1 || (pid == 1 && getpid() == 1))
		return true;
	errno = EINVAL;
	return false;
}

bool nt_signal_process(pid_t pid, int signal)
{
	return is_one(pid) && kill(pid, signal) == 0;
}

/* Of -1 the kernel makes everybody: nobody's group has that number but init's, and that is none of ours. */
bool nt_signal_group(pid_t leader, int signal)
{
	if (leader > 1)
		return kill(-leader, signal) == 0;
	errno = EINVAL;
	return false;
}
