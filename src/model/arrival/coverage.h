/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * For how long the sources told of a subject. A source says from when on everything that it is asked for comes, and up to when it came (COVER events). What
 * it tells late, of an interval that is closed, counts in the open one, and so does the time of that.
 */
#ifndef NT_MODEL_COVERAGE_H
#define NT_MODEL_COVERAGE_H

#include "model/arrival/source_accounts.h"

enum {
	NT_COVER_THINGS = 13, /* enum nt_demand bits */
	NT_COVER_PIECES =
		8, /* of one thing that ended in the open interval; of more the oldest are only added up: no other thing is told by turns */
};

struct nt_cover_piece {
	nt_time from, until;
};

/* One thing that a source brings. */
struct nt_cover_line {
	bool covers;  /* now */
	nt_time told; /* up to here it has been added to an interval; covers: from here on */
	struct nt_cover_piece pieces[NT_COVER_PIECES];
	unsigned piece_count;
	struct nt_cover_piece counted; /* the newest stretch that was added to intervals before */
	nt_time folded_ns;             /* of those beyond */
};

/* All zero is a beginning. */
struct nt_coverage {
	struct nt_cover_line lines[NT_SOURCE_COUNT][NT_COVER_THINGS];
	bool says[NT_SOURCE_COUNT]; /* has sent a COVER event */
};

/* A COVER event of `source`. */
void nt_coverage_told(struct nt_coverage *coverage, enum nt_source_id source, nt_time time, const struct nt_ev_cover *cover);

/* `source` tells nothing any more. If it did not say up to when all came, that is its last word. */
void nt_coverage_over(struct nt_coverage *coverage, enum nt_source_id source, nt_time progress);

/*
 * For how long of what is before t1, and was not added to an interval before by any of them, any of the `sources` (bits 1 << enum nt_source_id) told of any of the `things`
 * (enum nt_demand bits).
 */
nt_time nt_coverage_of(const struct nt_coverage *coverage, const struct nt_sources *sources, uint32_t by, uint32_t things, nt_time t1);

/* Start the next interval, at t1. */
void nt_coverage_next(struct nt_coverage *coverage, const struct nt_sources *sources, nt_time t1);

#endif
