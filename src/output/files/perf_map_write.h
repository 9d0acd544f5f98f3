/* SPDX-License-Identifier: GPL-2.0-only */
/* Room output/files: perf maps and files of symbols for other tools. */
/* A perf map for other tools, made of all lines that there ever were. */
#ifndef NT_OUTPUT_PERF_MAP_WRITE_H
#define NT_OUTPUT_PERF_MAP_WRITE_H

#include <stdio.h>

#include "nettop/perf_map.h"

/*
 * Leave those that hold, sorted and disjoint: readers of perf maps look a line up by its address alone, and one of two that overlap is found by chance.
 * The lines are in the order in which they were written; of two methods that overlap the later one is there now, and the other is gone. A stub ends
 * where the next line begins, and is less than a method. Returns how many are left.
 */
size_t nt_perf_map_merge(struct nt_perf_map_line *lines, size_t count);

/* As text. Control characters in names are made visible. */
void nt_perf_map_write(FILE *out, const struct nt_perf_map_line *lines, size_t count);

#endif
