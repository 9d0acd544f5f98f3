// SPDX-License-Identifier: GPL-2.0-only
#include "target/perf_map_file.h"

#include "target/as_user.h"

#include <fcntl.h>
#include <unistd.h>

enum { FOLDER_FD = 0 };
enum { REMOVED, REFUSED, NOT_THERE };

struct removal {
	const char *name;
	const struct nt_perf_map_file *file;
	uid_t uid;
};

static int remove_it(const void *context)
{
	const struct removal *removal = context;
	struct stat stat;
	bool same = fstatat(FOLDER_FD, removal->name, &stat, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(stat.st_mode) &&
		    stat.st_uid == removal->uid && stat.st_dev == removal->file->device && stat.st_ino == removal->file->inode;
	return !same ? NOT_THERE : unlinkat(FOLDER_FD, removal->name, 0) == 0 ? REMOVED : REFUSED;
}

enum nt_status nt_perf_map_remove(int folder_fd, const char *name, const struct nt_perf_map_file *file, uid_t uid, gid_t gid)
{
	const struct removal removal = { name, file, uid };
	switch (nt_as_user(uid, gid, &folder_fd, 1, remove_it, &removal)) {
	case REMOVED:
		return NT_OK;
	case NOT_THERE:
		return NT_END;
	case NT_AS_USER_HANGS:
		return NT_ERR_TIMEOUT;
	default:
		return NT_ERR_FAILED;
	}
}
