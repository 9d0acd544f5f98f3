// SPDX-License-Identifier: GPL-2.0-only
#include "record/lasting.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "base/index.h"
#include "decode/recording/recording_read.h"
#include "record/lasting_copy.h"
#include "record/lasting_event.h"

#include <stdlib.h>
#include <zstd.h>

/* Gone through as a whole when it has grown by as much as it had, and by so much. */
enum { GROWTH_BYTES = 512 << 10 };

struct frames {
	struct nt_packed_frame **items; /* owned, with a reference to each */
	size_t count, capacity, bytes;
};

struct nt_lasting {
	size_t limit_bytes;
	struct frames frames;
	size_t settled_bytes; /* when it was gone through last */
	struct nt_framer framer;
	struct nt_recording_read read;
	void *unpacker;
	char *records; /* owned: what a frame unpacks to */
	size_t record_capacity;
	struct nt_batch *kept;  /* owned: what holds of a batch */
	struct nt_index newest; /* source and process -> the newest epoch of its ids */
	uint64_t left_out;      /* events that held no more */
	bool follows;           /* as in nt_lasting_new() */
	bool full, misses;      /* no room for more names of code; there were some */
};

/* ---- frames ---- */

static void append(struct frames *frames, struct nt_packed_frame *frame)
{
	if (!frame)
		return;
	frames->items = nt_grow(frames->items, &frames->capacity, frames->count + 1, sizeof(struct nt_packed_frame *));
	frames->items[frames->count++] = frame;
	frames->bytes += frame->length;
}

static void drop(struct frames *frames)
{
	for (size_t i = 0; i < frames->count; i++)
		nt_packed_frame_release(frames->items[i]);
	free(frames->items);
	*frames = (struct frames){ .items = NULL };
}

struct nt_lasting *nt_lasting_new(size_t limit_bytes, bool follows)
{
	struct nt_lasting *lasting = nt_alloc(sizeof(*lasting));
	*lasting = (struct nt_lasting){
		.limit_bytes = limit_bytes, .follows = follows, .unpacker = ZSTD_createDCtx(), .kept = nt_batch_new(NT_SOURCE_APP)
	};
	nt_assert(lasting->unpacker);
	nt_framer_init(&lasting->framer);
	nt_recording_read_init(&lasting->read);
	return lasting;
}

void nt_lasting_free(struct nt_lasting *lasting)
{
	if (!lasting)
		return;
	drop(&lasting->frames);
	nt_framer_fini(&lasting->framer);
	nt_recording_read_fini(&lasting->read);
	ZSTD_freeDCtx(lasting->unpacker);
	nt_batch_free(lasting->kept);
	nt_index_fini(&lasting->newest);
	free(lasting->records);
	free(lasting);
}

/* ---- going through batches ---- */

/* What is known of some frames when they have been gone through once. */
struct survey {
	struct nt_index last, ends; /* key -> number of the event */
	uint32_t number;            /* of the next event */
	bool whole;                 /* these are all that there are */
};

typedef void batch_visit(struct nt_lasting *lasting, struct survey *survey, const struct nt_batch *batch);

/* `last`: nobody needs a frame any more when it has been gone through. */
static void each_batch(struct nt_lasting *lasting, struct frames *frames, struct survey *survey, batch_visit *visit, bool last)
{
	survey->number = 0;
	for (size_t i = 0; i < frames->count; i++) {
		const struct nt_packed_frame *frame = frames->items[i];
		struct nt_recording_input input;
		lasting->records = nt_grow(lasting->records, &lasting->record_capacity, frame->unpacked, 1);
		size_t length = ZSTD_decompressDCtx(lasting->unpacker, lasting->records, frame->unpacked, frame->bytes, frame->length);
		nt_assert(length == frame->unpacked); /* it is one of ours */
		struct nt_reader bytes = nt_reader_of(lasting->records, length);
		enum nt_status status;
		nt_recording_read_frame(&lasting->read);
		lasting->read.now = 0; /* each is gone through more than once */
		while ((status = nt_recording_read_next(&lasting->read, &bytes, &input, NULL)) == NT_OK)
			if (input.what == NT_RECORDED_BATCH)
				visit(lasting, survey, input.batch);
		lasting->misses |= status != NT_END;
		if (last) {
			nt_packed_frame_release(frames->items[i]);
			frames->items[i] = NULL;
		}
	}
}

/* As a value of an index. */
static uint32_t epoch_of(const struct nt_batch *batch)
{
	return batch->epoch & INT32_MAX;
}

static uint64_t owner_of(const struct nt_batch *batch)
{
	return (uint64_t)batch->source << 32 | batch->pid;
}

static void look(struct nt_lasting *lasting, struct survey *survey, const struct nt_batch *batch)
{
	nt_index_put(&lasting->newest, owner_of(batch), epoch_of(batch));
	for (size_t i = 0; i < batch->event_count; i++) {
		uint64_t key;
		enum nt_fate fate = nt_event_fate(batch, &batch->events[i], &key);
		if (fate == NT_FATE_LAST || fate == NT_FATE_ENDS)
			nt_index_put(fate == NT_FATE_LAST ? &survey->last : &survey->ends, key, survey->number);
		survey->number++;
	}
}

static bool holds(const struct survey *survey, const struct nt_batch *batch, const struct nt_event *event)
{
	uint64_t key, ends_with = nt_event_ends_with(batch, event);
	enum nt_fate fate = nt_event_fate(batch, event, &key);
	uint32_t ended = ends_with ? nt_index_get(&survey->ends, ends_with) : NT_INDEX_NONE;
	if (ended != NT_INDEX_NONE && ended > survey->number)
		return false;
	switch (fate) {
	case NT_FATE_GOES:
		return false;
	case NT_FATE_LAST:
		return nt_index_get(&survey->last, key) == survey->number;
	case NT_FATE_ENDS: /* the place of freed code is told by it alone; of a thread that has gone nothing is left */
		return !survey->whole || nt_event_is_of_code(event);
	default:
		return true;
	}
}

struct used {
	struct nt_index texts, stacks; /* ids */
};

static void use(void *context, bool is_stack, uint32_t id)
{
	struct used *used = context;
	nt_index_put(is_stack ? &used->stacks : &used->texts, id, 1);
}

/* All ids of the newest epoch may be used by what comes; of an older one those that are used here. */
static void announce(struct nt_lasting *lasting, const struct nt_batch *batch, const struct used *used)
{
	struct nt_batch *kept = lasting->kept;
	bool all = nt_index_get(&lasting->newest, owner_of(batch)) == epoch_of(batch);
	for (size_t i = 0; i < batch->str_count; i++)
		if (all || nt_index_get(&used->texts, batch->strs[i].id) != NT_INDEX_NONE)
			nt_lasting_copy_str(kept, batch, i);
	for (size_t i = 0; i < batch->stack_count; i++)
		if (all || nt_index_get(&used->stacks, batch->stacks[i].id) != NT_INDEX_NONE)
			nt_lasting_copy_stack(kept, batch, i);
}

static void keep(struct nt_lasting *lasting, struct survey *survey, const struct nt_batch *batch)
{
	struct nt_batch *kept = lasting->kept;
	struct used used = { { 0 }, { 0 } };
	nt_batch_reset(kept);
	kept->source = batch->source;
	kept->pid = batch->pid;
	kept->epoch = batch->epoch;
	for (size_t i = 0; i < batch->event_count; i++, survey->number++) {
		const struct nt_event *event = &batch->events[i];
		if (!holds(survey, batch, event)) {
			lasting->left_out++;
			continue;
		}
		if (lasting->full && nt_event_is_of_code(event)) {
			lasting->misses = true;
			continue;
		}
		nt_lasting_copy_event(kept, batch, event);
		nt_lasting_each_id(&lasting->read.places, event, use, &used);
	}
	announce(lasting, batch, &used);
	nt_index_fini(&used.texts);
	nt_index_fini(&used.stacks);
	if (!kept->event_count && !kept->str_count && !kept->stack_count)
		return;
	lasting->misses |= !nt_framer_batch(&lasting->framer, kept);
	if (nt_framer_is_due(&lasting->framer))
		append(&lasting->frames, nt_framer_close(&lasting->framer));
}

/* What holds of `frames` comes behind what there is. */
static void take(struct nt_lasting *lasting, struct frames *frames, bool whole)
{
	struct survey survey = { .whole = whole };
	each_batch(lasting, frames, &survey, look, false);
	each_batch(lasting, frames, &survey, keep, whole);
	nt_index_fini(&survey.last);
	nt_index_fini(&survey.ends);
}

static void go_through(struct nt_lasting *lasting)
{
	append(&lasting->frames, nt_framer_close(&lasting->framer));
	struct frames before = lasting->frames;
	lasting->frames = (struct frames){ .items = NULL };
	lasting->full = false;
	take(lasting, &before, !lasting->follows);
	drop(&before);
	lasting->settled_bytes = lasting->frames.bytes;
	lasting->full = lasting->frames.bytes > lasting->limit_bytes;
}

void nt_lasting_add(struct nt_lasting *lasting, struct nt_packed_frame *frame)
{
	struct frames one = { .items = &frame, .count = 1 };
	take(lasting, &one, false);
	size_t grown = lasting->frames.bytes - lasting->settled_bytes;
	if (grown >= GROWTH_BYTES && (grown >= lasting->settled_bytes || lasting->frames.bytes > lasting->limit_bytes))
		go_through(lasting);
}

struct nt_packed_frame *const *nt_lasting_frames(struct nt_lasting *lasting, size_t *count)
{
	append(&lasting->frames, nt_framer_close(&lasting->framer));
	*count = lasting->frames.count;
	return lasting->frames.items;
}

size_t nt_lasting_bytes(const struct nt_lasting *lasting)
{
	return lasting->frames.bytes + lasting->framer.put.out.length;
}

bool nt_lasting_misses_some(const struct nt_lasting *lasting)
{
	return lasting->misses;
}

uint64_t nt_lasting_left_out(const struct nt_lasting *lasting)
{
	return lasting->left_out;
}
