/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Events one by one, while somebody looks (NT_EV_TELL): those that were chosen by name, as their providers tell them; or those that the sources bring anyway, as nettop has them (nettop/event.h).
 */
#ifndef NETTOP_TOLD_ROW_H
#define NETTOP_TOLD_ROW_H

#include <stdbool.h>
#include <stddef.h>

#include "nettop/clock.h"
#include "nettop/known.h"
#include "nettop/told_said.h"
#include "nettop/trend.h"

/* So many are kept; older ones go, some hundred at a time. */
enum { NT_TOLD_ROWS = 5000, NT_TOLD_STACKS = 1000 };

enum nt_told_row_kind {
	NT_TOLD_ROW_EVENT,
	NT_TOLD_ROW_MORE, /* no event: so many came here that have no row, because they were too many */
	NT_TOLD_ROW_LOST, /* nor this: so many were lost here */
};

struct nt_call_stack;

/* In the order in which they were told. Texts lie beside the row. */
struct nt_told_row {
	uint64_t id; /* 1, 2, 3 ... since nettop began to watch */
	enum nt_told_row_kind kind;
	nt_time time;
	uint32_t tid;         /* nettop's pid namespace; 0 = none */
	uint64_t count;       /* of MORE and LOST; of an event 1 */
	const char *event;    /* `clr/GCStart`, `Shop-Orders/Taken`, `eventpipe/gc-start`; of the others what they are */
	const char *fields;   /* on one line: `Count=12 Reason="x"`; of MORE and LOST a sentence; "" = none */
	const char *lines;    /* the same, a line each: base/told_text.h */
	const char *activity; /* of its thread; NULL = none, or not told */
	uint64_t payload_bytes;
	uint64_t number; /* of an event: as its source says it (struct nt_ev_told); 0 = not said */
	bool cut;        /* there is more in its payload */
};

/* Of the last NT_TOLD_STACKS rows that have one: their call stacks. In the snapshot. */
struct nt_told_stack {
	uint64_t id; /* of the row */
	const struct nt_call_stack *stack;
};

/* A kind of event. */
struct nt_told_kind_row {
	uint64_t id;
	const char *event;         /* as above; "(other kinds)": all beyond those that have a row */
	uint64_t count, count_all; /* in the interval; since it was chosen what is told */
	uint64_t bytes, bytes_all; /* of their payloads; 0 where nettop has them in its own form */
	struct nt_f64 per_s;       /* in the interval */
	struct nt_trend trend;     /* per second */
	bool fresh;                /* first interval of the row */
};

struct nt_told_figures {
	const char *patterns;     /* what was chosen, as it was written; NULL = nothing */
	struct nt_u64 count;      /* events that came */
	struct nt_u64 more_count; /* of them, those that have no row: too many came at a time */
	struct nt_u64 lost_count; /* that there was no room for; not known: nobody knows how many, if `lost_some` */
	bool lost_some;           /* some were lost, and nobody knows how many */
	struct nt_why why;        /* why nothing is told of what was chosen; no reason = it is, or nothing was */
};

struct nt_row_block; /* base/row_block.h */

struct nt_told {
	enum nt_tell_what what;
	enum nt_telling_state state;     /* of CHOSEN */
	const char *patterns;            /* of CHOSEN: as they were written; NULL = nothing is */
	const char *note;                /* of CHOSEN: what is not told of what they name; NULL = nothing is to be said */
	const struct nt_told_row **rows; /* owned; oldest first; the rows lie in blocks */
	size_t row_count;
	struct nt_row_block **blocks; /* owned, each a reference: other snapshots have them, too */
	size_t block_count;
	uint64_t gone_count;          /* rows that there were and that are no longer kept */
	uint64_t fresh_from;          /* the rows of the interval have this id and above */
	bool with_stacks;             /* of CHOSEN: they were asked for with their call stacks */
	struct nt_told_stack *stacks; /* in the snapshot; in the order of the rows */
	size_t stack_count;
	struct nt_told_kind_row *kinds; /* owned, in no order */
	size_t kind_count;
	nt_time since; /* when it was chosen what is told */
};

#endif
