/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How much memory the cgroups of a process leave it. What it writes to a tmpfs is charged to them, and cannot be dropped as the cache of a disk's files can: over the
 * limit it is killed. Format: Documentation/admin-guide/cgroup-v1/memory.rst and cgroup-v2.rst.
 */
#ifndef NT_TARGET_CGROUP_MEMORY_H
#define NT_TARGET_CGROUP_MEMORY_H

#include "target/process/cgroup_path.h"

#include <stdint.h>

struct nt_cgroup_memory {
	uint64_t limit_bytes; /* UINT64_MAX: no limit, or none that can be seen from here */
	uint64_t used_bytes;  /* of the group that has it; cache of files that can be dropped at once is not among it, as for who evicts */
	uint64_t oom_kill_count; /* processes of its own group that were killed for want of memory; meaningful only when oom_kill_known */
	bool oom_kill_known;
};

/* The process's memory cgroup or one above it, whichever leaves least. cgroup_text: of /proc/PID/cgroup. */
void nt_cgroup_memory_read(const char *cgroup_text, const char *cgroup_root, struct nt_cgroup_memory *out);

/*
 * What they leave it, bytes; UINT64_MAX: no limit, or none that can be seen from here (a cgroup beside our own in a container). proc_dir: "/proc/PID"; cgroup_root:
 * NT_CGROUP_ROOT except in tests.
 */
uint64_t nt_cgroup_memory_free(const char *proc_dir, const char *cgroup_root);

#endif
