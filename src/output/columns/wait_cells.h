/* SPDX-License-Identifier: GPL-2.0-only */
/* Cells of the tables of waits, by place, by reason, by thread, and of where all time went: times and waits as rates and as sums. */
#ifndef NT_OUTPUT_WAIT_CELLS_H
#define NT_OUTPUT_WAIT_CELLS_H

#include "output/columns/cell.h"

/* Time as a rate in the context's window, in units of `unit` ns a second; not known where nothing of it was told. */
struct nt_cell nt_wait_cell_rate(const struct nt_wait_time *time, double unit, const struct nt_column_context *context);

/* The same as a sum: of the interval, or since attach. A lower bound where a part of the time was told. */
struct nt_cell nt_wait_cell_sum(const struct nt_wait_time *time, const struct nt_column_context *context);

/* Waits that ended: in the interval, since attach, and a second over the window. `polled`: a lower bound, for between two looks a thread may wait time and again. */
struct nt_wait_counted {
	uint64_t count, all;
	double window_per_s;
	bool polled;
};

struct nt_cell nt_wait_cell_per_s(const struct nt_wait_counted *waits, const struct nt_column_context *context);
struct nt_cell nt_wait_cell_count(const struct nt_wait_counted *waits, const struct nt_column_context *context);

/* The longest wait since attach. `polled`: as above. */
struct nt_cell nt_wait_cell_max(struct nt_u64 max_ns, bool polled, const struct nt_column_context *context);

/* ms a second, and ns, in which threads had been woken and had no CPU; not known where that is `untold`: neither looks nor begin and end of a wait alone tell when a thread was woken. */
struct nt_cell nt_wait_cell_runq_ms_per_s(const struct nt_wait_time *runq, bool untold, const struct nt_column_context *context);
struct nt_cell nt_wait_cell_runq_ns(const struct nt_wait_time *runq, bool untold, const struct nt_column_context *context);

/* What is waited for; who does not wait waits for nothing. */
struct nt_cell nt_wait_cell_for(enum nt_wait_kind kind);

#endif
