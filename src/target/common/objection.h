/* SPDX-License-Identifier: GPL-2.0-only */
/* What speaks against reading a file that somebody else owns: it may be a trap, or hold lies. */
#ifndef NT_TARGET_OBJECTION_H
#define NT_TARGET_OBJECTION_H

#include <sys/stat.h>
#include <sys/types.h>

enum { NT_OBJECTION_BYTES = 80 };

/*
 * "is a FIFO", "belongs to uid 5, not to the target's user or root", to stand behind the file's name; "" = nothing: it is a regular file of user `uid` or
 * of root. Returns buf.
 */
const char *nt_file_objection(const struct stat *stat, uid_t uid, char buf[NT_OBJECTION_BYTES]);

#endif
