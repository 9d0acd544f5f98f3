// SPDX-License-Identifier: GPL-2.0-only
#include "source/procfs/procfs_cpu.h"

void nt_procfs_cpu_update(struct nt_procfs_cpu *cpu, uint64_t total_ns, uint64_t kernel_ns)
{
	uint64_t before_ns = cpu->user_ns + cpu->kernel_ns;
	uint64_t grown_ns = total_ns > before_ns ? total_ns - before_ns : 0;
	uint64_t behind_ns = kernel_ns > cpu->kernel_ns ? kernel_ns - cpu->kernel_ns : 0;
	uint64_t kernel_part_ns = behind_ns < grown_ns ? behind_ns : grown_ns;
	cpu->kernel_ns += kernel_part_ns;
	cpu->user_ns += grown_ns - kernel_part_ns;
}
