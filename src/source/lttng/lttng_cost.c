// SPDX-License-Identifier: GPL-2.0-only
#include "source/lttng/lttng_cost.h"

#include <unistd.h>

static void read_one(struct nt_lttng_cost *cost, enum nt_lttng_daemon which, const struct nt_lttng_process *process)
{
	struct nt_procfs_stat stat;
	if (!process->pid || !nt_lttng_process_stat(process->pid, &stat) || stat.start_ticks != process->start_ticks)
		return;
	uint64_t now_ns = (stat.user_ticks + stat.kernel_ticks) * (NT_NS_PER_S / (uint64_t)sysconf(_SC_CLK_TCK));
	struct nt_lttng_process *seen = &cost->seen[which];
	bool same = seen->pid == process->pid && seen->start_ticks == process->start_ticks;
	/* What a daemon did before it served us is not our cost. Our own relay has done nothing before. */
	if (same && now_ns > cost->last_ns[which])
		cost->total_ns += now_ns - cost->last_ns[which];
	else if (!same && which == NT_LTTNG_RELAYD)
		cost->total_ns += now_ns;
	*seen = *process;
	cost->last_ns[which] = now_ns;
	cost->known = true;
}

void nt_lttng_cost_read(struct nt_lttng_cost *cost, struct nt_lttng_link *link)
{
	struct nt_lttng_process daemons[NT_LTTNG_DAEMON_COUNT];
	nt_lttng_link_daemons(link, daemons);
	for (int which = 0; which < NT_LTTNG_DAEMON_COUNT; which++)
		read_one(cost, (enum nt_lttng_daemon)which, &daemons[which]);
}
