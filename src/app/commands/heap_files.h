/* SPDX-License-Identifier: GPL-2.0-only */
/* Files that heaps are in: what nettop heap --json wrote, and .gcdump files. */
#ifndef NT_APP_HEAP_FILES_H
#define NT_APP_HEAP_FILES_H

#include <stdbool.h>

#include "nettop/status.h"
#include "output/heap/heap_report.h"

/* Does it end in ".gcdump"? NULL does not. */
bool nt_heap_file_is_dump(const char *path);

/* Reads one, whichever it is; of a .gcdump file the heap has its graph. USAGE, with the sentence: it cannot be read, or is something else. On success *out is the caller's, for nt_heap_file_fini(). */
enum nt_status nt_heap_file_open(const char *path, struct nt_heap_file *out, struct nt_error *err);

#endif
