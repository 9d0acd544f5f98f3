/* SPDX-License-Identifier: GPL-2.0-only */
/* What nettop asks perf_event_open(2) for, and which of it this kernel, machine and user get. */
#ifndef NT_SOURCE_PERF_ATTR_H
#define NT_SOURCE_PERF_ATTR_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>

#include "nettop/source.h"

struct nt_perf_features {
	unsigned hz;         /* samples per second of CPU time */
	bool hardware;       /* `cycles` instead of `cpu-clock` */
	bool user_only;      /* the kernel's part of the CPU time is closed to this user */
	bool inherit_thread; /* Linux 5.13: new threads are followed, child processes are not */
	bool read_lost;      /* Linux 6.0: an event counts the records that it could not write */
	unsigned stack_max;  /* frames per chain */
	unsigned dump_bytes; /* of the user stack in each sample, with its registers; 0 = none; not tried */
};

/*
 * Find out by trying, on thread `tid` of the target: the best that is possible. Returns 0, or the errno value of a refusal that no lesser wish
 * avoids. Costs one perf_event_open() per CPU and wish.
 */
int nt_perf_features_try(uint32_t tid, unsigned hz, struct nt_perf_features *out);

/* Bytes of user stack that each sample needs for such chains; 0 also on machines whose stacks we cannot read. */
unsigned nt_perf_dump_bytes(enum nt_call_graph call_graph);

/* The attributes for these features. system_wide: every process, without the idle task; the caller filters. */
void nt_perf_attr_init(struct perf_event_attr *attr, const struct nt_perf_features *features, bool system_wide);

#endif
