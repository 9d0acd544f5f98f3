/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which threads are blocked in a system call on a descriptor, and since when: /proc/PID/task/TID/syscall, and the number of times that the thread was given a CPU, of schedstat. Some
 * per step, NT_BLOCKED_THREADS of them in a look.
 */
#ifndef NT_SOURCE_PROCFS_BLOCKED_H
#define NT_SOURCE_PROCFS_BLOCKED_H

#include "source/procfs/procfs_descriptors.h"

enum { NT_BLOCKED_THREADS = 1024 };

struct nt_blocked_thread {
	uint32_t tid;
	int fd;         /* -1 = in no call that has one */
	uint64_t count; /* how often it had been given a CPU */
	nt_time since;  /* it has not run since then, as far as looks know */
};

/* All zero is a beginning. */
struct nt_procfs_blocked {
	struct nt_blocked_thread *items, *before; /* owned; sorted by tid */
	size_t count, capacity, before_count, before_capacity, next;
	uint32_t asked_count, hidden_count; /* threads that told; that did not, or were beyond the limit */
};

void nt_procfs_blocked_fini(struct nt_procfs_blocked *blocked);

/* Begin a look: `dir_fd` is of /proc/PID. */
void nt_procfs_blocked_begin(struct nt_procfs_blocked *blocked, int dir_fd);

/* Go on up to the moment `until`; each that is blocked counts with its descriptor in `list`. True: all have been asked. */
bool nt_procfs_blocked_step(struct nt_procfs_blocked *blocked, int dir_fd, nt_time now, nt_time until, struct nt_procfs_descriptors *list);

#endif
