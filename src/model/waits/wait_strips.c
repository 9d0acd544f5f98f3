// SPDX-License-Identifier: GPL-2.0-only
#include "model/waits/wait_strips.h"

#include "base/alloc.h"
#include "base/arena.h"

#include <stdlib.h>
#include <string.h>

enum { POLLED = 1 << 7 };
_Static_assert((int)NT_WAIT_COUNT <= (int)POLLED, "a kind, and how it is known, are one byte");
_Static_assert(sizeof(struct nt_wait_strip_kept) <= NT_WAIT_STRIP_BYTES, "as the header says");

static const nt_time slice_ns = NT_STRIP_SLICE_MS * NT_NS_PER_MS, strip_ns = NT_STRIP_CELLS * NT_STRIP_SLICE_MS * NT_NS_PER_MS;

void nt_wait_strips_init(struct nt_wait_strips *strips)
{
	*strips = (struct nt_wait_strips){ 0 };
}

void nt_wait_strips_fini(struct nt_wait_strips *strips)
{
	free(strips->items);
	nt_index_fini(&strips->by_tid);
	*strips = (struct nt_wait_strips){ 0 };
}

static struct nt_wait_strip_kept *find(const struct nt_wait_strips *strips, uint32_t tid)
{
	uint32_t place = nt_index_get(&strips->by_tid, tid);
	return place == NT_INDEX_NONE ? NULL : &strips->items[place];
}

/* ---- room ---- */

static void forget(struct nt_wait_strips *strips, struct nt_wait_strip_kept *item)
{
	nt_index_remove(&strips->by_tid, item->tid);
	struct nt_wait_strip_kept *last = &strips->items[--strips->count];
	if (item == last)
		return;
	*item = *last;
	nt_index_put(&strips->by_tid, item->tid, (uint32_t)(item - strips->items));
}

static nt_time last_waited(const struct nt_wait_strip_kept *item)
{
	return item->ended ? 0 : item->waited;
}

/* Of those that have ended, or not waited since then, the one that has not for longest leaves; when there is none, nobody looks for one again in this interval. */
static void make_room(struct nt_wait_strips *strips, nt_time before)
{
	struct nt_wait_strip_kept *least = NULL;
	for (size_t i = 0; i < strips->count; i++) {
		struct nt_wait_strip_kept *item = &strips->items[i];
		if (last_waited(item) <= before && (!least || last_waited(item) < last_waited(least)))
			least = item;
	}
	strips->full = !least;
	if (least)
		forget(strips, least);
}

/* NULL: it is one too many. */
static struct nt_wait_strip_kept *strip_of(struct nt_wait_strips *strips, uint32_t tid, bool waits, nt_time time)
{
	struct nt_wait_strip_kept *item = find(strips, tid);
	if (item && item->ended)
		*item = (struct nt_wait_strip_kept){ .tid = tid }; /* the number is another thread's now */
	if (item)
		return item;
	if (strips->count >= NT_WAIT_STRIPS && waits && !strips->full)
		make_room(strips, time > strip_ns ? time - strip_ns : 0);
	if (strips->count >= NT_WAIT_STRIPS)
		return NULL;
	strips->items = nt_grow(strips->items, &strips->capacity, strips->count + 1, sizeof(*strips->items));
	nt_index_put(&strips->by_tid, tid, (uint32_t)strips->count);
	item = &strips->items[strips->count++];
	*item = (struct nt_wait_strip_kept){ .tid = tid };
	return item;
}

/* ---- slices ---- */

/* The slices up to this one are there, those that had the room of new ones are gone. */
static void reach(struct nt_wait_strip_kept *item, uint64_t slice)
{
	if (slice <= item->newest)
		return;
	uint64_t first = slice - item->newest >= NT_STRIP_CELLS ? slice - NT_STRIP_CELLS + 1 : item->newest + 1;
	for (uint64_t i = first; i <= slice; i++)
		item->slices[i % NT_STRIP_CELLS] = (struct nt_wait_slice){ 0 };
	item->newest = slice;
}

static bool is_there(const struct nt_wait_strip_kept *item, uint64_t slice)
{
	return slice <= item->newest && item->newest - slice < NT_STRIP_CELLS;
}

static uint32_t least_of(uint64_t a, uint64_t b)
{
	return (uint32_t)(a < b ? a : b);
}

static void spend(struct nt_wait_slice *slice, uint8_t sort, nt_time ns)
{
	unsigned least = 0;
	for (unsigned i = 0; i < NT_WAIT_STRIP_SORTS; i++) {
		if (slice->ns[i] && slice->sort[i] == sort) {
			slice->ns[i] = least_of(slice->ns[i] + ns, slice_ns);
			return;
		}
		if (slice->ns[i] < slice->ns[least])
			least = i;
	}
	if (slice->ns[least] >= ns)
		return;
	slice->ns[least] = least_of(ns, slice_ns);
	slice->sort[least] = sort;
}

void nt_wait_strips_add(struct nt_wait_strips *strips, uint32_t tid, enum nt_wait_kind kind, bool polled, nt_time from, nt_time to)
{
	if (to <= from)
		return;
	bool waits = kind != NT_WAIT_RUNS && kind != NT_WAIT_IDLE;
	struct nt_wait_strip_kept *item = strip_of(strips, tid, waits, to);
	if (!item)
		return;
	if (waits && to > item->waited)
		item->waited = to;
	reach(item, (to - 1) / slice_ns);
	if (to - from > strip_ns)
		from = to - strip_ns;
	while (from < to) {
		uint64_t slice = from / slice_ns;
		nt_time left = slice_ns - from % slice_ns, ns = to - from < left ? to - from : left;
		if (is_there(item, slice))
			spend(&item->slices[slice % NT_STRIP_CELLS], (uint8_t)(kind | (polled ? POLLED : 0)), ns);
		from += ns;
	}
}

void nt_wait_strips_count(struct nt_wait_strips *strips, enum nt_wait_kind kind, const struct nt_wait_piece *piece)
{
	nt_time ready = piece->until > piece->runq_ns ? piece->until - piece->runq_ns : 0;
	nt_time begin = ready > piece->spent_ns ? ready - piece->spent_ns : 0;
	nt_wait_strips_add(strips, piece->tid, kind, piece->polled, begin, ready);
	nt_wait_strips_add(strips, piece->tid, NT_WAIT_CPU, piece->polled, ready, piece->until);
}

void nt_wait_strips_thread_ended(struct nt_wait_strips *strips, uint32_t tid)
{
	struct nt_wait_strip_kept *item = strip_of(strips, tid, false, 0);
	if (item)
		item->ending = true;
}

/* ---- the snapshot ---- */

/* What most of a slice was of which so much counts; NULL: most of it nobody has told of. */
static const uint8_t *most_of(const struct nt_wait_slice *slice, nt_time room)
{
	nt_time told = 0;
	unsigned most = 0;
	for (unsigned i = 0; i < NT_WAIT_STRIP_SORTS; i++) {
		told += slice->ns[i];
		if (slice->ns[i] > slice->ns[most])
			most = i;
	}
	return slice->ns[most] && told + slice->ns[most] >= room ? &slice->sort[most] : NULL;
}

/* False: nothing lies in it. */
static bool fill(const struct nt_wait_strip_kept *item, nt_time until, struct nt_wait_strip *out)
{
	uint64_t last = until ? (until - 1) / slice_ns : 0;
	bool any = false;
	*out = (struct nt_wait_strip){ 0 };
	for (unsigned i = 0; i < NT_STRIP_CELLS; i++) {
		unsigned before = NT_STRIP_CELLS - 1 - i;
		const uint8_t *sort = NULL;
		out->cells[i] = ' ';
		if (before <= last && is_there(item, last - before))
			sort = most_of(&item->slices[(last - before) % NT_STRIP_CELLS], before ? slice_ns : until - last * slice_ns);
		if (!sort)
			continue;
		any = true;
		out->cells[i] = nt_wait_kind_mark(*sort & (POLLED - 1));
		out->polled |= *sort & POLLED ? UINT64_C(1) << i : 0;
	}
	return any;
}

static void fill_rows(const struct nt_wait_strips *strips, nt_time until, struct nt_snapshot *snapshot, struct nt_process_snapshot *process)
{
	struct nt_wait_strip strip;
	for (size_t i = 0; i < process->wait_thread_count; i++) {
		struct nt_wait_sum_row *row = &process->wait_threads[i];
		const struct nt_wait_strip_kept *item = row->tid ? find(strips, row->tid) : NULL;
		if (!item || row->ended != (item->ended || item->ending) || !fill(item, until, &strip))
			continue;
		row->strip = memcpy(nt_arena_alloc(snapshot->arena, sizeof(strip)), &strip, sizeof(strip));
	}
}

void nt_wait_strips_close(struct nt_wait_strips *strips, const struct nt_span *span, struct nt_snapshot *snapshot,
			  struct nt_process_snapshot *process)
{
	uint64_t last = span->t1 / slice_ns;
	fill_rows(strips, span->t1, snapshot, process);
	strips->full = false;
	for (size_t i = strips->count; i-- > 0;) {
		struct nt_wait_strip_kept *item = &strips->items[i];
		item->ended |= item->ending;
		item->ending = false;
		if (last > item->newest && last - item->newest >= NT_STRIP_CELLS)
			forget(strips, item);
	}
}
