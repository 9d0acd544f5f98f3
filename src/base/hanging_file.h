/* SPDX-License-Identifier: GPL-2.0-only */
/* Files on a file system whose every answer is some program's (FUSE): to read one, or to close it, may hang for ever. Only a process apart (base/apart.h) has them open. */
#ifndef NT_BASE_HANGING_FILE_H
#define NT_BASE_HANGING_FILE_H

#include <stdbool.h>

/* More of a file that may hang is not copied. */
enum { NT_HANGING_FILE_MOST = 64 << 20 };

/*
 * To be called apart. If *fd (a regular file, opened for reading) may hang, it is closed, and *fd is a copy in memory of as many bytes as it has now; *copied says so. Else it stays. Returns 0, or
 * an errno value (EFBIG: it is larger than NT_HANGING_FILE_MOST), and *fd is -1.
 */
int nt_hanging_file_copy(int *fd, bool *copied);

/* To be called apart: may what lies in this folder hang? Any descriptor will do. */
bool nt_hanging_file_is(int fd);

#endif
