// SPDX-License-Identifier: GPL-2.0-only
#include "base/file.h"

#include "base/alloc.h"
#include "base/plain_rights.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <ftw.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { FIRST_BYTES = 4096 };

int nt_file_read_open(int fd, size_t limit_bytes, char **text, size_t *length)
{
	size_t capacity = 0, used = 0;
	char *buf = NULL;
	for (;;) {
		buf = nt_grow(buf, &capacity, used + FIRST_BYTES + 1, 1);
		size_t room = capacity - used - 1;
		if (room > limit_bytes - used)
			room = limit_bytes - used;
		ssize_t got = room ? read(fd, buf + used, room) : 0;
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0) {
			int error = errno;
			free(buf);
			return error;
		}
		if (!got)
			break;
		used += (size_t)got;
	}
	buf[used] = '\0';
	*text = buf;
	*length = used;
	return 0;
}

int nt_file_read(int dir_fd, const char *path, size_t limit_bytes, char **text, size_t *length)
{
	*text = NULL;
	*length = 0;
	int fd = openat(dir_fd, path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return errno;
	int error = nt_file_read_open(fd, limit_bytes, text, length);
	close(fd);
	return error;
}

char *nt_file_text(const char *folder, const char *name, size_t limit_bytes, size_t *length)
{
	char *path = nt_format("%s/%s", folder, name), *text;
	if (nt_file_read(AT_FDCWD, path, limit_bytes, &text, length) != 0)
		text = NULL;
	free(path);
	return text;
}

static bool is_same_file(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* The kernel's link to the descriptor leads to that very file, whatever its path leads to by now. */
static int open_link(int named)
{
	char link[sizeof("/proc/self/fd/") + 3 * sizeof(named)];
	snprintf(link, sizeof(link), "/proc/self/fd/%d", named);
	return open(link, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
}

int nt_file_open_named(int named, int *out)
{
	struct stat judged, opened;
	*out = -1;
	if (fstat(named, &judged) < 0)
		return errno;
	if (!S_ISREG(judged.st_mode))
		return EINVAL;
	int fd = open_link(named);
	if (fd < 0)
		return errno == ENOENT || errno == ENOTDIR ? ENOSYS : errno;
	if (fstat(fd, &opened) < 0 || !is_same_file(&judged, &opened)) {
		close(fd);
		return ENOSYS;
	}
	*out = fd;
	return 0;
}

static int remove_entry(const char *path, const struct stat *info, int type, struct FTW *walk)
{
	(void)info;
	(void)type;
	(void)walk;
	remove(path); /* what cannot be removed must not keep the rest */
	return 0;
}

void nt_file_remove_tree(const char *path)
{
	struct nt_plain_rights rights = nt_plain_rights_begin(); /* whose it is may exchange a folder for a link meanwhile */
	nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
	nt_plain_rights_end(rights);
}

int nt_file_open_in_root(int root, const char *path, int flags)
{
	struct open_how how = { .flags = (uint64_t)flags, .resolve = RESOLVE_IN_ROOT };
	long fd = syscall(SYS_openat2, root, path, &how, sizeof(how));
	if (fd >= 0 || (errno != ENOSYS && errno != EPERM))
		return (int)fd;
	/* Before Linux 5.6, or a sandbox that does not know the call. */
	path += strspn(path, "/");
	return openat(root, *path ? path : ".", flags);
}
