/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * CPU time of a process, exact in sum: /proc splits it into user and kernel but counts in ticks of 10 ms, the process's CPU clock counts
 * nanoseconds but does not split. Pure arithmetic.
 */
#ifndef NT_SOURCE_PROCFS_CPU_H
#define NT_SOURCE_PROCFS_CPU_H

#include <stdint.h>

struct nt_procfs_cpu {
	uint64_t user_ns, kernel_ns; /* neither ever falls; their sum is the last total */
};

/* total_ns: of the CPU clock; kernel_ns: of /proc, in steps. The kernel part follows its steps as fast as the total grows. */
void nt_procfs_cpu_update(struct nt_procfs_cpu *cpu, uint64_t total_ns, uint64_t kernel_ns);

#endif
