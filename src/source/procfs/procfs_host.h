/* SPDX-License-Identifier: GPL-2.0-only */
/* The machine that a process is on, and its control groups: read now and then, and told. Everybody may read it; nothing of it is the target's to write. */
#ifndef NT_SOURCE_PROCFS_HOST_H
#define NT_SOURCE_PROCFS_HOST_H

#include "source/common/outbox.h"
#include "source/procfs/procfs_others.h"

enum { NT_PROCFS_GROUPS = 16 };

/* What was read last of the control groups that a /proc/PID/cgroup names. */
struct nt_procfs_groups {
	char *names; /* owned: that text; NULL = none was read */
	nt_time read_at;
	struct nt_ev_cgroup said;
};

/* What was read of the machine last, for all processes that are looked at together, and of so many groups that they are in. All zero is a beginning. */
struct nt_procfs_machine {
	nt_time read_at;
	struct nt_ev_host said; /* but for what is of others */
	struct nt_procfs_groups groups[NT_PROCFS_GROUPS];
	unsigned next_group; /* the place that is taken next */
};

void nt_procfs_machine_fini(struct nt_procfs_machine *machine);

/* All zero but cgroup_root is a beginning. */
struct nt_procfs_host {
	const char *cgroup_root;           /* borrowed */
	struct nt_procfs_machine *machine; /* borrowed; NULL = shared with nobody */
	struct nt_procfs_others others;
	nt_time next_look;
	char *names;        /* owned: its /proc/PID/cgroup; NULL = it was not read */
	nt_time next_names; /* then it is read again */
};

void nt_procfs_host_fini(struct nt_procfs_host *host);

/*
 * Tell of both, when it is time; what one look costs rests for 400 times as long. dir_fd: of /proc/PID, beside which the machine's own files lie. `lacks`: the process
 * waits for CPUs, so who has them is looked at, too: for at most budget_ns a call, over as many calls as it takes.
 */
void nt_procfs_host_step(struct nt_procfs_host *host, int dir_fd, uint32_t pid, bool due, bool lacks, nt_time budget_ns,
			 struct nt_outbox *box);

#endif
