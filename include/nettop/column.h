/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A column is described once: screen, batch text, JSON rows, sorting, the help overlay and the man page read this table.
 * Tables live in src/output/columns_*.c.
 */
#ifndef NETTOP_COLUMN_H
#define NETTOP_COLUMN_H

#include <stddef.h>

#include "nettop/snapshot.h"

enum nt_unit {
	NT_UNIT_TEXT,
	NT_UNIT_COUNT,     /* 1000-based suffixes on the screen */
	NT_UNIT_BYTES,     /* 1024-based suffixes on the screen; JSON in bytes */
	NT_UNIT_NS_AS_MS,  /* held in ns; screen in ms with one decimal; JSON in ns */
	NT_UNIT_NS_AS_US,  /* held in ns; screen in us, 1000-based suffixes; JSON in ns */
	NT_UNIT_AGE,       /* held in ns; screen as 0.3s, 9m12s, 3d02h; JSON in ns */
	NT_UNIT_PCT,       /* one decimal on the screen */
	NT_UNIT_PCT_WHOLE, /* no decimals on the screen */
	NT_UNIT_PER_S,
	NT_UNIT_REAL,    /* a number of any size and sign in whatever unit: 3 significant digits on the screen */
	NT_UNIT_INTEGER, /* shown in full: tid, number */
	NT_UNIT_HEX,     /* shown in hexadecimal, in full */
	NT_UNIT_BAR,     /* held as a fraction 0..1, drawn as a bar */
	NT_UNIT_TREND,   /* held as a trend, drawn as a sparkline; blank in text, left out of JSON, not sorted by */
};

/* What the cells of a trend count. But for NT_SCALE_OWN the rows of a table have one scale: from 0 to what stands in the title. */
enum nt_scale {
	NT_SCALE_OWN, /* each row has its own: they are of different units */
	NT_SCALE_PCT,
	NT_SCALE_COUNT,
	NT_SCALE_MS,
	NT_SCALE_BYTES,
};

enum nt_align { NT_ALIGN_LEFT, NT_ALIGN_RIGHT };

/*
 * A cell. Which member holds follows from the column's unit: text for TEXT, f for PCT, PCT_WHOLE, PER_S, REAL and BAR, trend for TREND, u for the
 * rest.
 */
struct nt_cell {
	bool known;
	bool at_least; /* of a number: a lower bound, with `>` before it on the screen */
	union {
		uint64_t u;
		double f;
		const char *text;             /* borrowed from the row */
		const struct nt_trend *trend; /* likewise */
	};
};

/* What people sort by in top: at most one column of a table is its CPU, its memory, its time. */
enum nt_sort_key { NT_SORT_BY_OTHER, NT_SORT_BY_CPU, NT_SORT_BY_MEMORY, NT_SORT_BY_TIME };

/* What the figures of a row are over. */
enum nt_window {
	NT_WINDOW_RECENT,   /* the exponential window: the last intervals count most */
	NT_WINDOW_ATTACH,   /* since nettop began to watch */
	NT_WINDOW_INTERVAL, /* this interval alone */
};

/* What a cell may depend on besides its row. */
struct nt_column_context {
	const struct nt_snapshot *snapshot;
	const struct nt_process_snapshot *process;
	enum nt_window window;
	bool raw_names;   /* of methods: as the runtime or the image wrote them */
	bool folds;       /* rows that are alike are one, which has the figures of all; else each row has its own */
	bool is_span;     /* the snapshot is a span that was chosen, not an interval */
	bool is_over;     /* nothing comes to it any more: it is of the past, or the picture stands still */
	bool is_recorded; /* it is of a recording: the process can be asked nothing more */
	unsigned always;  /* enum nt_demand bits: what is collected whatever is on the screen */
	const struct nt_column *const
		*sorts;             /* columns by which their tables stand in place of the usual ones, NULL at the end; NULL = none */
	int64_t realtime_offset_ns; /* on the screen: what makes a time of day of a time */
};

struct nt_column {
	const char *key;   /* JSON member and config name: lower_snake_case */
	const char *title; /* screen, batch */
	enum nt_unit unit;
	enum nt_align align;
	uint8_t width;     /* cells; 0 = takes the rest (last column only) */
	uint8_t drop;      /* order in which columns leave a narrow screen: 1 first; 0 = never. The last column: 0 or 1 */
	uint8_t narrow;    /* at its turn the column shrinks to this width instead of leaving; 0 = it leaves */
	bool default_sort; /* the one column that a view sorts by first; a table without one keeps its own order */
	bool ascending;    /* natural direction; default is descending */
	bool screen;       /* false: JSON and `C` only */
	unsigned demand;   /* enum nt_demand bits */
	enum nt_sort_key sort_key;
	enum nt_scale scale; /* of NT_UNIT_TREND */
	double least_full;   /* likewise: a full cell is at least so much */
	const char *tie;  /* key of the column by which rows are sorted whose values look the same here, before their names; NULL = none */
	const char *help; /* one sentence: what, source, when blank */
	struct nt_cell (*read)(const void *row, const struct nt_column_context *context);
};

/* Can rows be sorted by it? Not by what is drawn. */
static inline bool nt_column_sorts(const struct nt_column *column)
{
	return column->unit != NT_UNIT_BAR && column->unit != NT_UNIT_TREND;
}

/* Where a snapshot has the rows of a table: an array, and how many there are. Made by one of the macros. */
struct nt_table_rows {
	bool of_process;     /* both are in the part of one process, else in the snapshot itself */
	bool in_place;       /* the array is a member itself, else a member points to it */
	bool by_pointer;     /* it is an array of pointers to the rows */
	size_t array, count; /* offsets there */
	size_t row_size;     /* of an element of the array */
};

#define NT_ROWS_AT(part_, array_, count_)                                                                                                  \
	.array = offsetof(part_, array_), .count = offsetof(part_, count_), .row_size = sizeof(*((part_ *)0)->array_)
#define NT_ROWS_OF_PROCESS(array_, count_)                                                                                                 \
	{                                                                                                                                  \
		.of_process = true, NT_ROWS_AT(struct nt_process_snapshot, array_, count_)                                                 \
	}
#define NT_POINTERS_OF_PROCESS(array_, count_)                                                                                             \
	{                                                                                                                                  \
		.of_process = true, .by_pointer = true, NT_ROWS_AT(struct nt_process_snapshot, array_, count_)                             \
	}
#define NT_ROWS_OF_SNAPSHOT(array_, count_)                                                                                                \
	{                                                                                                                                  \
		NT_ROWS_AT(struct nt_snapshot, array_, count_)                                                                             \
	}
#define NT_ROWS_IN_SNAPSHOT(array_, count_)                                                                                                \
	{                                                                                                                                  \
		.in_place = true, NT_ROWS_AT(struct nt_snapshot, array_, count_)                                                           \
	}

struct nt_table {
	const char *
		key; /* "methods", "calls", "instructions", "gc", "generations", "gc_heaps", "sources", "exceptions", "allocations", "locks", "waits", "wait_reasons", "wait_threads", "wall", "io", "requests", "single_requests", "request_times", "events", "event_rates", "lock_objects", "lock_owners", "allocation_sites", "allocation_threads", "throw_sites", "thrown", "adjustments", "pool_waits", "threads", "jit", "jit_modules", "jit_namespaces", "jit_tiers", "jit_triggers", "jit_callers", "counters", "differences", "processes", "watched" */
	const struct nt_column *columns;
	size_t column_count;
	struct nt_table_rows rows;
	uint64_t (*row_id)(const void *row);
	const char *(*row_name)(const void *row); /* second sort key, before the id */
	/* Is it a row of the snapshot's interval? JSON has only those of an interval. NULL = all are. */
	bool (*row_in_interval)(const void *row, const struct nt_column_context *context);
	bool (*row_idle)(const void *row);   /* it is of threads that wait for work: people do not look for those. NULL = none is */
	bool (*row_marked)(const void *row); /* of a table that begins with its marked rows by default; NULL = it does not */
	bool (*row_rest)(const void *row);   /* it is of what no other row is of, and last in every order. NULL = none is */
	/* Of rows with fields of their own, told apart by name in whatever case: its value as text; false: the row has none of this name. NULL = they have none. */
	bool (*row_field)(const void *row, const char *name, char *out, size_t size);
	/* Of a tree, how many levels a row lies below the top: its rows come in order, and a filter leaves none out. NULL = it is none. */
	uint32_t (*depth)(const void *row);
};

extern const struct nt_table nt_table_methods;
extern const struct nt_table nt_table_calls;
extern const struct nt_table nt_table_instructions;
extern const struct nt_table nt_table_gc, nt_table_generations, nt_table_gc_heaps;
extern const struct nt_table nt_table_sources;
extern const struct nt_table nt_table_exceptions, nt_table_throw_sites, nt_table_thrown;
extern const struct nt_table nt_table_locks, nt_table_lock_objects, nt_table_lock_owners;
extern const struct nt_table nt_table_waits, nt_table_wait_reasons, nt_table_wait_threads, nt_table_wall;
extern const struct nt_table nt_table_io, nt_table_requests, nt_table_single_requests, nt_table_request_times;
extern const struct nt_table nt_table_events, nt_table_event_rates;
extern const struct nt_table nt_table_adjustments, nt_table_pool_waits;
extern const struct nt_table nt_table_allocations, nt_table_allocation_sites, nt_table_allocation_threads;
extern const struct nt_table nt_table_threads;
extern const struct nt_table nt_table_jit, nt_table_jit_modules, nt_table_jit_namespaces, nt_table_jit_tiers, nt_table_jit_triggers,
	nt_table_jit_callers, nt_table_jit_startup, nt_table_jit_causes;
extern const struct nt_table nt_table_counters;
extern const struct nt_table nt_table_differences;
extern const struct nt_table nt_table_processes, nt_table_watched, nt_table_relayed;

/* The rows of a table in a snapshot: how many, and in *first where they begin, for nt_table_row(). `process` may be NULL for a table of the snapshot itself.
 * Borrowed from the snapshot. */
size_t nt_table_rows_of(const struct nt_table *table, const struct nt_process_snapshot *process, const struct nt_snapshot *snapshot,
			const void **first);

/* The row at `index` of those. */
static inline const void *nt_table_row(const struct nt_table *table, const void *first, size_t index)
{
	const char *element = (const char *)first + index * table->rows.row_size;
	return table->rows.by_pointer ? *(const void *const *)(const void *)element : element;
}

/* The column of that key; NULL: there is none, or no key. */
const struct nt_column *nt_table_column(const struct nt_table *table, const char *key);

/* All tables, ends with NULL. */
extern const struct nt_table *const nt_tables[];

/* The table of that key; NULL: there is none. */
const struct nt_table *nt_table_called(const char *key);

/* The column by which a table stands: one of its own among `sorts` (NULL at the end; NULL = none), else its default; NULL = it keeps its own order. */
const struct nt_column *nt_table_sorted_by(const struct nt_table *table, const struct nt_column *const *sorts);

/*
 * The rows of a table as JSON and reports have them: those of the context's window (since attach: all), by the column that the context wants, else the table's default
 * column, or in its own order where it has none. An array of *count pointers, the caller's (free); the rows are the snapshot's.
 */
const void **nt_table_top(const struct nt_table *table, const struct nt_column_context *context, size_t *count);

/*
 * Write a cell for people: unit rules of the screens (3 significant digits, suffixes, one unit per column), "" when unknown. Numbers lose
 * digits rather than outgrow the column's width; texts are not cut. Never writes control characters; texts are escaped. Returns the number
 * of bytes written (always NUL-terminated, truncated to size).
 */
size_t nt_cell_format(const struct nt_column *column, struct nt_cell cell, char *buf, size_t size);

/*
 * The end of a scale on which values up to `most` are: 1, 2, 5, 10, 20, 50 and so on, of bytes K, M, G, so that it seldom changes. 0 for none above 0, and for NT_SCALE_OWN. Then what
 * it says, `0..500M`, at most NT_TREND_CELLS cells.
 */
double nt_scale_end(enum nt_scale scale, double most);
const char *nt_scale_text(enum nt_scale scale, double end, char *buf, size_t size);

/* Order of two rows by one column: unknown last in both directions, ties by name, then id. qsort-like result. */
int nt_row_compare(const struct nt_table *table, const struct nt_column *column, bool ascending, const struct nt_column_context *context,
		   const void *a, const void *b);

/* What stands before a number that is a lower bound: a count, or the most of something, of a time that was told of in part or of which events were lost. */
static inline const char *nt_bound(bool at_least)
{
	return at_least ? ">" : "";
}

/* Number formatting shared by tiles, tables and text. Each writes at most size bytes with NUL and returns buf. */
const char *nt_format_bytes(uint64_t bytes, char *buf, size_t size); /* 2.31G */
const char *nt_format_count(double count, char *buf, size_t size);   /* a mean or a rate: 3.0, 38.0, 412, 1.24k */
const char *nt_format_real(double value, char *buf, size_t size);    /* of any size and sign: -3, 0.0123, 412, 1.24k */
const char *nt_format_whole(uint64_t count, char *buf, size_t size); /* a number of things: 3, 412, 1.24k */
const char *nt_format_duration(nt_time ns, char *buf, size_t size);  /* 24ms, 1.1ms, 9m12s, 3d02h */

#endif
