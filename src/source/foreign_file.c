// SPDX-License-Identifier: GPL-2.0-only
#include "source/foreign_file.h"

#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { OPEN_FLAGS = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY };

static struct nt_foreign_file refused(enum nt_refusal refusal, int errnum)
{
	return (struct nt_foreign_file){ .fd = -1, .refusal = refusal, .errnum = errnum };
}

static struct nt_foreign_file refused_type(mode_t type)
{
	struct nt_foreign_file file = { .fd = -1, .refusal = NT_REFUSAL_OBJECTION };
	snprintf(file.objection, sizeof(file.objection), "%s", nt_file_type_objection(type));
	return file;
}

static struct nt_foreign_file refuse_open(int errnum)
{
	switch (errnum) {
	case ENOENT:
	case ENOTDIR:
		return refused(NT_REFUSAL_ABSENT, errnum);
	case ELOOP:
		return refused_type(S_IFLNK);
	case ENXIO:
		return refused_type(0); /* a socket, or a device without a driver */
	default:
		return refused(NT_REFUSAL_ERRNO, errnum);
	}
}

/* The conditions on what was opened; closes it when they do not hold. */
static struct nt_foreign_file check(int fd, uid_t uid)
{
	struct nt_foreign_file file = { .fd = fd };
	if (fstat(fd, &file.stat) != 0)
		file = (struct nt_foreign_file){ .fd = fd, .refusal = NT_REFUSAL_ERRNO, .errnum = errno };
	else if (*nt_file_objection(&file.stat, uid, file.objection))
		file.refusal = NT_REFUSAL_OBJECTION;
	if (file.refusal) {
		close(fd);
		file.fd = -1;
	}
	return file;
}

struct nt_foreign_file nt_foreign_open(const char *root_dir, const char *path, uid_t uid)
{
	int root = open(root_dir, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (root < 0)
		return refused(NT_REFUSAL_NO_ROOT, errno);
	int fd = nt_file_open_in_root(root, path, OPEN_FLAGS | O_NOFOLLOW);
	struct nt_foreign_file file = fd < 0 ? refuse_open(errno) : check(fd, uid);
	close(root);
	return file;
}

struct nt_foreign_file nt_foreign_open_mapped(const char *map_file, uid_t uid)
{
	int fd = open(map_file, OPEN_FLAGS);
	return fd < 0 ? refuse_open(errno) : check(fd, uid);
}

ssize_t nt_foreign_read(int fd, void *buf, size_t size, off_t offset)
{
	size_t done = 0;
	while (done < size) {
		ssize_t got = pread(fd, (char *)buf + done, size - done, offset + (off_t)done);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -1;
		if (got == 0)
			break;
		done += (size_t)got;
	}
	return (ssize_t)done;
}
