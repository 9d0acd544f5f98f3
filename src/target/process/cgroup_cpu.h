/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How much CPU time the cgroups of a process leave it, and what they have kept from it. Format: Documentation/scheduler/sched-bwc.rst (version 1) and
 * Documentation/admin-guide/cgroup-v2.rst.
 */
#ifndef NT_TARGET_CGROUP_CPU_H
#define NT_TARGET_CGROUP_CPU_H

#include "target/process/cgroup_path.h"

#include <stdint.h>

struct nt_cgroup_cpu {
	uint64_t quota_us,
		period_us; /* CPU time in each period, of the group that leaves least; period_us 0: no limit that can be seen from here */
	/* Of the group with a limit that was kept off longest, since it was made; meaningful only with a limit. */
	uint64_t period_count, throttled_count; /* periods in which the group ran; of them, those in which it had used up its time */
	uint64_t throttled_us;                  /* for so long it was kept off, on each CPU counted by itself */
};

/* cgroup_text: of /proc/PID/cgroup. */
void nt_cgroup_cpu_read(const char *cgroup_text, const char *cgroup_root, struct nt_cgroup_cpu *out);

#endif
