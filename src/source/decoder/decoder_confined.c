// SPDX-License-Identifier: GPL-2.0-only
#include "source/decoder/decoder_confined.h"

#include "source/decoder/confined_steps.h"
#include "source/decoder/seccomp_words.h"

#include <fcntl.h>
#include <stdint.h>
#include <sys/mman.h>

enum { DESCRIPTORS_MAX = 512 /* a composite image has two hundred components */ };

#define ADDRESS_SPACE_BYTES (UINT64_C(1) << 30)

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

bool nt_decoder_give_up(unsigned first_closed)
{
	return nt_confine_become_nobody() && nt_confine_bare(first_closed, DESCRIPTORS_MAX, -1) &&
	       (nt_seccomp_sanitized || nt_confine_memory(ADDRESS_SPACE_BYTES));
}

bool nt_decoder_confine(unsigned first_closed)
{
	return nt_decoder_give_up(first_closed) &&
	       (nt_seccomp_sanitized || nt_confine_calls(filter_code, sizeof(filter_code) / sizeof(*filter_code)));
}
