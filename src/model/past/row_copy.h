/* SPDX-License-Identifier: GPL-2.0-only */
/* Rows of one snapshot for another. */
#ifndef NT_MODEL_PAST_ROW_COPY_H
#define NT_MODEL_PAST_ROW_COPY_H

#include "base/arena.h"
#include "model/past/shape.h"

/* The bytes at `row` are those of a row elsewhere: have all that its pointers lead to in `arena`, too. */
void nt_row_copy(const struct nt_shape *shape, void *row, struct nt_arena *arena);

#endif
