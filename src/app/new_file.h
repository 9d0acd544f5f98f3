/* SPDX-License-Identifier: GPL-2.0-only */
/* A file that a person named with -o: there it is whole or, after a failure, as it was before. */
#ifndef NT_APP_NEW_FILE_H
#define NT_APP_NEW_FILE_H

#include <stdio.h>

#include "nettop/status.h"

/* Could `path` be written? For a refusal before minutes of work, not after. NULL = standard output. */
enum nt_status nt_new_file_check(const char *path, struct nt_error *err);

/*
 * Have `write` fill it. A regular file is written beside its place and then renamed; a device or a FIFO is written to. Links are followed. NULL =
 * standard output.
 */
enum nt_status nt_new_file_write(const char *path, void (*write)(FILE *out, const void *context), const void *context,
				 struct nt_error *err);

#endif
