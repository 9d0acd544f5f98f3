// SPDX-License-Identifier: GPL-2.0-only
#include "base/file_foreign.h"

#include "base/alloc.h"
#include "base/apart.h"
#include "base/file.h"
#include "base/file_name.h"
#include "base/hanging_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int check_foreign(int fd, uid_t owner, size_t limit_bytes)
{
	struct stat st;
	if (fstat(fd, &st) < 0)
		return errno;
	if (!S_ISREG(st.st_mode))
		return EINVAL;
	if (st.st_uid != owner && st.st_uid != 0)
		return EPERM;
	return st.st_size < 0 || (size_t)st.st_size > limit_bytes ? EFBIG : 0;
}

/* ---- what may hang ---- */

struct asked {
	uid_t owner;
	size_t limit_bytes;
	bool follow;
	char path[PATH_MAX];
};

struct answer {
	int error;
	struct stat stat;
};

static void open_there(const void *asked_bytes, const int *given, void *answer, int *fd)
{
	const struct asked *asked = asked_bytes;
	int *error = &((struct answer *)answer)->error;
	bool copied;
	(void)given;
	int named = open(asked->path, NT_FILE_NAMED | O_NOFOLLOW);
	*error = named < 0 ? errno : check_foreign(named, asked->owner, asked->limit_bytes);
	if (!*error)
		*error = nt_file_open_named(named, fd);
	if (named >= 0)
		close(named);
	if (!*error)
		*error = nt_hanging_file_copy(fd, &copied);
}

static void stat_there(const void *asked_bytes, const int *given, void *answer_bytes, int *fd)
{
	const struct asked *asked = asked_bytes;
	struct answer *answer = answer_bytes;
	(void)given;
	(void)fd;
	answer->error = fstatat(AT_FDCWD, asked->path, &answer->stat, asked->follow ? 0 : AT_SYMLINK_NOFOLLOW) < 0 ? errno : 0;
}

/* What hangs is the folder. `asked` has all but the path. */
static int do_apart(nt_apart_work *work, struct asked *asked, const char *path, struct answer *answer, int *fd)
{
	size_t size = strlen(path) + 1;
	*fd = -1;
	if (size > sizeof(asked->path))
		return ENAMETOOLONG;
	memcpy(asked->path, path, size);
	char *where = nt_format("%.*s", (int)(nt_file_base_name(path) - path), path);
	int error = nt_apart_do(&(struct nt_apart){
		.work = work,
		.where = where,
		.asked = asked,
		.asked_size = offsetof(struct asked, path) + size,
		.answer = answer,
		.answer_size = sizeof(*answer),
		.fd = fd,
	});
	free(where);
	return error ? error : answer->error;
}

int nt_file_open_foreign(const char *path, uid_t owner, size_t limit_bytes, int *fd)
{
	struct asked asked;
	struct answer answer;
	asked.owner = owner;
	asked.limit_bytes = limit_bytes;
	int error = do_apart(open_there, &asked, path, &answer, fd);
	if (error && *fd >= 0) {
		close(*fd);
		*fd = -1;
	}
	return !error && *fd < 0 ? EMFILE : error;
}

int nt_file_read_foreign(const char *path, uid_t owner, size_t limit_bytes, char **text, size_t *length)
{
	int fd;
	*text = NULL;
	*length = 0;
	int error = nt_file_open_foreign(path, owner, limit_bytes, &fd);
	if (error)
		return error;
	error = nt_file_read_open(fd, limit_bytes, text, length);
	close(fd);
	return error;
}

int nt_file_stat_foreign(const char *path, bool follow, struct stat *out)
{
	struct asked asked;
	struct answer answer;
	int fd;
	asked.follow = follow;
	int error = do_apart(stat_there, &asked, path, &answer, &fd);
	*out = answer.stat;
	return error;
}
