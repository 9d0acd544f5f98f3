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

/* What a row is of. The last two have no pid, and nothing but a share of CPU. */
enum nt_process_row_kind {
	NT_PROCESS_ROW,
	NT_PROCESS_ROW_OTHERS, /* all processes of the machine that have no row, .NET or not */
	NT_PROCESS_ROW_IDLE,   /* CPUs without work */
};

/* A .NET process of the machine. Texts are in the snapshot, NULL = not known. What a process that we may not read does not tell is not known. */
struct nt_process_row {
	uint64_t id; /* of this process: not used again when its pid is */
	enum nt_process_row_kind kind;
	uint32_t pid;
	uint64_t start_ticks; /* when it began, as /proc/PID/stat has it; with the pid the identity */
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

	/* Of another host, by a relay, else NULL and 0: whose process it is; `pid` is then a number of nettop's, and shown_pid the host's own. */
	const char *host, *session;
	uint32_t shown_pid;
	struct nt_f64 clock_offset_s; /* by how much that host's clock of the wall is ahead of ours */

	/* Of a list that is watched (struct nt_process_choice), else all zero. */
	uint32_t restarts;         /* how often a process of its command and user has ended, and one has begun in its place */
	nt_time last_end;          /* when the last one before it ended; 0 = there was none */
	const char *last_end_text; /* and how; NULL = not known */
	/* What is known of it: a part of the same snapshot. NULL = it could not be watched, or is not yet. */
	const struct nt_process_snapshot *process;
	bool named;                          /* somebody reads what its code is called */
	const struct nt_method_row *hottest; /* of these its method with most samples of its own in the window; NULL = there is none */
};

/* How bad is what is known of a process: a crash first, then findings in the order of their importance, 0 = none; not known where nothing was judged. */
struct nt_u64 nt_process_row_harm(const struct nt_process_row *row);

/* lttng, eventpipe, perf, map. */
extern const enum nt_source_id nt_listed_sources[NT_LISTED_SOURCES];

const char *nt_usable_name(enum nt_usable_state state); /* ok missing forbidden; "" when it is not known */

#endif
