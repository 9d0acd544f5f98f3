// SPDX-License-Identifier: GPL-2.0-only
#include "base/wait_status.h"

#include <stdio.h>
#include <string.h>

bool nt_wait_status_peek(idtype_t type, id_t id, int *status)
{
	siginfo_t info = { 0 };
	if (waitid(type, id, &info, WEXITED | WNOHANG | WNOWAIT) < 0 || !info.si_pid)
		return false;
	*status = info.si_code == CLD_EXITED ? W_EXITCODE(info.si_status, 0) : W_EXITCODE(0, info.si_status);
	return true;
}

const char *nt_wait_status_text(int status, char *buf, size_t size)
{
	if (WIFEXITED(status)) {
		snprintf(buf, size, "exit status %d", WEXITSTATUS(status));
		return buf;
	}
	int number = WTERMSIG(status);
	const char *name = sigabbrev_np(number);
	if (name)
		snprintf(buf, size, "killed by SIG%s", name);
	else
		snprintf(buf, size, "killed by signal %d", number);
	return buf;
}
