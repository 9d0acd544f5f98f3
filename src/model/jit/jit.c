// SPDX-License-Identifier: GPL-2.0-only
#include "model/jit/jit.h"

#include "base/alloc.h"
#include "nettop/source.h"

#include <stdlib.h>
#include <string.h>

void nt_jit_init(struct nt_jit *jit)
{
	*jit = (struct nt_jit){ 0 };
	nt_jit_rows_init(&jit->rows);
	nt_jit_callers_init(&jit->callers);
	for (enum nt_tier i = 0; i < NT_TIER_COUNT; i++)
		jit->tiers[i].name = i == NT_TIER_UNKNOWN ? NULL : nt_tier_name(i);
	for (enum nt_jit_trigger i = 0; i < NT_JIT_TRIGGER_COUNT; i++)
		jit->triggers[i].name = nt_jit_trigger_name(i);
}

void nt_jit_fini(struct nt_jit *jit)
{
	free(jit->threads);
	nt_jit_rows_fini(&jit->rows);
	nt_jit_group_table_fini(&jit->modules);
	nt_jit_group_table_fini(&jit->namespaces);
	nt_jit_cpu_fini(&jit->cpu);
	nt_jit_callers_fini(&jit->callers);
	nt_jit_startup_fini(&jit->startup);
	nt_index_fini(&jit->thread_of);
	*jit = (struct nt_jit){ 0 };
}

static uint64_t key_of(enum nt_source_id source, uint32_t tid)
{
	return (uint64_t)source << 32 | tid;
}

static struct nt_jit_thread *thread_of(struct nt_jit *jit, uint64_t key)
{
	uint32_t index = nt_index_get(&jit->thread_of, key);
	return index == NT_INDEX_NONE ? NULL : &jit->threads[index];
}

static void remove_thread(struct nt_jit *jit, struct nt_jit_thread *thread)
{
	nt_index_remove(&jit->thread_of, thread->key);
	struct nt_jit_thread *last = &jit->threads[--jit->thread_count];
	if (thread == last)
		return;
	*thread = *last;
	nt_index_put(&jit->thread_of, thread->key, (uint32_t)(thread - jit->threads));
}

static struct nt_jit_thread *add_thread(struct nt_jit *jit, uint64_t key)
{
	if (jit->thread_count == NT_JIT_THREADS) /* all of them failed compilations of ended threads, or nonsense */
		remove_thread(jit, &jit->threads[0]);
	jit->threads = nt_grow(jit->threads, &jit->thread_capacity, jit->thread_count + 1, sizeof(*jit->threads));
	struct nt_jit_thread *thread = &jit->threads[jit->thread_count];
	*thread = (struct nt_jit_thread){ .key = key };
	nt_index_put(&jit->thread_of, key, (uint32_t)jit->thread_count++);
	return thread;
}

static void jit_start(struct nt_jit *jit, uint64_t key, const struct nt_event *event, nt_text_ref name)
{
	struct nt_jit_thread *thread = thread_of(jit, key);
	if (!thread)
		thread = add_thread(jit, key);
	if (thread->depth == NT_JIT_DEPTH)
		memmove(&thread->open[0], &thread->open[1], --thread->depth * sizeof(thread->open[0]));
	thread->open[thread->depth].method_id = event->u.jit_start.method_id;
	thread->open[thread->depth].time = event->time;
	thread->open[thread->depth].within_ns = 0;
	thread->open[thread->depth].il_bytes = event->u.jit_start.il_bytes;
	thread->open[thread->depth].name = name;
	thread->depth++;
}

static void count(struct nt_jit_counts *counts, const struct nt_jit_compilation *compilation)
{
	const struct nt_ev_method *method = compilation->method;
	counts->method_count++;
	counts->time_ns += compilation->duration_ns;
	counts->il_bytes += compilation->il_bytes;
	counts->native_bytes += method->size;
	counts->dynamic_count += (method->flags & NT_METHOD_DYNAMIC) != 0;
	counts->rejected_count += compilation->trigger == NT_JIT_REJECTED;
	counts->tier_count[nt_jit_tier(method)]++;
}

static void add_to_groups(struct nt_jit *jit, const struct nt_jit_compilation *compilation)
{
	const struct nt_ev_method *method = compilation->method;
	const struct nt_jit_sums sums = {
		.count = 1, .time_ns = compilation->duration_ns, .il_bytes = compilation->il_bytes, .native_bytes = method->size
	};
	nt_jit_group_add(&jit->tiers[nt_jit_tier(method)], &sums);
	nt_jit_group_add(&jit->triggers[compilation->trigger], &sums);
	nt_jit_group_add(&jit->modules.items[compilation->module], &sums);
	nt_jit_group_add(&jit->namespaces.items[compilation->namespace], &sums);
}

static enum nt_jit_trigger trigger_of(const struct nt_jit *jit, uint64_t key, const struct nt_ev_method *method)
{
	if (key == jit->background_key)
		return NT_JIT_BACKGROUND;
	/* The flag stays with the method: what is compiled again later was not rejected again. */
	bool first = method->tier == NT_TIER_0 || method->tier == NT_TIER_MINOPT || method->tier == NT_TIER_OPTIMIZED;
	bool rejected = method->flags & (NT_METHOD_PROFILER_REJECTED | NT_METHOD_R2R_REJECTED);
	return rejected && first ? NT_JIT_REJECTED : NT_JIT_FOREGROUND;
}

static void tell_caller(struct nt_jit *jit, const struct nt_jit_compilation *compilation, const struct nt_jit_window *window,
			const char *name)
{
	const struct nt_jit_caused caused = {
		.method_id = compilation->method->method_id,
		.tid = window->tid,
		.begun = window->t0,
		.ended = window->t1,
		.compiled = name,
		.background = compilation->trigger == NT_JIT_BACKGROUND,
		.replaced = window->tier == NT_TIER_OSR,
	};
	nt_jit_callers_ended(&jit->callers, &caused);
}

/* Returns its number; 0 = it is not of the start. */
static uint32_t add_to_start(struct nt_jit *jit, const struct nt_jit_compilation *compilation, const struct nt_event *event, nt_time begun,
			     uint64_t within_ns, const struct nt_names *names)
{
	if (!nt_jit_startup_takes(&jit->startup, begun))
		return 0;
	const struct nt_jit_started started = {
		.name = nt_names_keep(names, compilation->name),
		.begun = begun,
		.ended = event->time,
		.self_ns = compilation->duration_ns > within_ns ? compilation->duration_ns - within_ns : 0,
		.tid = event->tid,
		.module = compilation->module,
		.tier = (uint8_t)nt_jit_tier(compilation->method),
	};
	return nt_jit_startup_add(&jit->startup, compilation->method, compilation->trigger, &started);
}

static void method_load(struct nt_jit *jit, uint64_t key, const struct nt_event *event, const struct nt_jit_texts *texts,
			const struct nt_names *names)
{
	const struct nt_ev_method *method = &event->u.method;
	struct nt_jit_thread *thread = method->flags & NT_METHOD_JITTED ? thread_of(jit, key) : NULL;
	if (!thread)
		return;
	for (uint32_t i = thread->depth; i-- > 0;) {
		if (thread->open[i].method_id != method->method_id)
			continue;
		struct nt_jit_compilation compilation = {
			.method = method,
			.name = texts->method,
			.duration_ns = event->time > thread->open[i].time ? event->time - thread->open[i].time : 0,
			.il_bytes = thread->open[i].il_bytes,
			.trigger = trigger_of(jit, key, method),
			.module = nt_jit_modules_of(&jit->modules, method),
			.namespace = nt_jit_namespaces_of(&jit->namespaces, method, nt_names_keep(names, texts->namespace)),
		};
		count(&jit->interval, &compilation);
		count(&jit->total, &compilation);
		add_to_groups(jit, &compilation);
		const struct nt_jit_window window = {
			.t0 = thread->open[i].time,
			.t1 = event->time,
			.tid = event->tid,
			.row = nt_jit_rows_add(&jit->rows, &compilation, names),
			.module = compilation.module,
			.namespace = compilation.namespace,
			.tier = (uint8_t)nt_jit_tier(method),
			.trigger = (uint8_t)compilation.trigger,
			.startup = add_to_start(jit, &compilation, event, thread->open[i].time, thread->open[i].within_ns, names),
		};
		nt_jit_cpu_compiled(&jit->cpu, &window);
		if (nt_jit_callers_told(&jit->callers))
			tell_caller(jit, &compilation, &window, nt_names_keep(names, texts->method));
		if (i)
			thread->open[i - 1].within_ns += compilation.duration_ns;
		thread->depth = i; /* deeper ones never loaded: they failed */
		if (!i)
			remove_thread(jit, thread);
		return;
	}
}

static void tiering(struct nt_jit *jit, uint64_t key, const struct nt_ev_tiering *tiering)
{
	if (tiering->op == NT_TIERING_BG_START)
		jit->background_key = key;
	else if (tiering->op == NT_TIERING_BG_STOP)
		jit->background_key = 0;
	if (tiering->op == NT_TIERING_BG_START || tiering->op == NT_TIERING_BG_STOP)
		jit->backlog_count = nt_u64_of(tiering->method_count);
}

void nt_jit_apply(struct nt_jit *jit, enum nt_source_id source, const struct nt_event *event, const struct nt_jit_texts *texts,
		  const struct nt_names *names)
{
	uint64_t key = key_of(source, event->tid);
	if (event->kind == NT_EV_JIT_START)
		jit_start(jit, key, event, texts->method);
	else if (event->kind == NT_EV_METHOD_LOAD)
		method_load(jit, key, event, texts, names);
	else if (event->kind == NT_EV_TIERING)
		tiering(jit, key, &event->u.tiering);
}

void nt_jit_each_ref(struct nt_jit *jit, nt_ref_visit *visit, void *context)
{
	for (size_t i = 0; i < jit->thread_count; i++)
		for (uint32_t d = 0; d < jit->threads[i].depth; d++)
			visit(&jit->threads[i].open[d].name, context);
	nt_jit_rows_each_ref(&jit->rows, visit, context);
}

static void forget_open(struct nt_jit *jit, enum nt_source_id source)
{
	for (size_t i = jit->thread_count; i-- > 0;)
		if (jit->threads[i].key >> 32 == source)
			remove_thread(jit, &jit->threads[i]);
}

void nt_jit_source(struct nt_jit *jit, uint32_t brings, nt_time time)
{
	nt_jit_callers_source(&jit->callers, brings & NT_WANT_JIT_CALLERS, time);
	if (!nt_jit_counters_source(&jit->counters, brings))
		return;
	forget_open(jit, NT_SOURCE_EVENTPIPE);
	jit->recent = (struct nt_recent){ 0 };
	jit->backlog_count = (struct nt_u64){ 0 };
	jit->background_key = 0;
}

/* ---- closing ---- */

static void fill(const struct nt_jit *jit, const struct nt_jit_counts *counts, struct nt_jit_figures *out)
{
	out->method_count = nt_u64_of(counts->method_count);
	out->time_ns = nt_u64_of(counts->time_ns);
	out->il_bytes = nt_u64_of(counts->il_bytes);
	out->native_bytes = nt_u64_of(counts->native_bytes);
	out->dynamic_count = nt_u64_of(counts->dynamic_count);
	out->rejected_count = nt_u64_of(counts->rejected_count);
	for (unsigned i = 0; i < NT_TIER_COUNT; i++)
		out->tier_count[i] = nt_u64_of(counts->tier_count[i]);
	out->backlog_count = jit->backlog_count;
}

static void fill_recent(struct nt_jit *jit, struct nt_process_snapshot *process)
{
	enum { NUMBERS = sizeof(struct nt_jit_counts) / sizeof(uint64_t) };
	uint64_t numbers[NUMBERS];
	struct nt_jit_counts sums;
	memcpy(numbers, &jit->interval, sizeof(numbers));
	nt_recent_add(&jit->recent, process->interval.jit.covered_ns.v, numbers, NUMBERS);
	process->recent_ns = nt_recent_sum(&jit->recent, numbers, NUMBERS);
	memcpy(&sums, numbers, sizeof(sums));
	fill(jit, &sums, &process->jit_recent);
}

static void cpu_told(void *context, const struct nt_jit_window *window, uint64_t cpu_ns)
{
	struct nt_jit *jit = context;
	const struct nt_jit_sums sums = { .cpu_count = 1, .cpu_ns = cpu_ns };
	nt_jit_sums_add(&jit->cpu_sums, &sums);
	nt_jit_group_add(&jit->tiers[window->tier], &sums);
	nt_jit_group_add(&jit->triggers[window->trigger], &sums);
	nt_jit_group_add(&jit->modules.items[window->module], &sums);
	nt_jit_group_add(&jit->namespaces.items[window->namespace], &sums);
	nt_jit_rows_add_cpu(&jit->rows, window->row, cpu_ns);
	nt_jit_startup_add_cpu(&jit->startup, window->startup, cpu_ns);
}

static nt_time oldest_open(const struct nt_jit *jit)
{
	nt_time oldest = NT_TIME_UNKNOWN;
	for (size_t i = 0; i < jit->thread_count; i++)
		if (jit->threads[i].open[0].time < oldest)
			oldest = jit->threads[i].open[0].time;
	return oldest;
}

static void settle_cpu(struct nt_jit *jit, const struct nt_span *span, struct nt_jit_figures *total)
{
	nt_jit_cpu_settle(&jit->cpu, span->t1, oldest_open(jit), span->final, cpu_told, jit);
	if (!jit->cpu_sums.cpu_count)
		return;
	total->cpu_count = nt_u64_of(jit->cpu_sums.cpu_count);
	total->cpu_ns = nt_u64_of(jit->cpu_sums.cpu_ns);
}

static void close_groups(struct nt_jit *jit, struct nt_process_snapshot *process)
{
	const struct {
		struct nt_jit_group *groups;
		size_t count;
	} groupings[NT_JIT_GROUPINGS] = {
		[NT_JIT_BY_MODULE] = { jit->modules.items, jit->modules.count },
		[NT_JIT_BY_NAMESPACE] = { jit->namespaces.items, jit->namespaces.count },
		[NT_JIT_BY_TIER] = { jit->tiers, NT_TIER_COUNT },
		[NT_JIT_BY_TRIGGER] = { jit->triggers, NT_JIT_TRIGGER_COUNT },
	};
	for (int i = 0; i < NT_JIT_GROUPINGS; i++)
		process->jit_groups[i] = nt_jit_groups_close(groupings[i].groups, groupings[i].count, &process->jit_group_count[i]);
}

void nt_jit_close(struct nt_jit *jit, const struct nt_span *span, bool interval_known, bool total_known, struct nt_resolver *resolver,
		  const struct nt_names *names, struct nt_process_snapshot *process)
{
	const uint64_t told[NT_JIT_COUNTERS] = { jit->interval.method_count, jit->interval.time_ns, jit->interval.il_bytes };
	bool by_counters = nt_jit_counters_close(&jit->counters, span, interval_known, told, &process->interval.jit);
	if (interval_known && !by_counters) {
		fill(jit, &jit->interval, &process->interval.jit);
		fill_recent(jit, process);
	}
	jit->covered_ns += process->interval.jit.covered_ns.v;
	process->total.jit.covered_ns = nt_u64_of(jit->covered_ns);
	if (total_known)
		fill(jit, &jit->total, &process->total.jit);
	nt_jit_counters_add(&jit->counters, &process->total.jit);
	settle_cpu(jit, span, &process->total.jit);
	process->total.jit.background_cpu_ns = nt_jit_background_cpu_ns(&jit->background);
	nt_jit_rows_close(&jit->rows, &jit->modules, resolver, names, span->final, process);
	close_groups(jit, process);
	nt_jit_startup_close(&jit->startup, &jit->modules, &process->jit_startup);
	if (jit->startup.seen)
		process->total.jit.startup_count = process->interval.jit.startup_count =
			nt_u64_of(jit->startup.count + jit->startup.beyond_count);
	jit->interval = (struct nt_jit_counts){ 0 };
}

void nt_jit_each_text(const struct nt_jit *jit, nt_text_visit *visit, void *context)
{
	for (size_t i = 0; i < jit->rows.count; i++)
		if (jit->rows.items[i].name)
			visit(jit->rows.items[i].name, context);
	for (size_t i = 0; i < jit->modules.count; i++)
		visit(jit->modules.items[i].name, context);
	nt_jit_callers_each_text(&jit->callers, visit, context);
	nt_jit_startup_each_text(&jit->startup, visit, context);
	for (size_t i = 0; i < jit->namespaces.count; i++)
		visit(jit->namespaces.items[i].name, context);
}
