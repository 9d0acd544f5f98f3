// SPDX-License-Identifier: GPL-2.0-only
#include "ui/zero.h"

#include "base/alloc.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct method_base {
	uint64_t id, self_samples, total_samples;
};

struct nt_zero {
	nt_time at;
	struct method_base *bases; /* owned, sorted by id */
	size_t base_count, base_capacity;
	uint64_t samples;
	uint64_t generation_counts[NT_GC_ROW_GENERATIONS];
	struct nt_method_row *rows; /* owned: the last answer */
	size_t row_capacity;
};

static int order_of_bases(const void *a, const void *b)
{
	const struct method_base *x = a, *y = b;
	return x->id < y->id ? -1 : x->id > y->id;
}

static const struct method_base *find_base(const struct nt_zero *zero, size_t count, uint64_t id)
{
	const struct method_base key = { .id = id };
	return count ? bsearch(&key, zero->bases, count, sizeof(key), order_of_bases) : NULL;
}

/* Snapshots leave out methods that do not run. One that comes back had everything but this interval's samples before. */
void nt_zero_see(struct nt_zero *zero, const struct nt_process_snapshot *process)
{
	size_t known = zero->base_count;
	zero->bases = nt_grow(zero->bases, &zero->base_capacity, known + process->method_count, sizeof(*zero->bases));
	for (size_t i = 0; i < process->method_count; i++) {
		const struct nt_method_row *row = &process->methods[i];
		if (!find_base(zero, known, row->id))
			zero->bases[zero->base_count++] =
				(struct method_base){ .id = row->id,
						      .self_samples = row->self_samples_all - row->self_samples,
						      .total_samples = row->total_samples_all - row->total_samples };
	}
	if (zero->base_count > known)
		qsort(zero->bases, zero->base_count, sizeof(*zero->bases), order_of_bases);
}

struct nt_zero *nt_zero_new(const struct nt_process_snapshot *process, nt_time at)
{
	struct nt_zero *zero = nt_alloc(sizeof(*zero));
	zero->at = at;
	zero->samples = process->samples_all;
	zero->bases = nt_grow(NULL, &zero->base_capacity, process->method_count + 1, sizeof(*zero->bases));
	for (size_t i = 0; i < process->method_count; i++) {
		const struct nt_method_row *row = &process->methods[i];
		zero->bases[zero->base_count++] = (struct method_base){ row->id, row->self_samples_all, row->total_samples_all };
	}
	qsort(zero->bases, zero->base_count, sizeof(*zero->bases), order_of_bases);
	for (int i = 0; i < NT_GC_ROW_GENERATIONS; i++)
		zero->generation_counts[i] = process->generations[i].count;
	return zero;
}

void nt_zero_free(struct nt_zero *zero)
{
	if (!zero)
		return;
	free(zero->bases);
	free(zero->rows);
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

static void count_from_zero(const struct nt_zero *zero, struct nt_method_row *row, uint64_t samples)
{
	const struct method_base *base = find_base(zero, zero->base_count, row->id);
	if (base) {
		row->self_samples_all = since(row->self_samples_all, base->self_samples);
		row->total_samples_all = since(row->total_samples_all, base->total_samples);
	}
	row->all_self_pct = share_pct(row->self_samples_all, samples);
	row->all_total_pct = share_pct(row->total_samples_all, samples);
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
	zero->rows = nt_grow(zero->rows, &zero->row_capacity, process->method_count + 1, sizeof(*zero->rows));
	if (process->method_count)
		memcpy(zero->rows, process->methods, process->method_count * sizeof(*zero->rows));
	out.methods = zero->rows;
	out.samples_all = since(process->samples_all, zero->samples);
	for (size_t i = 0; i < out.method_count; i++)
		count_from_zero(zero, &out.methods[i], out.samples_all);
	for (int i = 0; i < NT_GC_ROW_GENERATIONS; i++)
		pauses_from_zero(zero, process, i, &out.generations[i]);
	return out;
}
