// SPDX-License-Identifier: GPL-2.0-only
#include "model/requests/request_pauses.h"

#include "base/alloc.h"
#include "base/starts.h"

#include <stdlib.h>
#include <string.h>

void nt_request_pauses_fini(struct nt_request_pauses *pauses)
{
	free(pauses->items);
	*pauses = (struct nt_request_pauses){ 0 };
}

void nt_request_pauses_forget(struct nt_request_pauses *pauses)
{
	pauses->count = 0;
	pauses->from = 0;
}

/* Half of them at once, so that it costs nothing to speak of. */
static void drop_oldest(struct nt_request_pauses *pauses)
{
	size_t dropped = pauses->count / 2;
	pauses->from = pauses->items[dropped - 1].end;
	pauses->count -= dropped;
	memmove(pauses->items, pauses->items + dropped, pauses->count * sizeof(*pauses->items));
}

static void append(struct nt_request_pauses *pauses, nt_time begin, nt_time end)
{
	if (pauses->count == NT_REQUEST_PAUSES)
		drop_oldest(pauses);
	const struct nt_request_pause *last = pauses->count ? &pauses->items[pauses->count - 1] : NULL;
	uint64_t before_ns = last ? last->before_ns + (last->end - last->begin) : 0;
	pauses->items = nt_grow(pauses->items, &pauses->capacity, pauses->count + 1, sizeof(*pauses->items));
	pauses->items[pauses->count++] = (struct nt_request_pause){ begin, end, before_ns };
}

static int by_begin(const void *a, const void *b)
{
	const struct nt_request_pause *left = a, *right = b;
	return (left->begin > right->begin) - (left->begin < right->begin);
}

void nt_request_pauses_add(struct nt_request_pauses *pauses, const struct nt_pauses *ended, nt_time since)
{
	struct nt_request_pause fresh[NT_PAUSES];
	nt_time known = pauses->count ? pauses->items[pauses->count - 1].end : 0, oldest = NT_TIME_UNKNOWN;
	size_t count = 0, all = 0;
	if (!pauses->from)
		pauses->from = since;
	for (size_t i = 0; i < ended->count; i++) {
		nt_time begin = ended->items[i].begin, end = ended->items[i].end;
		if (end == NT_TIME_UNKNOWN || end <= begin)
			continue;
		all++;
		oldest = begin < oldest ? begin : oldest;
		if (begin >= known && end > pauses->from)
			fresh[count++] = (struct nt_request_pause){ begin, end, 0 };
	}
	/* So many have ended since that some of them are no longer there. */
	if (all && count == all && all >= NT_PAUSES_ENDED && oldest > pauses->from)
		pauses->from = oldest;
	if (count)
		qsort(fresh, count, sizeof(*fresh), by_begin);
	for (size_t i = 0; i < count; i++) /* one within another counts once */
		if (!pauses->count || fresh[i].begin >= pauses->items[pauses->count - 1].end)
			append(pauses, fresh[i].begin, fresh[i].end);
}

/* All pauses before `time`. */
static uint64_t sum_until(const struct nt_request_pauses *pauses, nt_time time)
{
	size_t begun = nt_starts_up_to(pauses->items, pauses->count, sizeof(*pauses->items), time);
	if (!begun)
		return pauses->count ? pauses->items[0].before_ns : 0;
	const struct nt_request_pause *pause = &pauses->items[begun - 1];
	return pause->before_ns + ((time < pause->end ? time : pause->end) - pause->begin);
}

struct nt_u64 nt_request_pauses_in(const struct nt_request_pauses *pauses, nt_time begin, nt_time end)
{
	if (!pauses->from || begin < pauses->from || end < begin)
		return (struct nt_u64){ 0 };
	return nt_u64_of(sum_until(pauses, end) - sum_until(pauses, begin));
}
