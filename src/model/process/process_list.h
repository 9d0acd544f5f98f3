/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The list of processes over time. It has two inputs, what a look at the machine found and, of a list that is watched, what is known of its processes, and no state but the
 * snapshot before: shares of CPU are differences between two looks, a process that is gone stays for some seconds, and who begins in its place takes it up.
 */
#ifndef NT_MODEL_PROCESS_LIST_H
#define NT_MODEL_PROCESS_LIST_H

#include "nettop/process_row.h"

/* What a look found. */
struct nt_process_look {
	nt_time at;
	const struct nt_process_row *rows; /* all but cpu_pct, trend, ended_at and what follows it; its texts are copied */
	size_t count;
	struct nt_u64 busy_ns, all_ns;   /* CPU time of the machine: used by whomever; of all CPUs */
	bool rest;                       /* there is a row for all others, and one for idle CPUs */
	bool watched;                    /* one that has ended stays until another takes its place, NT_PROCESS_ENDED_MOST_NS at most */
	const struct nt_snapshot *known; /* of a list that is watched: the newest; NULL = none. How a process ended is told there */
};

/* How long a process that ended stays: in a list that is watched, else. */
#define NT_PROCESS_ENDED_MOST_NS (600 * NT_NS_PER_S)
#define NT_PROCESS_ENDED_NS      (5 * NT_NS_PER_S)

/* The snapshot of a look. previous: the snapshot of the look before, NULL = there was none. The result is the caller's, with one reference. */
struct nt_snapshot *nt_process_list_next(const struct nt_snapshot *previous, const struct nt_process_look *look);

/*
 * Of a list that is watched: put the rows of the newest look into a snapshot of what is known of its processes, which has none, and into each row what is known of its own. The texts
 * are copied. `known` has not been shown to anybody yet.
 */
void nt_process_list_join(const struct nt_snapshot *list, struct nt_snapshot *known);

#endif
