/* SPDX-License-Identifier: GPL-2.0-only */
/* Room output/columns: tables of columns, listings of their rows, formats. */
/* Making cells: the last line of every column's read function. */
#ifndef NT_OUTPUT_CELL_H
#define NT_OUTPUT_CELL_H

#include "nettop/column.h"

/* A column's read function whose cell is an expression of `row`. */
#define NT_CELL_OF_ROW(name, cell)                                                                                                         \
	static struct nt_cell name(const void *row, const struct nt_column_context *context)                                               \
	{                                                                                                                                  \
		(void)context;                                                                                                             \
		return cell;                                                                                                               \
	}

/* NULL and "" are not known: blank on the screen, null in JSON. */
static inline struct nt_cell nt_cell_text(const char *text)
{
	return (struct nt_cell){ .known = text && *text, .text = text };
}

static inline struct nt_cell nt_cell_u(uint64_t value)
{
	return (struct nt_cell){ .known = true, .u = value };
}

static inline struct nt_cell nt_cell_f(double value)
{
	return (struct nt_cell){ .known = true, .f = value };
}

static inline struct nt_cell nt_cell_of_u64(struct nt_u64 value)
{
	return (struct nt_cell){ .known = value.known, .u = value.v };
}

static inline struct nt_cell nt_cell_of_f64(struct nt_f64 value)
{
	return (struct nt_cell){ .known = value.known, .f = value.v };
}

/* Not known when no part of it is. */
static inline struct nt_cell nt_cell_trend(const struct nt_trend *trend)
{
	return (struct nt_cell){ .known = trend->known != 0, .trend = trend };
}

/* The figures beside which a row stands: since attach, else of the interval. */
static inline const struct nt_figures *nt_cell_figures(const struct nt_column_context *context)
{
	return context->window == NT_WINDOW_ATTACH ? &context->process->total : &context->process->interval;
}

/*
 * A count, or the most of something, of figures: a lower bound where a part of the time was told of in which the process lived, not known where none was.
 */
static inline struct nt_cell nt_cell_counted(uint64_t value, struct nt_u64 covered_ns, nt_time lived_ns)
{
	bool known = covered_ns.known && covered_ns.v;
	return (struct nt_cell){ .known = known, .at_least = known && nt_is_partial(covered_ns, lived_ns), .u = value };
}

/* What was counted as a rate of the time that was covered: not known where nothing was. */
static inline struct nt_cell nt_cell_rate(double count, struct nt_u64 covered_ns)
{
	bool known = covered_ns.known && covered_ns.v;
	return (struct nt_cell){ .known = known, .f = known ? count * (double)NT_NS_PER_S / (double)covered_ns.v : 0 };
}

/* TOTAL% of code that may have been in samples whose call chain lacks its outer frames, too: a lower bound, where they may make a point of difference. */
static inline struct nt_cell nt_cell_total_pct(double pct, const struct nt_column_context *context)
{
	const struct nt_process_snapshot *process = context->process;
	struct nt_f64 complete = { 0 }; /* of no process: not known */
	if (process)
		complete = context->window == NT_WINDOW_ATTACH ? process->all_complete_pct : process->window_complete_pct;
	double lacking = complete.known ? 100 - complete.v : 0, left = 100 - pct;
	return (struct nt_cell){ .known = true, .at_least = lacking >= 1 && left >= 1, .f = pct };
}

static inline struct nt_cell nt_cell_unknown(void)
{
	return (struct nt_cell){ .known = false };
}

#endif
