/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A file that a person named with -o: there it is whole or, after a failure, as it was before. The folder may be a stranger's, and nettop root: no link of theirs is followed, no
 * file of theirs is replaced or written to, and no rights of an older file are taken over. Rights of nettop's own file have no part in it (base/plain_rights.h).
 */
#ifndef NT_APP_NEW_FILE_H
#define NT_APP_NEW_FILE_H

#include <stdio.h>

#include "nettop/status.h"

/* Could `path` be written? For a refusal before minutes of work, not after. NULL = standard output. */
enum nt_status nt_new_file_check(const char *path, struct nt_error *err);

/*
 * Have `write` fill it. A regular file is written beside its place, with the rights that any new file gets, and then renamed; our own FIFO, our own or root's
 * character device, and what a descriptor of ours stands for (/dev/stdout, /dev/fd/N) is written to. A link at the end of the path is refused, whoever made it. NULL = standard output.
 */
enum nt_status nt_new_file_write(const char *path, void (*write)(FILE *out, const void *context), const void *context,
				 struct nt_error *err);

/*
 * Let `name` in `folder`, a whole file that is ours, take the place of `path`. NT_AGAIN: it cannot be moved there (another file system, or what is written to and not replaced): it has to be
 * written anew.
 */
enum nt_status nt_new_file_move(const char *path, int folder, const char *name, struct nt_error *err);

#endif
