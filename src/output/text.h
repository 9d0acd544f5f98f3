/* SPDX-License-Identifier: GPL-2.0-only */
/* Snapshots as text frames for `-b`: no escapes, names not cut, a blank line between frames, marks in column 1 (`grep '^!'`). */
#ifndef NT_OUTPUT_TEXT_H
#define NT_OUTPUT_TEXT_H

#include <stdio.h>

#include "nettop/snapshot.h"

struct nt_text_options {
	size_t rows;                /* of methods */
	bool first;                 /* no blank line before this frame */
	int64_t realtime_offset_ns; /* nt_clock_realtime_offset(), for the time in the first line */
};

/* Write one frame for snapshot->processes[0]. Write errors stay in the stream (ferror). */
void nt_text_frame(FILE *out, const struct nt_snapshot *snapshot, const struct nt_text_options *options);

#endif
