/* SPDX-License-Identifier: GPL-2.0-only */
/* What a process reads and writes, as the kernel counts it; and while somebody wants that, what it has open and which threads are blocked in that. */
#ifndef NT_SOURCE_PROCFS_IO_H
#define NT_SOURCE_PROCFS_IO_H

#include "source/procfs/procfs_blocked.h"

/* All zero is a beginning. */
struct nt_procfs_io {
	struct nt_procfs_descriptors descriptors;
	struct nt_procfs_blocked blocked;
	bool wanted, told;                                         /* a look, since then */
	enum { NT_IO_RESTS, NT_IO_DESCRIPTORS, NT_IO_THREADS } at; /* how far the look is */
	uint64_t cost_ns;                                          /* CPU time */
	nt_time next_look, next_count, next_limit;
	uint64_t limit; /* of descriptors, as last read; 0 = unknown */
};

void nt_procfs_io_fini(struct nt_procfs_io *io);

/* Whether somebody wants to know what is open. */
void nt_procfs_io_want(struct nt_procfs_io *io, bool wanted);

/* Tell what the process has read and written, and how many descriptors it has; `dir_fd` is of /proc/PID, `io_fd` of its file io, -1 = it could not be opened. */
void nt_procfs_io_read(struct nt_procfs_io *io, int dir_fd, int io_fd, uint32_t pid, struct nt_outbox *box, nt_time now);

/* Entries of a folder, `most` at most: one with more has an unknown number, as has one that cannot be read: 0. */
uint64_t nt_procfs_entries(int dir_fd, const char *name, uint64_t most);

/* Go on with a look for about budget_ns. One begins when it is `due` and the last is long enough ago: its cost is kept under 1 % of a CPU. */
void nt_procfs_io_step(struct nt_procfs_io *io, int dir_fd, uint32_t pid, struct nt_outbox *box, nt_time budget_ns, bool due);

#endif
