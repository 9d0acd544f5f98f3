/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What becomes of the rows of a list when several intervals are taken as one span: described once for each list, beside the shapes (row_shapes.h), and done by span_rows.c. What a row has that is not
 * named here is what it was at the span's end: totals since attach, names, stacks.
 */
#ifndef NT_MODEL_PAST_SPAN_LISTS_H
#define NT_MODEL_PAST_SPAN_LISTS_H

#include "model/past/row_shapes.h"
#include "nettop/snapshot.h"

/* What a member of a row is in a span. */
enum nt_span_way {
	NT_SPAN_SUM,    /* of all its intervals; not known where it is not known of one */
	NT_SPAN_MEAN,   /* of all its intervals, each by its length, likewise; 0 in one that has no such row */
	NT_SPAN_LEAST,  /* the least of another member in its intervals, */
	NT_SPAN_MOST,   /* the largest; where known */
	NT_SPAN_ANY,    /* true where it is in one of them */
	NT_SPAN_OF,     /* likewise: then the row is of the span */
	NT_SPAN_AT_END, /* as at the span's end, where nothing is known of a row that is not there any more: all its bytes are 0 */
	NT_SPAN_UNTOLD, /* cannot be told of a span: likewise */
	NT_SPAN_TREND,  /* its cells of the span's intervals */
};

/* How it is held. */
enum nt_span_type { NT_SPAN_U64, NT_SPAN_U32, NT_SPAN_REAL, NT_SPAN_KNOWN_U64, NT_SPAN_KNOWN_F64, NT_SPAN_BOOL, NT_SPAN_BYTES };

struct nt_span_member {
	enum nt_span_way way;
	enum nt_span_type type;
	size_t at;    /* offset in the row */
	size_t count; /* so many after each other; of BYTES the size */
	size_t of;    /* LEAST, MOST: offset of the other member */
};

/* Which rows a span has. */
enum nt_span_rows_of {
	NT_SPAN_COUNTED,  /* those of which a sum or a mean is not 0, or that say so (NT_SPAN_OF) */
	NT_SPAN_STANDING, /* those that were there at its end, and the above */
	NT_SPAN_EVENTS,   /* those whose time lies in it, each once */
};

/* A number in a row. */
struct nt_span_number {
	enum nt_span_type type; /* U64 or REAL; KNOWN_U64: 0 where it is not known; BOOL: 1 of each */
	size_t at;
};

/* How one figure of rows is compared between two spans (span_compare.h). */
struct nt_span_figure {
	enum nt_difference_kind kind;
	/* By samples, as a part of all rows' and beside what became of most rows; else by itself: what is counted. */
	bool sampled;
	bool by_next;      /* of that which the row's next figure counts (the time of a request), not of the time */
	bool unless_first; /* it follows from the row's first one: not told where that is */
};

enum { NT_SPAN_FIGURES = 2 };

/* What of a list is compared. */
struct nt_span_compared {
	struct nt_span_figure figures[NT_SPAN_FIGURES];
	size_t figure_count;
	struct nt_span_number amounts[NT_SPAN_FIGURES];                          /* of the interval: what is compared, */
	struct nt_span_number counts[NT_SPAN_FIGURES];                           /* and of how much that was counted or sampled */
	double (*told_s)(const struct nt_process_snapshot *process);             /* seconds of the interval that are told */
	bool (*is_counted)(const void *row, const struct nt_snapshot *interval); /* NULL = each row is of the interval */
	char *(*name)(const void *row); /* rows with the same one are the same, whatever their ids: the caller's */
};

struct nt_span_list {
	size_t rows, count; /* offsets in struct nt_process_snapshot */
	bool by_pointer;    /* the array is one of pointers to rows */
	const struct nt_shape *shape;
	size_t id; /* offset of the row's uint64_t */
	enum nt_span_rows_of of;
	const struct nt_span_member *members;
	size_t member_count;
	/* EVENTS: when it happened, NT_TIME_UNKNOWN = not in the span. `last`: the interval is the span's last one. NULL = whoever looks for it knows. */
	nt_time (*time)(const void *row, const struct nt_snapshot *interval, bool last);
	/* EVENTS: what is told by the interval's end is told by the span's. NULL = nothing is. */
	void (*set)(void *row, const struct nt_snapshot *interval, nt_time end);
	bool oldest_first;                       /* EVENTS: by rising ids, else by falling ones */
	const struct nt_span_compared *compared; /* NULL = two spans are not compared by it */
};

/* All lists whose rows a span makes from several intervals. */
extern const struct nt_span_list nt_span_lists[];
enum { NT_SPAN_LISTS = 31 };

/* Methods, whose samples are kept one by one: of these the figures alone. */
extern const struct nt_span_compared nt_span_methods_compared;

/* Where a snapshot has the rows of a list. */
const unsigned char *nt_span_list_row(const struct nt_span_list *list, const struct nt_process_snapshot *process, size_t index);
size_t nt_span_list_count(const struct nt_span_list *list, const struct nt_process_snapshot *process);

#endif
