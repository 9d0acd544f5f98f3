/* SPDX-License-Identifier: GPL-2.0-only */
/* How often a process's threads are switched, and how much CPU time they use: /proc/PID/task/TID/schedstat, which is short and tells both. */
#ifndef NT_SOURCE_SWITCHES_H
#define NT_SOURCE_SWITCHES_H

#include "nettop/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct nt_switches_thread {
	pid_t tid;
	uint64_t cpu_ns, count;
};

struct nt_switches {
	struct nt_switches_thread *threads; /* owned; ascending by tid; of the last reading */
	size_t thread_count;
	uint64_t cpu_ns,
		count; /* sums since the first reading, of threads that lived at two readings in a row, or were born between them */
	bool known;    /* it was read at least once */
};

void nt_switches_fini(struct nt_switches *switches);

/* Read all threads of the process whose folder of /proc is proc_dir. False: this kernel does not tell, or the process is gone; the sums are as they were. */
bool nt_switches_read(struct nt_switches *switches, const char *proc_dir);

#endif
