// SPDX-License-Identifier: GPL-2.0-only
#include "base/file.h"

#include "base/alloc.h"
#include "base/apart.h"
#include "base/hanging_file.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <ftw.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { FIRST_BYTES = 4096 };

static int read_all(int fd, size_t limit_bytes, char **text, size_t *length)
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
	int error = read_all(fd, limit_bytes, text, length);
	close(fd);
	return error;
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
	error = read_all(fd, limit_bytes, text, length);
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
	nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

const char *nt_file_base_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

const char *nt_file_library_end(const char *name)
{
	for (const char *so = *name ? strstr(name + 1, ".so") : NULL; so; so = strstr(so + 1, ".so"))
		if (so[3] == '\0' || so[3] == '.')
			return so;
	return NULL;
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
