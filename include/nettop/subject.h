/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A subject is what nettop tells of: collections, compilations, waits for locks. What it is stands in one row (src/subject/<name>.c): which events belong to
 * it, who can bring them, its figures, its tile, its lists, its screen. Who may speak of what, why a figure is not known, demand, the start from zero, batch
 * text, JSON, tiles, findings, help and the manual page read the row. How its events become figures is its room in src/model/, how its rows look
 * src/output/columns/ and ui/views/.
 */
#ifndef NETTOP_SUBJECT_H
#define NETTOP_SUBJECT_H

#include <stddef.h>

#include "nettop/event.h"
#include "nettop/known.h"

/* The first NT_SUBJECT_TILES have a tile each, in this order. */
enum nt_subject_id {
	NT_SUBJECT_CPU,
	NT_SUBJECT_THREADS,
	NT_SUBJECT_GC,
	NT_SUBJECT_ALLOC,
	NT_SUBJECT_JIT,
	NT_SUBJECT_POOL,
	NT_SUBJECT_EXCEPTIONS,
	NT_SUBJECT_LOCKS,
	NT_SUBJECT_REQUESTS,
	NT_SUBJECT_HOST,
	NT_SUBJECT_TILES,
	NT_SUBJECT_COUNTERS = NT_SUBJECT_TILES,
	NT_SUBJECT_WAITS,
	NT_SUBJECT_IO,
	NT_SUBJECT_EVENTS,
	NT_SUBJECT_COUNT
};

/* How a figure is held, and what its number means; the ending of its key says it, too. */
enum nt_figure_type {
	NT_FIGURE_U64,  /* struct nt_u64 */
	NT_FIGURE_F64,  /* struct nt_f64 */
	NT_FIGURE_TEXT, /* const char *; NULL = not known */
};

/* What becomes of it over time. */
enum nt_figure_sort {
	NT_GAUGE,   /* it is what it is: a median, what it was of; of several intervals together it is not known */
	NT_COUNTER, /* grows from attach on: what it was at a moment can be subtracted */
	NT_STATE,   /* how it is at a moment */
	NT_MOST,    /* the largest of something; not known where there was none */
	NT_MEAN,    /* a share of the time */
};

/* A figure of struct nt_figures (nettop/snapshot.h), of an interval and since attach alike. */
struct nt_figure {
	const char *section; /* JSON object */
	const char *key;     /* JSON member: ends in the unit, _ns _bytes _pct _count */
	enum nt_figure_type type;
	enum nt_figure_sort sort;
	size_t offset; /* in struct nt_figures */
	const char *help;
};

/* Rows of a subject as an array in JSON. */
struct nt_subject_list {
	const char *section; /* JSON object that it is in; NULL = the line itself */
	const char *key;     /* JSON member */
	const char *table;   /* key of a struct nt_table: its rows and columns */
	bool top;            /* of an interval only the first --top of them */
	bool top_in_summary; /* since attach likewise */
};

/* What the target's start, or its version, leaves out of what LTTng tells, and why; no reason = nothing. */
struct nt_left_out {
	bool known;                /* the target was told */
	struct nt_why jit;         /* compilations */
	struct nt_why locks;       /* waits for them */
	struct nt_why pool;        /* thread-pool events */
	struct nt_why allocations; /* samples of them: the runtime is too old */
};

/* Who may have a part of the events of a subject to himself: kinds that are paired with each other change hands together. */
enum nt_stream { NT_STREAM_MAIN, NT_STREAM_SECOND, NT_STREAM_COUNT };

struct nt_subject_kind {
	enum nt_event_kind kind;
	enum nt_stream stream;
};

/* From so much on a headline may be out of its range (model/findings). A full cell of its sparkline is at least that, so that what is harmless is low. */
#define NT_MUCH_PAUSED_PCT         10.0
#define NT_MUCH_ALLOCATED_BYTES    (200.0 * 1024 * 1024)
#define NT_MUCH_COMPILED_MS        200.0
#define NT_MUCH_THROWN             100.0
#define NT_MUCH_WAITED_FOR_LOCK_MS 500.0
#define NT_MUCH_WAITED_FOR_CPU_MS  200.0

struct nt_subject {
	const char *name; /* in the words of people, for lists of subjects */

	/* ---- who tells of it ---- */
	const struct nt_subject_kind *kinds; /* its events; ends with NT_EV_NONE; NULL: it has no events of its own */
	enum nt_event_kind opens, closes;    /* what lasts belongs as a whole to who told of its beginning; NT_EV_NONE: nothing lasts */
	enum nt_source_id source;            /* who tells of it, unless another does */
	uint32_t wanted;                     /* enum nt_demand bits that make EventPipe bring it; 0 = it cannot */
	bool while_looked_at;                /* EventPipe is asked for it only while somebody looks: it costs the target much */
	const char *unlooked;                /* of such a one: the sentence while nobody does; NULL = others bring its figures */
	const char *unused;                  /* why nobody tells of it without EventPipe, when nothing else can; NULL = others can */
	const char *stacks_unasked; /* why its events come without call stacks, when those are asked for only while somebody looks */
	bool lttng_in_part;         /* over LTTng it may come in part, however the target was started */
	size_t left_out;            /* why the target's start leaves it out over LTTng: offset in struct nt_left_out; 0 = it never does */

	/* ---- what is known of it ---- */
	const struct nt_figure *figures;
	size_t figure_count;
	size_t why;        /* why its figures are not known: offset of a struct nt_why in struct nt_figures; 0 = of none */
	const char *whys;  /* JSON object and beginning of the members that say it, `gc.` or `gc.alloc_`; NULL = none */
	size_t covered_ns; /* for how long it was told: offset of a struct nt_u64 there; 0 = it does not say */
	const struct nt_subject_list *lists; /* ends with a NULL key; NULL = none */

	/* ---- where it is seen ---- */
	const char *label;     /* of its tile; NULL = it has none */
	const char *help;      /* of the tile: one sentence */
	size_t headline;       /* the tile's figure: offset of a struct nt_u64 or nt_f64 in struct nt_figures */
	bool headline_is_f64;  /* which of the two; a f64 is shown as it is */
	double headline_per_s; /* u64: it is divided by the covered seconds and by this; 0 = it is shown as it is */
	size_t headline_rate;  /* per second, where it is known better than by count and time: offset of a struct nt_f64; 0 = it is not */
	double much;           /* of the headline, in its unit: a full cell of the sparkline is at least so much; 0 = the largest shown */
	const char *screen, *screen_short; /* the key that opens its screen, and its word, in the tab bar: from 120 columns on, and below */
};

/* All rows, by enum nt_subject_id. */
extern const struct nt_subject *const nt_subjects[NT_SUBJECT_COUNT];
extern const struct nt_subject nt_subject_cpu, nt_subject_threads, nt_subject_gc, nt_subject_alloc, nt_subject_jit, nt_subject_pool,
	nt_subject_exceptions, nt_subject_locks, nt_subject_counters, nt_subject_waits, nt_subject_io, nt_subject_host, nt_subject_requests,
	nt_subject_events;

#endif
