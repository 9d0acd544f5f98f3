/* SPDX-License-Identifier: GPL-2.0-only */
/* The rows of one list in two spans of the past, each span cut into batches that follow each other: what span_compare.h looks at. */
#ifndef NT_MODEL_PAST_SPAN_PAIR_H
#define NT_MODEL_PAST_SPAN_PAIR_H

#include "base/index.h"
#include "model/past/past.h"

enum nt_pair_side { NT_PAIR_BEFORE, NT_PAIR_AFTER, NT_PAIR_SIDES };

/* A batch is a second, of short spans less, of long ones more; so many at most. Of a row so many figures are compared. */
enum { NT_PAIR_BATCHES_MOST = 120, NT_PAIR_FIGURES = 2 };

struct nt_pair_span {
	nt_time from, to, told_ns;
	size_t count;                    /* of batches that are told of */
	double *seconds;                 /* owned: of each, told */
	double *totals[NT_PAIR_FIGURES]; /* owned: of each, all rows together */
};

/* One figure of a row. */
struct nt_pair_figure {
	double *amounts[NT_PAIR_SIDES]; /* owned: of each batch; NULL = none */
	double counts[NT_PAIR_SIDES];   /* of what was counted, all batches together */
	double sums[NT_PAIR_SIDES];     /* likewise of the amounts */
};

struct nt_pair_row {
	const char *name, *module; /* of the pair's arena */
	struct nt_pair_figure figures[NT_PAIR_FIGURES];
	bool named;     /* it is told that a figure of it differs */
	uint64_t stack; /* of the pair's stacks: the last one in which it was counted */
};

/* All zero but `arena`, which is borrowed, before. */
struct nt_span_pair {
	struct nt_arena *arena;
	struct nt_pair_span spans[NT_PAIR_SIDES];
	struct nt_pair_row *rows; /* owned: one for each name in a module */
	size_t count, capacity;
	struct nt_index by_name;
	uint64_t stacks; /* that were read; where rows are methods */
};

void nt_span_pair_fini(struct nt_span_pair *pair);

/* Begin a side of [from, to), of which nothing is told yet. */
void nt_span_pair_begin(struct nt_span_pair *pair, enum nt_pair_side side, nt_time from, nt_time to);

/* The number of the batch in which a time of the span lies. */
size_t nt_pair_batch(const struct nt_pair_span *span, nt_time time);

/* When a batch begins; of `count`: the span's end. */
nt_time nt_pair_batch_start(const struct nt_pair_span *span, size_t batch);

/* The number of the row of a name in a module, which may be NULL: added when there is none. */
size_t nt_span_pair_row(struct nt_span_pair *pair, const char *name, const char *module);

/* Add to a figure of that row; not to what all rows have together. */
void nt_span_pair_add(struct nt_span_pair *pair, enum nt_pair_side side, size_t row, unsigned figure, size_t batch, double amount,
		      double count);

/* All is added. Batches that are told of to less than a half say nothing, and are left out. */
void nt_span_pair_end(struct nt_span_pair *pair, enum nt_pair_side side);

#endif
