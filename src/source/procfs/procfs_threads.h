/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The threads of one process, read in turns: a scan lists /proc/PID/task, then reads the stat of each thread, some per step, so that a process with
 * thousands of threads costs no more than one with few. Events come out as the threads are read; counts when a scan is complete.
 */
#ifndef NT_SOURCE_PROCFS_THREADS_H
#define NT_SOURCE_PROCFS_THREADS_H

#include "nettop/status.h"
#include "source/common/outbox.h"

struct nt_procfs_threads;

struct nt_procfs_counts {
	uint32_t running_count; /* in state R */
	uint32_t pool_count;    /* named `.NET TP Worker` */
	uint64_t waited_ns;     /* what threads have waited for a CPU since the first scan, as far as it was read */
	bool waited_known;      /* this kernel tells of that */
	bool known;             /* a scan was completed */
};

/* dir_fd: of /proc/PID, borrowed. pid: as events carry it. several: so are those of other processes. */
enum nt_status nt_procfs_threads_new(int dir_fd, uint32_t pid, bool several, struct nt_procfs_threads **out, struct nt_error *err);
void nt_procfs_threads_free(struct nt_procfs_threads *threads); /* NULL is allowed */

/*
 * Go on for about budget_ns. Adds THREAD_STAT for each thread that was read, THREAD seen and ended for those that came and went since the last
 * scan. A scan begins when one is `due` and the last is long enough ago: its cost is kept under 1 % of a CPU.
 */
void nt_procfs_threads_step(struct nt_procfs_threads *threads, struct nt_outbox *box, nt_time budget_ns, bool due);

/* Of the last complete scan. */
struct nt_procfs_counts nt_procfs_threads_counts(const struct nt_procfs_threads *threads);

#endif
