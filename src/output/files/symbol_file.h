/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Names of code in a file that has none, as an ELF file that has nothing but a symbol table (System V ABI, chapter 4): for tools that look for symbols of a
 * file in another place, as `perf report --symfs`. A symbol's address is its offset in the file that it stands for.
 */
#ifndef NT_OUTPUT_SYMBOL_FILE_H
#define NT_OUTPUT_SYMBOL_FILE_H

#include <stdio.h>

#include "nettop/perf_map.h"

/* Of each line offset, size and name count. Control characters in names are made visible. */
void nt_symbol_file_write(FILE *out, const struct nt_perf_map_line *lines, size_t count);

#endif
