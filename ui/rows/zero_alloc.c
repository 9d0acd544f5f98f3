// SPDX-License-Identifier: GPL-2.0-only
#include "ui/rows/zero_alloc.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

/* Rows of one sort: what they had, and the last answer. */
struct rows {
	struct nt_alloc_row *then; /* owned, sorted by id */
	size_t count;
	struct nt_alloc_row *now; /* owned */
	size_t capacity;
};

struct nt_zero_alloc {
	struct rows types, sites;
	struct nt_alloc_sampling sampling;
};

static int order_of_rows(const void *a, const void *b)
{
	const struct nt_alloc_row *x = a, *y = b;
	return x->id < y->id ? -1 : x->id > y->id;
}

static void keep(struct rows *rows, const struct nt_alloc_row *then, size_t count)
{
	rows->count = count;
	rows->then = nt_alloc((count + 1) * sizeof(*then));
	if (!count)
		return;
	memcpy(rows->then, then, count * sizeof(*then));
	qsort(rows->then, count, sizeof(*then), order_of_rows);
}

struct nt_zero_alloc *nt_zero_alloc_new(const struct nt_process_snapshot *process)
{
	struct nt_zero_alloc *zero = nt_alloc(sizeof(*zero));
	zero->sampling = process->alloc_sampling;
	keep(&zero->types, process->allocations, process->allocation_count);
	keep(&zero->sites, process->allocation_sites, process->allocation_site_count);
	return zero;
}

void nt_zero_alloc_free(struct nt_zero_alloc *zero)
{
	if (!zero)
		return;
	free(zero->types.then);
	free(zero->types.now);
	free(zero->sites.then);
	free(zero->sites.now);
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

static struct nt_alloc_row *counted(struct rows *zero, const struct nt_alloc_row *rows, size_t count)
{
	zero->now = nt_grow(zero->now, &zero->capacity, count + 1, sizeof(*zero->now));
	for (size_t i = 0; i < count; i++) {
		zero->now[i] = rows[i];
		const struct nt_alloc_row *then =
			zero->count ? bsearch(&rows[i], zero->then, zero->count, sizeof(rows[i]), order_of_rows) : NULL;
		if (then)
			subtract(&zero->now[i].figures.all, &then->figures.all);
	}
	return zero->now;
}

void nt_zero_alloc_apply(struct nt_zero_alloc *zero, struct nt_process_snapshot *out)
{
	out->allocations = counted(&zero->types, out->allocations, out->allocation_count);
	out->allocation_sites = counted(&zero->sites, out->allocation_sites, out->allocation_site_count);
	subtract(&out->alloc_sampling.figures.all, &zero->sampling.figures.all);
	out->alloc_sampling.all_s = since(out->alloc_sampling.all_s, zero->sampling.all_s);
}
