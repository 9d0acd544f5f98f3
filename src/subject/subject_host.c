// SPDX-License-Identifier: GPL-2.0-only
/* The subject: the machine and the control groups, and what they did not give. */
#include "subject/row.h"

static const struct nt_subject_kind kinds[] = { { NT_EV_NONE, 0 } };

static const struct nt_figure figures[] = {
	COUNTER("cpu", "waited_ns", cpu.waited_ns, "time in which its threads were ready to run and had no CPU, all together (procfs)"),
	COUNTER("host", "covered_ns", host.covered_ns, "for how long of the span it was told for how long threads waited for a CPU"),
	STATE("host", "cpu_count", host.cpu_count, "CPUs of the machine that are on"),
	MEAN("host", "busy_pct", host.busy_pct, "CPU time that all processes of the machine used, 100 = one CPU"),
	MEAN("host", "others_pct", host.others_pct, "of it, that of all others than the target"),
	MEAN("host", "steal_pct", host.steal_pct,
	     "CPU time that the hypervisor gave to something else while CPUs of this machine had work"),
	TEXT("host", "other_name", host.other_name,
	     "name of those other processes that used most; looked at only while the target waits for CPUs, else null"),
	SHARE("host", "other_pct", host.other_pct, "CPU time that all of them of this name used, between two looks at least 2 s apart"),
	GAUGE("host", "other_count", host.other_count, "so many processes of this name used some"),
	STATE_SHARE("host", "quota_pct", host.quota_pct,
		    "CPU time that the control groups allow, 100 = one CPU; null: no quota that can be seen"),
	COUNTER("host", "period_count", host.period_count, "periods of this quota"),
	COUNTER("host", "throttled_count", host.throttled_count, "of them, those in which it was used up"),
	COUNTER("host", "throttled_ns", host.throttled_ns,
		"for so long the kernel kept the groups off the CPUs for that, each CPU counted by itself"),
	STATE("host", "memory_limit_bytes", host.memory_limit_bytes,
	      "memory limit of the control group that leaves least; null: none that can be seen"),
	STATE("host", "memory_used_bytes", host.memory_used_bytes, "memory charged to that group, without cache that can be dropped"),
	COUNTER("host", "oom_kill_count", host.oom_kill_count, "processes of the control group that were killed for want of memory"),
	STATE("host", "memory_bytes", host.memory_bytes, "memory of the machine"),
	STATE("host", "available_bytes", host.available_bytes, "of it, what processes could still have without swapping"),
	STATE("host", "swap_bytes", host.swap_bytes, "swap space of the machine that is in use"),
	COUNTER("host", "pressure_cpu_ns", host.pressure_ns[NT_PRESSURE_CPU], "time in which at least one task waited for a CPU (PSI)"),
	COUNTER("host", "pressure_memory_ns", host.pressure_ns[NT_PRESSURE_MEMORY],
		"time in which at least one task waited for memory: reclaim, swapping, pages of files that had been dropped (PSI)"),
	COUNTER("host", "pressure_io_ns", host.pressure_ns[NT_PRESSURE_IO], "time in which at least one task waited for storage (PSI)"),
	STATE_TEXT("host", "pressure_of", host.pressure_of,
		   "whose tasks these are: of the control group (\"cgroup\"), or of the whole \"machine\""),
};

const struct nt_subject nt_subject_host = {
	.name = "host",
	.kinds = kinds,
	.source = NT_SOURCE_PROCFS,
	FIGURES(figures),
	.covered_ns = offsetof(struct nt_figures, host.covered_ns),
	.label = "HOST",
	.help = "time a second in which threads that could run had no CPU; quota, what others use, memory of the limit. Source: procfs.",
	.headline = offsetof(struct nt_figures, cpu.waited_ns),
	.headline_per_s = NT_NS_PER_MS,
	.much = NT_MUCH_WAITED_FOR_CPU_MS,
	.screen = "4 Threads",
	.screen_short = "4 Thr",
};
