/* SPDX-License-Identifier: GPL-2.0-only */
/* Room output/frame: batch mode's frames: text, JSON. */
/*
 * Snapshots as text frames for `-b` and the key w: no escapes, names not cut, a blank line between frames, marks in column 1 (`grep '^!'`).
 */
#ifndef NT_OUTPUT_TEXT_FRAME_H
#define NT_OUTPUT_TEXT_FRAME_H

#include "nettop/listing.h"

struct nt_text_options {
	const struct nt_listing *listing; /* what comes after the tiles; NULL = the methods that used most CPU, `rows` of them */
	size_t rows;
	const struct nt_column *const *sorts; /* as in struct nt_column_context; NULL = none */
	bool wall;                            /* in place of the methods: those by wall time of all threads */
	bool allocations;                     /* then those by type, `rows` of them */
	bool counters;                        /* then all counters */
	bool first;                           /* no blank line before this frame */
	int64_t realtime_offset_ns;           /* nt_clock_realtime_offset(), for the time in the first line */
};

/* Write one frame for snapshot->processes[0]; of the list of processes only the listing. Write errors stay in the stream (ferror). */
void nt_text_frame(FILE *out, const struct nt_snapshot *snapshot, const struct nt_text_options *options);

#endif
