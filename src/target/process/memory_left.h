/* SPDX-License-Identifier: GPL-2.0-only */
/* What memory a process has, and what there is for more: asked before something is done that takes some of it. */
#ifndef NT_TARGET_MEMORY_LEFT_H
#define NT_TARGET_MEMORY_LEFT_H

#include "target/process/target.h"

struct nt_memory_left {
	uint64_t anon_bytes, resident_bytes; /* of the process: without and with files and what it shares; 0 = not known */
	uint64_t machine_bytes;              /* that the kernel could give (MemAvailable); UINT64_MAX = not known */
	uint64_t cgroup_bytes;               /* to the limit of its cgroups; UINT64_MAX = none that can be seen from here */
};

/* Reads /proc: may be of a process that has just ended. cgroup_root: NT_CGROUP_ROOT except in tests. */
struct nt_memory_left nt_memory_left_of(const struct nt_target *target, const char *cgroup_root);

#endif
