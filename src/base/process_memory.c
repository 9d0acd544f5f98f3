// SPDX-License-Identifier: GPL-2.0-only
#include "base/process_memory.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/uio.h>
#include <unistd.h>

int nt_process_memory_error(const char *proc_dir, pid_t pid)
{
	char path[PATH_MAX], text[64] = "", byte;
	unsigned long long start;
	snprintf(path, sizeof(path), "%s/maps", proc_dir);
	int maps = open(path, O_RDONLY | O_CLOEXEC);
	if (maps < 0)
		return errno == ENOENT ? ESRCH : errno;
	ssize_t length = read(maps, text, sizeof(text) - 1);
	close(maps);
	if (length <= 0 || sscanf(text, "%llx-", &start) != 1)
		return ESRCH;
	struct iovec into = { .iov_base = &byte, .iov_len = 1 };
	struct iovec from = { .iov_base = (void *)(uintptr_t)start, .iov_len = 1 }; /* an address of the other's */
	/* A page that nobody may read says EFAULT, but only to who has the right. */
	return process_vm_readv(pid, &into, 1, &from, 1, 0) < 0 && errno != EFAULT ? errno : 0;
}
