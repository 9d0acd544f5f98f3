// SPDX-License-Identifier: GPL-2.0-only
#include "model/jit/jit_cpu.h"

#include "base/alloc.h"
#include "base/starts.h"

#include <stdlib.h>
#include <string.h>

/* Who tells of compilations is at most so late. */
static const nt_time late_ns = 10 * NT_NS_PER_S;

struct nt_jit_cpu_edge {
	nt_time time;    /* first: base/starts.h */
	uint64_t cpu_ns; /* that the thread had until then, since the first edge that is kept */
	bool on;         /* it has a CPU from then on */
};

void nt_jit_cpu_fini(struct nt_jit_cpu *cpu)
{
	for (size_t i = 0; i < cpu->thread_count; i++)
		free(cpu->threads[i].edges);
	free(cpu->threads);
	free(cpu->windows);
	nt_index_fini(&cpu->thread_of);
	*cpu = (struct nt_jit_cpu){ 0 };
}

static struct nt_jit_cpu_thread *find(const struct nt_jit_cpu *cpu, uint32_t tid)
{
	uint32_t index = nt_index_get(&cpu->thread_of, tid);
	return index == NT_INDEX_NONE ? NULL : &cpu->threads[index];
}

static struct nt_jit_cpu_thread *find_or_add(struct nt_jit_cpu *cpu, uint32_t tid)
{
	struct nt_jit_cpu_thread *thread = find(cpu, tid);
	if (thread)
		return thread;
	cpu->threads = nt_grow(cpu->threads, &cpu->thread_capacity, cpu->thread_count + 1, sizeof(*cpu->threads));
	thread = &cpu->threads[cpu->thread_count];
	*thread = (struct nt_jit_cpu_thread){ .tid = tid };
	nt_index_put(&cpu->thread_of, tid, (uint32_t)cpu->thread_count++);
	return thread;
}

void nt_jit_cpu_lost(struct nt_jit_cpu *cpu, nt_time time)
{
	for (size_t i = 0; i < cpu->thread_count; i++)
		cpu->threads[i].count = 0;
	cpu->edge_count = 0;
	if (time > cpu->from)
		cpu->from = time;
}

void nt_jit_cpu_switched(struct nt_jit_cpu *cpu, uint32_t tid, nt_time time, bool on)
{
	if (time < cpu->from)
		return;
	struct nt_jit_cpu_thread *thread = find_or_add(cpu, tid);
	const struct nt_jit_cpu_edge *last = thread->count ? &thread->edges[thread->count - 1] : NULL;
	if (last && (last->on == on || time < last->time))
		return;
	if (cpu->edge_count == NT_JIT_CPU_EDGES) {
		nt_jit_cpu_lost(cpu, time);
		last = NULL;
	}
	uint64_t cpu_ns = last ? last->cpu_ns + (last->on ? time - last->time : 0) : 0;
	thread->edges = nt_grow(thread->edges, &thread->capacity, thread->count + 1, sizeof(*thread->edges));
	thread->edges[thread->count++] = (struct nt_jit_cpu_edge){ time, cpu_ns, on };
	cpu->edge_count++;
}

void nt_jit_cpu_told_until(struct nt_jit_cpu *cpu, nt_time time)
{
	if (time > cpu->until)
		cpu->until = time;
}

void nt_jit_cpu_compiled(struct nt_jit_cpu *cpu, const struct nt_jit_window *window)
{
	if (!cpu->thread_count)
		return;
	if (cpu->window_count == NT_JIT_CPU_WINDOWS)
		memmove(cpu->windows, cpu->windows + 1, --cpu->window_count * sizeof(*cpu->windows));
	cpu->windows = nt_grow(cpu->windows, &cpu->window_capacity, cpu->window_count + 1, sizeof(*cpu->windows));
	cpu->windows[cpu->window_count++] = *window;
}

/* ---- settling ---- */

/* How many edges are at or before `time`. */
static size_t edges_until(const struct nt_jit_cpu_thread *thread, nt_time time)
{
	return nt_starts_up_to(thread->edges, thread->count, sizeof(*thread->edges), time);
}

/* `time` is not before the first edge. */
static uint64_t cpu_ns_at(const struct nt_jit_cpu_thread *thread, nt_time time)
{
	const struct nt_jit_cpu_edge *edge = &thread->edges[edges_until(thread, time) - 1];
	return edge->cpu_ns + (edge->on ? time - edge->time : 0);
}

bool nt_jit_cpu_since(const struct nt_jit_cpu *cpu, nt_time from, uint64_t *cpu_ns)
{
	uint64_t sum = 0;
	for (size_t i = 0; i < cpu->thread_count; i++) {
		const struct nt_jit_cpu_thread *thread = &cpu->threads[i];
		nt_time begin = thread->count && thread->edges[0].time > from ? thread->edges[0].time : from;
		if (thread->count && begin < cpu->until)
			sum += cpu_ns_at(thread, cpu->until) - cpu_ns_at(thread, begin);
	}
	*cpu_ns = sum;
	return cpu->thread_count && cpu->from <= from;
}

/* What of it was counted already for those within it. */
static uint64_t take_inner(struct nt_jit_cpu_thread *thread, nt_time t0)
{
	uint64_t sum = 0;
	while (thread->inner_count && thread->inner[thread->inner_count - 1].t0 >= t0)
		sum += thread->inner[--thread->inner_count].cpu_ns;
	return sum;
}

/* Where there are too many, the two oldest become one: they follow each other in code that began before either. */
static void put_inner(struct nt_jit_cpu_thread *thread, nt_time t0, uint64_t cpu_ns)
{
	if (thread->inner_count == NT_JIT_CPU_INNER) {
		thread->inner[0].cpu_ns += thread->inner[1].cpu_ns;
		memmove(&thread->inner[1], &thread->inner[2], (--thread->inner_count - 1) * sizeof(thread->inner[0]));
	}
	thread->inner[thread->inner_count].t0 = t0;
	thread->inner[thread->inner_count++].cpu_ns = cpu_ns;
}

/* False: it is not known. */
static bool measure(const struct nt_jit_cpu *cpu, const struct nt_jit_window *window, uint64_t *cpu_ns)
{
	struct nt_jit_cpu_thread *thread = find(cpu, window->tid);
	if (!thread || !thread->count || thread->edges[0].time > window->t0 || window->t1 > cpu->until)
		return false;
	uint64_t whole_ns = cpu_ns_at(thread, window->t1) - cpu_ns_at(thread, window->t0), inner_ns = take_inner(thread, window->t0);
	put_inner(thread, window->t0, whole_ns);
	*cpu_ns = whole_ns > inner_ns ? whole_ns - inner_ns : 0;
	return true;
}

/* All but the last edge before `from`, which tells how things stood then. */
static void forget(struct nt_jit_cpu *cpu, nt_time from)
{
	for (size_t i = 0; i < cpu->thread_count; i++) {
		struct nt_jit_cpu_thread *thread = &cpu->threads[i];
		size_t old = edges_until(thread, from);
		if (old < 2)
			continue;
		memmove(thread->edges, thread->edges + old - 1, (thread->count - old + 1) * sizeof(*thread->edges));
		thread->count -= old - 1;
		cpu->edge_count -= old - 1;
	}
}

void nt_jit_cpu_settle(struct nt_jit_cpu *cpu, nt_time now, nt_time open, bool final,
		       void (*told)(void *context, const struct nt_jit_window *window, uint64_t cpu_ns), void *context)
{
	size_t kept = 0;
	nt_time from = now > late_ns ? now - late_ns : 0;
	for (size_t i = 0; i < cpu->window_count; i++) {
		const struct nt_jit_window window = cpu->windows[i];
		uint64_t cpu_ns;
		if (window.t1 > cpu->until && !final) {
			cpu->windows[kept++] = window;
			from = window.t0 < from ? window.t0 : from;
		} else if (measure(cpu, &window, &cpu_ns)) {
			told(context, &window, cpu_ns);
		}
	}
	cpu->window_count = kept;
	forget(cpu, open < from ? open : from);
}
