// SPDX-License-Identifier: GPL-2.0-only
#include "source/foreign_file.h"

#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static struct nt_foreign_file refused(enum nt_refusal refusal, int errnum)
{
	return (struct nt_foreign_file){ .fd = -1, .refusal = refusal, .errnum = errnum };
}

static struct nt_foreign_file refuse_name(int errnum)
{
	return refused(errnum == ENOENT || errnum == ENOTDIR ? NT_REFUSAL_ABSENT : NT_REFUSAL_ERRNO, errnum);
}

/* Its name led to something: it is looked at first, and opened when nothing speaks against it. */
static struct nt_foreign_file judge(int named, uid_t uid)
{
	struct nt_foreign_file file = { .fd = -1 };
	if (fstat(named, &file.stat) != 0)
		return refused(NT_REFUSAL_ERRNO, errno);
	if (*nt_file_objection(&file.stat, uid, file.objection)) {
		file.refusal = NT_REFUSAL_OBJECTION;
		return file;
	}
	file.errnum = nt_file_open_named(named, &file.fd);
	if (file.errnum == ENOSYS) {
		file.refusal = NT_REFUSAL_OBJECTION;
		file.errnum = 0;
		snprintf(file.objection, sizeof(file.objection), "cannot be opened through /proc/self/fd: no /proc is mounted there");
	} else if (file.errnum) {
		file.refusal = NT_REFUSAL_ERRNO;
	}
	return file;
}

/* `named` may be -1, with errno; it is closed. */
static struct nt_foreign_file open_judged(int named, uid_t uid)
{
	if (named < 0)
		return refuse_name(errno);
	struct nt_foreign_file file = judge(named, uid);
	close(named);
	return file;
}

struct nt_foreign_file nt_foreign_open(const char *root_dir, const char *path, uid_t uid)
{
	int root = open(root_dir, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (root < 0)
		return refused(NT_REFUSAL_NO_ROOT, errno);
	struct nt_foreign_file file = open_judged(nt_file_open_in_root(root, path, NT_FILE_NAMED | O_NOFOLLOW), uid);
	close(root);
	return file;
}

struct nt_foreign_file nt_foreign_open_mapped(const char *map_file, uid_t uid)
{
	return open_judged(open(map_file, NT_FILE_NAMED), uid);
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
