// SPDX-License-Identifier: GPL-2.0-only
#include "model/exceptions/throw_sites.h"

#include "base/alloc.h"
#include "base/arena.h"
#include "model/common/series.h"
#include "model/common/trend_push.h"

#include <stdlib.h>

static const struct nt_site other_sites = { .name = "(other sites)" };

void nt_throw_sites_fini(struct nt_throw_sites *sites)
{
	free(sites->items);
	*sites = (struct nt_throw_sites){ 0 };
}

static bool same_site(const struct nt_site *a, const struct nt_site *b)
{
	return a->name == b->name && a->module == b->module; /* texts of the table */
}

static struct nt_throw_site *find(struct nt_throw_sites *sites, const struct nt_site *site)
{
	for (size_t i = 0; i < sites->count; i++)
		if (same_site(&sites->items[i].site, site))
			return &sites->items[i];
	return NULL;
}

static struct nt_throw_site *add(struct nt_throw_sites *sites, const struct nt_site *site)
{
	sites->items = nt_grow(sites->items, &sites->capacity, sites->count + 1, sizeof(*sites->items));
	struct nt_throw_site *item = &sites->items[sites->count++];
	*item = (struct nt_throw_site){ .id = ++sites->made, .site = *site };
	return item;
}

static void remove_site(struct nt_throw_sites *sites, struct nt_throw_site *item)
{
	*item = sites->items[--sites->count];
}

/* Majority vote of Boyer and Moore: a type that is more than half of them leads in the end. */
static void vote(struct nt_throw_site *item, const char *type, uint64_t count)
{
	if (item->type == type) {
		item->type_lead += count;
	} else if (item->type_lead >= count) {
		item->type_lead -= count;
	} else {
		item->type_lead = count - item->type_lead;
		item->type = type;
	}
}

static void merge(struct nt_throw_site *into, const struct nt_throw_site *from)
{
	into->interval_count += from->interval_count;
	into->count += from->count;
	vote(into, from->type, from->type_lead);
}

static void make_room(struct nt_throw_sites *sites)
{
	struct nt_throw_site *other = find(sites, &other_sites), *least = NULL;
	if (!other)
		other = add(sites, &other_sites);
	for (size_t i = 0; i < sites->count; i++) {
		struct nt_throw_site *item = &sites->items[i];
		if (item != other && (!least || item->count + item->interval_count < least->count + least->interval_count))
			least = item;
	}
	merge(other, least);
	remove_site(sites, least);
}

/* Names have come: rows of one site become one row. */
void nt_throw_sites_settle(struct nt_throw_sites *sites, struct nt_sites *stacks)
{
	for (size_t i = 0; i < sites->count; i++) {
		struct nt_throw_site *item = &sites->items[i];
		if (!item->stack)
			continue;
		item->site = nt_sites_keep(stacks, &item->stack);
		struct nt_throw_site *earlier = find(sites, &item->site);
		if (earlier == item)
			continue;
		merge(earlier, item);
		remove_site(sites, item);
		i--;
	}
}

void nt_throw_sites_add(struct nt_throw_sites *sites, struct nt_sites *stacks, nt_site_ref stack, const char *type, uint64_t count)
{
	struct nt_site site = nt_sites_keep(stacks, &stack);
	if (!site.name)
		return;
	struct nt_throw_site *item = find(sites, &site);
	if (!item && sites->count >= NT_THROW_SITES - 1)
		make_room(sites);
	if (!item)
		item = add(sites, &site);
	item->stack = stack;
	item->interval_count += count;
	vote(item, type, count);
}

static int compare_rows(const void *a, const void *b)
{
	const struct nt_throw_site_row *x = a, *y = b;
	if (x->count_all != y->count_all)
		return x->count_all > y->count_all ? -1 : 1;
	return x->id < y->id ? -1 : x->id > y->id;
}

void nt_throw_sites_close(struct nt_throw_sites *sites, struct nt_sites *stacks, struct nt_snapshot *snapshot,
			  struct nt_process_snapshot *process)
{
	process->throw_sites = nt_arena_alloc(snapshot->arena, sites->count * sizeof(*process->throw_sites));
	process->throw_site_count = sites->count;
	for (size_t i = 0; i < sites->count; i++) {
		struct nt_throw_site *item = &sites->items[i];
		item->count += item->interval_count;
		nt_trend_push(&item->trend, nt_per_second(nt_u64_of(item->interval_count), process->interval.exceptions.covered_ns.v));
		process->throw_sites[i] = (struct nt_throw_site_row){
			.id = item->id,
			.site = item->site.name,
			.thrown_from = nt_sites_stack(stacks, item->stack, snapshot),
			.type = item->type,
			.count = item->interval_count,
			.count_all = item->count,
			.trend = item->trend,
			.fresh = !item->shown,
		};
		item->shown = true;
		item->interval_count = 0;
	}
	qsort(process->throw_sites, process->throw_site_count, sizeof(*process->throw_sites), compare_rows);
}

void nt_throw_sites_each_text(const struct nt_throw_sites *sites, nt_text_visit *visit, void *context)
{
	for (size_t i = 0; i < sites->count; i++) {
		visit(sites->items[i].site.name, context);
		visit(sites->items[i].site.module, context);
		visit(sites->items[i].type, context);
	}
}
