// SPDX-License-Identifier: GPL-2.0-only
#include "model/gc/gc.h"

#include "base/alloc.h"

#include <stdlib.h>

enum { REASON_GC = 1, REASON_GC_PREPARATION = 6 };
enum { TYPE_BLOCKING = 0, TYPE_BACKGROUND = 1, TYPE_UNKNOWN = 3 };

void nt_gc_init(struct nt_gc *gc, size_t history_limit)
{
	*gc = (struct nt_gc){ .limit = history_limit ? history_limit : 1 };
	nt_gc_blocks_init(gc);
}

void nt_gc_fini(struct nt_gc *gc)
{
	nt_gc_blocks_fini(gc);
	nt_gc_heaps_fini(&gc->heaps);
	free(gc->rows);
	free(gc->beside);
	free(gc->histories);
	gc->rows = NULL;
	gc->beside = NULL;
	gc->histories = NULL;
}

/* ---- stops ---- */

static struct nt_gc_stop *stop_back(struct nt_gc *gc, size_t back)
{
	struct nt_gc_stop *stop = &gc->stops[(gc->next_stop - 1 - back) % NT_GC_STOPS];
	return back < NT_GC_STOPS && stop->used ? stop : NULL;
}

static struct nt_gc_stop *open_stop_of(struct nt_gc *gc, enum nt_source_id source, uint32_t tid)
{
	for (size_t back = 0; back < NT_GC_STOPS; back++) {
		struct nt_gc_stop *stop = stop_back(gc, back);
		if (!stop)
			return NULL;
		if (stop->open && stop->tid == tid && stop->source == source)
			return stop;
	}
	return NULL;
}

/* The stop for a collection in which `time` lies; an open one lasts. */
static struct nt_gc_stop *gc_stop_at(struct nt_gc *gc, nt_time time)
{
	for (size_t back = 0; back < NT_GC_STOPS; back++) {
		struct nt_gc_stop *stop = stop_back(gc, back);
		if (!stop)
			return NULL;
		if (stop->reason == REASON_GC && stop->begin <= time && (stop->open || time <= stop->end))
			return stop;
	}
	return NULL;
}

static void forget_detail(struct nt_gc *gc)
{
	if (gc->detail.global_seen || gc->detail.heaps_seen) /* else what was gathered of the heaps was told beside */
		nt_gc_heaps_forget(&gc->heaps);
	gc->detail = (struct nt_gc_detail){ 0 };
}

/* What was told of it so far. */
static void take_detail(struct nt_gc *gc, struct nt_gc_row *row)
{
	nt_gc_row_detail(gc, row, &gc->detail);
	nt_gc_heaps_belong(&gc->heaps, row->id);
}

/* The newest GCEnd gets no more details: what was collected for it is not the next one's. */
static void stop_awaiting(struct nt_gc *gc)
{
	if (gc->awaiting)
		forget_detail(gc);
	gc->awaiting = false;
}

static void suspend_begin(struct nt_gc *gc, enum nt_source_id source, const struct nt_event *event)
{
	struct nt_gc_stop *lost = open_stop_of(gc, source, event->tid);
	if (lost)
		lost->used = lost->open = false; /* its end was lost: how long it took nobody knows */
	gc->stops[gc->next_stop++ % NT_GC_STOPS] = (struct nt_gc_stop){ .used = true,
									.open = true,
									.tid = event->tid,
									.source = source,
									.reason = event->u.gc_suspend_begin.reason,
									.begin = event->time };
	if (event->u.gc_suspend_begin.reason == REASON_GC)
		stop_awaiting(gc);
}

static void add_pause(struct nt_gc_row *row, const struct nt_gc_stop *stop, nt_time from, nt_time to)
{
	row->pause_ns = nt_u64_of(row->pause_ns.v + (to > from ? to - from : 0));
	if (stop->stood > stop->begin)
		row->suspend_ns = nt_u64_of(row->suspend_ns.v + (stop->stood - stop->begin));
}

static bool within(nt_time time, const struct nt_gc_stop *stop)
{
	return time != NT_TIME_UNKNOWN && time >= stop->begin && time <= stop->end;
}

/*
 * Give an ended stop to the collections that began or ended in it. Two: a background collection that began with a young one in the same stop;
 * each gets the time from its own start on.
 */
static void distribute(struct nt_gc *gc, struct nt_gc_stop *stop)
{
	nt_time until = stop->end;
	bool claimed = false;
	for (size_t back = 0; back < NT_GC_STOPS; back++) { /* newest first, so each ends where the next begins */
		struct nt_gc_row *row = nt_gc_row_newest(gc, back);
		if (!row)
			break;
		bool started_here = within(row->start, stop);
		bool ended_here = row->finished && row->start == NT_TIME_UNKNOWN && row->type != TYPE_BACKGROUND && within(row->end, stop);
		if (!started_here && !ended_here)
			continue;
		bool earlier = false;
		for (size_t older = back + 1; older < back + 3 && !earlier; older++) {
			const struct nt_gc_row *other = nt_gc_row_newest(gc, older);
			earlier = other && within(other->start, stop);
		}
		add_pause(row, stop, earlier ? row->start : stop->begin, until);
		until = earlier && row->start < until ? row->start : until;
		claimed = true;
		if (row->finished && row->type != TYPE_BACKGROUND)
			nt_gc_row_finish(gc, row);
	}
	stop->unclaimed = !claimed;
}

/* Count what has passed of a pause up to `time`. */
static void spend(struct nt_gc *gc, struct nt_gc_stop *stop, nt_time time)
{
	nt_time from = stop->counted > stop->begin ? stop->counted : stop->begin;
	if (time <= from)
		return;
	struct nt_gc_counts *both[] = { &gc->interval, &gc->total };
	for (size_t i = 0; i < 2; i++) {
		both[i]->pause_ns += time - from;
		if (time - stop->begin > both[i]->pause_max_ns)
			both[i]->pause_max_ns = time - stop->begin;
	}
	stop->counted = time;
}

/* Is an open stop a pause, as far as is known? A background collection has one of its own beside those for other collections. */
static bool is_pause(const struct nt_gc *gc, const struct nt_gc_stop *stop)
{
	return stop->reason == REASON_GC || (stop->reason == REASON_GC_PREPARATION && gc->background_stops == 0);
}

void nt_gc_pass(struct nt_gc *gc, const struct nt_sources *sources, nt_time t1)
{
	for (size_t back = 0; back < NT_GC_STOPS; back++) {
		struct nt_gc_stop *stop = stop_back(gc, back);
		if (!stop)
			return;
		const struct nt_source_account *account = &sources->items[stop->source];
		stop->doubtful |= stop->open && account->lost_now;
		if (stop->open && !stop->doubtful && is_pause(gc, stop))
			spend(gc, stop, account->progress < t1 ? account->progress : t1);
	}
}

static bool is_for_collection(const struct nt_gc_stop *stop)
{
	return stop->reason == REASON_GC || stop->reason == REASON_GC_PREPARATION;
}

static void keep_pause(struct nt_gc *gc, const struct nt_gc_stop *stop)
{
	size_t place = gc->next_ended++ % NT_GC_ENDED_PAUSES;
	gc->ended.items[place].begin = stop->begin;
	gc->ended.items[place].end = stop->end;
	if (gc->ended.count <= place)
		gc->ended.count = place + 1;
}

void nt_gc_pauses(const struct nt_gc *gc, struct nt_pauses *out)
{
	*out = gc->ended;
	for (size_t i = 0; i < NT_GC_STOPS; i++) {
		const struct nt_gc_stop *stop = &gc->stops[i];
		if (!stop->used || !stop->open || stop->doubtful || !is_for_collection(stop))
			continue;
		out->items[out->count].begin = stop->begin;
		out->items[out->count++].end = NT_TIME_UNKNOWN;
	}
}

static void pause_counts(struct nt_gc *gc, struct nt_gc_stop *stop, nt_time duration)
{
	spend(gc, stop, stop->end);
	nt_histogram_add(&gc->pauses_interval, duration);
	nt_histogram_add(&gc->pauses_total, duration);
}

/*
 * A reason-6 stop ended. Only runtimes with the event log fully on (modes F and all) make more than one per background collection; without
 * GCStart (mode none) there is nothing to count against, and nothing needs to be.
 */
static void preparation_stop(struct nt_gc *gc, struct nt_gc_stop *stop, nt_time duration, enum nt_target_mode mode)
{
	gc->background_stops++;
	bool listener = mode == NT_MODE_F || mode == NT_MODE_ALL || mode == NT_MODE_UNKNOWN;
	stop->tracing = gc->background_stops > 1 && (gc->background_known || listener);
	struct nt_gc_row *row = gc->background_known ? nt_gc_row_find(gc, gc->background_number) : NULL;
	if (stop->tracing) {
		gc->interval.pause_tracing_ns += duration;
		gc->total.pause_tracing_ns += duration;
		if (row)
			row->pause_tracing_ns = nt_u64_of(row->pause_tracing_ns.v + duration);
		return;
	}
	pause_counts(gc, stop, duration);
	if (row)
		add_pause(row, stop, stop->begin, stop->end);
	stop->unclaimed = !row;
}

static void restart_begin(struct nt_gc *gc, enum nt_source_id source, const struct nt_event *event, enum nt_target_mode mode)
{
	struct nt_gc_stop *stop = open_stop_of(gc, source, event->tid);
	if (!stop)
		return;
	stop->open = false;
	stop->end = event->time > stop->begin ? event->time : stop->begin;
	if (is_for_collection(stop))
		keep_pause(gc, stop);
	nt_time duration = stop->end - stop->begin;
	if (stop->reason == REASON_GC) {
		pause_counts(gc, stop, duration);
		distribute(gc, stop);
	} else if (stop->reason == REASON_GC_PREPARATION) {
		preparation_stop(gc, stop, duration, mode);
	} else {
		gc->interval.suspend_other_ns += duration;
		gc->total.suspend_other_ns += duration;
	}
}

/* ---- collections ---- */

static void gc_start(struct nt_gc *gc, const struct nt_event *event)
{
	const struct nt_ev_gc_start *start = &event->u.gc_start;
	struct nt_gc_row *row = nt_gc_row_find(gc, start->number);
	if (!row)
		row = nt_gc_row_add(gc, start->number);
	row->start = event->time;
	if (!row->finished)
		row->generation = start->generation;
	row->type = start->type <= 2 ? start->type : TYPE_UNKNOWN;
	row->reason = nt_u64_of(start->reason);
	stop_awaiting(gc);
	nt_gc_answered(gc, row);
	if (row->type == TYPE_BACKGROUND) {
		gc->background_known = true;
		gc->background_number = start->number;
		gc->background_stops = 0;
	}
	struct nt_gc_stop *stop = gc_stop_at(gc, event->time);
	if (stop && !stop->open && stop->unclaimed)
		distribute(gc, stop);
}

/* The stops of a background collection whose start was not seen are those that no other collection claimed. */
static void claim_stops(struct nt_gc *gc, struct nt_gc_row *row)
{
	for (size_t back = 0; back < NT_GC_STOPS; back++) {
		struct nt_gc_stop *stop = stop_back(gc, back);
		if (!stop)
			return;
		if (!stop->unclaimed || stop->open || stop->end > row->end)
			continue;
		add_pause(row, stop, stop->begin, stop->end);
		stop->unclaimed = false;
	}
}

static void count_collection(struct nt_gc *gc, const struct nt_gc_row *row)
{
	if (row->generation > 2)
		return;
	gc->interval.count[row->generation]++;
	gc->total.count[row->generation]++;
	if (row->generation == 2 && row->reason.known) {
		bool large = nt_gc_reason_is_large(row->reason.v);
		gc->interval.reasons_told++;
		gc->total.reasons_told++;
		gc->interval.loh_count += large;
		gc->total.loh_count += large;
	}
	size_t index = row->type == TYPE_BACKGROUND ? 3 : row->generation;
	if (index == 3) {
		gc->interval.background_count++;
		gc->total.background_count++;
	}
	if (!gc->generations[index].count++)
		gc->generations[index].first = row->end;
	gc->generations[index].last = row->end;
	gc->generations[index].interval_count++;
}

static void gc_end(struct nt_gc *gc, const struct nt_event *event)
{
	const struct nt_ev_gc_end *end = &event->u.gc_end;
	struct nt_gc_row *row = nt_gc_row_find(gc, end->number);
	if (row && row->finished)
		return; /* said twice */
	if (!row)
		row = nt_gc_row_add(gc, end->number);
	row->generation = end->generation;
	row->end = event->time;
	row->finished = true;
	stop_awaiting(gc);
	gc->last_ended = end->number;
	gc->any_ended = true;
	gc->awaiting = !gc->detail.heaps_seen && !gc->detail.global_seen;
	gc->awaiting_number = end->number;
	if (!gc->awaiting)
		take_detail(gc, row);
	forget_detail(gc);

	struct nt_gc_stop *stop = gc_stop_at(gc, event->time);
	if (row->type == TYPE_BACKGROUND && stop && stop == gc_stop_at(gc, row->start))
		row->type = TYPE_BLOCKING; /* meant to be a background one, but it did all its work in one stop */
	if (row->start == NT_TIME_UNKNOWN) {
		if (!stop && row->generation == 2)
			row->type = TYPE_BACKGROUND; /* only those end while the program runs */
		else if (stop && row->type == TYPE_UNKNOWN)
			row->type = TYPE_BLOCKING;
		if (row->type == TYPE_BACKGROUND) {
			claim_stops(gc, row);
			gc->background_stops = 0;
		} else if (stop && !stop->open && stop->unclaimed) {
			distribute(gc, stop);
		}
	}
	count_collection(gc, row);
	if (row->type == TYPE_BACKGROUND || (row->start != NT_TIME_UNKNOWN && row->pause_ns.known))
		nt_gc_row_finish(gc, row); /* else its stop is still to end */
}

/* ---- details ---- */

static void heap_stats(struct nt_gc *gc, const struct nt_ev_gc_heap_stats *stats)
{
	uint64_t size = 0;
	for (unsigned i = 0; i < NT_GC_GENERATIONS; i++)
		size += i == NT_GC_POH && !stats->poh_known ? 0 : stats->size_bytes[i];
	gc->heap_bytes = nt_u64_of(size);
	gc->loh_bytes = nt_u64_of(stats->size_bytes[3]);
	gc->handle_count = nt_u64_of(stats->handle_count);
	struct nt_gc_row *row = gc->any_ended ? nt_gc_row_find(gc, gc->last_ended) : NULL;
	if (!row)
		return;
	row->after_bytes = gc->heap_bytes;
	row->loh_bytes = gc->loh_bytes;
	nt_gc_row_stats(gc, row, stats);
}

/* The row that already ended and waits for its details, or NULL: they are kept for the next GCEnd. */
static struct nt_gc_row *detail_row(struct nt_gc *gc)
{
	return gc->awaiting ? nt_gc_row_find(gc, gc->awaiting_number) : NULL;
}

static void told_within(struct nt_gc *gc, const struct nt_event *event)
{
	if (event->kind == NT_EV_GC_GLOBAL_HISTORY) {
		gc->detail.global_seen = true;
		gc->detail.global = event->u.gc_global_history;
	} else {
		nt_gc_detail_add(&gc->detail, &event->u.gc_heap_history);
	}
	struct nt_gc_row *row = detail_row(gc);
	if (row)
		take_detail(gc, row);
}

static void marked(struct nt_gc_counts *counts, const struct nt_ev_gc_mark *mark)
{
	/* By the runtime's type: see struct nt_ev_gc_mark. */
	static const enum nt_gc_root roots[] = { NT_GC_ROOT_STACKS,  NT_GC_ROOT_FINALIZERS, NT_GC_ROOT_HANDLES, NT_GC_ROOT_OLDER,
						 NT_GC_ROOT_HANDLES, NT_GC_ROOT_OTHER,      NT_GC_ROOT_HANDLES, NT_GC_ROOT_FINALIZERS };
	enum nt_gc_root root = mark->type < sizeof(roots) / sizeof(roots[0]) ? roots[mark->type] : NT_GC_ROOT_OTHER;
	counts->marks++;
	counts->marked_bytes[root] += mark->bytes;
}

void nt_gc_counted(struct nt_gc *gc, const struct nt_ev_counter *told)
{
	bool says_something = told->value > 0 || gc->any_ended; /* before the first collection it says 0 */
	if (told->known & NT_COUNTER_VALUE && told->value >= 0 && told->value <= 100 && says_something)
		gc->fragmentation_pct = nt_f64_of(told->value);
}

void nt_gc_committed(struct nt_gc *gc, const struct nt_ev_counter *told, nt_time time)
{
	const double unit_bytes = 1e6, most = 1e12;
	/* Before the first collection it says 0. */
	if (!(told->known & NT_COUNTER_VALUE) || !(told->value > 0 && told->value < most))
		return;
	gc->committed.bytes = (uint64_t)(told->value * unit_bytes + 0.5);
	gc->committed.heard = time;
}

void nt_gc_apply(struct nt_gc *gc, enum nt_source_id source, const struct nt_event *event, enum nt_target_mode mode, nt_site_ref stack)
{
	gc->any_event = true;
	struct nt_gc_stop *stop;
	switch (event->kind) {
	case NT_EV_GC_TRIGGERED:
		nt_gc_asked(gc, event->time, stack);
		break;
	case NT_EV_GC_SUSPEND_BEGIN:
		suspend_begin(gc, source, event);
		break;
	case NT_EV_GC_SUSPEND_END:
		stop = open_stop_of(gc, source, event->tid);
		if (stop)
			stop->stood = event->time;
		break;
	case NT_EV_GC_RESTART_BEGIN:
		restart_begin(gc, source, event, mode);
		break;
	case NT_EV_GC_START:
		gc_start(gc, event);
		break;
	case NT_EV_GC_END:
		gc_end(gc, event);
		break;
	case NT_EV_GC_HEAP_STATS:
		heap_stats(gc, &event->u.gc_heap_stats);
		break;
	case NT_EV_GC_GLOBAL_HISTORY:
	case NT_EV_GC_HEAP_HISTORY:
		nt_gc_heaps_tell(&gc->heaps, event);
		if (event->beside)
			nt_gc_told_beside(gc, event);
		else
			told_within(gc, event);
		break;
	case NT_EV_GC_MARK:
		marked(&gc->interval, &event->u.gc_mark);
		marked(&gc->total, &event->u.gc_mark);
		break;
	default:
		break;
	}
}
