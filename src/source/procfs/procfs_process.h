/* SPDX-License-Identifier: GPL-2.0-only */
/* One process as /proc shows it: CPU time and memory, its threads, and its end. Readings, not events in time. */
#ifndef NT_SOURCE_PROCFS_PROCESS_H
#define NT_SOURCE_PROCFS_PROCESS_H

#include "source/common/outbox.h"
#include "source/procfs/procfs_host.h"

struct nt_target;
struct nt_procfs_process;

/*
 * Begin to watch it, and tell what a first frame needs: quick, for there may be 20 ms for its threads. `target`, `config` and `box` are borrowed for its life. *out is the
 * caller's; NULL with NT_OK: it was over before there was anything to open, and its end is told. `first`: nobody has heard of the source before.
 */
enum nt_status nt_procfs_process_new(const struct nt_target *target, const struct nt_source_config *config, struct nt_outbox *box,
				     bool first, struct nt_procfs_process **out, struct nt_error *err);
void nt_procfs_process_free(struct nt_procfs_process *process); /* NULL is allowed */

uint32_t nt_procfs_process_pid(const struct nt_procfs_process *process);

/* The set of enum nt_demand bits that somebody needs now. */
/* What is read of the machine is shared with others; borrowed. */
void nt_procfs_process_share(struct nt_procfs_process *p, struct nt_procfs_machine *machine);

void nt_procfs_process_want(struct nt_procfs_process *process, unsigned demand);

/*
 * Read what is due; `step_ns` is for its threads, and as much for what it has open. `closing`: an interval has just ended. False: it has ended, which is told, and nothing more will be read.
 */
bool nt_procfs_process_tick(struct nt_procfs_process *process, nt_time now, nt_time step_ns, bool closing);

/* A last reading, so that totals reach up to now. */
void nt_procfs_process_stop(struct nt_procfs_process *process);

/* Add what is used for it beside this thread. */
void nt_procfs_process_cost(const struct nt_procfs_process *process, struct nt_source_stats *out);

#endif
