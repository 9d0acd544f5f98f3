/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The intervals of the last quarter of an hour, to go back to: each snapshot as it was, figure by figure, in bounded memory: besides, one chunk lies unpacked while somebody looks into it, and the samples of ten seconds of intervals while they are folded. The newest lie open
 * as nodes (nodes.h), where what they have in common is there once; up to 32 of them together are packed (packing.h). When there is no room for all, first of samples older than a third of that
 * time it is no longer kept when within some ten seconds they were taken (nt_interval_samples.folded_from), then the oldest go: nt_past_reach() says how far both go back.
 */
#ifndef NT_MODEL_PAST_H
#define NT_MODEL_PAST_H

#include "nettop/snapshot.h"

struct nt_past;

struct nt_past_config {
	nt_time span_ns;    /* so far back; 0 = 15 minutes */
	size_t limit_bytes; /* of all that is kept; 0 = 32 MB */
};

struct nt_past *nt_past_new(const struct nt_past_config *config);
void nt_past_free(struct nt_past *past); /* NULL is allowed */

/* Keep it, too. Sequences rise by 1, else what was before is forgotten. Copies what it needs. */
void nt_past_add(struct nt_past *past, const struct nt_snapshot *snapshot);

struct nt_past_reach {
	uint64_t first, last; /* sequences of the oldest and the newest that there are; 0 = there is none */
	nt_time from, to;     /* t1 of both */
	size_t bytes;         /* what all of it takes */
	nt_time exact_from;   /* samples of intervals that ended before are folded; 0 = none are */
	bool crowded;         /* older ones went for want of room, before their time */
};
struct nt_past_reach nt_past_reach(const struct nt_past *past);

/*
 * The snapshot with this sequence, as it was but for the call trees of processes whose samples are kept (nt_past_add_stacks()): the caller's, with one reference. NULL: it is not there (any
 * more).
 */
struct nt_snapshot *nt_past_get(struct nt_past *past, uint64_t sequence);

/* When that interval began and ended. False: it is not there (any more). */
bool nt_past_times(const struct nt_past *past, uint64_t sequence, nt_time *t0, nt_time *t1);

/* Are its samples folded? Then those of all intervals in [*from, *to) are. */
bool nt_past_folded(const struct nt_past *past, uint64_t sequence, nt_time *from, nt_time *to);

/* The sequence of the last interval that ended at `time` or before; the first, when that was later; 0 = there is none. */
uint64_t nt_past_at(const struct nt_past *past, nt_time time);

#endif
