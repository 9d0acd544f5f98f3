// SPDX-License-Identifier: GPL-2.0-only
#include "source/decoder/lender_confined.h"

#include "source/decoder/seccomp_words.h"

#include <errno.h>
#include <linux/capability.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

enum { NOBODY = 65534 };

static bool filter(pid_t pid)
{
	struct sock_filter code[] = {
		NT_SECCOMP_BEGIN,
		NT_SECCOMP_ALLOW(read),
		NT_SECCOMP_ALLOW(write),
		NT_SECCOMP_ALLOW(ppoll),
		NT_SECCOMP_ALLOW(restart_syscall), /* a stop and SIGCONT in the middle of a wait */
		NT_SECCOMP_ALLOW(rt_sigreturn),
		NT_SECCOMP_ALLOW(exit_group),
		/* The kernel takes the lower half of the argument for the pid, so this does. */
		NT_SECCOMP_IF(SYS_process_vm_readv, 3),
		NT_SECCOMP_LOAD_ARGUMENT(0),
		NT_SECCOMP_IF((uint32_t)pid, 1),
		NT_SECCOMP_ALLOWED,
		NT_SECCOMP_KILLED,
	};
	const struct sock_fprog program = { .len = sizeof(code) / sizeof(*code), .filter = code };
	return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0;
}

/*
 * Where it may not become nobody it stays root by name: with this one capability and these system calls a user like any other. The system's own calls, because libc's would want to tell threads of
 * the process that it is a fork of.
 */
static bool become_nobody(void)
{
	if (geteuid() != 0)
		return true;
	bool became = prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0) == 0 && syscall(SYS_setgroups, 0, NULL) == 0 &&
		      syscall(SYS_setresgid, NOBODY, NOBODY, NOBODY) == 0 && syscall(SYS_setresuid, NOBODY, NOBODY, NOBODY) == 0;
	return became || errno == EPERM || errno == EINVAL;
}

static bool keep_one_capability(void)
{
	struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
	const uint32_t kept = UINT32_C(1) << CAP_SYS_PTRACE;
	const struct __user_cap_data_struct sets[2] = { { .effective = kept, .permitted = kept } };
	return prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) == 0 && syscall(SYS_capset, &head, sets) == 0;
}

bool nt_lender_confine(pid_t pid)
{
	const struct rlimit none = { 0, 0 };
	bool good = become_nobody() && keep_one_capability() && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0;
	/* After the change of the user, which undoes both. */
	good = good && prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0 && prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) == 0;
	good = good && setrlimit(RLIMIT_CORE, &none) == 0;
	return good && (nt_seccomp_sanitized || filter(pid));
}
