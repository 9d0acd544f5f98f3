// SPDX-License-Identifier: GPL-2.0-only
#include "target/process/perf_map_file.h"

#include "target/common/as_user.h"
#include "target/common/deed.h"

#include <stdio.h>

enum nt_status nt_perf_map_remove(int folder_fd, const char *name, const struct nt_perf_map_file *file, uid_t uid, gid_t gid)
{
	struct nt_deed deed = {
		.kind = NT_DEED_REMOVE_MAP, .uid = uid, .gid = gid, .device = file->device, .inode = file->inode, .fds = { folder_fd }
	};
	snprintf(deed.name, sizeof(deed.name), "%s", name);
	switch (nt_deed_do(&deed)) {
	case NT_MAP_REMOVED:
		return NT_OK;
	case NT_MAP_NOT_THERE:
		return NT_END;
	case NT_AS_USER_HANGS:
		return NT_ERR_TIMEOUT;
	default:
		return NT_ERR_FAILED;
	}
}
