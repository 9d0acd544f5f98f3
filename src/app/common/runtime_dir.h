/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A folder of our own for this run: the relay's ring of files. 0700, made where the person may make one without nettop (base/plain_rights.h), removed at the end, by the keeper if need
 * be.
 */
#ifndef NT_APP_RUNTIME_DIR_H
#define NT_APP_RUNTIME_DIR_H

#include "nettop/status.h"

/* Make it under $TMPDIR, else /tmp. *path is the caller's (nt_file_remove_tree(), free). */
enum nt_status nt_runtime_dir_make(char **path, struct nt_error *err);

#endif
