/* SPDX-License-Identifier: GPL-2.0-only */
/* Cells of the tables of waits: times as rates and as sums. */
#ifndef NT_OUTPUT_WAIT_CELLS_H
#define NT_OUTPUT_WAIT_CELLS_H

#include "output/columns/cell.h"

/* Time as a rate in the context's window, in units of `unit` ns a second; not known where nothing of it was told. */
struct nt_cell nt_wait_cell_rate(const struct nt_wait_time *time, double unit, const struct nt_column_context *context);

/* The same as a sum: of the interval, or since attach. A lower bound where a part of the time was told. */
struct nt_cell nt_wait_cell_sum(const struct nt_wait_time *time, const struct nt_column_context *context);

#endif
