// SPDX-License-Identifier: GPL-2.0-only
/*
 * wait(2) tells how a child of ours ended (`nettop run`). Of somebody else's two places know: the pidfd, once its parent has collected it
 * (PIDFD_GET_INFO with PIDFD_INFO_EXIT, Linux 6.15), and before that the zombie's /proc/PID/stat, field 52 (for root or the same user).
 */
#include "source/procfs/procfs_end.h"

#include "base/alloc.h"
#include "base/file.h"
#include "base/wait_status.h"
#include "decode/kernel/procfs_text.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

/* linux/pidfd.h of 6.15, its first version: what older headers do not have. */
struct pidfd_info_v0 {
	uint64_t mask;
	uint64_t cgroup_id;
	uint32_t pid, tgid, ppid;
	uint32_t ids[8];
	int32_t exit_code; /* as wait(2) gives it; valid when the mask says so */
};
_Static_assert(sizeof(struct pidfd_info_v0) == 64, "the ioctl's number carries the size");
#define GET_INFO  _IOWR(0xff, 11, struct pidfd_info_v0)
#define INFO_EXIT (UINT64_C(1) << 3)

enum { STAT_BYTES = 4096 };

static bool ask_pidfd(const struct nt_target *target, int *wait_status)
{
	struct pidfd_info_v0 info = { .mask = INFO_EXIT };
	if (target->pidfd < 0 || ioctl(target->pidfd, GET_INFO, &info) < 0 || !(info.mask & INFO_EXIT))
		return false;
	*wait_status = info.exit_code;
	return true;
}

static bool ask_as_parent(const struct nt_target *target, int *wait_status)
{
	return target->pidfd >= 0 && nt_wait_status_peek(P_PIDFD, (id_t)target->pidfd, wait_status);
}

/* The kernel writes 0 for those who may not know: then nothing is known. */
static bool ask_zombie(const struct nt_target *target, int *wait_status)
{
	char *path = nt_format("%s/stat", target->proc_dir), *text;
	size_t length;
	struct nt_procfs_stat stat;
	bool known = false;
	if (nt_file_read(AT_FDCWD, path, STAT_BYTES, &text, &length) == 0 && nt_procfs_stat_parse(text, length, &stat) &&
	    stat.state == 'Z' && stat.start_ticks == target->start_ticks) {
		const char *last = strrchr(text, ' ');
		*wait_status = last ? atoi(last + 1) : 0;
		known = *wait_status != 0;
	}
	free(text);
	free(path);
	return known;
}

bool nt_procfs_end(const struct nt_target *target, int *wait_status)
{
	/* The pidfd again at the end: the parent may have collected it between the two questions. */
	return ask_as_parent(target, wait_status) || ask_pidfd(target, wait_status) || ask_zombie(target, wait_status) ||
	       ask_pidfd(target, wait_status);
}
