/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The folder in which debuginfod's clients (elfutils, gdb, perf) keep debug files: FOLDER/BUILDID/debuginfo. nettop looks there, and `nettop symbols` puts there what it
 * fetched, so that the others have it, too.
 */
#ifndef NT_SOURCE_SYMBOL_CACHE_H
#define NT_SOURCE_SYMBOL_CACHE_H

#include <stddef.h>

/*
 * Its path, by debuginfod_find_debuginfo(3): $DEBUGINFOD_CACHE_PATH, else $XDG_CACHE_HOME/debuginfod_client, else ~/.cache/debuginfod_client. The caller's; NULL = the
 * environment names none. The folder need not be there.
 */
char *nt_symbol_cache_dir(void);

#endif
