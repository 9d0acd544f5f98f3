// SPDX-License-Identifier: GPL-2.0-only
#include "base/own_folder.h"

#include "base/file_name.h"
#include "base/plain_rights.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

enum {
	FLAGS = O_PATH | O_CLOEXEC,
	MOST_LINKS = 40,  /* as the kernel has it */
	MOST_NAMES = 100, /* of one process beside one file: others may have put files there */
};

struct walk {
	int folder;          /* so far */
	bool make;           /* what is missing */
	char rest[PATH_MAX]; /* what is left of the path */
	unsigned link_count;
};

/* Takes `folder` in place of what there was; below 0, errno is kept and there is none. */
static void step_into(struct walk *walk, int folder)
{
	int reason = errno;
	if (walk->folder >= 0)
		close(walk->folder);
	walk->folder = folder;
	errno = reason;
}

static bool is_of_the_kernel(int folder)
{
	struct statfs system;
	return fstatfs(folder, &system) == 0 && system.f_type == PROC_SUPER_MAGIC;
}

/* What the link says, before the rest of the path. */
static int go_where_it_says(struct walk *walk, int link)
{
	char joined[PATH_MAX], text[PATH_MAX];
	ssize_t length = readlinkat(link, "", text, sizeof(text) - 1);
	if (length < 0)
		return errno;
	text[length] = '\0';
	if (++walk->link_count > MOST_LINKS)
		return ELOOP;
	if (snprintf(joined, sizeof(joined), "%s/%s", text, walk->rest) >= (int)sizeof(joined))
		return ENAMETOOLONG;
	memcpy(walk->rest, joined, strlen(joined) + 1);
	if (*text == '/')
		step_into(walk, open("/", FLAGS | O_DIRECTORY));
	return 0;
}

static int follow(struct walk *walk, int link, const char *name, const struct stat *st)
{
	if (st->st_uid != 0 && st->st_uid != geteuid())
		return ELOOP;
	if (!is_of_the_kernel(walk->folder))
		return go_where_it_says(walk, link);
	/* Its text is not where it leads to. */
	step_into(walk, openat(walk->folder, name, FLAGS | O_DIRECTORY));
	return 0;
}

static void step(struct walk *walk, const char *name)
{
	struct stat st;
	int inner = openat(walk->folder, name, FLAGS | O_NOFOLLOW), reason = 0;
	if (inner < 0 && errno == ENOENT && walk->make && (mkdirat(walk->folder, name, 0777) == 0 || errno == EEXIST))
		inner = openat(walk->folder, name, FLAGS | O_NOFOLLOW);
	if (inner < 0 || fstat(inner, &st) < 0)
		reason = errno;
	else if (S_ISLNK(st.st_mode))
		reason = follow(walk, inner, name, &st);
	else if (S_ISDIR(st.st_mode))
		step_into(walk, fcntl(inner, F_DUPFD_CLOEXEC, 0));
	else
		reason = ENOTDIR;
	if (inner >= 0)
		close(inner);
	if (reason) {
		errno = reason;
		step_into(walk, -1);
	}
}

/* Takes the next part off what is left of the path. False: there is none. */
static bool next_part(struct walk *walk, char name[NAME_MAX + 1])
{
	char *part = walk->rest + strspn(walk->rest, "/");
	size_t length = strcspn(part, "/");
	if (length > NAME_MAX) {
		errno = ENAMETOOLONG;
		step_into(walk, -1);
	}
	if (!length || length > NAME_MAX)
		return false;
	memcpy(name, part, length);
	name[length] = '\0';
	memmove(walk->rest, part + length, strlen(part + length) + 1);
	return true;
}

int nt_own_folder_open(const char *path, bool make, const char **name)
{
	char part[NAME_MAX + 1];
	*name = nt_file_base_name(path);
	size_t length = (size_t)(*name - path);
	struct walk walk = { .folder = -1, .make = make };
	if (!**name || strcmp(*name, ".") == 0 || strcmp(*name, "..") == 0 || length >= sizeof(walk.rest)) {
		errno = length >= sizeof(walk.rest) ? ENAMETOOLONG : EISDIR;
		return -1;
	}
	memcpy(walk.rest, path, length);
	struct nt_plain_rights rights = nt_plain_rights_begin();
	walk.folder = open(*path == '/' ? "/" : ".", FLAGS | O_DIRECTORY);
	while (walk.folder >= 0 && next_part(&walk, part))
		step(&walk, part);
	nt_plain_rights_end(rights);
	return walk.folder;
}

/* Give the file a name that nobody has, beside `name`. `fd` below 0: it is made. Returns its descriptor, -1 with errno. */
static int name_file(int folder, int fd, const char *name, char temporary[NAME_MAX + 1])
{
	char self[32];
	int named = -1;
	snprintf(self, sizeof(self), "/proc/self/fd/%d", fd);
	errno = EEXIST;
	for (int number = 1; named < 0 && errno == EEXIST && number <= MOST_NAMES; number++) {
		if (snprintf(temporary, NAME_MAX + 1, "%s.%d-%d", name, (int)getpid(), number) > NAME_MAX) {
			errno = ENAMETOOLONG;
			break;
		}
		if (fd < 0)
			named = openat(folder, temporary, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
		else if (linkat(AT_FDCWD, self, folder, temporary, AT_SYMLINK_FOLLOW) == 0)
			named = fd;
	}
	if (named < 0)
		temporary[0] = '\0';
	return named;
}

int nt_own_folder_new_file(int folder, const char *name, char temporary[NAME_MAX + 1])
{
	temporary[0] = '\0';
	struct nt_plain_rights rights = nt_plain_rights_begin();
	int fd = openat(folder, ".", O_RDWR | O_TMPFILE | O_CLOEXEC, 0666);
	if (fd < 0 && (errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL))
		fd = name_file(folder, -1, name, temporary);
	nt_plain_rights_end(rights);
	return fd;
}

bool nt_own_folder_keep(int folder, int fd, const char *name, char temporary[NAME_MAX + 1])
{
	struct nt_plain_rights rights = nt_plain_rights_begin();
	bool named = *temporary || name_file(folder, fd, name, temporary) >= 0;
	bool kept = named && renameat(folder, temporary, folder, name) == 0;
	nt_plain_rights_end(rights);
	int reason = errno;
	if (!kept)
		nt_own_folder_discard(folder, temporary);
	temporary[0] = '\0';
	errno = reason;
	return kept;
}

void nt_own_folder_discard(int folder, const char *temporary)
{
	struct nt_plain_rights rights = nt_plain_rights_begin();
	if (*temporary)
		unlinkat(folder, temporary, 0);
	nt_plain_rights_end(rights);
}
