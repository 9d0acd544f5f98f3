// SPDX-License-Identifier: GPL-2.0-only
#include "model/sites/site_counts.h"

static bool same_site(const struct nt_site *a, const struct nt_site *b)
{
	return a->name == b->name && a->module == b->module; /* texts of the table */
}

static struct nt_site_count *counter_of(struct nt_site_counts *counts, const struct nt_site *site)
{
	struct nt_site_count *least = &counts->items[0];
	for (size_t i = 0; i < NT_SITE_COUNTS; i++) {
		struct nt_site_count *item = &counts->items[i];
		if (item->count && same_site(&item->site, site))
			return item;
		if (item->count < least->count)
			least = item;
	}
	return least;
}

void nt_site_counts_add(struct nt_site_counts *counts, struct nt_sites *sites, nt_site_ref stack, uint64_t count)
{
	struct nt_site site = nt_sites_keep(sites, &stack);
	if (!site.name)
		return;
	struct nt_site_count *item = counter_of(counts, &site);
	item->site = site;
	item->stack = stack;
	item->count += count;
}

/* A name has come, and it is that of another counter. */
static void merge_same(struct nt_site_counts *counts, size_t last)
{
	for (size_t i = 0; i < last; i++) {
		struct nt_site_count *earlier = &counts->items[i], *later = &counts->items[last];
		if (!earlier->count || !same_site(&earlier->site, &later->site))
			continue;
		earlier->count += later->count;
		*later = (struct nt_site_count){ 0 };
		return;
	}
}

void nt_site_counts_keep(struct nt_site_counts *counts, struct nt_sites *sites, bool active)
{
	const struct nt_site_count *first = nt_site_counts_first(counts);
	for (size_t i = 0; i < NT_SITE_COUNTS; i++) {
		struct nt_site_count *item = &counts->items[i];
		if (!item->stack)
			continue;
		item->site = nt_sites_keep(sites, &item->stack);
		if (!active && !item->site.open && item != first)
			item->stack = 0;
		merge_same(counts, i);
	}
}

const struct nt_site_count *nt_site_counts_first(const struct nt_site_counts *counts)
{
	const struct nt_site_count *first = &counts->items[0];
	for (size_t i = 1; i < NT_SITE_COUNTS; i++)
		if (counts->items[i].count > first->count)
			first = &counts->items[i];
	return first;
}

void nt_site_counts_each_text(const struct nt_site_counts *counts, nt_text_visit *visit, void *context)
{
	for (size_t i = 0; i < NT_SITE_COUNTS; i++) {
		visit(counts->items[i].site.name, context);
		visit(counts->items[i].site.module, context);
	}
}
