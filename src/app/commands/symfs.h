/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A folder for `perf report --symfs DIR`, which looks for the symbols of each mapped file below it. perf has no names for code in a .dll, and asks a perf map for
 * none of it: here lies in place of each such file one that has them. For all other files there are links, because perf then looks nowhere else.
 */
#ifndef NT_APP_SYMFS_H
#define NT_APP_SYMFS_H

#include "nettop/status.h"

struct nt_code_lines;

/* Make it: there must be nothing at `path`. After a failure it may be half full. *symbol_files: how many have names of ours. */
enum nt_status nt_symfs_make(const char *path, const struct nt_code_lines *lines, unsigned *symbol_files, struct nt_error *err);

#endif
