// SPDX-License-Identifier: GPL-2.0-only
/* The pauses of the last ten intervals, by the rows that are kept: what is called the window on the screen. */
#include "model/gc/gc.h"

#include "base/alloc.h"
#include "model/gc/gc_pauses.h"

#include <stdlib.h>

enum { INTERVALS = 10, OLDER_IN_A_ROW = 64 /* one in the background ends behind so many that began later */ };

static int by_length(const void *a, const void *b)
{
	const uint64_t *one = a, *other = b;
	return (*one > *other) - (*one < *other);
}

/* The value that `per_mille` of them do not exceed. */
static struct nt_u64 percentile(const uint64_t *sorted, size_t count, size_t per_mille)
{
	return count ? nt_u64_of(sorted[(count * per_mille + 999) / 1000 - 1]) : (struct nt_u64){ 0 };
}

struct nt_gc_recent nt_gc_pauses_of(uint64_t *pauses, size_t count, nt_time first, nt_time last)
{
	if (count)
		qsort(pauses, count, sizeof(*pauses), by_length);
	struct nt_gc_recent recent = { .count = count,
				       .p50_ns = percentile(pauses, count, 500),
				       .p90_ns = percentile(pauses, count, 900),
				       .p99_ns = percentile(pauses, count, 990),
				       .max_ns = percentile(pauses, count, 1000) };
	if (count > 1)
		recent.every_ms = nt_f64_of((double)(last - first) / (double)NT_NS_PER_MS / (double)(count - 1));
	return recent;
}

static struct nt_gc_recent recent_of(struct nt_gc *gc, int index, size_t row_count, nt_time from, uint64_t *pauses)
{
	nt_time first = NT_TIME_UNKNOWN, last = 0;
	size_t count = 0;
	for (size_t back = 0; back < row_count; back++) {
		const struct nt_gc_row *row = nt_gc_row_newest(gc, back);
		if (!row->finished || row->end < from || !row->pause_ns.known || nt_gc_row_generation(row) != index)
			continue;
		pauses[count++] = row->pause_ns.v;
		first = row->end < first || first == NT_TIME_UNKNOWN ? row->end : first;
		last = row->end > last ? row->end : last;
	}
	return nt_gc_pauses_of(pauses, count, first, last);
}

/* So many of the newest rows hold all that ended since `from`. */
static size_t rows_since(struct nt_gc *gc, nt_time from)
{
	size_t count = 0, older = 0;
	for (const struct nt_gc_row *row; older < OLDER_IN_A_ROW && (row = nt_gc_row_newest(gc, count)); count++)
		older = row->finished && row->end < from ? older + 1 : 0;
	return count;
}

void nt_gc_fill_recent(struct nt_gc *gc, const struct nt_span *span, struct nt_gc_generation_row *out)
{
	nt_time window = INTERVALS * nt_span_length(span), from = span->t1 > window ? span->t1 - window : 0;
	size_t row_count = rows_since(gc, from);
	uint64_t *pauses = nt_alloc((row_count + 1) * sizeof(*pauses));
	for (int i = 0; i < NT_GC_ROW_GENERATIONS; i++)
		out[i].recent = recent_of(gc, i, row_count, from, pauses);
	free(pauses);
}
