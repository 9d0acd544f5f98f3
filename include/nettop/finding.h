/* SPDX-License-Identifier: GPL-2.0-only */
/* Findings: what is out of its usual range. src/model/findings/findings.c has the rules. */
#ifndef NETTOP_FINDING_H
#define NETTOP_FINDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "nettop/clock.h"
#include "nettop/subject.h"
#include "nettop/known.h"

/* In the order of importance: a cause comes before its symptom. */
enum nt_finding_kind {
	NT_FINDING_MEMORY_LIMIT,
	NT_FINDING_DEADLOCK,
	NT_FINDING_CPU_WAIT,
	NT_FINDING_POOL_STARVATION,
	NT_FINDING_LOCK_CONVOY,
	NT_FINDING_FINALIZERS,
	NT_FINDING_LOH_CHURN,
	NT_FINDING_GC_STORM,
	NT_FINDING_JIT_STORM,
	NT_FINDING_EXCEPTION_FLOOD,
	NT_FINDING_ALLOC_BURST,
	NT_FINDING_REQUEST_ERRORS,
	NT_FINDING_CONNECTION_POOL,
	NT_FINDING_CONNECTIONS,
	NT_FINDING_SLOW_REQUESTS,
	NT_FINDING_HEAP_GROWTH,
	NT_FINDING_MEMORY_GROWTH,
	NT_FINDING_THREAD_GROWTH,
	NT_FINDING_DESCRIPTOR_GROWTH,
	NT_FINDING_HANDLE_GROWTH,
	NT_FINDING_TIMER_GROWTH,
	NT_FINDING_SPINNING_THREAD,
	NT_FINDING_BLOCKED_THREAD,
	NT_FINDING_KIND_COUNT
};

/* What may be checked, or not. */
enum { NT_FINDING_SUBJECTS = 20 };

/* How well something is known, the best first. */
enum nt_confidence {
	NT_CONFIDENCE_COUNTED,   /* each was counted, by the runtime or the kernel, or is read from the program's memory */
	NT_CONFIDENCE_SAMPLED,   /* seen now and then: samples, looks at threads */
	NT_CONFIDENCE_ESTIMATED, /* reckoned from what was counted: a trend, what would have been */
	NT_CONFIDENCE_COUNT
};

/* One of the limits of the condition that holds, or last held. Texts are constants. */
struct nt_finding_evidence {
	const char *quantity, *unit; /* paused_pct; as of the finding, or: times, per_worker */
	double value, at_least;
};

enum { NT_FINDING_LIMITS = 4 };

struct nt_finding {
	enum nt_finding_kind kind;
	enum nt_subject_id headline;                            /* whose headline is out of its range */
	char screen;                                            /* key of the screen that shows more */
	double value, threshold;                                /* of the condition that holds, or last held */
	struct nt_finding_evidence evidence[NT_FINDING_LIMITS]; /* the first is the above */
	size_t evidence_count;
	enum nt_confidence confidence; /* of what is known least well of it */
	const char *unit;              /* of both: pct ms_per_s per_s bytes_per_s bytes count ns */
	nt_time since;
	nt_time lapsed_ns; /* no condition has held for so long: value and texts are of then; 0 = one holds */
	nt_time until;     /* NT_TIME_UNKNOWN = goes on; the final snapshot also has those that ended */
	/*
	 * One sentence for people, in the snapshot: for 100 columns and more, for 80, for 40. Each may still have to be cut. Texts of the target
	 * are in them as they are.
	 */
	const char *text, *short_text, *brief_text;
	struct nt_u64 row_id; /* the row of that screen to select */
	uint32_t tid;         /* the thread that it is about; 0 = none */
};

/* Stable lower-case names for JSON and configuration. Never NULL; "?" for a value out of range. */
const char *nt_finding_kind_name(enum nt_finding_kind kind);   /* gc_storm ... */
const char *nt_confidence_name(enum nt_confidence confidence); /* counted ... */
const char *nt_finding_kind_help(enum nt_finding_kind kind);   /* one sentence: what it means, and from when on */

#endif
