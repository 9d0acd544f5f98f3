// SPDX-License-Identifier: GPL-2.0-only
#include "ui/rows/zero_alloc.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

struct nt_zero_alloc {
	struct nt_alloc_row *then; /* owned, sorted by id */
	size_t count;
	struct nt_alloc_sampling sampling;
	struct nt_alloc_row *now; /* owned: the last answer */
	size_t capacity;
};

static int order_of_rows(const void *a, const void *b)
{
	const struct nt_alloc_row *x = a, *y = b;
	return x->id < y->id ? -1 : x->id > y->id;
}

struct nt_zero_alloc *nt_zero_alloc_new(const struct nt_process_snapshot *process)
{
	struct nt_zero_alloc *zero = nt_alloc(sizeof(*zero));
	zero->sampling = process->alloc_sampling;
	zero->count = process->allocation_count;
	zero->then = nt_alloc((zero->count + 1) * sizeof(*zero->then));
	if (!zero->count)
		return zero;
	memcpy(zero->then, process->allocations, zero->count * sizeof(*zero->then));
	qsort(zero->then, zero->count, sizeof(*zero->then), order_of_rows);
	return zero;
}

void nt_zero_alloc_free(struct nt_zero_alloc *zero)
{
	if (!zero)
		return;
	free(zero->then);
	free(zero->now);
	free(zero);
}

/* Sums never fall, but for what rounding makes of them. */
static double since(double now, double then)
{
	return now > then ? now - then : 0;
}

static void subtract(struct nt_alloc_sums *sums, const struct nt_alloc_sums *then)
{
	sums->bytes = since(sums->bytes, then->bytes);
	sums->objects = since(sums->objects, then->objects);
	sums->large_bytes = since(sums->large_bytes, then->large_bytes);
	sums->pinned_bytes = since(sums->pinned_bytes, then->pinned_bytes);
	sums->variance = since(sums->variance, then->variance);
	sums->samples = since(sums->samples, then->samples);
}

void nt_zero_alloc_apply(struct nt_zero_alloc *zero, struct nt_process_snapshot *out)
{
	const struct nt_alloc_row *rows = out->allocations;
	zero->now = nt_grow(zero->now, &zero->capacity, out->allocation_count + 1, sizeof(*zero->now));
	out->allocations = zero->now;
	for (size_t i = 0; i < out->allocation_count; i++) {
		zero->now[i] = rows[i];
		const struct nt_alloc_row *then =
			zero->count ? bsearch(&rows[i], zero->then, zero->count, sizeof(rows[i]), order_of_rows) : NULL;
		if (then)
			subtract(&zero->now[i].figures.all, &then->figures.all);
	}
	subtract(&out->alloc_sampling.figures.all, &zero->sampling.figures.all);
	out->alloc_sampling.all_s = since(out->alloc_sampling.all_s, zero->sampling.all_s);
}
