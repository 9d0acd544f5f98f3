/* SPDX-License-Identifier: GPL-2.0-only */
/* Files: how they are opened, and small ones read whole. Folders of our own are removed. Those of somebody else may hang: base/file_foreign.h. */
#ifndef NT_BASE_FILE_H
#define NT_BASE_FILE_H

#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/*
 * Read `path` (relative to dir_fd, as for openat; AT_FDCWD otherwise) up to limit_bytes; what lies behind is left out. *text is
 * NUL-terminated for convenience (NULs may be inside too) and the caller's. Returns 0, or an errno value and *text = NULL.
 * For /proc only: it follows links and waits for whatever the file makes it wait for.
 */
int nt_file_read(int dir_fd, const char *path, size_t limit_bytes, char **text, size_t *length);

/* The same of FOLDER/NAME, as files of /proc and of control groups are read: the caller's; NULL = it is gone, or closed to us. */
char *nt_file_text(const char *folder, const char *name, size_t limit_bytes, size_t *length);

/* The same of a file that is open already, from where it is. */
int nt_file_read_open(int fd, size_t limit_bytes, char **text, size_t *length);

/*
 * Files that somebody else names are opened in two steps, because opening alone may do something: a watchdog restarts the machine, a tape winds, whoever waits at a
 * FIFO goes on. The first step names the file and opens nothing; fstat() says what it is. The second opens it, if it is a regular file.
 */
enum { NT_FILE_NAMED = O_PATH | O_CLOEXEC };

/*
 * The second step: *out is a descriptor to read from, the caller's, of the file that `named` stands for. It never blocks for a FIFO or a lease. Returns 0, or an errno
 * value: EINVAL = no regular file, ENOSYS = /proc/self/fd does not lead there, because no /proc is mounted.
 */
int nt_file_open_named(int named, int *out);

/*
 * openat() of `path` as somebody sees it whose root folder is `root`: links in it are resolved within that root, also absolute ones, which would lead a
 * plain openat() into our own. Returns a descriptor, or -1 with errno.
 */
int nt_file_open_in_root(int root, const char *path, int flags);

/* Remove a folder and what is in it; links in it are removed, not followed. What cannot be removed stays. */
void nt_file_remove_tree(const char *path);

#endif
