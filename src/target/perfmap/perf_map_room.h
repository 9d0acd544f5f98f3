/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How much room there is for a perf map that nettop switches on. It grows with every method that is compiled, in a file system that is the target's: a full one
 * does not end the program (the runtime stops writing the map: .NET 10), but what else it writes there, and in a container its very life, depend on it.
 */
#ifndef NT_TARGET_PERF_MAP_ROOM_H
#define NT_TARGET_PERF_MAP_ROOM_H

#include "target/process/target.h"

/* What a map may have of what is free where it lies. */
enum { NT_PERF_MAP_PART = 10 };

struct nt_perf_map_room {
	uint64_t free_bytes; /* UINT64_MAX: not known, or without a limit */
	bool of_memory;      /* the map lies in memory, of which the target's cgroup leaves less than its file system does */
};

/*
 * What is free for the target where `fd` is: in the file system, for who is not root, and if that is in memory, to the limit of the target's cgroups. proc_dir:
 * "/proc/PID"; cgroup_root: NT_CGROUP_ROOT except in tests. May block on a strange file system.
 */
struct nt_perf_map_room nt_perf_map_free(int fd, const char *proc_dir, const char *cgroup_root);

/* How a person makes more of it. */
const char *nt_perf_map_room_fix(const struct nt_perf_map_room *room);

/* How large a map may be: `limit_bytes`, and no more than a tenth of what is free. */
uint64_t nt_perf_map_most(uint64_t limit_bytes, uint64_t free_bytes);

/*
 * How large the map might be as soon as it is on, when all methods that there are are written: as many bytes as the memory has in which the runtime generates
 * code (measured, .NET 10: one eighth to nine tenths of that). 0 when the mappings cannot be read. proc_dir: "/proc/PID".
 */
uint64_t nt_perf_map_needs(const char *proc_dir);

/* Is there room? FAILED, with the sentence, when there is not. `folder_fd`: of the map. */
enum nt_status nt_perf_map_check_room(const struct nt_target *target, int folder_fd, uint64_t limit_bytes, struct nt_error *err);

#endif
