// SPDX-License-Identifier: GPL-2.0-only
#include "model/locks/lock_groups.h"

#include "base/alloc.h"
#include "base/arena.h"
#include "model/common/series.h"
#include "model/common/trend_push.h"

#include <stdlib.h>

void nt_lock_groups_fini(struct nt_lock_groups *groups)
{
	free(groups->items);
	*groups = (struct nt_lock_groups){ 0 };
}

static struct nt_lock_group *find(struct nt_lock_groups *groups, uint64_t key)
{
	for (size_t i = 0; i < groups->count; i++)
		if (groups->items[i].key == key)
			return &groups->items[i];
	return NULL;
}

static struct nt_lock_group *add(struct nt_lock_groups *groups, uint64_t key)
{
	groups->items = nt_grow(groups->items, &groups->capacity, groups->count + 1, sizeof(*groups->items));
	struct nt_lock_group *item = &groups->items[groups->count++];
	*item = (struct nt_lock_group){ .key = key, .row = { .id = ++groups->made, .others = key == NT_LOCK_OTHERS, .fresh = true } };
	return item;
}

static void merge(struct nt_lock_group *into, const struct nt_lock_group *from)
{
	into->row.count += from->row.count;
	into->row.count_all += from->row.count_all;
	into->row.spent_ns += from->row.spent_ns;
	into->row.spent_all_ns += from->row.spent_all_ns;
	into->row.waiting_count += from->row.waiting_count;
	into->row.max_ns = from->row.max_ns > into->row.max_ns ? from->row.max_ns : into->row.max_ns;
	into->window_count += from->window_count;
	into->window_spent_ns += from->window_spent_ns;
}

static double weight_of(const struct nt_lock_group *item)
{
	return item->window_spent_ns + (double)item->row.spent_ns;
}

/* The row where least was waited in the window goes into that of the others. */
static void make_room(struct nt_lock_groups *groups)
{
	struct nt_lock_group *other = find(groups, NT_LOCK_OTHERS), *least = NULL;
	if (!other)
		other = add(groups, NT_LOCK_OTHERS);
	for (size_t i = 0; i < groups->count; i++) {
		struct nt_lock_group *item = &groups->items[i];
		if (item != other && (!least || weight_of(item) < weight_of(least)))
			least = item;
	}
	merge(other, least);
	*least = groups->items[--groups->count];
}

static struct nt_lock_group *row_of(struct nt_lock_groups *groups, uint64_t key)
{
	struct nt_lock_group *item = find(groups, key);
	if (item)
		return item;
	if (groups->count >= NT_LOCK_GROUPS - 1)
		make_room(groups);
	return add(groups, key);
}

void nt_lock_groups_settle(struct nt_lock_groups *groups, struct nt_sites *stacks)
{
	for (size_t i = 0; i < groups->count; i++) {
		struct nt_lock_group *item = &groups->items[i];
		item->row.waiting_count = 0;
		if (item->stack)
			item->site = nt_sites_keep(stacks, &item->stack);
	}
}

static void vote_for_site(struct nt_lock_group *item, const struct nt_site *site, nt_site_ref stack, nt_time spent_ns)
{
	if (!site->name)
		return;
	if (item->site.name == site->name && item->site.module == site->module) {
		item->site_lead_ns += spent_ns;
	} else if (item->site_lead_ns >= spent_ns && item->site.name) {
		item->site_lead_ns -= spent_ns;
		return;
	} else {
		item->site_lead_ns = spent_ns - item->site_lead_ns;
	}
	item->site = *site;
	item->stack = stack;
}

static void vote_for_owner(struct nt_lock_group *item, uint32_t owner_tid)
{
	if (!owner_tid)
		return;
	if (!item->owner_lead)
		item->owner_tid = owner_tid;
	item->owner_lead += item->owner_tid == owner_tid ? 1 : -1;
}

struct nt_lock_group *nt_lock_groups_spend(struct nt_lock_groups *groups, uint64_t key, uint32_t owner_tid, const struct nt_site *site,
					   nt_site_ref stack, nt_time spent_ns)
{
	struct nt_lock_group *item = row_of(groups, key);
	item->row.spent_ns += spent_ns;
	vote_for_site(item, site, stack, spent_ns);
	vote_for_owner(item, owner_tid);
	return item;
}

void nt_lock_group_ended(struct nt_lock_group *group, nt_time wait_ns)
{
	group->row.count++;
	if (wait_ns > group->row.max_ns)
		group->row.max_ns = wait_ns;
}

void nt_lock_group_waiting(struct nt_lock_group *group)
{
	group->row.waiting_count++;
}

void nt_lock_groups_forget_type(struct nt_lock_groups *groups, uint64_t key)
{
	struct nt_lock_group *item = find(groups, key);
	if (item)
		item->row.type = NULL;
}

static int compare_rows(const void *a, const void *b)
{
	const struct nt_lock_group_row *x = a, *y = b;
	if (x->spent_all_ns != y->spent_all_ns)
		return x->spent_all_ns > y->spent_all_ns ? -1 : 1;
	return x->id < y->id ? -1 : x->id > y->id;
}

static void close_row(struct nt_lock_group *item, const struct nt_span *span, nt_time covered_ns, double window_s)
{
	struct nt_lock_group_row *row = &item->row;
	row->count_all += row->count;
	row->spent_all_ns += row->spent_ns;
	item->window_count = item->window_count * span->decay + (double)row->count;
	item->window_spent_ns = item->window_spent_ns * span->decay + (double)row->spent_ns;
	row->window_per_s = window_s > 0 ? item->window_count / window_s : 0;
	row->window_spent = window_s > 0 ? item->window_spent_ns / window_s : 0;
	nt_trend_push(&row->trend, nt_per_second(nt_u64_of(row->spent_ns / NT_NS_PER_MS), covered_ns));
	row->owner_tid = item->owner_tid;
	row->site = item->site.name;
}

size_t nt_lock_groups_close(struct nt_lock_groups *groups, struct nt_sites *stacks, const struct nt_span *span, nt_time covered_ns,
			    double window_s, struct nt_snapshot *snapshot, struct nt_lock_group_row **rows)
{
	*rows = nt_arena_alloc(snapshot->arena, groups->count * sizeof(**rows));
	for (size_t i = 0; i < groups->count; i++) {
		struct nt_lock_group *item = &groups->items[i];
		close_row(item, span, covered_ns, window_s);
		item->row.waited_from = nt_sites_stack(stacks, item->stack, snapshot);
		(*rows)[i] = item->row;
		item->row.count = item->row.spent_ns = 0;
		item->row.fresh = false;
		item->owner_lead = 0;
	}
	qsort(*rows, groups->count, sizeof(**rows), compare_rows);
	return groups->count;
}

void nt_lock_groups_each_text(const struct nt_lock_groups *groups, nt_text_visit *visit, void *context)
{
	for (size_t i = 0; i < groups->count; i++) {
		visit(groups->items[i].site.name, context);
		visit(groups->items[i].site.module, context);
		visit(groups->items[i].row.type, context);
	}
}
