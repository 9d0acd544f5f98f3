// SPDX-License-Identifier: GPL-2.0-only
#include "source/contract/lender_confined.h"

#include <errno.h>
#include <grp.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { NOBODY = 65534 };

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
static const bool sanitized = true;
#else
static const bool sanitized = false;
#endif

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#else
#error "which system calls are there?"
#endif

#define LOAD(member) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, member))
#define ALLOWED      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
#define KILLED       BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS)
#define ALLOW(call)  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##call, 0, 1), ALLOWED

static bool filter(pid_t pid)
{
	struct sock_filter code[] = {
		LOAD(arch),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0),
		KILLED,
		LOAD(nr),
		ALLOW(read),
		ALLOW(write),
		ALLOW(ppoll),
		ALLOW(restart_syscall), /* a stop and SIGCONT in the middle of a wait */
		ALLOW(rt_sigreturn),
		ALLOW(exit_group),
		/* The kernel takes the lower half of the argument for the pid, so this does. */
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_process_vm_readv, 0, 3),
		LOAD(args),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)pid, 0, 1),
		ALLOWED,
		KILLED,
	};
	const struct sock_fprog program = { .len = sizeof(code) / sizeof(*code), .filter = code };
	return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0;
}

/* Where it may not become nobody it stays root by name: with this one capability and these system calls a user like any other. */
static bool become_nobody(void)
{
	if (geteuid() != 0)
		return true;
	bool became = prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0) == 0 && setgroups(0, NULL) == 0 && setresgid(NOBODY, NOBODY, NOBODY) == 0 &&
		      setresuid(NOBODY, NOBODY, NOBODY) == 0;
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
	return good && (sanitized || filter(pid));
}
