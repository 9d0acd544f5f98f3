/* SPDX-License-Identifier: GPL-2.0-only */
/* Room ui/views: one file a screen: which table, what is special about it; the list of them. */
/*
 * A screen as a description: which table it shows and what is special about it. What is the same for all of them is done elsewhere: rows in ui/state,
 * drawing in ui/draw. Every function may be NULL; all are pure.
 */
#ifndef NT_UI_VIEW_H
#define NT_UI_VIEW_H

#include "nettop/column.h"
#include "nettop/source.h"
#include "ui/rows/restrict.h"
#include "ui/screen/keys.h"
#include "ui/screen/layout.h"
#include "ui/screen/line.h"
#include "ui/screen/page.h"

enum nt_row_flag { NT_ROW_MARKED = 1, NT_ROW_ENDED = 2, NT_ROW_FRESH = 4, NT_ROW_QUIET = 8 };

/* What is said where there is no row. */
struct nt_nothing {
	const char *says;         /* that there is none, or that none is known */
	const char *more;         /* something more about that; NULL = nothing */
	const char *reason, *fix; /* why none is known, and the least that brings them; NULL = not known */
	const char *start;        /* how there would be one; NULL = not said */
	const char *instead;      /* what else could be asked for; NULL = nothing */
	struct nt_line known;     /* what is known all the same; empty = nothing */
};

struct nt_view {
	enum nt_action action;            /* of the key that opens it */
	const struct nt_subject *subject; /* it tells of; its words are in the tab bar. NULL = of none: */
	const char *tab, *tab_short;      /* the words then, from 120 columns on and below */
	const struct nt_table *table;
	int first_x;                /* of the first column */
	bool wide_gaps;             /* two cells between columns from 120 columns on */
	int least_rest;             /* columns leave when the last one would get fewer cells, or the last one does (drop in column.h) */
	const char *const *compact; /* keys of the columns below 60 cells; NULL at the end */
	enum nt_part enter;         /* Enter shows the methods of this part of the row; NT_PART_ALL: the row's detail */
	bool has_window;            /* its figures are over a window (key o) */
	bool has_raw_names;         /* its rows have names in two forms (key r) */
	bool has_totals;            /* they are since attach, or since the zero (key z) */
	unsigned demand;            /* enum nt_demand bits: what it needs that is not collected otherwise */
	const char *announcement;   /* what that does to the target, said when it is opened; NULL = nothing */
	const char *farewell;       /* that it does so no more, said when it is left; NULL = nothing */
	/* Is that there anyway? Then nothing is announced. */
	bool (*needs_nothing)(const struct nt_snapshot *snapshot);
	/* Its newest row is the last one, where the cursor stays until somebody moves it up, and again when it is there. Needs `home`. */
	bool follows_end;
	bool tells_rest; /* the title row says how many rows are below */

	/* enum nt_row_flag bits of a row. */
	unsigned (*flags)(const void *row);
	/* The method that a row is about: id of its struct nt_method_row, 0 = of none that has code to look at. */
	uint64_t (*method)(const void *row);
	/* The row on which the cursor is until somebody moves it, by id; NULL = the first. */
	uint64_t (*home)(const struct nt_process_snapshot *process);
	/* Is the row hidden by these enum nt_hide bits? */
	bool (*hidden)(const void *row, unsigned hide);
	/* The part of the samples that a row names; false: it names none of this sort. */
	bool (*part)(const void *row, enum nt_part part, struct nt_restriction *out);
	/* A sign in column 1. */
	const char *(*lead)(const void *row);
	/* The text of a cell that is not shown as nt_cell_format() does; false: it is. `room` in cells, 0 < room. */
	bool (*cell)(const struct nt_column *column, const void *row, const struct nt_column_context *context, int room, char *out,
		     size_t size);
	/* So many fixed lines between tab bar and table. They leave where five rows would not have room below them, and compact screens; unless they stay. */
	int panel_lines;
	bool panel_stays;
	/* `row`: the selected one, NULL = none. */
	void (*panel)(const struct nt_column_context *context, const void *row, struct nt_grid *grid, int y);
	/* What else to say of the window in the title row; is added to `out`. */
	void (*scope)(const struct nt_column_context *context, bool wide, struct nt_line *out);
	/* What stands in the title row before all that, in so many cells; empty = nothing. */
	void (*before_scope)(const struct nt_column_context *context, int cells, struct nt_line *out);
	/* How many rows there are that the table does not have; nothing when there are none. */
	void (*beyond)(const struct nt_process_snapshot *process, struct nt_line *out);
	/* Why there is no row; `out` is all zero before. */
	void (*nothing)(const struct nt_column_context *context, struct nt_nothing *out);
	/* The call stack behind a row, NULL = not known. */
	const struct nt_call_stack *(*stack)(const struct nt_column_context *context, const void *row);
	/* From 160 columns on that of the selected row stands beside the table. */
	bool stack_beside;
	/* Why columns are blank in all rows, said below these: with `stack`, which needs it, why there are no call stacks. No reason = they are not. */
	const struct nt_why *(*lacks)(const struct nt_column_context *context);
	/* Where that is another reason: why this row has no call stack, as `lacks`; NULL = it is nothing that could have one. */
	const struct nt_why *(*no_stack)(const struct nt_column_context *context, const void *row);
	bool of_samples; /* it is told of any part of an interval, and says itself why there is nothing */
	bool own_detail; /* detail() says what the columns say, too */
	/* What the detail says of a row after its columns. */
	void (*detail)(const struct nt_column_context *context, const void *row, struct nt_page *page);
};

/* enum nt_row_flag bits. */
static inline unsigned nt_row_flags(bool marked, bool ended, bool fresh)
{
	return (marked ? NT_ROW_MARKED : 0) | (ended ? NT_ROW_ENDED : 0) | (fresh ? NT_ROW_FRESH : 0);
}

/* `none` when it is known that there is no row, `unknown` when somebody has a reason not to know. */
static inline void nt_nothing_by(const struct nt_why *why, const char *none, const char *unknown, struct nt_nothing *out)
{
	out->says = why->reason ? unknown : none;
	out->reason = why->reason;
	out->fix = why->fix;
}

/* Without these nobody tells of a screen's rows, though there may have been some. */
#define NT_VIEW_ROWS_ON_DEMAND                                                                                                             \
	(NT_WANT_ALLOC_SAMPLES | NT_WANT_COUNTERS | NT_WANT_JIT_EVENTS | NT_WANT_POOL_ITEMS | NT_WANT_TOLD | NT_WANT_EACH_REQUEST |        \
	 NT_WANT_DESCRIPTORS | NT_WANT_CALLS | NT_WANT_LOOKS | NT_WANT_SWITCHES)

/* Why a screen has no row. Of a span that was chosen nothing is said but that: what its own words say is of the time since attach, or of what is to come. Nor of a recording, for which nobody can look any more. */
static inline void nt_view_nothing(const struct nt_view *view, const struct nt_column_context *context, struct nt_nothing *out)
{
	view->nothing(context, out);
	bool looked_for = !out->reason && view->demand & ~context->always & NT_VIEW_ROWS_ON_DEMAND;
	if (context->is_recorded && !context->is_span && looked_for)
		*out = (struct nt_nothing){
			.says = "No row of this is in the recording up to here.",
			.more = "Rows are of what was asked for meanwhile, and happened: nettop record has options that ask for more."
		};
	if (!context->is_span || view->of_samples)
		return;
	*out = (struct nt_nothing){ .says = out->reason || looked_for ? "No row of this span." : "Nothing in this span.",
				    .more = looked_for ? "Rows are of the time in which somebody looked at this screen." : NULL,
				    .reason = out->reason,
				    .fix = out->fix };
}

extern const struct nt_view nt_view_methods, nt_view_calls, nt_view_gc, nt_view_jit, nt_view_threads, nt_view_allocations,
	nt_view_exceptions, nt_view_locks, nt_view_waits, nt_view_wait_wall, nt_view_wait_threads, nt_view_wait_reasons, nt_view_sources,
	nt_view_counters, nt_view_processes, nt_view_code, nt_view_io, nt_view_requests, nt_view_single_requests, nt_view_request_times,
	nt_view_jit_modules, nt_view_jit_namespaces, nt_view_jit_tiers, nt_view_jit_triggers, nt_view_throw_sites, nt_view_thrown,
	nt_view_allocation_sites, nt_view_allocation_threads, nt_view_lock_objects, nt_view_lock_owners, nt_view_events,
	nt_view_event_rates, nt_view_jit_callers, nt_view_jit_startup, nt_view_jit_causes, nt_view_pool_waits, nt_view_watched,
	nt_view_difference;

#endif
