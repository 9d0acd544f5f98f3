// SPDX-License-Identifier: GPL-2.0-only
#include "serve/web_confined.h"

#include "source/decoder/confined_steps.h"
#include "source/decoder/seccomp_words.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

static struct sock_filter filter_code[] = {
	NT_SECCOMP_BEGIN,
/* connections: taken, read, answered, closed */
#ifdef SYS_epoll_wait
	NT_SECCOMP_ALLOW(epoll_wait),
#endif
	NT_SECCOMP_ALLOW(epoll_pwait),
	NT_SECCOMP_ALLOW(epoll_ctl),
	NT_SECCOMP_ALLOW(epoll_create1),
	NT_SECCOMP_ALLOW(accept4),
	NT_SECCOMP_ALLOW(recvfrom),
	NT_SECCOMP_ALLOW(sendto),
	NT_SECCOMP_ALLOW(sendmsg),
	NT_SECCOMP_ALLOW(sendfile),
	NT_SECCOMP_ALLOW(shutdown),
	NT_SECCOMP_ALLOW(getsockopt),
	NT_SECCOMP_ALLOW(setsockopt),
	NT_SECCOMP_ALLOW(getsockname),
	NT_SECCOMP_ALLOW(close),
	NT_SECCOMP_ALLOW(eventfd2), /* libmicrohttpd's own */
	/* nettop: asked, and heard with descriptors, which are read */
	NT_SECCOMP_ALLOW(recvmsg),
	NT_SECCOMP_ALLOW(write),
	NT_SECCOMP_ALLOW(read),
	NT_SECCOMP_ALLOW(pread64),
	NT_SECCOMP_ALLOW(lseek),
	NT_SECCOMP_ALLOW(fstat),
	NT_SECCOMP_ALLOW_FSTAT,
	NT_SECCOMP_ALLOW(ppoll),
	/* malloc() */
	NT_SECCOMP_ALLOW(brk),
	NT_SECCOMP_ALLOW(munmap),
	NT_SECCOMP_ALLOW(mremap),
	NT_SECCOMP_ALLOW(madvise),
	NT_SECCOMP_ALLOW(futex),
	NT_SECCOMP_ALLOW(clock_gettime),
	NT_SECCOMP_ALLOW(gettimeofday),
	NT_SECCOMP_ALLOW(restart_syscall), /* a stop and SIGCONT in the middle of a wait */
	NT_SECCOMP_ALLOW(rt_sigreturn),
	NT_SECCOMP_ALLOW(exit),
	NT_SECCOMP_ALLOW(exit_group),
	/* flags of a descriptor (that it does not block, that it is closed by exec), and nothing else that fcntl() can */
	NT_SECCOMP_IF(SYS_fcntl, 10),
	NT_SECCOMP_LOAD_ARGUMENT(1),
	NT_SECCOMP_IF(F_GETFL, 1),
	NT_SECCOMP_ALLOWED,
	NT_SECCOMP_IF(F_SETFL, 1),
	NT_SECCOMP_ALLOWED,
	NT_SECCOMP_IF(F_GETFD, 1),
	NT_SECCOMP_ALLOWED,
	NT_SECCOMP_IF(F_SETFD, 1),
	NT_SECCOMP_ALLOWED,
	NT_SECCOMP_KILLED,
	NT_SECCOMP_ALLOW_MEMORY,
};

bool nt_web_confine(void)
{
	return nt_seccomp_sanitized || nt_confine_calls(filter_code, sizeof(filter_code) / sizeof(*filter_code));
}
