// SPDX-License-Identifier: GPL-2.0-only
#include "model/alloc/alloc_source.h"

#include "base/arena.h"
#include "nettop/alloc_figures.h"

#include <stdio.h>
#include <string.h>

enum { NUMBER = 32, TEXT = 128 };

static const double bytes_per_sample = 102400; /* of small objects; of large ones there are fewer */

static const struct nt_source_row *find(const struct nt_snapshot *snapshot, enum nt_source_id id)
{
	for (size_t i = 0; i < snapshot->source_count; i++)
		if (snapshot->sources[i].id == id)
			return &snapshot->sources[i];
	return NULL;
}

/* When they run, and what that would cost now. */
static const char *condition(const struct nt_process_snapshot *process, struct nt_snapshot *snapshot)
{
	const struct nt_figures *figures = &process->interval;
	char text[TEXT], number[NUMBER];
	snprintf(text, sizeof(text), "%s while screen 5 is open", process->alloc_sampling.by_ticks ? "told, with a bias," : "sampled");
	size_t used = strlen(text);
	if (figures->gc.alloc_bytes.known && figures->gc.alloc_covered_ns.v) {
		double per_s =
			(double)figures->gc.alloc_bytes.v * (double)NT_NS_PER_S / (double)figures->gc.alloc_covered_ns.v / bytes_per_sample;
		snprintf(text + used, sizeof(text) - used, "; ~%s events/s now", nt_format_count(per_s, number, sizeof(number)));
	}
	return nt_arena_text(snapshot->arena, text, strlen(text));
}

static bool is_asked_or_can_be(const struct nt_source_row *row)
{
	return row && (row->state == NT_STATE_DELIVERING || row->state == NT_STATE_STARTING || row->state == NT_STATE_STALLED);
}

void nt_alloc_source_add(const struct nt_process_snapshot *process, struct nt_snapshot *snapshot)
{
	const struct nt_alloc_sampling *sampling = &process->alloc_sampling;
	const struct nt_source_row *eventpipe = find(snapshot, NT_SOURCE_EVENTPIPE);
	struct nt_source_row row = { .id = NT_SOURCE_ALLOCATIONS,
				     .last_delivery = NT_TIME_UNKNOWN,
				     .events = (uint64_t)sampling->figures.interval.samples,
				     .events_all = (uint64_t)sampling->figures.all.samples,
				     .covered_ns = nt_u64_of(nt_alloc_covered_ns(sampling, NT_WINDOW_INTERVAL)),
				     .covered_all_ns = nt_u64_of(nt_alloc_covered_ns(sampling, NT_WINDOW_ATTACH)) };
	if (!eventpipe)
		return;
	if (sampling->on) {
		row.state = NT_STATE_DELIVERING;
		if (sampling->interval_s > 0)
			row.events_per_s = nt_f64_of(sampling->figures.interval.samples / sampling->interval_s);
	} else if (sampling->why.reason) {
		row.state = NT_STATE_ABSENT;
		row.reason = sampling->why.reason;
	} else if (!is_asked_or_can_be(eventpipe) && !is_asked_or_can_be(find(snapshot, NT_SOURCE_LTTNG))) {
		row.state = eventpipe->state == NT_STATE_FORBIDDEN ? NT_STATE_FORBIDDEN : NT_STATE_ABSENT;
		row.reason = eventpipe->reason;
		row.fix = eventpipe->fix;
	} else {
		row.state = NT_STATE_UNUSED;
		row.reason = condition(process, snapshot);
	}
	snapshot->sources[snapshot->source_count++] = row;
}
