// SPDX-License-Identifier: GPL-2.0-only
#include "source/decoder/confined_steps.h"

#include <errno.h>
#include <grp.h>
#include <linux/capability.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { NOBODY = 65534 };

bool nt_confine_become_nobody(void)
{
	if (geteuid() != 0)
		return true;
	bool became = setgroups(0, NULL) == 0 && setresgid(NOBODY, NOBODY, NOBODY) == 0 && setresuid(NOBODY, NOBODY, NOBODY) == 0;
	return became || errno == EPERM || errno == EINVAL;
}

static bool drop_capabilities(int capability)
{
	struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct sets[2];
	if (syscall(SYS_capget, &head, sets) != 0)
		return false;
	for (unsigned i = 0; i < 2; i++) {
		uint32_t kept = capability >= 0 && (unsigned)capability / 32 == i ? UINT32_C(1) << capability % 32 : 0;
		sets[i].effective = sets[i].permitted = sets[i].permitted & kept;
		sets[i].inheritable = 0;
	}
	return prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) == 0 && syscall(SYS_capset, &head, sets) == 0;
}

static bool limit(int resource, rlim_t most)
{
	struct rlimit now;
	if (getrlimit(resource, &now) != 0)
		return false;
	most = most < now.rlim_max ? most : now.rlim_max;
	return setrlimit(resource, &(struct rlimit){ most, most }) == 0;
}

bool nt_confine_bare(unsigned first_closed, unsigned descriptors, int capability)
{
	return close_range(first_closed, ~0u, 0) == 0 && drop_capabilities(capability) && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
	       prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0 && prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) == 0 && limit(RLIMIT_CORE, 0) &&
	       limit(RLIMIT_NOFILE, descriptors);
}

bool nt_confine_memory(rlim_t bytes)
{
	return limit(RLIMIT_AS, bytes);
}

bool nt_confine_calls(struct sock_filter *code, size_t count)
{
	const struct sock_fprog program = { .len = (unsigned short)count, .filter = code };
	return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0;
}
