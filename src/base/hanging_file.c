// SPDX-License-Identifier: GPL-2.0-only
#include "base/hanging_file.h"

#include <errno.h>
#include <linux/magic.h>
#include <sys/mman.h>
#include <sys/vfs.h>
#include <unistd.h>

/*
 * Of the others, those of a network wait for their server as well (NFS, CIFS, 9p), but a signal ends that: a thread that hangs there does not keep its process from its end. Their files are read
 * where they are.
 */
bool nt_hanging_file_is(int fd)
{
	struct statfs kind;
	return fstatfs(fd, &kind) != 0 || kind.f_type == FUSE_SUPER_MAGIC;
}

static int copy(int from, int to)
{
	static char buffer[64 << 10]; /* one thread of a process apart */
	for (off_t at = 0; at <= NT_HANGING_FILE_MOST;) {
		ssize_t got = pread(from, buffer, sizeof(buffer), at);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return got < 0 ? errno : 0;
		if (pwrite(to, buffer, (size_t)got, at) != got)
			return ENOSPC;
		at += got;
	}
	return EFBIG;
}

int nt_hanging_file_copy(int *fd, bool *copied)
{
	*copied = nt_hanging_file_is(*fd);
	if (!*copied)
		return 0;
	int memory = memfd_create("copy", MFD_CLOEXEC), error = memory < 0 ? errno : copy(*fd, memory);
	close(*fd);
	if (error && memory >= 0)
		close(memory);
	*fd = error ? -1 : memory;
	return error;
}
