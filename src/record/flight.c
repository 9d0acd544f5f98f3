// SPDX-License-Identifier: GPL-2.0-only
#include "record/flight.h"

#include "base/alloc.h"
#include "record/lasting.h"
#include "record/lasting_copy.h"
#include "record/lasting_event.h"

#include <stdlib.h>

struct nt_flight {
	nt_time reach_ns;
	size_t limit_bytes;
	struct nt_model_config config;
	int64_t realtime_offset_ns;
	struct nt_framer framer;
	struct nt_packed_frame **frames; /* owned, with a reference to each: [begin .. end), the oldest first */
	size_t begin, end, capacity;
	size_t bytes;               /* of these */
	struct nt_lasting *lasting; /* owned: what holds of those that went */
	struct nt_batch *part;      /* owned: see lasting_part() */
	nt_time since;              /* what is kept begins here */
	nt_time now;                /* the newest tick */
	bool ended;                 /* that one was the last of all */
	bool misses;                /* more came at once than a frame can have */
};

struct nt_flight *nt_flight_new(nt_time reach_ns, size_t limit_bytes)
{
	struct nt_flight *flight = nt_alloc(sizeof(*flight));
	*flight = (struct nt_flight){ .reach_ns = reach_ns,
				      .limit_bytes = limit_bytes,
				      .lasting = nt_lasting_new(limit_bytes / 2, false),
				      .part = nt_batch_new(NT_SOURCE_APP) };
	nt_framer_init(&flight->framer);
	return flight;
}

static void forget(struct nt_flight *flight)
{
	for (size_t i = flight->begin; i < flight->end; i++)
		nt_packed_frame_release(flight->frames[i]);
	flight->begin = flight->end = flight->bytes = 0;
	nt_lasting_free(flight->lasting);
}

void nt_flight_free(struct nt_flight *flight)
{
	if (!flight)
		return;
	forget(flight);
	nt_framer_fini(&flight->framer);
	nt_batch_free(flight->part);
	free(flight->frames);
	free(flight);
}

/* ---- what is kept ---- */

void nt_flight_settings(struct nt_flight *flight, const struct nt_model_config *config, int64_t realtime_offset_ns)
{
	nt_packed_frame_release(nt_framer_close(&flight->framer));
	forget(flight);
	flight->lasting = nt_lasting_new(flight->limit_bytes / 2, false);
	flight->misses = false;
	flight->config = *config;
	flight->realtime_offset_ns = realtime_offset_ns;
	flight->since = flight->now = config->start;
}

static void let_go(struct nt_flight *flight)
{
	struct nt_packed_frame *frame = flight->frames[flight->begin++];
	flight->bytes -= frame->length;
	flight->since = frame->last ? frame->last : flight->since;
	nt_lasting_add(flight->lasting, frame);
	nt_packed_frame_release(frame);
}

static bool is_over(const struct nt_flight *flight, const struct nt_packed_frame *frame)
{
	return flight->bytes + nt_lasting_bytes(flight->lasting) > flight->limit_bytes || frame->last + flight->reach_ns < flight->now ||
	       !flight->reach_ns;
}

static void take_frame(struct nt_flight *flight)
{
	struct nt_packed_frame *frame = nt_framer_close(&flight->framer);
	if (!frame)
		return;
	frame->last = frame->last ? frame->last : flight->now; /* one of a flood may have no tick */
	if (flight->begin && flight->end == flight->capacity) {
		memmove(flight->frames, flight->frames + flight->begin, (flight->end - flight->begin) * sizeof(struct nt_packed_frame *));
		flight->end -= flight->begin;
		flight->begin = 0;
	}
	flight->frames = nt_grow(flight->frames, &flight->capacity, flight->end + 1, sizeof(struct nt_packed_frame *));
	flight->frames[flight->end++] = frame;
	flight->bytes += frame->length;
	while (flight->begin < flight->end && is_over(flight, flight->frames[flight->begin]))
		let_go(flight);
}

/* Of which no moment is kept, nothing has to be written that only happened: most of what comes. NULL: nothing in it holds. */
static const struct nt_batch *lasting_part(struct nt_flight *flight, const struct nt_batch *batch)
{
	struct nt_batch *part = flight->part;
	nt_batch_reset(part);
	part->source = batch->source;
	part->pid = batch->pid;
	part->epoch = batch->epoch;
	for (size_t i = 0; i < batch->str_count; i++)
		nt_lasting_copy_str(part, batch, i);
	for (size_t i = 0; i < batch->stack_count; i++)
		nt_lasting_copy_stack(part, batch, i);
	for (size_t i = 0; i < batch->event_count; i++) {
		uint64_t key;
		if (nt_event_fate(batch, &batch->events[i], &key) != NT_FATE_GOES)
			nt_lasting_copy_event(part, batch, &batch->events[i]);
	}
	return part->event_count || part->str_count || part->stack_count ? part : NULL;
}

void nt_flight_batch(struct nt_flight *flight, const struct nt_batch *batch)
{
	if (!flight->reach_ns && !(batch = lasting_part(flight, batch)))
		return;
	if (!nt_framer_batch(&flight->framer,
			     batch)) { /* larger than any that a recording can have: some hundred thousand events at once */
		flight->misses = true;
		return;
	}
	if (nt_framer_is_due(&flight->framer))
		take_frame(flight);
}

void nt_flight_tick(struct nt_flight *flight, const struct nt_tick *tick)
{
	nt_framer_tick(&flight->framer, tick);
	flight->now = tick->now;
	flight->ended = tick->how == NT_TICK_FINAL;
	if (nt_framer_is_due(&flight->framer))
		take_frame(flight);
}

nt_time nt_flight_now(const struct nt_flight *flight)
{
	return flight->now;
}

bool nt_flight_has_ended(const struct nt_flight *flight)
{
	return flight->ended;
}

nt_time nt_flight_reach(const struct nt_flight *flight)
{
	return flight->now - flight->since;
}

size_t nt_flight_bytes(const struct nt_flight *flight)
{
	return flight->bytes + nt_lasting_bytes(flight->lasting) + flight->framer.put.out.length;
}

void nt_flight_put(struct nt_flight *flight, struct nt_recorder *recorder)
{
	size_t count;
	struct nt_model_config config = flight->config;
	take_frame(flight);
	config.start = flight->since;
	nt_recorder_settings(recorder, &config, flight->realtime_offset_ns);
	if (nt_lasting_misses_some(flight->lasting))
		nt_recorder_note(recorder, "there was no room for all names of code from before: some are missing");
	if (flight->misses)
		nt_recorder_note(recorder, "more came at once than a recording can have: that is missing");
	struct nt_packed_frame *const *frames = nt_lasting_frames(flight->lasting, &count);
	for (size_t i = 0; i < count; i++)
		nt_recorder_frame(recorder, frames[i]);
	for (size_t i = flight->begin; i < flight->end; i++)
		nt_recorder_frame(recorder, flight->frames[i]);
}
