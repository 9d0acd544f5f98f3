// SPDX-License-Identifier: GPL-2.0-only
#include "source/decoder/decoder_confined.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { NOBODY = 65534, DESCRIPTORS_MAX = 512 /* a composite image has two hundred components */ };

#define ADDRESS_SPACE_BYTES (UINT64_C(1) << 30)

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

/* ---- the filter ---- */

#define LOAD(member) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, member))
/* The lower half of an argument (both machines are little-endian): what is asked of these has no upper one. */
#define LOAD_ARGUMENT(number) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args) + 8 * (number))
#define ALLOWED               BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
#define KILLED                BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS)
#define ALLOW(call)           BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##call, 0, 1), ALLOWED

static struct sock_filter filter_code[] = {
	LOAD(arch),
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0),
	KILLED,
	LOAD(nr), /* x32's calls have numbers of their own, and are none of these */
	/* what it is handed: files, and the socket, by recvmsg() for the descriptors and by write() */
	ALLOW(read),
	ALLOW(pread64),
	ALLOW(recvmsg),
	ALLOW(ppoll), /* for how long nothing is asked */
	ALLOW(write),
	ALLOW(close),
	ALLOW(lseek), /* libelf asks so for the size of a file that it does not map */
	ALLOW(fstat),
	/* malloc() */
	ALLOW(brk),
	ALLOW(munmap),
	ALLOW(mremap),
	ALLOW(madvise),
	ALLOW(futex),
	ALLOW(sysinfo), /* qsort() asks once how much memory there is */
	ALLOW(clock_gettime),
	ALLOW(restart_syscall), /* a stop and SIGCONT in the middle of a wait */
	ALLOW(rt_sigreturn),
	ALLOW(exit),
	ALLOW(exit_group),
	/* fstat() of the libc: only with AT_EMPTY_PATH, which is of a descriptor */
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_newfstatat, 0, 4),
	LOAD_ARGUMENT(3),
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AT_EMPTY_PATH, 0, 1),
	ALLOWED,
	KILLED,
	/* libelf asks whether a descriptor is one: F_GETFD and nothing else */
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_fcntl, 0, 4),
	LOAD_ARGUMENT(1),
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, F_GETFD, 0, 1),
	ALLOWED,
	KILLED,
	/* memory, but none that could be executed */
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mmap, 0, 3),
	LOAD_ARGUMENT(2),
	BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 1, 0),
	ALLOWED,
	KILLED,
};

static bool filter(void)
{
	const struct sock_fprog program = { .len = sizeof(filter_code) / sizeof(*filter_code), .filter = filter_code };
	return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0;
}

/* ---- rights ---- */

/*
 * Root becomes nobody. Where it may not (it has no right to, or its user namespace knows no nobody) it stays root by name: without capabilities and without open() that is
 * a user like any other.
 */
static bool become_nobody(void)
{
	if (geteuid() != 0)
		return true;
	bool became = setgroups(0, NULL) == 0 && setresgid(NOBODY, NOBODY, NOBODY) == 0 && setresuid(NOBODY, NOBODY, NOBODY) == 0;
	return became || errno == EPERM || errno == EINVAL;
}

static bool drop_capabilities(void)
{
	struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
	const struct __user_cap_data_struct none[2] = { 0 };
	return prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) == 0 && syscall(SYS_capset, &head, none) == 0;
}

static bool limit(int resource, rlim_t most)
{
	struct rlimit now;
	if (getrlimit(resource, &now) != 0)
		return false;
	most = most < now.rlim_max ? most : now.rlim_max;
	return setrlimit(resource, &(struct rlimit){ most, most }) == 0;
}

bool nt_decoder_confine(unsigned first_closed)
{
	bool good = close_range(first_closed, ~0u, 0) == 0 && become_nobody() && drop_capabilities() &&
		    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0;
	/* After the change of the user, which undoes both. Nobody of that user may look into it. */
	good = good && prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0 && prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) == 0;
	good = good && limit(RLIMIT_CORE, 0) && limit(RLIMIT_NOFILE, DESCRIPTORS_MAX);
	if (!good || sanitized)
		return good;
	return limit(RLIMIT_AS, ADDRESS_SPACE_BYTES) && filter();
}
