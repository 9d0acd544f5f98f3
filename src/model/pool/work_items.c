// SPDX-License-Identifier: GPL-2.0-only
#include "model/pool/work_items.h"

#include "base/alloc.h"
#include "base/arena.h"

#include <stdlib.h>

/* Each class takes ten times longer waits than the one before. */
static const uint64_t first_class_ns = 10 * NT_NS_PER_US;

void nt_work_items_fini(struct nt_work_items *items)
{
	free(items->ring);
	free(items->now);
	free(items->all);
	nt_index_fini(&items->by_id);
	*items = (struct nt_work_items){ 0 };
}

void nt_work_items_source(struct nt_work_items *items, bool asked, const struct nt_why *lacks)
{
	items->asked = asked;
	items->lacks = *lacks;
}

/* ---- those that wait ---- */

static uint32_t place_of(uint64_t number)
{
	return (uint32_t)(number % NT_WORK_ITEMS_OPEN);
}

/* The first of its id; the next one of this id is the first then. */
static nt_time take_first(struct nt_work_items *items, uint32_t place)
{
	struct nt_work_item *item = &items->ring[place];
	nt_time time = item->time;
	if (item->next == NT_INDEX_NONE) {
		nt_index_remove(&items->by_id, item->id);
	} else {
		items->ring[item->next].last = item->last;
		nt_index_put(&items->by_id, item->id, item->next);
	}
	item->time = 0;
	items->open_count--;
	return time;
}

/* The oldest that is kept, taken or not. It is the first of its id: those behind it are younger. */
static void forget_oldest(struct nt_work_items *items)
{
	uint32_t place = place_of(items->begin++);
	if (!items->ring[place].time)
		return;
	take_first(items, place);
	items->now->unmatched++;
}

static void enqueued(struct nt_work_items *items, uint64_t id, nt_time time)
{
	if (!items->ring)
		items->ring = nt_alloc(NT_WORK_ITEMS_OPEN * sizeof(*items->ring));
	if (items->end - items->begin == NT_WORK_ITEMS_OPEN)
		forget_oldest(items);
	uint32_t place = place_of(items->end++), first = nt_index_get(&items->by_id, id);
	items->ring[place] = (struct nt_work_item){ .id = id, .time = time ? time : 1, .next = NT_INDEX_NONE, .last = place };
	items->open_count++;
	if (first == NT_INDEX_NONE) {
		nt_index_put(&items->by_id, id, place);
		return;
	}
	items->ring[items->ring[first].last].next = place;
	items->ring[first].last = place;
}

static unsigned class_of(uint64_t wait_ns)
{
	unsigned class = 0;
	for (uint64_t up_to = first_class_ns; class < NT_WORK_ITEM_CLASSES - 1 && wait_ns > up_to; up_to *= 10)
		class ++;
	return class;
}

static void taken(struct nt_work_items *items, uint64_t id, nt_time time)
{
	uint32_t first = nt_index_get(&items->by_id, id);
	if (first == NT_INDEX_NONE) {
		items->now->unmatched++;
		return;
	}
	nt_time since = take_first(items, first);
	uint64_t wait_ns = time > since ? time - since : 0;
	nt_histogram_add(&items->now->waits, wait_ns);
	items->now->classes[class_of(wait_ns)]++;
	while (items->begin < items->end && !items->ring[place_of(items->begin)].time)
		items->begin++;
}

static void forget_all(struct nt_work_items *items)
{
	nt_index_fini(&items->by_id);
	items->begin = items->end = items->open_count = 0;
}

static void count_from_now_on(struct nt_work_items *items)
{
	if (items->now)
		return;
	items->now = nt_alloc(sizeof(*items->now));
	items->all = nt_alloc(sizeof(*items->all));
}

static void forget_older(struct nt_work_items *items, nt_time than)
{
	for (; items->begin < items->end && items->ring[place_of(items->begin)].time < than; items->begin++)
		if (items->ring[place_of(items->begin)].time)
			take_first(items, place_of(items->begin));
}

void nt_work_items_apply(struct nt_work_items *items, const struct nt_event *event)
{
	const struct nt_ev_pool_item *told = &event->u.pool_item;
	count_from_now_on(items);
	if (told->op == NT_POOL_ITEM_ENQUEUED)
		enqueued(items, told->id, event->time);
	else
		taken(items, told->id, event->time);
}

/* ---- for how long ---- */

/* Of the open interval up to `until`. */
static nt_time covered_until(const struct nt_work_items *items, nt_time until)
{
	nt_time from = items->told_since > items->opened ? items->told_since : items->opened;
	return items->told_since && until > from ? until - from : 0;
}

void nt_work_items_covered(struct nt_work_items *items, bool covered, nt_time time)
{
	count_from_now_on(items);
	items->now->covered_ns += covered_until(items, time);
	items->told_since = covered ? time : 0;
	/* The first ones come before it is said that they do. What waited for its interval may be of a time before they were told anew. */
	if (covered) {
		forget_older(items, time);
		return;
	}
	forget_all(items);
	free(items->ring);
	items->ring = NULL;
}

void nt_work_items_lost(struct nt_work_items *items)
{
	forget_all(items);
}

/* ---- closing ---- */

static struct nt_why why_of(const struct nt_work_items *items, const struct nt_why *cannot)
{
	static const struct nt_why soon = { "work items have been asked for, and have not begun to come yet", NULL };
	static const struct nt_why unasked = { "work items are told while somebody looks at them: screen 4, key v",
					       "open that screen, or start nettop with --pool-items" };
	if (items->told_since)
		return (struct nt_why){ 0 };
	return items->lacks.reason ? items->lacks : cannot->reason ? *cannot : items->asked ? soon : unasked;
}

static void fill(const struct nt_work_item_counts *counts, const struct nt_work_items *items, struct nt_pool_item_figures *out)
{
	if (!counts || !counts->covered_ns)
		return;
	out->covered_ns = nt_u64_of(counts->covered_ns);
	out->count = nt_u64_of(counts->waits.count);
	out->p50_ns = nt_histogram_percentile(&counts->waits, 500);
	out->p95_ns = nt_histogram_percentile(&counts->waits, 950);
	out->p99_ns = nt_histogram_percentile(&counts->waits, 990);
	out->max_ns = nt_u64_if(counts->waits.count, counts->waits.max);
	out->unmatched_count = nt_u64_of(counts->unmatched);
	out->open_count = nt_u64_if(items->told_since, items->open_count);
}

static void fill_rows(const struct nt_work_items *items, struct nt_snapshot *snapshot, struct nt_process_snapshot *process)
{
	struct nt_pool_wait_row *rows = nt_arena_alloc(snapshot->arena, NT_WORK_ITEM_CLASSES * sizeof(*rows));
	uint64_t over = first_class_ns;
	for (unsigned i = 0; i < NT_WORK_ITEM_CLASSES; i++) {
		rows[i] = (struct nt_pool_wait_row){
			.id = i + 1, .over_ns = i ? over : 0, .count = items->now->classes[i], .count_all = items->all->classes[i]
		};
		over *= i ? 10 : 1;
	}
	process->pool_waits = rows;
	process->pool_wait_count = NT_WORK_ITEM_CLASSES;
}

/* What the interval adds to the time before. */
static void add_up(struct nt_work_items *items)
{
	items->all->covered_ns += items->now->covered_ns;
	items->all->unmatched += items->now->unmatched;
	nt_histogram_merge(&items->all->waits, &items->now->waits);
	for (unsigned i = 0; i < NT_WORK_ITEM_CLASSES; i++)
		items->all->classes[i] += items->now->classes[i];
}

static void next_interval(struct nt_work_items *items)
{
	nt_histogram_reset(&items->now->waits);
	items->now->covered_ns = 0;
	items->now->unmatched = 0;
	for (unsigned i = 0; i < NT_WORK_ITEM_CLASSES; i++)
		items->now->classes[i] = 0;
}

void nt_work_items_close(struct nt_work_items *items, const struct nt_span *span, const struct nt_why *cannot, struct nt_snapshot *snapshot,
			 struct nt_process_snapshot *process)
{
	struct nt_pool_item_figures *interval = &process->interval.pool.items, *total = &process->total.pool.items;
	if (items->now) {
		items->now->covered_ns += covered_until(items, span->t1);
		add_up(items);
	}
	fill(items->now, items, interval);
	fill(items->all, items, total);
	interval->why = why_of(items, cannot);
	total->why = total->covered_ns.known ? (struct nt_why){ 0 } : interval->why;
	if (total->covered_ns.known)
		fill_rows(items, snapshot, process);
	if (items->now)
		next_interval(items);
	items->opened = span->t1;
}

void nt_work_items_each_text(const struct nt_work_items *items, nt_text_visit *visit, void *context)
{
	if (items->lacks.reason)
		visit(items->lacks.reason, context);
	if (items->lacks.fix)
		visit(items->lacks.fix, context);
}
