/* SPDX-License-Identifier: GPL-2.0-only */
/* The machine and the control groups of a process: what they leave it, and what it was not given. As events say it, and as figures. */
#ifndef NETTOP_HOST_EVENT_H
#define NETTOP_HOST_EVENT_H

#include "nettop/clock.h"
#include "nettop/code_event.h"
#include "nettop/known.h"

/* What tasks wait for, as the kernel tells it (Documentation/accounting/psi.rst). */
enum nt_pressure { NT_PRESSURE_CPU, NT_PRESSURE_MEMORY, NT_PRESSURE_IO, NT_PRESSURE_COUNT };

/* Which members of the two events below are meaningful. */
enum nt_host_known {
	NT_HOST_CPUS = 1 << 0,   /* busy_ns, steal_ns, cpu_count */
	NT_HOST_MEMORY = 1 << 1, /* memory_bytes, available_bytes, swap_bytes; of groups: limit and use */
	NT_HOST_OTHERS = 1 << 2, /* other_ns, others_over_ns, other_count, other_name */
	NT_HOST_QUOTA = 1 << 3,  /* quota_ns and what follows it */
	NT_HOST_OOM = 1 << 4,
	NT_HOST_PRESSURE = 1 << 5, /* << enum nt_pressure */
};

/* The machine. Times since boot, of all CPUs. */
struct nt_ev_host {
	uint64_t busy_ns;  /* CPUs worked, for whomever */
	uint64_t steal_ns; /* the hypervisor ran something else while they had work */
	uint64_t memory_bytes, available_bytes;
	uint64_t swap_bytes;                     /* in use */
	uint64_t pressure_ns[NT_PRESSURE_COUNT]; /* at least one task of the machine waited for it */
	uint64_t other_ns; /* CPU time of those other processes of one name that used most, between the two last looks at all of them */
	uint64_t others_over_ns; /* so far apart were these */
	uint32_t other_count;    /* so many they were */
	nt_str other_name;
	uint32_t cpu_count;
	uint32_t known; /* enum nt_host_known bits */
};

/* The process's control groups, its own and those above it. */
struct nt_ev_cgroup {
	uint64_t quota_ns, period_ns;           /* CPU time in each period, of the group that leaves least */
	uint64_t period_count, throttled_count; /* since the groups that have a quota were made: periods; those in which it was used up */
	uint64_t throttled_ns;                  /* likewise, for so long they were kept off, each CPU counted by itself */
	uint64_t limit_bytes, used_bytes; /* of the group whose memory limit leaves least; cache that can be dropped is not among it */
	uint64_t oom_kill_count;          /* processes of its own group that were killed for want of memory */
	uint64_t pressure_ns[NT_PRESSURE_COUNT]; /* at least one task of its own group waited for it */
	uint32_t known;                          /* enum nt_host_known bits */
};

/* Percentages of CPU time: 100 = one CPU. */
struct nt_host_figures {
	struct nt_u64 covered_ns;
	struct nt_why why;        /* why it is not known; no reason = it is, or there was no second look yet */
	struct nt_f64 busy_pct;   /* of all processes */
	struct nt_f64 others_pct; /* of these, without the target */
	struct nt_f64 steal_pct;
	struct nt_u64 cpu_count;
	const char *other_name; /* of those others that used most, when that was looked at; NULL = it was not */
	struct nt_f64 other_pct;
	struct nt_u64 other_count;
	struct nt_f64 quota_pct; /* not known: there is none that can be seen */
	struct nt_u64 throttled_ns, throttled_count, period_count;
	struct nt_u64 memory_limit_bytes, memory_used_bytes;     /* of the control groups */
	struct nt_u64 memory_bytes, available_bytes, swap_bytes; /* of the machine */
	struct nt_u64 oom_kill_count;
	struct nt_u64 pressure_ns[NT_PRESSURE_COUNT]; /* of its control group, or of the machine: */
	const char *pressure_of;                      /* "cgroup", "machine"; NULL = not known */
};

/* How much of the memory limit of its control groups is used, in %; not known where there is none that can be seen. */
static inline struct nt_f64 nt_host_limit_pct(const struct nt_host_figures *host)
{
	bool known = host->memory_limit_bytes.known && host->memory_limit_bytes.v && host->memory_used_bytes.known;
	return (struct nt_f64){ .known = known,
				.v = known ? 100.0 * (double)host->memory_used_bytes.v / (double)host->memory_limit_bytes.v : 0 };
}

#endif
