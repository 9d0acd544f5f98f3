// SPDX-License-Identifier: GPL-2.0-only
#include "ui/rows/zero.h"

#include "base/alloc.h"
#include "ui/rows/zero_alloc.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* ---- which totals rows have ---- */

enum { NONE = -1, TOTALS = 4 };

/* A sort of rows in struct nt_process_snapshot: offsets there, and in a row. */
struct kind {
	size_t rows, count, row_size, id;
	/* Of each total, and of what this interval has added to it; NONE = there is no such total. */
	ptrdiff_t totals[TOTALS], added[TOTALS];
};

#define ROWS(rows, count, type)                                                                                                            \
	offsetof(struct nt_process_snapshot, rows), offsetof(struct nt_process_snapshot, count), sizeof(type), offsetof(type, id)
#define OF(type, member) ((ptrdiff_t)offsetof(type, member))

enum {
	METHODS,
	COMPILATIONS,
	JIT_MODULES,
	JIT_NAMESPACES,
	JIT_TIERS,
	JIT_TRIGGERS,
	JIT_CALLERS,
	EXCEPTIONS,
	THROW_SITES,
	REQUESTS,
	POOL_WAITS,
	LOCKS,
	LOCK_OBJECTS,
	LOCK_OWNERS,
	WAITS,
	WAIT_REASONS,
	WAIT_THREADS,
	WALL,
	KINDS
};

/* Their CPU time is that since attach. */
#define JIT_SUM(part, member) OF(struct nt_jit_group_row, part.member)
#define JIT_SUMS(part)                                                                                                                     \
	{                                                                                                                                  \
		JIT_SUM(part, count), JIT_SUM(part, time_ns), JIT_SUM(part, il_bytes), JIT_SUM(part, native_bytes)                         \
	}
#define JIT_GROUPS(grouping)                                                                                                               \
	{                                                                                                                                  \
		ROWS(jit_groups[grouping], jit_group_count[grouping], struct nt_jit_group_row), JIT_SUMS(all), JIT_SUMS(now)               \
	}

#define SUM(member) OF(struct nt_wait_sum_row, member)
#define SUM_TOTALS                                                                                                                         \
	{                                                                                                                                  \
		SUM(count_all), SUM(wait.all_ns), SUM(runq.all_ns), SUM(idle.all_ns)                                                       \
	}
#define SUM_ADDED                                                                                                                          \
	{                                                                                                                                  \
		SUM(count), SUM(wait.ns), SUM(runq.ns), SUM(idle.ns)                                                                       \
	}

static const struct kind kinds[KINDS] = {
	[METHODS] = { ROWS(methods, method_count, struct nt_method_row),
		      { OF(struct nt_method_row, self_samples_all), OF(struct nt_method_row, total_samples_all), NONE, NONE },
		      { OF(struct nt_method_row, self_samples), OF(struct nt_method_row, total_samples), NONE, NONE } },
	/* The longest compilation of each row stays that since attach: it cannot be subtracted. Nor can percentiles of waits. */
	[COMPILATIONS] = { ROWS(jit_methods, jit_method_count, struct nt_jit_row),
			   { OF(struct nt_jit_row, count_all), OF(struct nt_jit_row, time_all_ns), NONE, NONE },
			   { OF(struct nt_jit_row, count), OF(struct nt_jit_row, time_ns), NONE, NONE } },
	[JIT_MODULES] = JIT_GROUPS(NT_JIT_BY_MODULE),
	[JIT_NAMESPACES] = JIT_GROUPS(NT_JIT_BY_NAMESPACE),
	[JIT_TIERS] = JIT_GROUPS(NT_JIT_BY_TIER),
	[JIT_TRIGGERS] = JIT_GROUPS(NT_JIT_BY_TRIGGER),
	[JIT_CALLERS] = { ROWS(jit_callers, jit_caller_count, struct nt_jit_caller_row),
			  { OF(struct nt_jit_caller_row, count_all), OF(struct nt_jit_caller_row, time_all_ns), NONE, NONE },
			  { OF(struct nt_jit_caller_row, count), OF(struct nt_jit_caller_row, time_ns), NONE, NONE } },
	[EXCEPTIONS] = { ROWS(exceptions, exception_count, struct nt_exception_row),
			 { OF(struct nt_exception_row, count_all), NONE, NONE, NONE },
			 { OF(struct nt_exception_row, count), NONE, NONE, NONE } },
	[THROW_SITES] = { ROWS(throw_sites, throw_site_count, struct nt_throw_site_row),
			  { OF(struct nt_throw_site_row, count_all), NONE, NONE, NONE },
			  { OF(struct nt_throw_site_row, count), NONE, NONE, NONE } },
	[REQUESTS] = { ROWS(requests, request_count, struct nt_request_row),
		       { OF(struct nt_request_row, count_all), OF(struct nt_request_row, time_all_ns), NONE, NONE },
		       { OF(struct nt_request_row, count), OF(struct nt_request_row, time_ns), NONE, NONE } },
	[POOL_WAITS] = { ROWS(pool_waits, pool_wait_count, struct nt_pool_wait_row),
			 { OF(struct nt_pool_wait_row, count_all), NONE, NONE, NONE },
			 { OF(struct nt_pool_wait_row, count), NONE, NONE, NONE } },
	[LOCKS] = { ROWS(locks, lock_count, struct nt_lock_row),
		    { OF(struct nt_lock_row, count_all), OF(struct nt_lock_row, spent_all_ns), NONE, NONE },
		    { OF(struct nt_lock_row, count), OF(struct nt_lock_row, spent_ns), NONE, NONE } },
	[LOCK_OBJECTS] = { ROWS(lock_objects, lock_object_count, struct nt_lock_group_row),
			   { OF(struct nt_lock_group_row, count_all), OF(struct nt_lock_group_row, spent_all_ns), NONE, NONE },
			   { OF(struct nt_lock_group_row, count), OF(struct nt_lock_group_row, spent_ns), NONE, NONE } },
	[LOCK_OWNERS] = { ROWS(lock_owners, lock_owner_count, struct nt_lock_group_row),
			  { OF(struct nt_lock_group_row, count_all), OF(struct nt_lock_group_row, spent_all_ns), NONE, NONE },
			  { OF(struct nt_lock_group_row, count), OF(struct nt_lock_group_row, spent_ns), NONE, NONE } },
	[WAITS] = { ROWS(waits, wait_count, struct nt_wait_row),
		    { OF(struct nt_wait_row, count_all), OF(struct nt_wait_row, spent_all_ns), OF(struct nt_wait_row, runq_all_ns), NONE },
		    { OF(struct nt_wait_row, count), OF(struct nt_wait_row, spent_ns), OF(struct nt_wait_row, runq_ns), NONE } },
	[WAIT_REASONS] = { ROWS(wait_reasons, wait_reason_count, struct nt_wait_sum_row), SUM_TOTALS, SUM_ADDED },
	[WAIT_THREADS] = { ROWS(wait_threads, wait_thread_count, struct nt_wait_sum_row), SUM_TOTALS, SUM_ADDED },
	[WALL] = { ROWS(wall, wall_count, struct nt_wall_row),
		   { OF(struct nt_wall_row, run.all_ns), OF(struct nt_wall_row, wait.all_ns), OF(struct nt_wall_row, runq.all_ns), NONE },
		   { OF(struct nt_wall_row, run.ns), OF(struct nt_wall_row, wait.ns), OF(struct nt_wall_row, runq.ns), NONE } },
};

/* What a row had. */
struct base {
	uint64_t id, totals[TOTALS];
};

/* Of one kind. */
struct bases {
	struct base *items; /* owned, sorted by id */
	size_t count, capacity;
	char *now; /* owned: the rows of the last answer */
	size_t now_capacity;
};

struct nt_zero {
	nt_time at;
	enum nt_sample_kind sample_kind;
	struct bases bases[KINDS];
	struct nt_zero_alloc *allocations; /* owned */
	uint64_t samples;
	uint64_t generation_counts[NT_GC_ROW_GENERATIONS];
	struct nt_figures total;
};

static size_t count_of(const struct kind *kind, const struct nt_process_snapshot *process)
{
	return *(const size_t *)((const char *)process + kind->count);
}

static const char *rows_of(const struct kind *kind, const struct nt_process_snapshot *process)
{
	return *(const char *const *)((const char *)process + kind->rows);
}

static uint64_t *number_at(char *row, size_t offset)
{
	return (uint64_t *)(void *)(row + offset);
}

static uint64_t read_at(const char *row, ptrdiff_t offset)
{
	return offset == NONE ? 0 : *(const uint64_t *)(const void *)(row + offset);
}

/* A total never falls; were it to, nothing has been counted since. */
static uint64_t since(uint64_t now, uint64_t then)
{
	return now > then ? now - then : 0;
}

/* ---- what rows had ---- */

static int order_of_bases(const void *a, const void *b)
{
	const struct base *x = a, *y = b;
	return x->id < y->id ? -1 : x->id > y->id;
}

/* Among the first `count`, which are sorted. */
static const struct base *find_base(const struct bases *bases, size_t count, uint64_t id)
{
	const struct base key = { .id = id };
	return count ? bsearch(&key, bases->items, count, sizeof(key), order_of_bases) : NULL;
}

/* Rows that are not known yet: what they had, `before` what this interval has added. */
static void add_bases(struct bases *bases, const struct kind *kind, const struct nt_process_snapshot *process, bool before)
{
	size_t known = bases->count, count = count_of(kind, process);
	const char *row = rows_of(kind, process);
	for (size_t i = 0; i < count; i++, row += kind->row_size) {
		struct base base = { .id = read_at(row, (ptrdiff_t)kind->id) };
		if (find_base(bases, known, base.id))
			continue;
		for (int t = 0; t < TOTALS; t++)
			base.totals[t] = read_at(row, kind->totals[t]) - (before ? read_at(row, kind->added[t]) : 0);
		bases->items = nt_grow(bases->items, &bases->capacity, bases->count + 1, sizeof(*bases->items));
		bases->items[bases->count++] = base;
	}
	if (bases->count > known)
		qsort(bases->items, bases->count, sizeof(*bases->items), order_of_bases);
}

/* Snapshots leave out rows. One that comes back had everything but this interval's part before. */
void nt_zero_see(struct nt_zero *zero, const struct nt_process_snapshot *process)
{
	/* Those of another kind are counted anew. */
	if (zero->sample_kind != process->sample_kind) {
		zero->sample_kind = process->sample_kind;
		zero->samples = 0;
		zero->bases[METHODS].count = 0;
	}
	for (int k = 0; k < KINDS; k++)
		add_bases(&zero->bases[k], &kinds[k], process, true);
}

struct nt_zero *nt_zero_new(const struct nt_process_snapshot *process, nt_time at)
{
	struct nt_zero *zero = nt_alloc(sizeof(*zero));
	zero->at = at;
	zero->sample_kind = process->sample_kind;
	zero->samples = process->samples_all;
	zero->allocations = nt_zero_alloc_new(process);
	zero->total = process->total;
	for (int k = 0; k < KINDS; k++)
		add_bases(&zero->bases[k], &kinds[k], process, false);
	for (int i = 0; i < NT_GC_ROW_GENERATIONS; i++)
		zero->generation_counts[i] = process->generations[i].count;
	return zero;
}

void nt_zero_free(struct nt_zero *zero)
{
	if (!zero)
		return;
	nt_zero_alloc_free(zero->allocations);
	for (int k = 0; k < KINDS; k++) {
		free(zero->bases[k].items);
		free(zero->bases[k].now);
	}
	free(zero);
}

nt_time nt_zero_time(const struct nt_zero *zero)
{
	return zero->at;
}

/* ---- what they have since ---- */

static void subtract(char *row, const struct kind *kind, const struct base *base)
{
	for (int t = 0; t < TOTALS; t++)
		if (kind->totals[t] != NONE)
			*number_at(row, (size_t)kind->totals[t]) = since(read_at(row, kind->totals[t]), base->totals[t]);
}

static void rows_from_zero(struct bases *bases, const struct kind *kind, struct nt_process_snapshot *out)
{
	size_t count = count_of(kind, out);
	bases->now = nt_grow(bases->now, &bases->now_capacity, count + 1, kind->row_size);
	if (count)
		memcpy(bases->now, rows_of(kind, out), count * kind->row_size);
	*(char **)(void *)((char *)out + kind->rows) = bases->now;
	for (size_t i = 0; i < count; i++) {
		char *row = bases->now + i * kind->row_size;
		const struct base *base = find_base(bases, bases->count, read_at(row, (ptrdiff_t)kind->id));
		if (base)
			subtract(row, kind, base);
	}
}

static double share_pct(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0;
}

static void shares_from_zero(struct nt_process_snapshot *out)
{
	for (size_t i = 0; i < out->method_count; i++) {
		struct nt_method_row *row = &out->methods[i];
		row->all_self_pct = share_pct(row->self_samples_all, out->samples_all);
		row->all_total_pct = share_pct(row->total_samples_all, out->samples_all);
	}
}

static int order_of_pauses(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return x < y ? -1 : x > y;
}

static struct nt_u64 percentile(const uint64_t *sorted, size_t count, double share)
{
	return count ? nt_u64_of(sorted[(size_t)ceil(share * (double)count) - 1]) : (struct nt_u64){ 0 };
}

/* From the collections themselves: percentiles cannot be subtracted. */
static void pauses_from_zero(const struct nt_zero *zero, const struct nt_process_snapshot *process, int index,
			     struct nt_gc_generation_row *out)
{
	uint64_t *pauses = nt_alloc((process->collection_count + 1) * sizeof(*pauses));
	size_t count = 0;
	for (size_t i = 0; i < process->collection_count; i++) {
		const struct nt_gc_row *row = process->collections[i];
		if (row->finished && row->end >= zero->at && row->pause_ns.known && nt_gc_row_generation(row) == index)
			pauses[count++] = row->pause_ns.v;
	}
	if (count)
		qsort(pauses, count, sizeof(*pauses), order_of_pauses);
	out->count = since(out->count, zero->generation_counts[index]);
	out->p50_ns = percentile(pauses, count, 0.50);
	out->p90_ns = percentile(pauses, count, 0.90);
	out->p99_ns = percentile(pauses, count, 0.99);
	out->max_ns = percentile(pauses, count, 1.00);
	free(pauses);
}

/* What grows: counts, and the time that rates are of, beside which counts are lower bounds. States and extremes stay those since attach. */
static void figures_from_zero(const struct nt_figures *then, struct nt_figures *now)
{
	now->span_ns = since(now->span_ns, then->span_ns);
	now->lived_ns = since(now->lived_ns, then->lived_ns);
	for (size_t s = 0; s < NT_SUBJECT_COUNT; s++)
		for (size_t i = 0; i < nt_subjects[s]->figure_count; i++) {
			const struct nt_figure *figure = &nt_subjects[s]->figures[i];
			if (figure->sort != NT_COUNTER || figure->type != NT_FIGURE_U64)
				continue;
			struct nt_u64 *value = (struct nt_u64 *)(void *)((char *)now + figure->offset);
			value->v = since(value->v, ((const struct nt_u64 *)(const void *)((const char *)then + figure->offset))->v);
		}
}

static void purposes_from_zero(struct nt_cpu_figures *cpu)
{
	for (unsigned i = 0; i < NT_PURPOSE_COUNT; i++) {
		cpu->purposes.pct[i].known = cpu->purposes.samples[i].known && cpu->samples.v;
		cpu->purposes.pct[i].v = share_pct(cpu->purposes.samples[i].v, cpu->samples.v);
	}
}

struct nt_process_snapshot nt_zero_apply(struct nt_zero *zero, const struct nt_process_snapshot *process)
{
	struct nt_process_snapshot out = *process;
	out.samples_all = since(process->samples_all, zero->samples);
	for (int k = 0; k < KINDS; k++)
		rows_from_zero(&zero->bases[k], &kinds[k], &out);
	shares_from_zero(&out);
	figures_from_zero(&zero->total, &out.total);
	purposes_from_zero(&out.total.cpu);
	nt_zero_alloc_apply(zero->allocations, &out);
	for (int i = 0; i < NT_GC_ROW_GENERATIONS; i++)
		pauses_from_zero(zero, process, i, &out.generations[i]);
	return out;
}
