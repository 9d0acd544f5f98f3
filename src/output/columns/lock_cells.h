/* SPDX-License-Identifier: GPL-2.0-only */
/* Cells of the tables of waits for locks, by place, by lock and by owner: sums as rates, and as sums. */
#ifndef NT_OUTPUT_LOCK_CELLS_H
#define NT_OUTPUT_LOCK_CELLS_H

#include "output/columns/cell.h"

/* A sum as a rate per second, in the window in question; `recent`: that rate over the last intervals, of which at least the newest must have been told. */
struct nt_cell nt_lock_cell_rate(const struct nt_column_context *context, double recent, uint64_t interval, uint64_t all);

/* The same as a sum: of the interval, or since attach. A lower bound where it was told for a part of the time. */
struct nt_cell nt_lock_cell_sum(const struct nt_column_context *context, uint64_t interval, uint64_t all);

#endif
