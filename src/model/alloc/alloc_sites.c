// SPDX-License-Identifier: GPL-2.0-only
#include "model/alloc/alloc_sites.h"

#include "base/alloc.h"
#include "base/arena.h"
#include "model/common/trend_push.h"

#include <stdlib.h>

static const struct nt_site other_sites = { .name = "(other sites)" };

/* What is left of a row in the window when nothing of it is to be seen any more, in samples. */
static const double nothing_left = 0.01;

void nt_alloc_figures_close(struct nt_alloc_figures *figures, double decay)
{
	struct nt_alloc_sums before = figures->window;
	figures->window = figures->interval;
	nt_alloc_sums_add(&figures->window, &before, decay);
	if (figures->window.samples < nothing_left)
		figures->window = (struct nt_alloc_sums){ 0 };
	nt_alloc_sums_add(&figures->all, &figures->interval, 1);
}

void nt_alloc_sites_fini(struct nt_alloc_sites *sites)
{
	free(sites->items);
	free(sites->from);
	nt_index_fini(&sites->by_pair);
	*sites = (struct nt_alloc_sites){ 0 };
}

/* ---- while the interval is open ---- */

void nt_alloc_sites_sampled(struct nt_alloc_sites *sites, uint32_t type, nt_site_ref stack, const struct nt_alloc_sums *sums)
{
	uint64_t key = (uint64_t)type << 32 | stack;
	if (!stack)
		return;
	uint32_t index = nt_index_get(&sites->by_pair, key);
	if (index == NT_INDEX_NONE) {
		if (sites->from_count >= NT_ALLOC_FROM)
			return;
		index = (uint32_t)sites->from_count++;
		sites->from = nt_grow(sites->from, &sites->from_capacity, sites->from_count, sizeof(*sites->from));
		sites->from[index] = (struct nt_alloc_from){ .type = type, .stack = stack };
		nt_index_put(&sites->by_pair, key, index);
	}
	nt_alloc_sums_add(&sites->from[index].sums, sums, 1);
}

/* ---- rows ---- */

static bool same_site(const struct nt_site *a, const struct nt_site *b)
{
	return a->name == b->name && a->module == b->module; /* texts of the table */
}

static struct nt_alloc_site *find(struct nt_alloc_sites *sites, const struct nt_site *site)
{
	for (size_t i = 0; i < sites->count; i++)
		if (same_site(&sites->items[i].site, site))
			return &sites->items[i];
	return NULL;
}

static struct nt_alloc_site *add(struct nt_alloc_sites *sites, const struct nt_site *site)
{
	sites->items = nt_grow(sites->items, &sites->capacity, sites->count + 1, sizeof(*sites->items));
	struct nt_alloc_site *item = &sites->items[sites->count++];
	*item = (struct nt_alloc_site){ .row = { .id = ++sites->made, .fresh = true }, .site = *site };
	return item;
}

/* Majority vote of Boyer and Moore: a type that is more than half of the bytes leads in the end. */
static void vote(struct nt_alloc_site *item, const char *type, double bytes)
{
	if (item->row.type == type) {
		item->type_lead += bytes;
	} else if (item->type_lead >= bytes) {
		item->type_lead -= bytes;
	} else {
		item->type_lead = bytes - item->type_lead;
		item->row.type = type;
	}
}

static void merge(struct nt_alloc_site *into, const struct nt_alloc_site *from)
{
	nt_alloc_sums_add(&into->row.figures.interval, &from->row.figures.interval, 1);
	nt_alloc_sums_add(&into->row.figures.window, &from->row.figures.window, 1);
	nt_alloc_sums_add(&into->row.figures.all, &from->row.figures.all, 1);
	vote(into, from->row.type, from->type_lead);
}

static double weight_of(const struct nt_alloc_site *item)
{
	return item->row.figures.all.bytes + item->row.figures.interval.bytes;
}

static void make_room(struct nt_alloc_sites *sites)
{
	struct nt_alloc_site *other = find(sites, &other_sites), *least = NULL;
	if (!other)
		other = add(sites, &other_sites);
	for (size_t i = 0; i < sites->count; i++) {
		struct nt_alloc_site *item = &sites->items[i];
		if (item != other && (!least || weight_of(item) < weight_of(least)))
			least = item;
	}
	merge(other, least);
	*least = sites->items[--sites->count];
}

/* Names have come: rows of one site become one row. */
void nt_alloc_sites_settle(struct nt_alloc_sites *sites, struct nt_sites *stacks)
{
	for (size_t i = 0; i < sites->count; i++) {
		struct nt_alloc_site *item = &sites->items[i];
		if (!item->stack)
			continue;
		item->site = nt_sites_keep(stacks, &item->stack);
		struct nt_alloc_site *earlier = find(sites, &item->site);
		if (earlier == item)
			continue;
		merge(earlier, item);
		*item = sites->items[--sites->count];
		i--;
	}
}

void nt_alloc_sites_add(struct nt_alloc_sites *sites, struct nt_sites *stacks, const struct nt_alloc_from *from, const char *type)
{
	nt_site_ref stack = from->stack;
	struct nt_site site = nt_sites_keep(stacks, &stack);
	if (!site.name)
		return;
	struct nt_alloc_site *item = find(sites, &site);
	if (!item && sites->count >= NT_ALLOC_SITES - 1)
		make_room(sites);
	if (!item)
		item = add(sites, &site);
	item->stack = stack;
	nt_alloc_sums_add(&item->row.figures.interval, &from->sums, 1);
	vote(item, type, from->sums.bytes);
}

void nt_alloc_sites_begin(struct nt_alloc_sites *sites)
{
	for (size_t i = 0; i < sites->count; i++)
		sites->items[i].row.figures.window = (struct nt_alloc_sums){ 0 };
}

static int compare_rows(const void *a, const void *b)
{
	const struct nt_alloc_row *x = a, *y = b;
	if (x->figures.window.bytes != y->figures.window.bytes)
		return x->figures.window.bytes > y->figures.window.bytes ? -1 : 1;
	return x->id < y->id ? -1 : x->id > y->id;
}

void nt_alloc_sites_close(struct nt_alloc_sites *sites, struct nt_sites *stacks, double decay, struct nt_snapshot *snapshot,
			  struct nt_process_snapshot *process)
{
	double interval_s = process->alloc_sampling.interval_s;
	process->allocation_sites = nt_arena_alloc(snapshot->arena, sites->count * sizeof(*process->allocation_sites));
	process->allocation_site_count = sites->count;
	for (size_t i = 0; i < sites->count; i++) {
		struct nt_alloc_site *item = &sites->items[i];
		struct nt_f64 rate = { .known = interval_s > 0, .v = interval_s > 0 ? item->row.figures.interval.bytes / interval_s : 0 };
		nt_alloc_figures_close(&item->row.figures, decay);
		nt_trend_push(&item->row.trend, rate);
		item->row.site = item->site.name;
		item->row.allocated_from = nt_sites_stack(stacks, item->stack, snapshot);
		process->allocation_sites[i] = item->row;
		item->row.figures.interval = (struct nt_alloc_sums){ 0 };
		item->row.fresh = false;
	}
	qsort(process->allocation_sites, process->allocation_site_count, sizeof(*process->allocation_sites), compare_rows);
	sites->from_count = 0;
	nt_index_fini(&sites->by_pair);
}

void nt_alloc_sites_each_text(const struct nt_alloc_sites *sites, nt_text_visit *visit, void *context)
{
	for (size_t i = 0; i < sites->count; i++) {
		visit(sites->items[i].site.name, context);
		visit(sites->items[i].site.module, context);
		visit(sites->items[i].row.type, context);
	}
}
