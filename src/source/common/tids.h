/* SPDX-License-Identifier: GPL-2.0-only */
/* Sorted sets of thread ids. */
#ifndef NT_SOURCE_TIDS_H
#define NT_SOURCE_TIDS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct nt_tids {
	pid_t *tids; /* owned; ascending, each once */
	size_t count, capacity;
};

void nt_tids_fini(struct nt_tids *set); /* leaves an empty set */

bool nt_tids_contains(const struct nt_tids *set, pid_t tid);
void nt_tids_insert(struct nt_tids *set, pid_t tid);
void nt_tids_remove(struct nt_tids *set, pid_t tid);

/* Keep only what is in `other` too. */
void nt_tids_intersect(struct nt_tids *set, const struct nt_tids *other);

/*
 * Replace the set by the threads of the process whose folder of /proc is proc_dir; threads that have ended but are still listed (a leader that left
 * before its threads) are left out. Returns 0, ESRCH when the process is gone, or the errno value that kept the folder closed; then the set is empty.
 */
int nt_tids_list(struct nt_tids *set, const char *proc_dir);

#endif
