// SPDX-License-Identifier: GPL-2.0-only
/* Async-signal-safe calls only in the child: other threads of ours may hold any lock. */
#include "target/perf_map_file.h"

#include "nettop/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LIMIT_MS = 500, FOLDER_FD = 0 };

/* Its exit status. */
enum { REMOVED, REFUSED, NOT_THERE };

/* For good: this user and nothing that comes with being another. The system's own calls, because libc's would want to tell our other threads. */
static bool become(uid_t uid, gid_t gid)
{
	struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct none[2] = { 0 };
	if (geteuid() != uid || geteuid() == 0) {
		if (syscall(SYS_setgroups, 0, NULL) < 0 || syscall(SYS_setresgid, gid, gid, gid) < 0 ||
		    syscall(SYS_setresuid, uid, uid, uid) < 0)
			return false;
	}
	return syscall(SYS_capset, &head, none) == 0 && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && geteuid() == uid;
}

_Noreturn static void remove_and_exit(int folder_fd, const char *name, const struct nt_perf_map_file *file, uid_t uid, gid_t gid)
{
	struct stat stat;
	/* Of nettop's descriptors nothing is kept: if we hang here, nobody may wait for us to close one. */
	if (dup2(folder_fd, FOLDER_FD) < 0 || close_range(FOLDER_FD + 1, ~0u, 0) < 0)
		_exit(REFUSED);
	if (!become(uid, gid))
		_exit(REFUSED);
	bool same = fstatat(FOLDER_FD, name, &stat, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(stat.st_mode) && stat.st_uid == uid &&
		    stat.st_dev == file->device && stat.st_ino == file->inode;
	_exit(!same ? NOT_THERE : unlinkat(FOLDER_FD, name, 0) == 0 ? REMOVED : REFUSED);
}

/* Did it do so in time? One that hangs is left behind: where it waits for a file system, not even SIGKILL ends it before that answers. */
static enum nt_status await(pid_t child)
{
	nt_time deadline = nt_clock_now() + LIMIT_MS * NT_NS_PER_MS;
	int status = 0;
	pid_t ended;
	while ((ended = waitpid(child, &status, WNOHANG)) == 0 && nt_clock_now() < deadline)
		poll(NULL, 0, 1);
	if (ended == 0) {
		kill(child, SIGKILL);
		waitpid(child, NULL, WNOHANG);
		return NT_ERR_TIMEOUT;
	}
	if (ended < 0 || !WIFEXITED(status))
		return NT_ERR_FAILED;
	return WEXITSTATUS(status) == REMOVED ? NT_OK : WEXITSTATUS(status) == NOT_THERE ? NT_END : NT_ERR_FAILED;
}

enum nt_status nt_perf_map_remove(int folder_fd, const char *name, const struct nt_perf_map_file *file, uid_t uid, gid_t gid)
{
	pid_t child = fork();
	if (child == 0)
		remove_and_exit(folder_fd, name, file, uid, gid);
	return child > 0 ? await(child) : NT_ERR_FAILED;
}
