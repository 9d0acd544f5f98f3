/* SPDX-License-Identifier: GPL-2.0-only */
/* A snapshot as text, every field of it: equal snapshots of two models give equal texts. */
#ifndef NT_TESTS_MODEL_DUMP_H
#define NT_TESTS_MODEL_DUMP_H

#include "nettop/snapshot.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static inline void dump_u64(FILE *out, const char *name, struct nt_u64 value)
{
	fprintf(out, " %s=%s%" PRIu64, name, value.known ? "" : "?", value.known ? value.v : 0);
}

static inline void dump_f64(FILE *out, const char *name, struct nt_f64 value)
{
	fprintf(out, " %s=%s%a", name, value.known ? "" : "?", value.known ? value.v : 0); /* %a: every bit */
}

static inline void dump_text(FILE *out, const char *name, const char *value)
{
	fprintf(out, " %s=%s%s", name, value ? "'" : "none", value ? value : "");
}

static inline void dump_why(FILE *out, struct nt_why why)
{
	dump_text(out, "reason", why.reason);
	dump_text(out, "fix", why.fix);
	fputc('\n', out);
}

#define U(field) dump_u64(out, #field, f->field)
#define F(field) dump_f64(out, #field, f->field)
#define T(field) dump_text(out, #field, f->field)
#define N(field) fprintf(out, " " #field "=%" PRIu64, (uint64_t)f->field)
#define D(field) fprintf(out, " " #field "=%a", f->field)

static inline void dump_cpu(FILE *out, const struct nt_cpu_figures *f)
{
	F(usage_pct), F(user_pct), F(kernel_pct), U(samples), U(lost_samples), U(hottest_tid), F(hottest_pct), T(hottest_name);
	for (int i = 0; i < NT_PURPOSE_COUNT; i++)
		dump_u64(out, nt_purpose_name((enum nt_purpose)i), f->purposes.samples[i]);
	dump_why(out, f->why);
}

static inline void dump_gc(FILE *out, const struct nt_gc_figures *f)
{
	U(count[0]), U(count[1]), U(count[2]), U(background_count), U(pause_ns), U(pause_tracing_ns), U(pause_max_ns), F(pause_pct);
	F(window_pause_pct), U(pause_p50_ns), U(pause_p99_ns), U(heap_bytes), U(loh_bytes), F(fragmentation_pct), U(alloc_bytes),
		U(committed_bytes);
	N(alloc_estimated), F(alloc_error_pct), U(suspend_other_ns);
	dump_why(out, f->why);
	dump_why(out, f->alloc_why);
}

static inline void dump_jit(FILE *out, const struct nt_jit_figures *f)
{
	U(method_count), U(time_ns), U(il_bytes), U(native_bytes), U(backlog_count);
	for (int i = 0; i < NT_TIER_COUNT; i++)
		dump_u64(out, "tier", f->tier_count[i]);
	dump_why(out, f->why);
}

static inline void dump_pool(FILE *out, const struct nt_pool_figures *f)
{
	U(worker_count), U(goal_count), U(queue_count), U(completed_count), U(injected_count), U(starved_count), U(blocked_count),
		T(reason), N(worker_from_procfs), U(working_count), U(min_count), U(max_count), U(wait_estimate_ns);
	dump_why(out, f->why);
}

static inline void dump_figures(FILE *out, const struct nt_figures *figures)
{
	fprintf(out, "span %" PRIu64 ", lived %" PRIu64 "\n", figures->span_ns, figures->lived_ns);
	dump_cpu(out, &figures->cpu);
	{
		const struct nt_thread_figures *f = &figures->threads;
		U(count), U(running_count), U(blocked_count), U(blocked_max_ns);
		dump_why(out, f->why);
	}
	{
		const struct nt_memory_figures *f = &figures->memory;
		U(rss_bytes), U(anon_bytes), U(file_bytes), U(shared_bytes), U(swap_bytes);
	}
	dump_gc(out, &figures->gc);
	dump_jit(out, &figures->jit);
	dump_pool(out, &figures->pool);
	{
		const struct nt_exception_figures *f = &figures->exceptions;
		U(count), T(top_type), U(top_count);
		dump_why(out, f->why);
	}
	{
		const struct nt_lock_figures *f = &figures->locks;
		U(count), U(wait_ns), U(waiting_count), U(wait_p99_ns);
		dump_why(out, f->why);
	}
}

static inline void dump_method(FILE *out, const struct nt_method_row *f)
{
	N(id), T(name), T(raw_name), T(module), N(kind), N(tier), T(reason), N(self_samples), N(total_samples), N(self_samples_all);
	N(total_samples_all), D(window_self), D(window_total), D(self_pct), D(total_pct), D(window_self_pct), D(window_total_pct);
	D(all_self_pct), D(all_total_pct), N(fresh), N(ended);
	for (int i = 0; i < NT_TIER_COUNT; i++)
		fprintf(out, " %u", f->tier_samples[i]);
	fputc('\n', out);
}

static inline void dump_stack(FILE *out, const struct nt_call_stack *f)
{
	if (!f)
		return;
	N(site);
	for (uint32_t i = 0; i < f->count; i++)
		dump_text(out, "frame", f->frames[i].name), dump_text(out, "of", f->frames[i].module);
}

static inline void dump_collection(FILE *out, const struct nt_gc_row *f)
{
	N(id), N(generation), N(type), U(reason), N(start), N(end), U(suspend_ns), U(pause_ns), U(pause_tracing_ns), U(before_bytes);
	U(after_bytes), U(loh_bytes), U(promoted_bytes), F(survived_pct), F(fragmentation_pct), N(finished), N(marked);
	T(asked_by), dump_stack(out, f->asked_from);
	fputc('\n', out);
}

static inline void dump_process(FILE *out, const struct nt_process_snapshot *process)
{
	{
		const struct nt_target_info *f = &process->target;
		N(pid), T(name), T(runtime), T(command), N(mode), U(uptime_ns), U(cpu_count), U(server_gc), N(ended), N(ended_at);
		T(end_text);
	}
	dump_figures(out, &process->interval);
	dump_figures(out, &process->total);
	{
		const struct nt_process_snapshot *f = process;
		N(method_count), N(methods_hidden), N(window_samples_milli), N(samples_all), N(collection_count), N(collection_total);
		N(exception_count), N(lock_count), N(thread_count), N(question_count), N(counter_count), N(counters_hidden);
		fputc('\n', out);
	}
	for (size_t i = 0; i < process->method_count; i++)
		dump_method(out, &process->methods[i]);
	for (size_t i = 0; i < process->collection_count; i++)
		dump_collection(out, process->collections[i]);
	for (size_t i = 0; i < process->gc_heap_count; i++) {
		const struct nt_gc_heap_row *f = &process->gc_heaps[i];
		N(collection), N(index), N(found_bytes), N(left_bytes), N(free_bytes), N(loh_bytes), U(gen0_budget_bytes), F(share_pct);
		fputc('\n', out);
	}
	for (size_t i = 0; i < NT_GC_ROW_GENERATIONS; i++) {
		const struct nt_gc_generation_row *f = &process->generations[i];
		N(count), D(per_s), U(p50_ns), U(p90_ns), U(p99_ns), U(max_ns), F(every_ms), N(window_count);
		fputc('\n', out);
	}
	for (size_t i = 0; i < process->exception_count; i++) {
		const struct nt_exception_row *f = &process->exceptions[i];
		N(id), T(type), T(message), N(count), N(count_all), T(thrown_at), N(fresh);
		dump_stack(out, f->thrown_from);
		fputc('\n', out);
	}
	for (size_t i = 0; i < process->lock_count; i++) {
		const struct nt_lock_row *f = &process->locks[i];
		N(id), T(site), N(count), N(count_all), N(spent_ns), N(spent_all_ns), D(window_per_s), D(window_spent), U(p50_ns),
			U(p99_ns);
		U(max_ns), N(waiting_count), N(owner_tid), T(owner_name), N(fresh), dump_stack(out, f->waited_from);
		fputc('\n', out);
	}
	for (size_t i = 0; i < process->thread_count; i++) {
		const struct nt_thread_row *f = &process->threads[i];
		N(id), N(tid), T(name), F(cpu_pct), F(user_pct), F(kernel_pct), N(state), N(state_ns), N(samples), N(ended), N(fresh);
		fputc('\n', out);
	}
	for (size_t i = 0; i < process->counter_count; i++) {
		const struct nt_counter_row *f = &process->counters[i];
		N(id), T(provider), T(name), T(display_name), T(unit), T(tags), T(label), N(kind), F(value), F(change), F(rate_per_s),
			F(least);
		F(greatest), F(p50), F(p95), F(p99), N(heard), N(fresh), N(ended);
		fputc('\n', out);
	}
	for (size_t i = 0; i < process->question_count; i++) {
		const struct nt_question *f = &process->questions[i];
		N(pid), N(inode), N(offset), N(map_start), N(map_end), T(image);
		fputc('\n', out);
	}
}

/* The whole snapshot; the caller frees. */
static inline char *dump(const struct nt_snapshot *snapshot)
{
	char *text = NULL;
	size_t length;
	FILE *out = open_memstream(&text, &length);
	const struct nt_snapshot *f = snapshot;
	N(sequence), N(t0), N(t1), N(start), N(final), F(self_pct), F(daemons_pct), F(self_total_pct), F(daemons_total_pct),
		F(target_cost_pct), F(target_cost_total_pct);
	U(self_rss_bytes), N(lost_count), N(lost_unknown), N(lost_growing), N(source_count), N(process_count);
	fputc('\n', out);
	for (size_t i = 0; i < snapshot->source_count; i++) {
		const struct nt_source_row *r = &snapshot->sources[i];
#define R(field) fprintf(out, " " #field "=%" PRIu64, (uint64_t)r->field)
		R(id), R(state), R(events), R(events_all), R(covered_ns.v), R(covered_all_ns.v), R(lost_count), R(lost_unknown),
			R(lost_growing), R(late_count), R(file_bytes.v), R(file_bytes.known);
		R(duplicate_count), R(unknown_count), R(last_delivery);
#undef R
		dump_text(out, "reason", r->reason);
		dump_text(out, "fix", r->fix);
		dump_f64(out, "rate", r->events_per_s);
		dump_u64(out, "lag", r->lag_ns);
		fputc('\n', out);
	}
	for (size_t i = 0; i < snapshot->process_count; i++)
		dump_process(out, &snapshot->processes[i]);
	fclose(out);
	return text;
}

#undef U
#undef F
#undef T
#undef N
#undef D

#endif
