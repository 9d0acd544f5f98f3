/* SPDX-License-Identifier: GPL-2.0-only */
/* Room output/threads: the stacks of all threads, for people and as JSON. */
/* Threads that do the same are one group: the same stack by the names of its frames, and the same reason. Inside src/output/threads only, and for tests. */
#ifndef NT_OUTPUT_THREAD_GROUPS_H
#define NT_OUTPUT_THREAD_GROUPS_H

#include "nettop/snapshot.h"

/* In the order in which they are shown, those that wait by how many do. */
enum nt_thread_doing {
	NT_THREAD_DEADLOCKED,
	NT_THREAD_RUNS, /* had a CPU or was after one in each look: its stack cannot be read from outside */
	NT_THREAD_WAITS,
	NT_THREAD_IDLES,     /* waits for work */
	NT_THREAD_NOT_SEEN,  /* nobody has looked at it */
	NT_THREAD_UNMANAGED, /* the runtime has no thread of this number */
	NT_THREAD_DOINGS
};

struct nt_thread_group {
	enum nt_thread_doing doing;
	const struct nt_thread_row *const *rows; /* into the groups' `rows`; by who holds what they wait for, what that is, name, tid */
	size_t count;
};

struct nt_thread_groups {
	struct nt_thread_group *items; /* owned */
	size_t count;
	const struct nt_thread_row **rows; /* owned; those of the process that have not ended */
	size_t row_count;
	size_t doing[NT_THREAD_DOINGS]; /* how many threads */
	bool managed_known;
};

/* Borrows from the process. `managed_known`: who has no managed code is told apart; else nobody knows that of any. */
struct nt_thread_groups nt_thread_groups_make(const struct nt_process_snapshot *process, bool managed_known);
void nt_thread_groups_fini(struct nt_thread_groups *groups);

/* A stable word in lower case: "deadlocked", "running", "waiting", "idle", "not_seen", "unmanaged". */
const char *nt_thread_doing_name(enum nt_thread_doing doing);

/* Threads that have managed code, or may have. */
size_t nt_thread_groups_managed(const struct nt_thread_groups *groups);

#endif
