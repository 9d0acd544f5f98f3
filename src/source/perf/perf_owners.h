/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which list counts a thread's samples. Nearly always the first; but a thread that was born while the first list was being opened may have
 * inherited it on some CPUs only, so it gets a list of its own on all CPUs, and what the first list still says about it must not count twice. Its children
 * inherit both.
 */
#ifndef NT_SOURCE_PERF_OWNERS_H
#define NT_SOURCE_PERF_OWNERS_H

#include "nettop/clock.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct nt_perf_owner {
	pid_t tid;
	unsigned list;
	nt_time from; /* before that the first list counted */
};

struct nt_perf_owners {
	struct nt_perf_owner *owners; /* owned; ascending by tid; only threads whose list is not 0 */
	size_t count, capacity;
};

void nt_perf_owners_fini(struct nt_perf_owners *owners);

void nt_perf_owners_set(struct nt_perf_owners *owners, pid_t tid, unsigned list, nt_time from);

/* A thread was born: it belongs where its parent belongs (or, its tid being used again, no longer where the former bearer did). */
void nt_perf_owners_born(struct nt_perf_owners *owners, pid_t parent, pid_t tid);
void nt_perf_owners_ended(struct nt_perf_owners *owners, pid_t tid);

/* Does a sample of `tid` at `time` count when it comes from this list? */
bool nt_perf_owners_count(const struct nt_perf_owners *owners, pid_t tid, unsigned list, nt_time time);

#endif
