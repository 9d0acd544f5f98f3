/* SPDX-License-Identifier: GPL-2.0-only */
/* The list of processes: one row for each .NET process of the machine, from what /proc tells at one moment. */
#ifndef NETTOP_PROCESS_ROW_H
#define NETTOP_PROCESS_ROW_H

#include "nettop/deployment.h"
#include "nettop/snapshot.h"

enum nt_usable_state { NT_USABLE_UNKNOWN, NT_USABLE_YES, NT_USABLE_MISSING, NT_USABLE_FORBIDDEN };

/* Would a source deliver if somebody watched this process? */
struct nt_usable {
	enum nt_usable_state state;
	const char *why; /* the sentence, when it would not; else NULL */
};

enum { NT_LISTED_SOURCES = 4 };

/* A .NET process of the machine. Texts are in the snapshot, NULL = not known. What a process that we may not read does not tell is not known. */
struct nt_process_row {
	uint64_t id; /* of this process: not used again when its pid is */
	uint32_t pid;
	const char *name, *command, *runtime;
	const char *user; /* name, or number of one without */
	enum nt_deployment deployment;
	enum nt_target_mode mode;
	bool closed; /* another user's, and we may not read it */
	struct nt_u64 uptime_ns, cpu_ns, rss_bytes, thread_count;
	struct nt_f64 cpu_pct;                      /* of one CPU, since the look before */
	struct nt_trend trend;                      /* of cpu_pct */
	struct nt_usable usable[NT_LISTED_SOURCES]; /* by nt_listed_sources */
	nt_time ended_at;                           /* when it was missed first; NT_TIME_UNKNOWN = it is there */
};

/* lttng, eventpipe, perf, map. */
extern const enum nt_source_id nt_listed_sources[NT_LISTED_SOURCES];

const char *nt_usable_name(enum nt_usable_state state); /* ok missing forbidden; "" when it is not known */

#endif
