// SPDX-License-Identifier: GPL-2.0-only
#include "model/locks/lock_sites.h"

#include "base/alloc.h"
#include "model/common/series.h"
#include "model/common/trend_push.h"

#include <stdlib.h>

static const struct nt_site other_sites = { .name = "(other sites)" };

void nt_lock_sites_init(struct nt_lock_sites *sites)
{
	*sites = (struct nt_lock_sites){ 0 };
}

void nt_lock_sites_fini(struct nt_lock_sites *sites)
{
	for (size_t i = 0; i < sites->count; i++)
		free(sites->items[i].waits);
	free(sites->items);
	free(sites->ended);
	nt_lock_groups_fini(&sites->by_lock);
	nt_lock_groups_fini(&sites->by_owner);
	*sites = (struct nt_lock_sites){ 0 };
}

/* ---- rows ---- */

static bool same_site(const struct nt_site *a, const struct nt_site *b)
{
	return a->name == b->name && a->module == b->module; /* texts of the table */
}

static struct nt_lock_site *find(struct nt_lock_sites *sites, const struct nt_site *site)
{
	for (size_t i = 0; i < sites->count; i++)
		if (same_site(&sites->items[i].site, site))
			return &sites->items[i];
	return NULL;
}

static struct nt_lock_site *add(struct nt_lock_sites *sites, const struct nt_site *site)
{
	sites->items = nt_grow(sites->items, &sites->capacity, sites->count + 1, sizeof(*sites->items));
	struct nt_lock_site *item = &sites->items[sites->count++];
	*item = (struct nt_lock_site){ .id = ++sites->made, .site = *site, .waits = nt_alloc(sizeof(*item->waits)) };
	return item;
}

static void remove_site(struct nt_lock_sites *sites, struct nt_lock_site *item)
{
	free(item->waits);
	*item = sites->items[--sites->count];
}

static void merge(struct nt_lock_site *into, const struct nt_lock_site *from)
{
	nt_histogram_merge(into->waits, from->waits);
	into->interval_count += from->interval_count;
	into->count += from->count;
	into->interval_spent_ns += from->interval_spent_ns;
	into->spent_ns += from->spent_ns;
	into->window_count += from->window_count;
	into->window_spent_ns += from->window_spent_ns;
	into->waiting_count += from->waiting_count;
}

/* The row where least was waited in the window goes into that of the others. */
static void make_room(struct nt_lock_sites *sites)
{
	struct nt_lock_site *other = find(sites, &other_sites), *least = NULL;
	if (!other)
		other = add(sites, &other_sites);
	for (size_t i = 0; i < sites->count; i++) {
		struct nt_lock_site *item = &sites->items[i];
		if (item != other && (!least || item->window_spent_ns + (double)item->interval_spent_ns <
							least->window_spent_ns + (double)least->interval_spent_ns))
			least = item;
	}
	merge(other, least);
	remove_site(sites, least);
}

static struct nt_lock_site *row_of(struct nt_lock_sites *sites, const struct nt_site *site)
{
	struct nt_lock_site *item = find(sites, site);
	if (item)
		return item;
	if (sites->count >= NT_LOCK_SITES - 1)
		make_room(sites);
	return add(sites, site);
}

/* ---- waits ---- */

void nt_lock_sites_ended(struct nt_lock_sites *sites, const struct nt_lock_wait *wait)
{
	if (sites->ended_count < NT_LOCK_WAITS_ENDED) {
		sites->ended = nt_grow(sites->ended, &sites->ended_capacity, sites->ended_count + 1, sizeof(*sites->ended));
		sites->ended[sites->ended_count++] = *wait;
		return;
	}
	struct nt_lock_site *other = row_of(sites, &other_sites);
	other->interval_count++;
	other->interval_spent_ns += wait->spent_ns;
	nt_histogram_add(other->waits, wait->wait_ns);
	struct nt_lock_groups *const groupings[] = { &sites->by_lock, &sites->by_owner };
	for (size_t i = 0; i < sizeof(groupings) / sizeof(groupings[0]); i++)
		nt_lock_group_ended(nt_lock_groups_spend(groupings[i], NT_LOCK_OTHERS, 0, &other->site, 0, wait->spent_ns), wait->wait_ns);
}

/* Majority vote of Boyer and Moore: whoever held the lock in more than half of the interval's waits leads in the end. */
static void vote(struct nt_lock_site *item, uint32_t owner_tid)
{
	if (!owner_tid)
		return;
	if (!item->owner_lead)
		item->interval_owner_tid = owner_tid;
	if (item->interval_owner_tid == owner_tid)
		item->owner_lead++;
	else
		item->owner_lead--;
}

/* The rows of a wait: of its place, of the lock, of who held it. */
struct rows {
	struct nt_lock_site *site;
	struct nt_lock_group *lock, *owner;
};

static struct rows spend(struct nt_lock_sites *sites, struct nt_sites *stacks, struct nt_lock_wait *wait)
{
	struct nt_site site = nt_sites_keep(stacks, &wait->stack);
	struct nt_lock_site *item = row_of(sites, &site);
	item->site = site;
	item->stack = wait->stack;
	item->interval_spent_ns += wait->spent_ns;
	vote(item, wait->owner_tid);
	return (struct rows){
		item,
		nt_lock_groups_spend(&sites->by_lock, wait->lock_id, wait->owner_tid, &site, wait->stack, wait->spent_ns),
		nt_lock_groups_spend(&sites->by_owner, wait->owner_tid, wait->owner_tid, &site, wait->stack, wait->spent_ns),
	};
}

static void count_ended(struct nt_lock_sites *sites, struct nt_sites *stacks, bool with_stacks)
{
	for (size_t i = 0; i < sites->ended_count; i++) {
		if ((with_stacks && !sites->ended[i].stack) || (sites->none_beside && sites->ended[i].beside))
			continue;
		struct rows rows = spend(sites, stacks, &sites->ended[i]);
		rows.site->interval_count++;
		nt_histogram_add(rows.site->waits, sites->ended[i].wait_ns);
		nt_lock_group_ended(rows.lock, sites->ended[i].wait_ns);
		nt_lock_group_ended(rows.owner, sites->ended[i].wait_ns);
	}
	sites->ended_count = 0;
}

/* Names have come: rows of one site become one row. */
static void name_again(struct nt_lock_sites *sites, struct nt_sites *stacks)
{
	for (size_t i = 0; i < sites->count; i++) {
		struct nt_lock_site *item = &sites->items[i];
		if (!item->stack)
			continue;
		item->site = nt_sites_keep(stacks, &item->stack);
		struct nt_lock_site *earlier = find(sites, &item->site);
		if (earlier == item)
			continue;
		merge(earlier, item);
		remove_site(sites, item);
		i--;
	}
}

void nt_lock_sites_settle(struct nt_lock_sites *sites, struct nt_sites *stacks, bool with_stacks)
{
	for (size_t i = 0; i < sites->count; i++)
		sites->items[i].waiting_count = 0;
	nt_lock_groups_settle(&sites->by_lock, stacks);
	nt_lock_groups_settle(&sites->by_owner, stacks);
	name_again(sites, stacks);
	count_ended(sites, stacks, with_stacks);
}

void nt_lock_sites_waiting(struct nt_lock_sites *sites, struct nt_sites *stacks, struct nt_lock_wait *wait)
{
	struct rows rows = spend(sites, stacks, wait);
	rows.site->waiting_count++;
	nt_lock_group_waiting(rows.lock);
	nt_lock_group_waiting(rows.owner);
	wait->spent_ns = 0;
}

/* ---- the snapshot ---- */

static void next_interval(struct nt_lock_site *item, const struct nt_span *span, nt_time covered_ns)
{
	struct nt_f64 ms_per_s = nt_per_second(nt_u64_of(item->interval_spent_ns / NT_NS_PER_MS), covered_ns);
	item->count += item->interval_count;
	item->spent_ns += item->interval_spent_ns;
	item->window_count = item->window_count * span->decay + (double)item->interval_count;
	item->window_spent_ns = item->window_spent_ns * span->decay + (double)item->interval_spent_ns;
	nt_trend_push(&item->trend, ms_per_s);
	if (item->owner_lead)
		item->owner_tid = item->interval_owner_tid;
	item->owner_lead = 0;
}

/* An owner that is no living thread of the target is not said: the number may mean something else. */
static void fill_owner(struct nt_lock_row *row, uint32_t owner_tid, const struct nt_process_snapshot *process)
{
	for (size_t i = 0; owner_tid && i < process->thread_count; i++) {
		const struct nt_thread_row *thread = &process->threads[i];
		if (thread->tid != owner_tid || thread->ended)
			continue;
		row->owner_tid = owner_tid;
		row->owner_name = thread->name;
		return;
	}
}

static struct nt_lock_row make_row(const struct nt_lock_site *item, double window_s)
{
	struct nt_lock_row row = {
		.id = item->id,
		.site = item->site.name,
		.count = item->interval_count,
		.count_all = item->count,
		.spent_ns = item->interval_spent_ns,
		.spent_all_ns = item->spent_ns,
		.p50_ns = nt_histogram_percentile(item->waits, 500),
		.p99_ns = nt_histogram_percentile(item->waits, 990),
		.waiting_count = item->waiting_count,
		.trend = item->trend,
		.fresh = !item->shown,
	};
	if (item->waits->count)
		row.max_ns = nt_u64_of(item->waits->max);
	if (window_s > 0) {
		row.window_per_s = item->window_count / window_s;
		row.window_spent = item->window_spent_ns / window_s;
	}
	return row;
}

static int compare_rows(const void *a, const void *b)
{
	const struct nt_lock_row *x = a, *y = b;
	if (x->spent_all_ns != y->spent_all_ns)
		return x->spent_all_ns > y->spent_all_ns ? -1 : 1;
	return x->id < y->id ? -1 : x->id > y->id;
}

void nt_lock_sites_close(struct nt_lock_sites *sites, struct nt_sites *stacks, const struct nt_span *span, struct nt_snapshot *snapshot,
			 struct nt_process_snapshot *process)
{
	nt_time covered_ns = process->interval.locks.covered_ns.v;
	sites->window_ns = sites->window_ns * span->decay + (double)covered_ns;
	process->locks = nt_realloc(NULL, sites->count, sizeof(*process->locks));
	process->lock_count = sites->count;
	for (size_t i = 0; i < sites->count; i++) {
		struct nt_lock_site *item = &sites->items[i];
		struct nt_lock_row *row = &process->locks[i];
		next_interval(item, span, covered_ns);
		*row = make_row(item, sites->window_ns / (double)NT_NS_PER_S);
		row->waited_from = nt_sites_stack(stacks, item->stack, snapshot);
		fill_owner(row, item->owner_tid, process);
		item->shown = true;
		item->interval_count = item->interval_spent_ns = 0;
	}
	qsort(process->locks, process->lock_count, sizeof(*process->locks), compare_rows);
	double window_s = sites->window_ns / (double)NT_NS_PER_S;
	process->lock_object_count =
		nt_lock_groups_close(&sites->by_lock, stacks, span, covered_ns, window_s, snapshot, &process->lock_objects);
	process->lock_owner_count =
		nt_lock_groups_close(&sites->by_owner, stacks, span, covered_ns, window_s, snapshot, &process->lock_owners);
}

void nt_lock_sites_each_text(const struct nt_lock_sites *sites, nt_text_visit *visit, void *context)
{
	for (size_t i = 0; i < sites->count; i++) {
		visit(sites->items[i].site.name, context);
		visit(sites->items[i].site.module, context);
	}
	nt_lock_groups_each_text(&sites->by_lock, visit, context);
	nt_lock_groups_each_text(&sites->by_owner, visit, context);
}
