/* SPDX-License-Identifier: GPL-2.0-only */
/* In which file system a path lies, by the kernel's table of mounts alone: nobody looks at the path, which may hang. Links are not followed, so it is a good guess and no more. */
#ifndef NT_BASE_MOUNT_OF_H
#define NT_BASE_MOUNT_OF_H

#include <stdbool.h>

enum { NT_MOUNT_DEVICE_BYTES = 24 };

/* `path` is absolute; below /proc/PID/root it is one of that process's. device: "MAJOR:MINOR". False: it is not known, as of other files of /proc. */
bool nt_mount_of(const char *path, char device[NT_MOUNT_DEVICE_BYTES]);

/* The same of a table as /proc/PID/mountinfo has it, which is written to. */
bool nt_mount_find(char *table, const char *path, char device[NT_MOUNT_DEVICE_BYTES]);

#endif
