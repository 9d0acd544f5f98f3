/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Who else uses the CPUs of the machine: looked at only while the watched process lacks some, because each look reads /proc/PID/stat of every process there is. Many
 * processes of one name are told of together: fifty workers of one service are one neighbour.
 */
#ifndef NT_SOURCE_PROCFS_OTHERS_H
#define NT_SOURCE_PROCFS_OTHERS_H

#include "nettop/clock.h"

#include <dirent.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { NT_PROCFS_OTHER_NAME = 64 };

/* Processes of one name, between two looks. */
struct nt_procfs_other {
	char name[NT_PROCFS_OTHER_NAME]; /* as the kernel has it: any bytes, NUL-terminated */
	uint64_t used_ns;                /* CPU time */
	uint64_t over_ns;                /* between the looks; 0 = nothing is known */
	uint32_t count;
};

struct nt_procfs_used; /* CPU time of a process, as last read */

/* All zero is a beginning. */
struct nt_procfs_others {
	DIR *dir;                            /* owned; /proc, while a look goes on */
	struct nt_procfs_used *before, *now; /* owned; sorted by pid, in the order of reading */
	size_t before_count, now_count, before_capacity, now_capacity;
	nt_time before_time, now_time; /* the looks began; 0 = there was none */
	uint64_t cost_ns;              /* CPU time */
	nt_time next_look;
	struct nt_procfs_other worst;
};

void nt_procfs_others_fini(struct nt_procfs_others *others);

/*
 * Go on with a look until the moment `until`, or begin one when somebody wants to know and it is time: 2 s after the last, or 400 times what that cost. dir_fd: of
 * /proc/PID, whose own process `pid` is left out. Nobody wants to know: what is known is forgotten.
 */
void nt_procfs_others_step(struct nt_procfs_others *others, int dir_fd, uint32_t pid, bool wanted, nt_time until);

#endif
