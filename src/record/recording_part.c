// SPDX-License-Identifier: GPL-2.0-only
#include "record/recording_part.h"

#include "record/lasting_event.h"

/* Readings of what only grows: figures are differences to the first of them, which come again in each interval. */
static bool is_reading(enum nt_event_kind kind)
{
	switch (kind) {
	case NT_EV_SELF:
	case NT_EV_PROC:
	case NT_EV_THREAD_STAT:
	case NT_EV_THREAD_ALLOCATED:
	case NT_EV_IO:
	case NT_EV_HOST:
	case NT_EV_CGROUP:
		return true;
	default:
		return false;
	}
}

static bool stays_from_before(const struct nt_batch *batch, const struct nt_event *event)
{
	uint64_t key;
	return !is_reading(event->kind) && nt_event_fate(batch, event, &key) != NT_FATE_GOES;
}

static bool is_of_wish(enum nt_event_kind kind)
{
	return kind == NT_EV_KEEP_STACKS || kind == NT_EV_KEEP_SAMPLES || kind == NT_EV_TELL;
}

static bool is_left_out(enum nt_recording_without without, enum nt_event_kind kind)
{
	bool waits = kind == NT_EV_SWITCH || kind == NT_EV_WAKE || kind == NT_EV_STACK || kind == NT_EV_MOMENT;
	bool samples = kind == NT_EV_SAMPLE || kind == NT_EV_WALL_SAMPLE;
	return (without == NT_WITHOUT_WAITS && waits) || (without == NT_WITHOUT_SAMPLES && samples);
}

struct cutting {
	const struct nt_recording_part *part;
	const struct nt_batch *batch;
};

static bool stays(const void *context, const struct nt_event *event)
{
	const struct cutting *cutting = context;
	const struct nt_recording_part *part = cutting->part;
	enum nt_event_kind kind = event->kind;
	if (is_left_out(part->without, kind) || (part->own_wishes && is_of_wish(kind)) || (kind == NT_EV_END && event->time >= part->to))
		return false;
	if (part->goes_on && part->stopped && kind == NT_EV_SOURCE_STATE && event->time >= part->stopped)
		return false;
	return event->time >= part->from || stays_from_before(cutting->batch, event);
}

static void note_stop(struct nt_recording_part *part, const struct nt_batch *batch)
{
	for (size_t i = 0; batch->source == NT_SOURCE_APP && i < batch->event_count; i++)
		if (batch->events[i].kind == NT_EV_END)
			part->stopped = batch->events[i].time;
}

void nt_recording_part_cut(struct nt_recording_part *part, struct nt_batch *batch)
{
	note_stop(part, batch);
	nt_batch_leave_out(batch, stays, &(struct cutting){ part, batch });
	for (size_t i = 0; i < batch->event_count; i++) {
		struct nt_event *event = &batch->events[i];
		if (event->time < part->from && nt_event_is_moment(event->kind))
			event->time = part->from;
	}
}
