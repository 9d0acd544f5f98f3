// SPDX-License-Identifier: GPL-2.0-only
/* What the collector of a process has of its machine: CPUs and memory. */
#include "nettop/gc_settings.h"
#include "nettop/snapshot.h"

#include <math.h>

struct nt_u64 nt_gc_container_bytes(const struct nt_process_snapshot *process)
{
	const struct nt_u64 *now = &process->interval.host.memory_limit_bytes;
	return now->known ? *now : process->total.host.memory_limit_bytes;
}

struct nt_u64 nt_gc_cpus(const struct nt_process_snapshot *process)
{
	const struct nt_f64 *now = &process->interval.host.quota_pct, *quota_pct = now->known ? now : &process->total.host.quota_pct;
	struct nt_u64 cpus = process->target.cpu_count;
	uint64_t quota = quota_pct->known ? (uint64_t)ceil(quota_pct->v / 100) : cpus.v;
	if (cpus.known && quota < cpus.v)
		cpus.v = quota;
	return cpus;
}

struct nt_u64 nt_gc_processors(const struct nt_process_snapshot *process)
{
	const struct nt_gc_settings *settings = &process->gc_settings;
	if (settings->asked[NT_GC_SETTING_PROCESSORS].known)
		return settings->asked[NT_GC_SETTING_PROCESSORS];
	return settings->read[NT_GC_BY_ENVIRONMENT] ? nt_gc_cpus(process) : (struct nt_u64){ 0 };
}
