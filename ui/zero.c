// SPDX-License-Identifier: GPL-2.0-only
#include "ui/zero.h"

#include "base/alloc.h"

#include <math.h>
#include <stdlib.h>

/* What a row had: samples in itself and in all, or compilations and the time they took. */
struct base {
	uint64_t id, first, second;
};

struct bases {
	struct base *items; /* owned, sorted by id */
	size_t count, capacity;
};

struct nt_zero {
	nt_time at;
	struct bases methods, compilations;
	enum nt_sample_kind sample_kind;
	uint64_t samples;
	uint64_t generation_counts[NT_GC_ROW_GENERATIONS];
	/* Owned: the last answer. */
	struct nt_method_row *methods_now;
	struct nt_jit_row *compilations_now;
	size_t method_capacity, compilation_capacity;
};

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

static void add_base(struct bases *bases, struct base base)
{
	bases->items = nt_grow(bases->items, &bases->capacity, bases->count + 1, sizeof(*bases->items));
	bases->items[bases->count++] = base;
}

static void sort_bases(struct bases *bases)
{
	if (bases->count)
		qsort(bases->items, bases->count, sizeof(*bases->items), order_of_bases);
}

/* Snapshots leave out rows. One that comes back had everything but this interval's part before. */
void nt_zero_see(struct nt_zero *zero, const struct nt_process_snapshot *process)
{
	/* Those of another kind are counted anew. */
	if (zero->sample_kind != process->sample_kind) {
		zero->sample_kind = process->sample_kind;
		zero->samples = 0;
		zero->methods.count = 0;
	}
	size_t known = zero->methods.count;
	for (size_t i = 0; i < process->method_count; i++) {
		const struct nt_method_row *row = &process->methods[i];
		if (!find_base(&zero->methods, known, row->id))
			add_base(&zero->methods, (struct base){ row->id, row->self_samples_all - row->self_samples,
								row->total_samples_all - row->total_samples });
	}
	if (zero->methods.count > known)
		sort_bases(&zero->methods);
	known = zero->compilations.count;
	for (size_t i = 0; i < process->jit_method_count; i++) {
		const struct nt_jit_row *row = &process->jit_methods[i];
		if (!find_base(&zero->compilations, known, row->id))
			add_base(&zero->compilations,
				 (struct base){ row->id, row->count_all - row->count, row->time_all_ns - row->time_ns });
	}
	if (zero->compilations.count > known)
		sort_bases(&zero->compilations);
}

struct nt_zero *nt_zero_new(const struct nt_process_snapshot *process, nt_time at)
{
	struct nt_zero *zero = nt_alloc(sizeof(*zero));
	zero->at = at;
	zero->sample_kind = process->sample_kind;
	zero->samples = process->samples_all;
	for (size_t i = 0; i < process->method_count; i++) {
		const struct nt_method_row *row = &process->methods[i];
		add_base(&zero->methods, (struct base){ row->id, row->self_samples_all, row->total_samples_all });
	}
	for (size_t i = 0; i < process->jit_method_count; i++) {
		const struct nt_jit_row *row = &process->jit_methods[i];
		add_base(&zero->compilations, (struct base){ row->id, row->count_all, row->time_all_ns });
	}
	sort_bases(&zero->methods);
	sort_bases(&zero->compilations);
	for (int i = 0; i < NT_GC_ROW_GENERATIONS; i++)
		zero->generation_counts[i] = process->generations[i].count;
	return zero;
}

void nt_zero_free(struct nt_zero *zero)
{
	if (!zero)
		return;
	free(zero->methods.items);
	free(zero->compilations.items);
	free(zero->methods_now);
	free(zero->compilations_now);
	free(zero);
}

nt_time nt_zero_time(const struct nt_zero *zero)
{
	return zero->at;
}

/* A total never falls; were it to, nothing has been counted since. */
static uint64_t since(uint64_t now, uint64_t then)
{
	return now > then ? now - then : 0;
}

static double share_pct(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0;
}

static void methods_from_zero(struct nt_zero *zero, struct nt_process_snapshot *out)
{
	const struct nt_method_row *rows = out->methods;
	zero->methods_now = nt_grow(zero->methods_now, &zero->method_capacity, out->method_count + 1, sizeof(*zero->methods_now));
	out->methods = zero->methods_now;
	for (size_t i = 0; i < out->method_count; i++) {
		struct nt_method_row *row = &zero->methods_now[i];
		const struct base *base = find_base(&zero->methods, zero->methods.count, rows[i].id);
		*row = rows[i];
		if (base) {
			row->self_samples_all = since(row->self_samples_all, base->first);
			row->total_samples_all = since(row->total_samples_all, base->second);
		}
		row->all_self_pct = share_pct(row->self_samples_all, out->samples_all);
		row->all_total_pct = share_pct(row->total_samples_all, out->samples_all);
	}
}

/* The longest compilation of each row stays that since attach: it cannot be subtracted. */
static void compilations_from_zero(struct nt_zero *zero, struct nt_process_snapshot *out)
{
	const struct nt_jit_row *rows = out->jit_methods;
	zero->compilations_now =
		nt_grow(zero->compilations_now, &zero->compilation_capacity, out->jit_method_count + 1, sizeof(*zero->compilations_now));
	out->jit_methods = zero->compilations_now;
	for (size_t i = 0; i < out->jit_method_count; i++) {
		struct nt_jit_row *row = &zero->compilations_now[i];
		const struct base *base = find_base(&zero->compilations, zero->compilations.count, rows[i].id);
		*row = rows[i];
		if (!base)
			continue;
		row->count_all = since(row->count_all, base->first);
		row->time_all_ns = since(row->time_all_ns, base->second);
	}
}

static int order_of_pauses(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return x < y ? -1 : x > y;
}

static int generation_index(const struct nt_gc_row *row)
{
	return row->generation == 2 && row->type == 1 ? 3 : row->generation <= 2 ? (int)row->generation : -1;
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
		const struct nt_gc_row *row = &process->collections[i];
		if (row->finished && row->end >= zero->at && row->pause_ns.known && generation_index(row) == index)
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

struct nt_process_snapshot nt_zero_apply(struct nt_zero *zero, const struct nt_process_snapshot *process)
{
	struct nt_process_snapshot out = *process;
	out.samples_all = since(process->samples_all, zero->samples);
	methods_from_zero(zero, &out);
	compilations_from_zero(zero, &out);
	for (int i = 0; i < NT_GC_ROW_GENERATIONS; i++)
		pauses_from_zero(zero, process, i, &out.generations[i]);
	return out;
}
