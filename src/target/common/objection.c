// SPDX-License-Identifier: GPL-2.0-only
#include "target/common/objection.h"

#include <stdio.h>

static const char *type_objection(mode_t type)
{
	switch (type & S_IFMT) {
	case S_IFREG:
		return "";
	case S_IFLNK:
		return "is a symbolic link";
	case S_IFIFO:
		return "is a FIFO";
	case S_IFCHR:
	case S_IFBLK:
		return "is a device";
	case S_IFDIR:
		return "is a folder";
	default:
		return "is no regular file";
	}
}

const char *nt_file_objection(const struct stat *stat, uid_t uid, char buf[NT_OBJECTION_BYTES])
{
	if (S_ISREG(stat->st_mode) && stat->st_uid != uid && stat->st_uid != 0)
		snprintf(buf, NT_OBJECTION_BYTES, "belongs to uid %u, not to the target's user or root", (unsigned)stat->st_uid);
	else
		snprintf(buf, NT_OBJECTION_BYTES, "%s", type_objection(stat->st_mode));
	return buf;
}
