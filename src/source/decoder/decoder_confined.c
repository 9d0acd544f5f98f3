// SPDX-License-Identifier: GPL-2.0-only
#include "source/decoder/decoder_confined.h"

#include "source/decoder/seccomp_words.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

enum { NOBODY = 65534, DESCRIPTORS_MAX = 512 /* a composite image has two hundred components */ };

#define ADDRESS_SPACE_BYTES (UINT64_C(1) << 30)

/* ---- the filter ---- */

static struct sock_filter filter_code[] = {
	NT_SECCOMP_BEGIN,
	/* what it is handed: files, and the socket, by recvmsg() for the descriptors and by write() */
	NT_SECCOMP_ALLOW(read),
	NT_SECCOMP_ALLOW(pread64),
	NT_SECCOMP_ALLOW(recvmsg),
	NT_SECCOMP_ALLOW(ppoll), /* for how long nothing is asked */
	NT_SECCOMP_ALLOW(write),
	NT_SECCOMP_ALLOW(close),
	NT_SECCOMP_ALLOW(lseek), /* libelf asks so for the size of a file that it does not map */
	NT_SECCOMP_ALLOW(fstat),
	/* malloc() */
	NT_SECCOMP_ALLOW(brk),
	NT_SECCOMP_ALLOW(munmap),
	NT_SECCOMP_ALLOW(mremap),
	NT_SECCOMP_ALLOW(madvise),
	NT_SECCOMP_ALLOW(futex),
	NT_SECCOMP_ALLOW(sysinfo), /* qsort() asks once how much memory there is */
	NT_SECCOMP_ALLOW(clock_gettime),
	NT_SECCOMP_ALLOW(restart_syscall), /* a stop and SIGCONT in the middle of a wait */
	NT_SECCOMP_ALLOW(rt_sigreturn),
	NT_SECCOMP_ALLOW(exit),
	NT_SECCOMP_ALLOW(exit_group),
	NT_SECCOMP_ALLOW_FSTAT,
	/* libelf asks whether a descriptor is one: F_GETFD and nothing else */
	NT_SECCOMP_IF(SYS_fcntl, 4),
	NT_SECCOMP_LOAD_ARGUMENT(1),
	NT_SECCOMP_IF(F_GETFD, 1),
	NT_SECCOMP_ALLOWED,
	NT_SECCOMP_KILLED,
	NT_SECCOMP_ALLOW_MEMORY,
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

bool nt_decoder_give_up(unsigned first_closed)
{
	bool good = close_range(first_closed, ~0u, 0) == 0 && become_nobody() && drop_capabilities() &&
		    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0;
	/* After the change of the user, which undoes both. Nobody of that user may look into it. */
	good = good && prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0 && prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) == 0;
	good = good && limit(RLIMIT_CORE, 0) && limit(RLIMIT_NOFILE, DESCRIPTORS_MAX);
	return good && (nt_seccomp_sanitized || limit(RLIMIT_AS, ADDRESS_SPACE_BYTES));
}

bool nt_decoder_confine(unsigned first_closed)
{
	return nt_decoder_give_up(first_closed) && (nt_seccomp_sanitized || filter());
}
