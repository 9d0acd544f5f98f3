/* SPDX-License-Identifier: GPL-2.0-only */
/* Snapshots of a process with a few methods, made by hand. */
#ifndef NT_TESTS_UI_BUILD_H
#define NT_TESTS_UI_BUILD_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "../covered.h"
#include "base/alloc.h"
#include "nettop/snapshot.h"

#define START (1000 * NT_NS_PER_S)

/* A method and its share. */
struct share {
	const char *name;
	double pct;
};

/* Snapshot number `sequence` (1, 2 ...) of 1 s intervals; the id of a row is the first letter of its name. The caller's: release it. */
static inline struct nt_snapshot *make_snapshot(unsigned sequence, const struct share *shares, size_t count)
{
	struct nt_snapshot *snapshot = nt_alloc(sizeof(*snapshot));
	snapshot->refs = 1;
	snapshot->sequence = sequence;
	snapshot->start = START;
	snapshot->t0 = START + (sequence - 1) * NT_NS_PER_S;
	snapshot->t1 = START + sequence * NT_NS_PER_S;
	snapshot->process_count = 1;
	snapshot->processes = nt_alloc(sizeof(*snapshot->processes));
	struct nt_process_snapshot *process = &snapshot->processes[0];
	process->target.pid = 4711;
	process->interval.span_ns = NT_NS_PER_S;
	cover_all(&process->interval);
	process->methods = nt_alloc((count + 1) * sizeof(*process->methods));
	process->method_count = count;
	for (size_t i = 0; i < count; i++)
		process->methods[i] = (struct nt_method_row){ .id = (unsigned char)shares[i].name[0],
							      .name = shares[i].name,
							      .kind = shares[i].name[0] == 'k' ? NT_CODE_KERNEL : NT_CODE_JIT,
							      .window_self_pct = shares[i].pct,
							      .window_total_pct = shares[i].pct,
							      .own = shares[i].name[0] == 'o',
							      .self_samples = (uint64_t)shares[i].pct,
							      .self_samples_all = (uint64_t)shares[i].pct * sequence };
	return snapshot;
}

#define SNAPSHOT(sequence, ...)                                                                                                            \
	make_snapshot(sequence, (const struct share[]){ __VA_ARGS__ }, sizeof((const struct share[]){ __VA_ARGS__ }) / sizeof(struct share))

#endif
