/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How much memory the cgroups of a process leave it. What it writes to a tmpfs is charged to them, and cannot be dropped as the cache of a disk's files can: over the
 * limit it is killed. Format: cgroups(7), Documentation/admin-guide/cgroup-v1/memory.rst and cgroup-v2.rst.
 */
#ifndef NT_TARGET_CGROUP_MEMORY_H
#define NT_TARGET_CGROUP_MEMORY_H

#include <stdint.h>

#define NT_CGROUP_ROOT "/sys/fs/cgroup"

/*
 * The least that the process's memory cgroup, or one above it, leaves, bytes; cache of files that can be dropped at once counts as free, as it does for who evicts.
 * UINT64_MAX: no limit, or none that can be seen from here (a cgroup beside our own in a container). proc_dir: "/proc/PID"; cgroup_root: NT_CGROUP_ROOT except in
 * tests. Reads a few files of the kernel's for each level.
 */
uint64_t nt_cgroup_memory_free(const char *proc_dir, const char *cgroup_root);

#endif
