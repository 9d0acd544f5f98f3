/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A screen as a description: which table it shows and what is special about it. The frame (ui.c, render.c) does the rest. Every function may be
 * NULL; all are pure.
 */
#ifndef NT_UI_VIEW_H
#define NT_UI_VIEW_H

#include "nettop/column.h"
#include "ui/rows/restrict.h"
#include "ui/screen/keys.h"
#include "ui/screen/layout.h"
#include "ui/screen/line.h"
#include "ui/screen/page.h"

enum nt_row_flag { NT_ROW_MARKED = 1, NT_ROW_ENDED = 2, NT_ROW_FRESH = 4, NT_ROW_QUIET = 8 };
enum nt_hide { NT_HIDE_KERNEL = 1, NT_HIDE_USER = 2 };

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
	enum nt_action action;       /* of the key that opens it */
	const char *tab, *tab_short; /* in the tab bar, from 120 columns on and below */
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
	void (*panel)(const struct nt_column_context *context, struct nt_grid *grid, int y);
	/* What else to say of the window in the title row; is added to `out`. */
	void (*scope)(const struct nt_column_context *context, bool wide, struct nt_line *out);
	/* How many rows there are that the table does not have; nothing when there are none. */
	void (*beyond)(const struct nt_process_snapshot *process, struct nt_line *out);
	/* Why there is no row; `out` is all zero before. */
	void (*nothing)(const struct nt_column_context *context, struct nt_nothing *out);
	/* The call stack behind a row, NULL = not known; and why there are none, which it needs. */
	const struct nt_call_stack *(*stack)(const void *row);
	const struct nt_why *(*no_stacks)(const struct nt_column_context *context);
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

enum {
	NT_VIEW_METHODS,
	NT_VIEW_GC,
	NT_VIEW_JIT,
	NT_VIEW_THREADS,
	NT_VIEW_ALLOCATIONS,
	NT_VIEW_EXCEPTIONS,
	NT_VIEW_LOCKS,
	NT_VIEW_SOURCES,
	NT_VIEW_COUNTERS,
	NT_VIEW_TABS,
	NT_VIEW_CALLS = NT_VIEW_TABS,
	NT_VIEW_CODE,
	NT_VIEW_PROCESSES,
	NT_VIEW_COUNT
};

/* The first NT_VIEW_TABS in the order of the tab bar; call tree and code belong to a row, the list of processes stands alone. */
extern const struct nt_view *const nt_views[NT_VIEW_COUNT];
extern const struct nt_view nt_view_methods, nt_view_calls, nt_view_gc, nt_view_jit, nt_view_threads, nt_view_allocations,
	nt_view_exceptions, nt_view_locks, nt_view_sources, nt_view_counters, nt_view_processes, nt_view_code;

/* The source row of an id, NULL when the snapshot has none. */
const struct nt_source_row *nt_view_source(const struct nt_snapshot *snapshot, enum nt_source_id id);

/* The source that brings most of the runtime's events, or should: LTTng or EventPipe. */
enum nt_source_id nt_view_carrier(const struct nt_snapshot *snapshot);

/* What screens with call stacks of events (NT_WANT_STACKS) say of that. */
#define NT_VIEW_STACKS_ASKED "The target is asked for call stacks as long as this screen is open"
#define NT_VIEW_STACKS_LEFT  "The target is no longer asked for call stacks"

/* Is there nobody who could be asked for them? */
bool nt_view_needs_no_stacks(const struct nt_snapshot *snapshot);

/* The text of a cell with a method's or a module's name, made safe and to fit; true, as nt_view.cell() answers. */
bool nt_view_method_cell(const char *name, int room, char *out, size_t size);
bool nt_view_module_cell(const char *name, int room, char *out, size_t size);

/* A method's name made safe and to fit, followed by the reason where there is no name. */
void nt_view_name_and_reason(const char *name, const char *reason, int room, char *out, size_t size);

/* A kind of code in four letters. */
const char *nt_view_short_kind(enum nt_code_kind kind);

/* Why something is not known that comes over EventPipe alone, whose row this is; NULL: there is none. */
void nt_nothing_without_eventpipe(const struct nt_source_row *eventpipe, struct nt_nothing *out);

/* Is a finding about this subject? */
bool nt_view_out_of_range(const struct nt_process_snapshot *process, enum nt_subject_id subject);

enum { NT_VIEW_LABEL = 16 }; /* cells before the values of a detail */

/* The detail's lines about a call stack, its site marked; why there is none when it is NULL. */
void nt_view_stack(struct nt_page *page, const struct nt_call_stack *stack, const struct nt_why *why);

/* `Why:` and `Fix:` lines, each left out when NULL. */
void nt_view_why(struct nt_page *page, const char *reason, const char *fix);

#endif
