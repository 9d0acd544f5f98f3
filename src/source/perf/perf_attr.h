/* SPDX-License-Identifier: GPL-2.0-only */
/* What nettop asks perf_event_open(2) for, and which of it this kernel, machine and user get. */
#ifndef NT_SOURCE_PERF_ATTR_H
#define NT_SOURCE_PERF_ATTR_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>

#include "nettop/source.h"

/* What somebody wants of it. */
struct nt_perf_wish {
	unsigned hz;
	unsigned dump_bytes; /* see struct nt_perf_features */
	bool switches;       /* see struct nt_perf_features; of tasks then */
	bool of_tasks;       /* no events of CPUs, even where they are allowed */
	bool several;        /* see struct nt_perf_features; of CPUs or not at all */
};

/*
 * An event of a CPU stays there; an event of a task is switched with it and arms a timer each time, which costs a server that waits often a third of its throughput.
 * So the first, wherever it is allowed: CAP_PERFMON, or perf_event_paranoid up to 0.
 */
struct nt_perf_features {
	bool of_cpus;        /* events of CPUs, of whatever runs there: the caller filters. Else of the target's tasks */
	unsigned hz;         /* samples per second of CPU time */
	bool hardware;       /* `cycles` instead of `cpu-clock` */
	bool user_only;      /* the kernel's part of the CPU time is closed to this user */
	bool inherit_thread; /* Linux 5.13: new threads are followed, child processes are not */
	bool read_lost;      /* Linux 6.0: an event counts the records that it could not write */
	unsigned stack_max;  /* frames per chain: as many as the kernel permits, up to NT_PERF_STACK_MAX */
	bool several;        /* for more processes than the one that was tried: it is the caller who chooses them, and begins */
	bool switches;       /* no samples: when threads come to a CPU and leave it */
	unsigned dump_bytes; /* of the user stack in each sample, with its registers; 0 = none; not tried */
};

/*
 * Find out by trying, for tasks on thread `tid` of the target: the best that is possible. Returns 0, or the errno value of a refusal that no lesser wish
 * avoids. Costs one perf_event_open() per CPU and wish.
 */
int nt_perf_features_try(uint32_t tid, const struct nt_perf_wish *wish, struct nt_perf_features *out);

/* Bytes of user stack that each sample needs for such chains; 0 also on machines whose stacks we cannot read. */
unsigned nt_perf_dump_bytes(enum nt_call_graph call_graph);

/* The attributes of an event of CPUs that tells of mappings of code, of all processes, and of nothing else. read_lost: as in struct nt_perf_features. */
void nt_perf_attr_init_maps(struct perf_event_attr *attr, bool read_lost);

/* The same of one that tells when threads come to a CPU and leave it. */
void nt_perf_attr_init_switches(struct perf_event_attr *attr, bool read_lost);

/* The attributes for these features. */
void nt_perf_attr_init(struct perf_event_attr *attr, const struct nt_perf_features *features);

#endif
