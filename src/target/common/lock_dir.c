// SPDX-License-Identifier: GPL-2.0-only
#include "target/common/lock_dir.h"

#include "base/alloc.h"
#include "base/plain_rights.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

enum { PLACES = 3, PATH_BYTES = 64, NAME_BYTES = 32 };

/* Where a user's folder may be, best first. */
struct place {
	char base[PATH_BYTES], name[NAME_BYTES];
};

static void place_set(struct place *place, const char *base, uid_t uid)
{
	bool shared = strcmp(base, "/dev/shm") == 0; /* everybody's: the name tells whose it is */
	snprintf(place->base, sizeof(place->base), "%s", base);
	if (shared)
		snprintf(place->name, sizeof(place->name), "nettop-%u", (unsigned)uid);
	else
		snprintf(place->name, sizeof(place->name), "nettop");
}

static size_t places_of(uid_t uid, struct place out[PLACES])
{
	char usual[PATH_BYTES];
	size_t count = 0;
	snprintf(usual, sizeof(usual), "/run/user/%u", (unsigned)uid);
	const char *own = uid == geteuid() ? getenv("XDG_RUNTIME_DIR") : NULL;
	struct stat stat_of;
	if (uid && own && own[0] == '/' && strlen(own) < PATH_BYTES && stat(own, &stat_of) == 0 && stat_of.st_uid == uid)
		place_set(&out[count++], own, uid);
	place_set(&out[count++], uid ? usual : "/run", uid);
	place_set(&out[count++], "/dev/shm", uid);
	return count;
}

/* A folder of this user that nobody else may write to. -1 with errno. */
static int open_checked(const char *path, uid_t uid)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	struct stat stat;
	if (fd >= 0 && fstat(fd, &stat) == 0 && stat.st_uid == uid && !(stat.st_mode & (S_IWGRP | S_IWOTH)))
		return fd;
	int error = fd < 0 ? errno : EPERM;
	if (fd >= 0)
		close(fd);
	errno = error;
	return -1;
}

enum nt_status nt_lock_dir_open_at(const char *base, const char *name, int *fd, struct nt_error *err)
{
	char *path = nt_format("%s/%s", base, name);
	enum nt_status status = NT_OK;
	struct nt_plain_rights rights = nt_plain_rights_begin(); /* $XDG_RUNTIME_DIR is the person's word */
	if (mkdir(path, geteuid() ? 0700 : 0755) < 0 && errno != EEXIST)
		status = nt_error_errno(err, NT_ERR_FAILED, errno, "cannot make the folder %s, in which nettops find each other", path);
	else if ((*fd = open_checked(path, geteuid())) < 0)
		status = nt_error_errno(err, errno == EPERM ? NT_ERR_FORBIDDEN : NT_ERR_FAILED, errno,
					"%s, in which nettops find each other, is not this user's alone", path);
	nt_plain_rights_end(rights);
	free(path);
	return status;
}

enum nt_status nt_lock_dir_open(int *fd, struct nt_error *err)
{
	struct place places[PLACES];
	size_t count = places_of(geteuid(), places);
	enum nt_status status = NT_OK;
	for (size_t i = 0; i < count; i++) {
		status = nt_lock_dir_open_at(places[i].base, places[i].name, fd, i ? NULL : err);
		if (status == NT_OK)
			break;
	}
	if (status == NT_OK)
		nt_error_clear(err);
	return status;
}

/* A line of /proc/locks: `1: FLOCK  ADVISORY  READ 4711 00:1a:99 0 EOF`; of one that waits, `->` follows the number. */
static enum nt_lock_state state_of_line(const char *line, const struct stat *file)
{
	char mode[8];
	unsigned major, minor;
	uint64_t inode;
	if (sscanf(line, "%*s FLOCK ADVISORY %7s %*d %x:%x:%" SCNu64, mode, &major, &minor, &inode) != 4 || inode != file->st_ino ||
	    major != major(file->st_dev) || minor != minor(file->st_dev))
		return NT_LOCK_FREE;
	return strcmp(mode, "READ") == 0 ? NT_LOCK_SHARED : NT_LOCK_ALONE;
}

enum nt_lock_state nt_lock_state_at(int dir_fd, uid_t uid, const char *name)
{
	struct stat stat;
	if (fstatat(dir_fd, name, &stat, AT_SYMLINK_NOFOLLOW) < 0 || !S_ISREG(stat.st_mode) || stat.st_uid != uid)
		return NT_LOCK_FREE;
	FILE *locks = fopen("/proc/locks", "re");
	char line[256];
	enum nt_lock_state state = NT_LOCK_FREE;
	while (locks && state == NT_LOCK_FREE && fgets(line, sizeof(line), locks))
		state = state_of_line(line, &stat);
	if (locks)
		fclose(locks);
	return state;
}

enum nt_lock_state nt_lock_dir_state(uid_t uid, const char *name)
{
	struct place places[PLACES];
	size_t count = places_of(uid, places);
	enum nt_lock_state state = NT_LOCK_FREE;
	for (size_t i = 0; i < count && state == NT_LOCK_FREE; i++) {
		char *path = nt_format("%s/%s", places[i].base, places[i].name);
		/* Only its name is looked up in it. Where that is not allowed, as in another user's, unless we are root, nothing is known. */
		int fd = open(path, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		free(path);
		if (fd < 0)
			continue;
		state = nt_lock_state_at(fd, uid, name);
		close(fd);
	}
	return state;
}
