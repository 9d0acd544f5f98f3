// SPDX-License-Identifier: GPL-2.0-only
#include "base/call_filter.h"

#include <errno.h>
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Of the thread: seccomp(2). PR_GET_SECCOMP would end who has the strict mode, who could not ask. */
static bool has_filter(void)
{
	return prctl(PR_GET_SECCOMP) == 2;
}

static bool refused(void)
{
	return errno == EPERM || errno == ENOSYS;
}

bool nt_call_filter_keeps_perf(void)
{
	/* Without attributes: EFAULT. A kernel that refuses everybody says EACCES. */
	return has_filter() && syscall(SYS_perf_event_open, NULL, 0, -1, -1, 0) < 0 && refused();
}

static bool may_load_programs(void)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct sets[_LINUX_CAPABILITY_U32S_3] = { { 0 } };
	enum { BPF = 39 }; /* CAP_BPF, Linux 5.8 */
	return syscall(SYS_capget, &header, sets) == 0 &&
	       ((sets[1].effective >> (BPF - 32) & 1) || (sets[0].effective >> CAP_SYS_ADMIN & 1));
}

bool nt_call_filter_keeps_bpf(void)
{
	/* A command that there is not: EINVAL. */
	return has_filter() && may_load_programs() && syscall(SYS_bpf, -1, NULL, 0) < 0 && refused();
}
