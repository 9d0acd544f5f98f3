/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Files that are to be written where a person said, though part of the path may be a stranger's, who puts a link in it while root looks away: such links are not
 * followed, and what is made is made in a folder that is held. With what the person may without nettop (base/plain_rights.h).
 */
#ifndef NT_BASE_OWN_FOLDER_H
#define NT_BASE_OWN_FOLDER_H

#include <limits.h>
#include <stdbool.h>

/*
 * The folder in which the last part of `path` lies (O_PATH; the caller closes it), and that part, which points into `path`. A link on the way is followed if root or
 * our own user made it, or if it is the kernel's (/proc/PID/root). `make`: folders that are missing are made. Returns -1 with errno: ELOOP for a stranger's link, EISDIR for a
 * path that has no last part.
 */
int nt_own_folder_open(const char *path, bool make, const char **name);

/*
 * A new empty file to be put in the place of `name` when it is whole: to be read and written, with the rights that any new file gets. Where the file system can, it has no name
 * until then (`temporary` is ""), so whoever is killed leaves nothing; else it lies beside `name`, as `temporary`. The caller closes it. Returns -1 with errno.
 */
int nt_own_folder_new_file(int folder, const char *name, char temporary[NAME_MAX + 1]);

/* It is whole: it takes the place of whatever has that name. `temporary` as it was given; "" afterwards. False with errno. */
bool nt_own_folder_keep(int folder, int fd, const char *name, char temporary[NAME_MAX + 1]);

/* It is not wanted; before it is closed or after. */
void nt_own_folder_discard(int folder, const char *temporary);

#endif
