/* SPDX-License-Identifier: GPL-2.0-only */
/* Room output/diff: two recordings beside each other. */
#ifndef NT_OUTPUT_DIFF_WRITE_H
#define NT_OUTPUT_DIFF_WRITE_H

#include <stdio.h>

#include "nettop/snapshot.h"

/* A recording, or a part of it, as one span (model/past/past_span.h). */
struct nt_diff_side {
	const char *path;               /* borrowed; as the person named it */
	const struct nt_snapshot *span; /* borrowed */
	int64_t realtime_offset_ns;
	bool crowded; /* it goes further back: there was no room for all */
};

/* `after.span` has the difference (model/past/past_compare.h). */
struct nt_diff {
	struct nt_diff_side before, after;
	size_t left_out; /* rows of types that may be the same, but one of the recordings has a part of their names */
};

/* For people: what was compared, what differs beyond noise, and the headlines of both. Write errors stay in the stream. */
void nt_diff_write_text(FILE *out, const struct nt_diff *diff);

/* The same as one object, in a line. */
void nt_diff_write_json(FILE *out, const struct nt_diff *diff);

/*
 * A flame graph of `after`, as an SVG: boxes are as wide as they are there, and coloured by how their share of all samples has changed, where that is more than three standard errors of it. Threads of one name
 * are one, and so is the code of a method, whatever its tier. What is in `before` alone has no width.
 */
void nt_diff_write_flamegraph(FILE *out, const struct nt_diff *diff);

#endif
