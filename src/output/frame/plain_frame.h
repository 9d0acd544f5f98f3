/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Snapshots as sentences for who has the screen read aloud (`--plain`): what is wrong first, then the subjects, then the methods that use most CPU; a line each, a title before each figure, no columns, no boxes. Only
 * what has changed is said again, and a figure that moves by less than a tenth has not.
 */
#ifndef NT_OUTPUT_PLAIN_FRAME_H
#define NT_OUTPUT_PLAIN_FRAME_H

#include <stdio.h>

#include "nettop/column.h"

struct nt_plain;

/* rows: how many methods are told. The caller's. */
struct nt_plain *nt_plain_new(size_t rows);
void nt_plain_free(struct nt_plain *plain); /* NULL is allowed */

/* Tell what is new in snapshot->processes[0]; nothing when nothing is. Texts of the target are escaped; write errors stay in the stream. */
void nt_plain_frame(struct nt_plain *plain, const struct nt_snapshot *snapshot, int64_t realtime_offset_ns, FILE *out);

/* Likewise of the processes of a list: `table` is nt_table_processes or nt_table_watched, in its usual order. */
void nt_plain_list(struct nt_plain *plain, const struct nt_table *table, const struct nt_snapshot *snapshot, int64_t realtime_offset_ns,
		   FILE *out);

#endif
