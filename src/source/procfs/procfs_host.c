// SPDX-License-Identifier: GPL-2.0-only
#include "source/procfs/procfs_host.h"

#include "base/alloc.h"
#include "base/file.h"
#include "decode/kernel/host_text.h"
#include "target/process/cgroup_cpu.h"
#include "target/process/cgroup_memory.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	SHARED_MS = 50,       /* for so long what was read of the machine is as good as read again */
	TEXT_BYTES = 1 << 20, /* /proc/stat of a machine with thousands of CPUs */
	NAMES_S = 5,          /* between two looks in which groups it is: seldom does one move to others */
	IDLE_FACTOR = 1000,   /* a look rests for this many times what it cost: 0.1 % of a CPU */
};

static const char *const pressure_files[NT_PRESSURE_COUNT] = { "../pressure/cpu", "../pressure/memory", "../pressure/io" };
static const char *const group_pressure_files[NT_PRESSURE_COUNT] = { "cpu.pressure", "memory.pressure", "io.pressure" };

void nt_procfs_host_fini(struct nt_procfs_host *host)
{
	nt_procfs_others_fini(&host->others);
	free(host->names);
}

/* NULL: it cannot be read. The caller's. */
static char *read_text(int dir_fd, const char *path, size_t *length)
{
	char *text;
	return nt_file_read(dir_fd, path, TEXT_BYTES, &text, length) == 0 ? text : NULL;
}

static void read_cpus(int dir_fd, struct nt_ev_host *out)
{
	size_t length;
	char *text = read_text(dir_fd, "../stat", &length);
	struct nt_host_cpus cpus;
	if (text && nt_host_cpus_parse(text, length, &cpus)) {
		uint64_t tick_ns = NT_NS_PER_S / (uint64_t)sysconf(_SC_CLK_TCK);
		out->busy_ns = cpus.busy_ticks * tick_ns;
		out->steal_ns = cpus.steal_ticks * tick_ns;
		out->cpu_count = cpus.count;
		out->known |= NT_HOST_CPUS;
	}
	free(text);
}

static void read_memory(int dir_fd, struct nt_ev_host *out)
{
	size_t length;
	char *text = read_text(dir_fd, "../meminfo", &length);
	uint64_t total, available, swap, swap_free;
	if (text && nt_host_value(text, length, "MemTotal", &total) && nt_host_value(text, length, "MemAvailable", &available) &&
	    nt_host_value(text, length, "SwapTotal", &swap) && nt_host_value(text, length, "SwapFree", &swap_free)) {
		out->memory_bytes = total << 10;
		out->available_bytes = available << 10;
		out->swap_bytes = swap > swap_free ? (swap - swap_free) << 10 : 0;
		out->known |= NT_HOST_MEMORY;
	}
	free(text);
}

/* The text is consumed; NULL is allowed. */
static void take_pressure(char *text, size_t length, enum nt_pressure of, uint64_t pressure_ns[NT_PRESSURE_COUNT], uint32_t *known)
{
	uint64_t total_us;
	if (text && nt_host_pressure(text, length, &total_us)) {
		pressure_ns[of] = total_us * NT_NS_PER_US;
		*known |= (uint32_t)NT_HOST_PRESSURE << of;
	}
	free(text);
}

/* What the root of all groups says is of the whole machine, and told as that. */
static bool is_root(const struct nt_cgroup *group)
{
	return strspn(group->folder + group->root, "/") == strlen(group->folder + group->root);
}

static void read_group_pressure(const char *cgroups, const char *cgroup_root, struct nt_ev_cgroup *out)
{
	struct nt_cgroup groups[NT_CGROUPS];
	size_t count = nt_cgroups_of(cgroups, cgroup_root, "cpu", groups);
	for (size_t i = 0; i < count; i++) {
		for (unsigned of = 0; of < NT_PRESSURE_COUNT && groups[i].v2 && !is_root(&groups[i]); of++) {
			size_t length = 0;
			char *text = nt_cgroup_read(&groups[i], group_pressure_files[of], &length);
			take_pressure(text, length, (enum nt_pressure)of, out->pressure_ns, &out->known);
		}
		nt_cgroup_fini(&groups[i]);
	}
}

static void read_machine(int dir_fd, nt_time now, struct nt_procfs_machine *out)
{
	out->read_at = now;
	out->said = (struct nt_ev_host){ 0 };
	read_cpus(dir_fd, &out->said);
	read_memory(dir_fd, &out->said);
	for (unsigned of = 0; of < NT_PRESSURE_COUNT; of++) {
		size_t length = 0;
		char *text = read_text(dir_fd, pressure_files[of], &length);
		take_pressure(text, length, (enum nt_pressure)of, out->said.pressure_ns, &out->said.known);
	}
}

static bool is_old(nt_time read_at, nt_time now)
{
	return !read_at || now - read_at > SHARED_MS * NT_NS_PER_MS;
}

static void tell_machine(const struct nt_procfs_host *host, struct nt_procfs_machine *machine, int dir_fd, uint32_t pid, nt_time now,
			 struct nt_outbox *box)
{
	if (is_old(machine->read_at, now))
		read_machine(dir_fd, now, machine);
	struct nt_ev_host said = machine->said;
	const struct nt_procfs_other *other = &host->others.worst;
	if (other->over_ns) {
		said.other_ns = other->used_ns;
		said.others_over_ns = other->over_ns;
		said.other_count = other->count;
		said.known |= NT_HOST_OTHERS;
	}
	struct nt_event *event = nt_outbox_add(box, NT_EV_HOST, machine->read_at, pid, 0);
	said.other_name = other->over_ns ? nt_outbox_str(box, other->name) : 0;
	event->u.host = said;
}

static void read_groups(const char *names, const char *cgroup_root, struct nt_ev_cgroup *out)
{
	*out = (struct nt_ev_cgroup){ 0 };
	struct nt_cgroup_cpu cpu;
	nt_cgroup_cpu_read(names, cgroup_root, &cpu);
	if (cpu.period_us) {
		out->quota_ns = cpu.quota_us * NT_NS_PER_US;
		out->period_ns = cpu.period_us * NT_NS_PER_US;
		out->period_count = cpu.period_count;
		out->throttled_count = cpu.throttled_count;
		out->throttled_ns = cpu.throttled_us * NT_NS_PER_US;
		out->known |= NT_HOST_QUOTA;
	}
	struct nt_cgroup_memory memory;
	nt_cgroup_memory_read(names, cgroup_root, &memory);
	if (memory.limit_bytes != UINT64_MAX) {
		out->limit_bytes = memory.limit_bytes;
		out->used_bytes = memory.used_bytes;
		out->known |= NT_HOST_MEMORY;
	}
	out->oom_kill_count = memory.oom_kill_count;
	out->known |= memory.oom_kill_known ? NT_HOST_OOM : 0;
	read_group_pressure(names, cgroup_root, out);
}

/* Of several processes of the same groups these are read once. */
static const struct nt_procfs_groups *groups_of(struct nt_procfs_machine *machine, const char *names, const char *cgroup_root, nt_time now)
{
	struct nt_procfs_groups *groups = NULL;
	for (size_t i = 0; i < NT_PROCFS_GROUPS && !groups; i++)
		if (machine->groups[i].names && strcmp(machine->groups[i].names, names) == 0)
			groups = &machine->groups[i];
	if (!groups) {
		groups = &machine->groups[machine->next_group++ % NT_PROCFS_GROUPS];
		groups->read_at = 0;
		free(groups->names);
		groups->names = nt_strdup(names);
	}
	if (is_old(groups->read_at, now)) {
		read_groups(names, cgroup_root, &groups->said);
		groups->read_at = now;
	}
	return groups;
}

static void read_names(struct nt_procfs_host *host, int dir_fd, nt_time now)
{
	size_t length;
	if (now < host->next_names)
		return;
	free(host->names);
	host->names = read_text(dir_fd, "cgroup", &length);
	host->next_names = now + NAMES_S * NT_NS_PER_S;
}

static void tell_groups(struct nt_procfs_host *host, struct nt_procfs_machine *machine, int dir_fd, uint32_t pid, nt_time now,
			struct nt_outbox *box)
{
	read_names(host, dir_fd, now);
	if (!host->names)
		return;
	const struct nt_procfs_groups *groups = groups_of(machine, host->names, host->cgroup_root, now);
	nt_outbox_add(box, NT_EV_CGROUP, groups->read_at, pid, 0)->u.cgroup = groups->said;
}

void nt_procfs_machine_fini(struct nt_procfs_machine *machine)
{
	for (size_t i = 0; i < NT_PROCFS_GROUPS; i++)
		free(machine->groups[i].names);
	*machine = (struct nt_procfs_machine){ 0 };
}

void nt_procfs_host_step(struct nt_procfs_host *host, int dir_fd, uint32_t pid, bool due, bool lacks, nt_time budget_ns,
			 struct nt_outbox *box)
{
	nt_time start = nt_clock_now();
	nt_procfs_others_step(&host->others, dir_fd, pid, lacks, start + budget_ns);
	if (!due || start < host->next_look)
		return;
	start = nt_clock_now();
	uint64_t used_ns = nt_clock_thread_cpu();
	struct nt_procfs_machine own = { 0 }, *machine = host->machine ? host->machine : &own;
	tell_machine(host, machine, dir_fd, pid, start, box);
	tell_groups(host, machine, dir_fd, pid, start, box);
	nt_procfs_machine_fini(&own);
	host->next_look = start + (nt_clock_thread_cpu() - used_ns) * IDLE_FACTOR;
}
