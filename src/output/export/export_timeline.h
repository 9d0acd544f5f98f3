/* SPDX-License-Identifier: GPL-2.0-only */
/* Room output/export: recordings become files of other tools. */
/*
 * What happened in a process, in order of time: CPU samples with their call stacks, and what has a begin and an end or is of one moment. Made of a recording by whoever plays it; one file a format
 * writes it down.
 */
#ifndef NT_OUTPUT_EXPORT_TIMELINE_H
#define NT_OUTPUT_EXPORT_TIMELINE_H

#include "nettop/snapshot.h"
#include "output/export/runtime_events.h"
#include "output/stacks/stacks_write.h"

enum nt_marker_kind {
	NT_MARKER_COLLECTION,   /* from its begin to its end; a background one is mostly not a pause */
	NT_MARKER_PAUSE,        /* all managed threads stand, or are being brought to */
	NT_MARKER_COMPILATION,  /* of a method, on the thread that compiles */
	NT_MARKER_REQUEST,      /* served */
	NT_MARKER_REQUEST_MADE, /* with HttpClient */
	NT_MARKER_LOCK,         /* a thread waits for one */
	NT_MARKER_EXCEPTION,    /* thrown: a moment */
	NT_MARKER_LOSS,         /* events or samples were lost, in that time or by that moment */
	NT_MARKER_KINDS
};

/* What a kind is called, in singular: "collection". Never NULL. */
const char *nt_marker_kind_name(enum nt_marker_kind kind);

struct nt_marker {
	enum nt_marker_kind kind;
	bool open;          /* its end was not seen: `end` is that of all, or its begin where it must have been over before */
	uint32_t tid;       /* whose; 0 = the whole process's */
	nt_time start, end; /* equal: it is of one moment */
	const char *text;   /* what it is, of the target: "gen1 blocking, gen0 budget"; borrowed, never NULL */
};

struct nt_export_interval {
	nt_time t0, t1;
	const struct nt_figures *figures; /* borrowed; texts in them are not to be read */
};

struct nt_export_timeline {
	struct nt_stacks stacks; /* of the samples of CPU time: a tree with NT_STACKS_TIMED. `period_ns`: for which each sample stands */
	const struct nt_marker *markers; /* borrowed; in order of their begins */
	size_t marker_count;
	const struct nt_export_interval *intervals; /* borrowed; in order */
	size_t interval_count;
	const struct nt_runtime_events *runtime_events; /* borrowed; NULL: the format has not asked for them */
	const struct nt_jit_row *compiled;              /* borrowed; all methods that were */
	size_t compiled_count;
	const char *command;        /* of the process, borrowed; NULL = not known */
	uint32_t cpu_count;         /* 0 = not known */
	int64_t realtime_offset_ns; /* what to add to a time to get that of the wall */
};

#endif
