// SPDX-License-Identifier: GPL-2.0-only
#include "model/host/host.h"

/* What was read so long before the end of an interval tells nothing of it. */
static const nt_time fresh_ns = 5 * NT_NS_PER_S;

void nt_host_init(struct nt_host *host)
{
	*host = (struct nt_host){ 0 };
}

static bool machine_goes_on(const struct nt_ev_host *from, const struct nt_ev_host *to)
{
	bool goes_on = (from->known | NT_HOST_OTHERS) == (to->known | NT_HOST_OTHERS) && to->busy_ns >= from->busy_ns &&
		       to->steal_ns >= from->steal_ns;
	for (unsigned i = 0; i < NT_PRESSURE_COUNT; i++)
		goes_on &= to->pressure_ns[i] >= from->pressure_ns[i];
	return goes_on;
}

void nt_host_machine(struct nt_host *host, nt_time time, const struct nt_ev_host *reading, const char *other_name)
{
	struct nt_host_reading now = { .time = time, .values = *reading };
	host->other_name = reading->known & NT_HOST_OTHERS ? other_name : NULL;
	if (!host->newest.time || time < host->newest.time || !machine_goes_on(&host->newest.values, reading))
		host->first = host->closed = now;
	host->newest = now;
}

static bool group_goes_on(const struct nt_ev_cgroup *from, const struct nt_ev_cgroup *to)
{
	bool goes_on = from->known == to->known && to->period_count >= from->period_count && to->throttled_count >= from->throttled_count &&
		       to->throttled_ns >= from->throttled_ns && to->oom_kill_count >= from->oom_kill_count;
	for (unsigned i = 0; i < NT_PRESSURE_COUNT; i++)
		goes_on &= to->pressure_ns[i] >= from->pressure_ns[i];
	return goes_on;
}

void nt_host_group(struct nt_host *host, nt_time time, const struct nt_ev_cgroup *reading)
{
	struct nt_cgroup_reading now = { .time = time, .values = *reading };
	if (!host->newest_group.time || time < host->newest_group.time || !group_goes_on(&host->newest_group.values, reading))
		host->first_group = host->closed_group = now;
	host->newest_group = now;
}

static struct nt_u64 when(bool known, uint64_t value)
{
	return (struct nt_u64){ .known = known, .v = known ? value : 0 };
}

static struct nt_f64 share(bool known, uint64_t part, uint64_t whole)
{
	known &= whole != 0;
	return (struct nt_f64){ .known = known, .v = known ? 100.0 * (double)part / (double)whole : 0 };
}

static void fill_machine(const struct nt_host_reading *from, const struct nt_host_reading *to, const char *other_name,
			 struct nt_host_figures *out)
{
	const struct nt_ev_host *a = &from->values, *b = &to->values;
	bool between = from->time && to->time > from->time, cpus = b->known & NT_HOST_CPUS, memory = b->known & NT_HOST_MEMORY;
	nt_time over = to->time - from->time;
	out->busy_pct = share(between && cpus, b->busy_ns - a->busy_ns, over);
	out->steal_pct = share(between && cpus, b->steal_ns - a->steal_ns, over);
	out->cpu_count = when(cpus, b->cpu_count);
	out->memory_bytes = when(memory, b->memory_bytes);
	out->available_bytes = when(memory, b->available_bytes);
	out->swap_bytes = when(memory, b->swap_bytes);
	for (unsigned i = 0; i < NT_PRESSURE_COUNT; i++)
		out->pressure_ns[i] = when(between && b->known & NT_HOST_PRESSURE << i, b->pressure_ns[i] - a->pressure_ns[i]);
	if (b->known & (NT_HOST_PRESSURE << NT_PRESSURE_CPU | NT_HOST_PRESSURE << NT_PRESSURE_MEMORY | NT_HOST_PRESSURE << NT_PRESSURE_IO))
		out->pressure_of = "machine";
	if (!(b->known & NT_HOST_OTHERS))
		return;
	out->other_name = other_name;
	out->other_pct = share(true, b->other_ns, b->others_over_ns);
	out->other_count = nt_u64_of(b->other_count);
}

/* What was read of it says something of this moment. */
static bool is_fresh(nt_time read, nt_time now)
{
	return read && read + fresh_ns > now;
}

static void fill_group(const struct nt_cgroup_reading *from, const struct nt_cgroup_reading *to, struct nt_host_figures *out)
{
	const struct nt_ev_cgroup *a = &from->values, *b = &to->values;
	bool between = from->time && to->time > from->time, quota = b->known & NT_HOST_QUOTA, memory = b->known & NT_HOST_MEMORY;
	out->quota_pct = share(quota, b->quota_ns, b->period_ns);
	out->period_count = when(between && quota, b->period_count - a->period_count);
	out->throttled_count = when(between && quota, b->throttled_count - a->throttled_count);
	out->throttled_ns = when(between && quota, b->throttled_ns - a->throttled_ns);
	out->memory_limit_bytes = when(memory, b->limit_bytes);
	out->memory_used_bytes = when(memory, b->used_bytes);
	out->oom_kill_count = when(between && b->known & NT_HOST_OOM, b->oom_kill_count - a->oom_kill_count);
	for (unsigned i = 0; i < NT_PRESSURE_COUNT; i++) {
		if (!(b->known & NT_HOST_PRESSURE << i))
			continue;
		out->pressure_ns[i] = when(between, b->pressure_ns[i] - a->pressure_ns[i]);
		out->pressure_of = "cgroup";
	}
}

/* Two clocks and two readings: what is left below nothing is nothing. */
static void fill_others(const struct nt_cpu_figures *cpu, struct nt_host_figures *out)
{
	bool known = out->busy_pct.known && cpu->usage_pct.known;
	double others = known ? out->busy_pct.v - cpu->usage_pct.v : 0;
	out->others_pct = (struct nt_f64){ .known = known, .v = others > 0 ? others : 0 };
}

void nt_host_close(struct nt_host *host, const struct nt_span *span, struct nt_process_snapshot *process)
{
	struct nt_host_figures *interval = &process->interval.host, *total = &process->total.host;
	nt_time distance = host->newest.time - host->closed.time;
	bool goes_on = distance < nt_span_length(span) + fresh_ns;
	if (goes_on && is_fresh(host->newest.time, span->t1))
		fill_machine(&host->closed, &host->newest, host->other_name, interval);
	if (goes_on && is_fresh(host->newest_group.time, span->t1))
		fill_group(&host->closed_group, &host->newest_group, interval);
	fill_machine(&host->first, &host->newest, NULL, total);
	fill_group(&host->first_group, &host->newest_group, total);
	fill_others(&process->interval.cpu, interval);
	fill_others(&process->total.cpu, total);
	/* The tile's own figure, for how long threads waited for a CPU, is told as long as CPU time is. */
	if (process->interval.cpu.waited_ns.known)
		interval->covered_ns = process->interval.cpu.covered_ns;
	if (process->total.cpu.waited_ns.known)
		total->covered_ns = process->total.cpu.covered_ns;
	host->closed = host->newest;
	host->closed_group = host->newest_group;
}

void nt_host_each_text(const struct nt_host *host, nt_text_visit *visit, void *context)
{
	visit(host->other_name, context);
}
