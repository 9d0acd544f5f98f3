// SPDX-License-Identifier: GPL-2.0-only
/* What the screen shows of the threads at the end of an interval. */
#include "model/process/threads.h"

#include "base/alloc.h"
#include "base/arena.h"
#include "model/common/tombstone.h"
#include "model/common/trend_push.h"
#include "model/process/roles.h"

#include <stdlib.h>
#include <string.h>

/* A thread that readings no longer mention has ended. */
enum { UNMENTIONED_INTERVALS = 5 };
static const nt_time unmentioned_ns = 3 * NT_NS_PER_S, allocated_old_ns = 5 * NT_NS_PER_S;
static const double busy_least_pct = 90;

/* Nobody said that it ended, but the readings of the others go on without it. */
static void end_unmentioned(struct nt_threads *threads, const struct nt_span *span)
{
	nt_time patience = UNMENTIONED_INTERVALS * nt_span_length(span);
	if (patience < unmentioned_ns)
		patience = unmentioned_ns;
	for (size_t i = 0; i < threads->count; i++) {
		struct nt_thread *thread = &threads->items[i];
		if (thread->ended_at == NT_TIME_UNKNOWN && thread->seen + patience < threads->newest_reading)
			nt_threads_end(threads, thread, thread->seen);
	}
}

/* Remove tombstones that are old enough, and the oldest when there are too many. */
static void bury(struct nt_threads *threads, const struct nt_span *span)
{
	nt_time stay = nt_tombstone_ns(span);
	size_t too_many = threads->ended_count > NT_THREAD_TOMBSTONES ? threads->ended_count - NT_THREAD_TOMBSTONES : 0;
	size_t kept = 0;
	for (size_t i = 0; i < threads->count; i++) {
		struct nt_thread *thread = &threads->items[i];
		bool ended = thread->ended_at != NT_TIME_UNKNOWN;
		if (ended && (too_many || thread->ended_at + stay < span->t1)) {
			too_many -= too_many != 0;
			threads->ended_count--;
			threads->hot_count -= nt_thread_forget_methods(thread);
			continue;
		}
		if (!ended && kept != i)
			nt_index_put(&threads->by_tid, thread->tid, (uint32_t)kept);
		threads->items[kept++] = *thread;
	}
	threads->count = kept;
}

struct closing {
	struct nt_threads *threads;
	enum nt_sample_kind shown;
	const struct nt_span *span;
	struct nt_arena *arena; /* of the snapshot */
};

/* How long it has been busy. `before`: its reading at the interval's begin. */
static void note_busy(struct nt_thread *thread, const struct nt_cpu_reading *before, struct nt_thread_row *row)
{
	const struct nt_cpu_reading *newest = &thread->cpu.newest;
	if (!row->user_pct.known || !row->cpu_pct.known || row->cpu_pct.v < busy_least_pct)
		thread->busy_from.known = false;
	else if (!thread->busy_from.known)
		thread->busy_from = *before;
	const struct nt_cpu_reading *from = &thread->busy_from;
	if (!from->known || newest->time <= from->time)
		return;
	row->busy_ns = newest->time - from->time;
	row->busy_pct = 100.0 * (double)(newest->user_ns + newest->kernel_ns - from->user_ns - from->kernel_ns) / (double)row->busy_ns;
}

/* The methods of its samples into the row. */
static void fill_hot(const struct closing *closing, const struct nt_thread_samples *samples, struct nt_thread_row *row)
{
	row->samples = samples->interval;
	row->window_samples = samples->window;
	if (!samples->hot)
		return;
	struct nt_hot_method methods[NT_HOT_METHODS];
	row->hot_count = nt_hot_fill(samples->hot, row->window_samples, methods);
	struct nt_hot_method *hot = nt_arena_alloc(closing->arena, row->hot_count * sizeof(*hot));
	memcpy(hot, methods, row->hot_count * sizeof(*hot));
	row->hot = hot;
}

/* Samples of each kind; those of the next interval start lighter. */
static void close_samples(const struct closing *closing, struct nt_thread *thread, struct nt_thread_row *row)
{
	double decay = closing->span->decay;
	for (enum nt_sample_kind kind = 0; kind < NT_SAMPLE_KINDS; kind++) {
		struct nt_thread_samples *samples = &thread->samples[kind];
		samples->window += (double)samples->interval;
		if (samples->hot)
			nt_hot_rename(samples->hot, &closing->threads->renames);
		if (kind == closing->shown)
			fill_hot(closing, samples, row);
		samples->interval = 0;
		samples->window *= decay;
		if (!samples->hot)
			continue;
		samples->hot = nt_hot_decay(samples->hot, decay);
		closing->threads->hot_count -= !samples->hot;
	}
}

/* Between the newest readings of two intervals; one that stays out for long is none. */
static void close_allocated(struct nt_thread *thread, const struct nt_span *span, struct nt_thread_row *row)
{
	struct nt_allocated_reading *newest = &thread->allocated, *before = &thread->allocated_before;
	if (newest->known && before->known && newest->time > before->time)
		thread->allocated_per_s =
			nt_f64_of((double)(newest->bytes - before->bytes) * (double)NT_NS_PER_S / (double)(newest->time - before->time));
	if (newest->known && (!before->known || newest->time > before->time))
		*before = *newest;
	if (!newest->known || newest->time + allocated_old_ns < span->t1)
		thread->allocated_per_s.known = false;
	row->allocated_per_s = thread->allocated_per_s;
	row->allocated_bytes = (struct nt_u64){ .v = newest->bytes, .known = newest->known };
}

static void fill_row(const struct closing *closing, struct nt_thread *thread, struct nt_thread_row *row)
{
	const struct nt_span *span = closing->span;
	struct nt_cpu_reading before = thread->cpu.closed;
	nt_cpu_rate_close(&thread->cpu, span);
	*row = (struct nt_thread_row){ .id = thread->id,
				       .tid = thread->tid,
				       .name = thread->name,
				       .role = nt_role_of(thread->name, thread->clr_flags),
				       .ended = thread->ended_at != NT_TIME_UNKNOWN,
				       .parked = thread->parked_at != 0,
				       .fresh = thread->fresh };
	if (!row->ended) {
		row->user_pct = thread->cpu.user_pct;
		row->kernel_pct = thread->cpu.kernel_pct;
		row->state = thread->state;
		if (thread->state && thread->state_since < span->t1)
			row->state_ns = span->t1 - thread->state_since;
		if (thread->ran_at)
			row->idle_ns = nt_u64_of(span->t1 > thread->ran_at ? span->t1 - thread->ran_at : 0);
		close_allocated(thread, span, row);
	}
	if (row->user_pct.known && row->kernel_pct.known)
		row->cpu_pct = nt_f64_of(row->user_pct.v + row->kernel_pct.v);
	else if (!row->ended && thread->interval_weight_ns && nt_span_length(span))
		row->cpu_pct = nt_f64_of(100.0 * (double)thread->interval_weight_ns / (double)nt_span_length(span));
	note_busy(thread, &before, row);
	close_samples(closing, thread, row);
	if (nt_span_length(span))
		nt_trend_push(&thread->trend, row->cpu_pct);
	row->trend = thread->trend;
	thread->fresh = false;
	thread->interval_weight_ns = 0;
}

static void note_hottest(struct nt_cpu_figures *cpu, const struct nt_thread_row *row)
{
	if (!row->cpu_pct.known || (cpu->hottest_pct.known && cpu->hottest_pct.v >= row->cpu_pct.v))
		return;
	cpu->hottest_tid = nt_u64_of(row->tid);
	cpu->hottest_pct = row->cpu_pct;
	cpu->hottest_name = row->name;
}

static int compare_rows(const void *a, const void *b)
{
	const struct nt_thread_row *x = a, *y = b;
	double x_pct = x->cpu_pct.known ? x->cpu_pct.v : -1, y_pct = y->cpu_pct.known ? y->cpu_pct.v : -1;
	if (x_pct != y_pct)
		return x_pct > y_pct ? -1 : 1;
	return x->id < y->id ? -1 : x->id > y->id;
}

/* The hottest of the whole time: the most CPU time among those that still have a row. */
static void hottest_of_all(const struct nt_threads *threads, const struct nt_span *span, struct nt_cpu_figures *cpu)
{
	double length = (double)(span->t1 - span->start);
	for (size_t i = 0; i < threads->count && length > 0; i++) {
		const struct nt_thread *thread = &threads->items[i];
		const struct nt_cpu_reading *first = &thread->cpu.first, *newest = &thread->cpu.newest;
		uint64_t used = newest->user_ns + newest->kernel_ns - first->user_ns - first->kernel_ns;
		struct nt_thread_row row = { .tid = thread->tid, .name = thread->name };
		if (newest->known)
			row.cpu_pct = nt_f64_of(100.0 * (double)used / length);
		note_hottest(cpu, &row);
	}
}

static void add_pct(struct nt_f64 *sum, struct nt_f64 pct)
{
	*sum = (struct nt_f64){ .v = sum->v + pct.v, .known = sum->known && pct.known };
}

static void add_alike(struct nt_alike *alike, const struct nt_thread_row *row)
{
	alike->count++;
	add_pct(&alike->cpu_pct, row->cpu_pct);
	add_pct(&alike->user_pct, row->user_pct);
	add_pct(&alike->kernel_pct, row->kernel_pct);
	alike->samples += row->samples;
}

static const struct nt_alike alike_none = { .cpu_pct = { .known = true }, .user_pct = { .known = true }, .kernel_pct = { .known = true } };

static bool may_fold(const struct nt_thread_row *row)
{
	return row->waits && row->wait_from && row->wait != NT_WAIT_IDLE && !row->ended && !row->deadlocked && !row->alike.count &&
	       !row->folded;
}

/* Equal stacks are one in a snapshot. */
static bool waits_alike(const struct nt_thread_row *a, const struct nt_thread_row *b)
{
	return a->wait_from == b->wait_from && a->wait == b->wait && a->role == b->role && a->wait_owner_tid == b->wait_owner_tid &&
	       a->name == b->name;
}

void nt_threads_fold_waiting(struct nt_process_snapshot *process)
{
	struct nt_index longest = { 0 };
	for (size_t i = 0; i < process->thread_count; i++) {
		const struct nt_thread_row *row = &process->threads[i];
		if (!may_fold(row))
			continue;
		uint32_t known = nt_index_get(&longest, (uintptr_t)row->wait_from);
		if (known == NT_INDEX_NONE || row->wait_ns.v > process->threads[known].wait_ns.v)
			nt_index_put(&longest, (uintptr_t)row->wait_from, (uint32_t)i);
	}
	for (size_t i = 0; i < process->thread_count; i++) {
		struct nt_thread_row *row = &process->threads[i];
		uint32_t known = may_fold(row) ? nt_index_get(&longest, (uintptr_t)row->wait_from) : NT_INDEX_NONE;
		if (known == NT_INDEX_NONE || known == i || !waits_alike(&process->threads[known], row))
			continue;
		struct nt_thread_row *first = &process->threads[known];
		if (!first->alike.count) {
			first->alike = alike_none;
			add_alike(&first->alike, first);
		}
		row->folded = true;
		add_alike(&first->alike, row);
	}
	nt_index_fini(&longest);
}

/* nettop alone has up to eight such threads in a target, whose rows would hide those of the program. Each row keeps its own figures. */
static void note_alike(struct nt_process_snapshot *process)
{
	struct nt_thread_row *first = NULL;
	for (size_t i = 0; i < process->thread_count; i++) {
		struct nt_thread_row *row = &process->threads[i];
		if (row->ended || !row->name || strcmp(row->name, ".NET EventPipe") != 0)
			continue;
		if (!first) {
			first = row;
			first->alike = alike_none;
		}
		row->folded = row != first;
		add_alike(&first->alike, row);
	}
}

void nt_threads_close(struct nt_threads *threads, enum nt_sample_kind shown, const struct nt_span *span, struct nt_snapshot *snapshot,
		      struct nt_process_snapshot *process)
{
	end_unmentioned(threads, span);
	bury(threads, span);
	struct closing closing = { .threads = threads, .shown = shown, .span = span, .arena = snapshot->arena };
	process->threads = nt_realloc(NULL, threads->count, sizeof(*process->threads));
	process->thread_count = threads->count;
	for (size_t i = 0; i < threads->count; i++) {
		fill_row(&closing, &threads->items[i], &process->threads[i]);
		note_hottest(&process->interval.cpu, &process->threads[i]);
	}
	hottest_of_all(threads, span, &process->total.cpu);
	qsort(process->threads, process->thread_count, sizeof(*process->threads), compare_rows);
	note_alike(process);
	nt_hot_renames_clear(&threads->renames);
}
