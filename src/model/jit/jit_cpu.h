/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The CPU time of compilations: of the time from a compilation's start to its end, what the compiling thread had a CPU. The kernel tells when threads come to a
 * CPU and leave it (NT_EV_SWITCH, of `nettop jit` only); who tells of compilations may be late, so both are kept until all is known that they need.
 * A compilation within another one counts once: in the inner one.
 */
#ifndef NT_MODEL_JIT_CPU_H
#define NT_MODEL_JIT_CPU_H

#include "base/index.h"
#include "nettop/event.h"

enum {
	NT_JIT_CPU_EDGES = 1 << 20,   /* of all threads; beyond, what was before is forgotten, and not known */
	NT_JIT_CPU_WINDOWS = 1 << 16, /* compilations that wait; beyond, the oldest are not known */
	NT_JIT_CPU_INNER = 64,        /* compilations of a thread that may turn out to be within the next one */
};

/* A compilation that ended, and where it is counted. */
struct nt_jit_window {
	nt_time t0, t1;
	uint32_t tid;
	uint32_t row, module, namespace;
	uint32_t startup; /* its number there */
	uint8_t tier, trigger;
};

struct nt_jit_cpu_edge;
struct nt_jit_cpu_thread {
	uint32_t tid;
	struct nt_jit_cpu_edge *edges; /* owned; ascending */
	size_t count, capacity;
	struct {
		nt_time t0;
		uint64_t cpu_ns; /* with all within it */
	} inner[NT_JIT_CPU_INNER];
	size_t inner_count;
};

struct nt_jit_cpu {
	struct nt_jit_cpu_thread *threads; /* owned */
	size_t thread_count, thread_capacity, edge_count;
	struct nt_index thread_of;     /* tid -> index in threads */
	struct nt_jit_window *windows; /* owned; those that wait, in order of arrival */
	size_t window_count, window_capacity;
	nt_time until; /* everything up to here was told */
	nt_time from;  /* after the last loss */
};

void nt_jit_cpu_fini(struct nt_jit_cpu *cpu);

/* A thread comes to a CPU, or leaves it; its end is leaving. */
void nt_jit_cpu_switched(struct nt_jit_cpu *cpu, uint32_t tid, nt_time time, bool on);
void nt_jit_cpu_told_until(struct nt_jit_cpu *cpu, nt_time time);

/* Some was lost before `time`: what was told until then is not to be relied on. */
void nt_jit_cpu_lost(struct nt_jit_cpu *cpu, nt_time time);

/* A compilation ended. Nothing is kept when nobody tells of switches. */
void nt_jit_cpu_compiled(struct nt_jit_cpu *cpu, const struct nt_jit_window *window);

/*
 * Hand out each compilation whose CPU time is known now; when `final`, nothing waits any more. What is older than any that may still come is forgotten:
 * `open` is when the oldest compilation began that has not ended, NT_TIME_UNKNOWN = none.
 */
void nt_jit_cpu_settle(struct nt_jit_cpu *cpu, nt_time now, nt_time open, bool final,
		       void (*told)(void *context, const struct nt_jit_window *window, uint64_t cpu_ns), void *context);

/* CPU time of all threads from `from` on, as far as anybody tells; false when nobody does. */
bool nt_jit_cpu_since(const struct nt_jit_cpu *cpu, nt_time from, uint64_t *cpu_ns);

#endif
