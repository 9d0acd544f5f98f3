/* SPDX-License-Identifier: GPL-2.0-only */
/* Files that belong to somebody else, where they may lie in a file system that hangs: looked at and opened apart (base/apart.h), and judged before they are read. */
#ifndef NT_BASE_FILE_FOREIGN_H
#define NT_BASE_FILE_FOREIGN_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>
#include <sys/types.h>

/*
 * nt_file_read() of a file that somebody else owns: it must be a regular file, not a link, of `owner` or root, and not larger than limit_bytes
 * (EFBIG). What is no such file is not opened. Done apart (base/apart.h): ETIMEDOUT, it hangs.
 */
int nt_file_read_foreign(const char *path, uid_t owner, size_t limit_bytes, char **text, size_t *length);

/* The same, but only opened: *fd is the caller's. */
int nt_file_open_foreign(const char *path, uid_t owner, size_t limit_bytes, int *fd);

/*
 * stat(), or lstat() when `follow` is false, of what somebody else may have in a file system that hangs: done apart. Returns 0 or an errno value: ETIMEDOUT, it hangs.
 */
int nt_file_stat_foreign(const char *path, bool follow, struct stat *out);

#endif
