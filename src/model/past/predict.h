/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a figure of a row will be, before it is read (struct nt_prediction). Whoever writes it and whoever reads it again ask the same function about the same bytes, so it need not be right, and any
 * bits will do: NaN, infinities, what is no number.
 */
#ifndef NT_MODEL_PAST_PREDICT_H
#define NT_MODEL_PAST_PREDICT_H

#include "model/past/shape.h"

#include <stdbool.h>

/* One column of rows, from the first to the last. */
struct nt_predictor {
	size_t at, unit;                 /* offset in the row, and size: 8, 4 or 1 */
	const struct nt_prediction *how; /* NULL = as in the row before */
	size_t row_size;
	double decay; /* of the window, per interval */
	double whole; /* of a share: as the last row that had one says; 0 = none had */
};

struct nt_predictor nt_predictor_of(const struct nt_shape *shape, size_t at, size_t unit, double decay);

/*
 * `row`: what stands before the column is there. `before`: the row before, NULL = there is none; all of it is there if `whole`, else as much as of `row`.
 */
uint64_t nt_predict(const struct nt_predictor *predictor, const unsigned char *row, const unsigned char *before, bool whole);

/* Now the column is in the row, too. */
void nt_predictor_learn(struct nt_predictor *predictor, const unsigned char *row);

/* The value in a column, and set it. */
uint64_t nt_column_get(const unsigned char *at, size_t unit);
void nt_column_set(unsigned char *at, size_t unit, uint64_t value);

#endif
