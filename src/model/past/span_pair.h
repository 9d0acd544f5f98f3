/* SPDX-License-Identifier: GPL-2.0-only */
/* The samples of two spans of the past, each cut into batches that follow each other: what span_compare.h looks at. */
#ifndef NT_MODEL_PAST_SPAN_PAIR_H
#define NT_MODEL_PAST_SPAN_PAIR_H

#include "base/index.h"
#include "model/past/past.h"

enum nt_pair_side { NT_PAIR_BEFORE, NT_PAIR_AFTER, NT_PAIR_SIDES };

/* A batch is a second, of short spans less, of long ones more; so many at most. */
enum { NT_PAIR_BATCHES_MOST = 120 };

struct nt_pair_span {
	nt_time from, to, told_ns;
	size_t count;     /* of batches that samples are told of */
	double *seconds;  /* owned: of each, told */
	double *samples;  /* owned: of each, all */
	uint64_t sampled; /* all together */
};

struct nt_pair_row {
	const char *name, *module;    /* of the pair's arena; the newest */
	double *self[NT_PAIR_SIDES];  /* owned: samples of each batch; NULL = none */
	uint64_t sums[NT_PAIR_SIDES]; /* of these */
};

/* All zero but `arena`, which is borrowed, before. */
struct nt_span_pair {
	struct nt_arena *arena;
	struct nt_pair_span spans[NT_PAIR_SIDES];
	struct nt_pair_row *rows; /* owned: one for each name in a module */
	size_t count, capacity;
	struct nt_index by_name;
};

void nt_span_pair_fini(struct nt_span_pair *pair);

/* Read [from, to) of one process as that side: each once, the side before first. */
void nt_span_pair_read(struct nt_span_pair *pair, enum nt_pair_side side, struct nt_past *past, uint32_t pid, nt_time from, nt_time to);

/* The row of a name in a module, which may be NULL: added when there is none. Its arrays have room for the side's batches. */
struct nt_pair_row *nt_span_pair_row(struct nt_span_pair *pair, enum nt_pair_side side, const char *name, const char *module);

#endif
