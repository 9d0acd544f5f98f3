// SPDX-License-Identifier: GPL-2.0-only
/*
 * The stream as a sequence of objects (NetTraceFormat_v5.md, "Objects"), read piece by piece: each piece has a size that is known when it begins, is
 * collected in one place, and says what the next one is. So the stream may be cut anywhere.
 */
#include "decode/eventpipe/nettrace.h"

#include "base/alloc.h"
#include "decode/common/calendar.h"
#include "decode/common/reader.h"
#include "decode/eventpipe/nettrace_blocks.h"
#include "decode/eventpipe/nettrace_events.h"
#include "decode/eventpipe/nettrace_loss.h"
#include "decode/eventpipe/nettrace_metadata.h"
#include "decode/eventpipe/nettrace_order.h"
#include "decode/eventpipe/nettrace_stacks.h"

#include <stdlib.h>
#include <string.h>

enum {
	NAME_MAX_BYTES = 32,
	START_BYTES = 48,
	VERSION_MAX = 5,
	KEPT_BYTES = 2 << 17, /* two blocks of the runtime's: the next ones come a moment later */
};

/* Tags of FastSerialization. */
enum tag { TAG_NULL = 1, TAG_BEGIN = 5, TAG_END = 6 };

#define MAGIC "Nettrace\x14\0\0\0!FastSerialization.1"

/* What is being collected. */
enum piece {
	PIECE_MAGIC,
	PIECE_TAG,     /* of the next object, or the end */
	PIECE_TYPE,    /* the type object: tags, versions, length of its name */
	PIECE_NAME,    /* and its end */
	PIECE_START,   /* content of the object `Trace`, and its end */
	PIECE_SIZE,    /* of a block */
	PIECE_PADDING, /* to a multiple of 4 from the start of the stream */
	PIECE_BLOCK,   /* content of a block */
	PIECE_END,     /* of an object */
};

struct nt_nettrace {
	struct nt_nettrace_sink sink;
	struct nt_nettrace_blocks memory;
	struct nt_nettrace_order order;
	struct nt_nettrace_loss loss;
	struct nt_nettrace_stacks stacks;
	struct nt_nettrace_kinds kinds;
	struct nt_nettrace_budget *budget; /* borrowed, or `own_budget` */
	struct nt_nettrace_budget own_budget;
	size_t counted_bytes; /* of this stream, in budget->used_bytes */

	enum piece piece;
	uint8_t *into; /* `small`, or the content of `block` */
	size_t need, have;
	uint64_t offset; /* of the next byte in the stream */
	uint8_t small[64];
	struct nt_nettrace_block *block; /* owned; NULL = none is being collected */
	const struct object *object;     /* whose content comes */
	uint64_t frequency;              /* ticks per second; 0 = no header yet */
	enum nt_status status;           /* NT_OK, or how the stream ended */
	struct nt_error error;           /* with NT_ERR_MALFORMED */
};

static enum nt_status malformed(struct nt_nettrace *trace, const char *what)
{
	return trace->status = nt_error_set(&trace->error, NT_ERR_MALFORMED, "the event stream is damaged before byte %llu: %s",
					    (unsigned long long)trace->offset, what);
}

/* It is whole, and of a form that is not read. */
static enum nt_status unsupported(struct nt_nettrace *trace, const char *what)
{
	return trace->status = nt_error_set(&trace->error, NT_ERR_UNSUPPORTED, "the event stream is not one that nettop reads: %s", what);
}

static void collect(struct nt_nettrace *trace, enum piece piece, size_t need)
{
	trace->piece = piece;
	trace->into = trace->small;
	trace->need = need;
	trace->have = 0;
}

/* ---- the budget ---- */

static size_t held_bytes(const struct nt_nettrace *trace)
{
	return nt_nettrace_order_bytes(&trace->order) + nt_nettrace_stacks_bytes(&trace->stacks);
}

static void count_bytes(struct nt_nettrace *trace, size_t bytes)
{
	trace->budget->used_bytes += bytes - trace->counted_bytes; /* what it was counted with is in the sum */
	trace->counted_bytes = bytes;
}

/* With so many bytes of this stream. */
static bool is_too_much(const struct nt_nettrace *trace, size_t bytes)
{
	return trace->budget->used_bytes - trace->counted_bytes + bytes > NT_NETTRACE_BUDGET_BYTES;
}

/* Everything that waits goes, and its memory. Between the events of a block the stacks stay, because later ones refer to them. */
static void release_all(struct nt_nettrace *trace)
{
	nt_nettrace_order_release(&trace->order, NT_TIME_UNKNOWN);
	nt_nettrace_order_trim(&trace->order);
}

/* The array of what waits is full: may it grow? */
static __attribute__((noinline)) void make_room(struct nt_nettrace *trace)
{
	size_t grown = nt_nettrace_order_bytes_grown(&trace->order) + nt_nettrace_stacks_bytes(&trace->stacks);
	if (is_too_much(trace, grown)) {
		release_all(trace);
		grown = held_bytes(trace);
	}
	count_bytes(trace, grown);
}

/* ---- content of blocks ---- */

static nt_time time_of(const struct nt_nettrace *trace, uint64_t ticks)
{
	return trace->frequency == NT_NS_PER_S ? ticks : (nt_time)((unsigned __int128)ticks * NT_NS_PER_S / trace->frequency);
}

static struct nt_nettrace_block *take_block(struct nt_nettrace *trace)
{
	struct nt_nettrace_block *block = trace->block;
	trace->block = NULL;
	return block;
}

static bool add_events(struct nt_nettrace *trace, struct nt_reader *reader)
{
	struct nt_nettrace_head head = { 0 };
	struct nt_nettrace_meta *meta = NULL;
	struct nt_nettrace_stack *stack = NULL;
	uint32_t meta_number = 0, stack_number = 0;
	for (const uint8_t *payload; (payload = nt_nettrace_events_next(reader, &head));) {
		if (!meta || head.metadata != meta_number)
			meta = nt_nettrace_kinds_get(&trace->kinds, meta_number = head.metadata);
		if (!meta)
			return false;
		if (head.stack != stack_number)
			stack = nt_nettrace_stacks_get(&trace->stacks, stack_number = head.stack);
		if (nt_nettrace_order_is_full(&trace->order))
			make_room(trace);
		nt_time time = time_of(trace, head.ticks);
		nt_nettrace_loss_event(&trace->loss, head.capture_thread, head.sequence, time);
		*nt_nettrace_order_add(&trace->order, time, head.oldest) = (struct nt_nettrace_event){
			.meta = meta,
			.time = time,
			.thread = head.thread,
			.capture_thread = head.capture_thread,
			.payload = payload,
			.payload_length = head.payload_length,
			.stack = stack,
			.activity = { head.activity[0], head.activity[1] },
		};
	}
	return !reader->bad;
}

static const char *read_events(struct nt_nettrace *trace)
{
	struct nt_nettrace_block *block = take_block(trace);
	struct nt_reader reader = nt_reader_of(block->bytes, block->size);
	bool good = nt_nettrace_events_begin(&reader) && add_events(trace, &reader);
	nt_nettrace_order_keep(&trace->order, block);
	return good ? NULL : "a block of events is malformed";
}

static const char *read_metadata(struct nt_nettrace *trace)
{
	struct nt_reader reader = nt_reader_of(trace->block->bytes, trace->block->size);
	struct nt_nettrace_head head = { 0 };
	bool good = nt_nettrace_events_begin(&reader);
	for (const uint8_t *payload; good && (payload = nt_nettrace_events_next(&reader, &head));)
		good = nt_nettrace_kinds_add(&trace->kinds, payload, head.payload_length) == NT_OK;
	return good && !reader.bad ? NULL : "a block of metadata is malformed";
}

static void forget_stacks(struct nt_nettrace *trace)
{
	nt_nettrace_order_release(&trace->order, NT_TIME_UNKNOWN);
	nt_nettrace_stacks_forget(&trace->stacks);
}

/* After each block: what it has left behind is counted. */
static void keep_budget(struct nt_nettrace *trace)
{
	if (is_too_much(trace, held_bytes(trace)))
		release_all(trace);
	if (is_too_much(trace, held_bytes(trace))) {
		nt_nettrace_stacks_forget(&trace->stacks);
		nt_nettrace_stacks_trim(&trace->stacks);
		nt_nettrace_blocks_trim(&trace->memory, 0);
	}
	count_bytes(trace, held_bytes(trace));
}

static const char *read_stacks(struct nt_nettrace *trace)
{
	if (nt_nettrace_stacks_full(&trace->stacks))
		forget_stacks(trace);
	return nt_nettrace_stacks_add(&trace->stacks, take_block(trace)) == NT_OK ? NULL : "a block of stacks is malformed";
}

/* Everything up to its time has been written. */
static const char *read_point(struct nt_nettrace *trace)
{
	struct nt_reader reader = nt_reader_of(trace->block->bytes, trace->block->size);
	nt_time time = time_of(trace, nt_reader_u64(&reader));
	forget_stacks(trace);
	return nt_nettrace_loss_point(&trace->loss, &reader, time) == NT_OK ? NULL : "a sequence point is malformed";
}

/* Kinds of objects; `read` says what is wrong with a block, NULL = nothing. */
static const struct object {
	const char *name;
	const char *(*read)(struct nt_nettrace *trace); /* NULL: the header of the stream */
} objects[] = {
	{ "EventBlock", read_events },
	{ "StackBlock", read_stacks },
	{ "MetadataBlock", read_metadata },
	{ "SPBlock", read_point },
	{ "Trace", NULL },
};

/* ---- pieces ---- */

static enum nt_status on_magic(struct nt_nettrace *trace)
{
	if (memcmp(trace->small, MAGIC, sizeof(MAGIC) - 1) != 0)
		return malformed(trace, "it does not begin like one");
	collect(trace, PIECE_TAG, 1);
	return NT_OK;
}

static enum nt_status on_tag(struct nt_nettrace *trace)
{
	if (trace->small[0] == TAG_NULL) {
		nt_nettrace_order_release(&trace->order, NT_TIME_UNKNOWN);
		return trace->status = NT_END;
	}
	if (trace->small[0] != TAG_BEGIN)
		return malformed(trace, "no object begins where one should");
	collect(trace, PIECE_TYPE, 14);
	return NT_OK;
}

static enum nt_status on_type(struct nt_nettrace *trace)
{
	struct nt_reader reader = nt_reader_of(trace->small, trace->need);
	bool good = nt_reader_u8(&reader) == TAG_BEGIN && nt_reader_u8(&reader) == TAG_NULL;
	nt_reader_u32(&reader); /* version; what counts is who can read it */
	uint32_t least_reader = nt_reader_u32(&reader), length = nt_reader_u32(&reader);
	if (!good || !length || length > NAME_MAX_BYTES)
		return malformed(trace, "an object has no type");
	if (least_reader > VERSION_MAX)
		return unsupported(trace, "its format is newer than this nettop");
	collect(trace, PIECE_NAME, length + 1);
	return NT_OK;
}

static enum nt_status on_name(struct nt_nettrace *trace)
{
	size_t length = trace->need - 1;
	for (size_t i = 0; i < sizeof(objects) / sizeof(*objects) && trace->small[length] == TAG_END; i++)
		if (strlen(objects[i].name) == length && memcmp(trace->small, objects[i].name, length) == 0) {
			trace->object = &objects[i];
			collect(trace, objects[i].read ? PIECE_SIZE : PIECE_START, objects[i].read ? 4 : START_BYTES + 1);
			return trace->frequency || !objects[i].read ? NT_OK : malformed(trace, "it has no header");
		}
	return malformed(trace, "an object is of an unknown type");
}

/* A SYSTEMTIME of Windows, in UTC. */
static int64_t read_wall_clock(struct nt_reader *reader)
{
	struct nt_calendar_time time;
	time.year = nt_reader_u16(reader);
	time.month = nt_reader_u16(reader);
	nt_reader_u16(reader); /* day of the week */
	time.day = nt_reader_u16(reader);
	time.hour = nt_reader_u16(reader);
	time.minute = nt_reader_u16(reader);
	time.second = nt_reader_u16(reader);
	return nt_calendar_unix_ns(&time, nt_reader_u16(reader) * NT_NS_PER_MS);
}

static enum nt_status on_start(struct nt_nettrace *trace)
{
	struct nt_reader reader = nt_reader_of(trace->small, trace->need);
	struct nt_nettrace_start start = { .unix_ns = read_wall_clock(&reader) };
	uint64_t ticks = nt_reader_u64(&reader);
	trace->frequency = nt_reader_u64(&reader);
	start.pointer_size = nt_reader_u32(&reader);
	start.pid = nt_reader_u32(&reader);
	start.cpu_count = nt_reader_u32(&reader);
	start.sampling_ns = nt_reader_u32(&reader);
	if (!trace->frequency || nt_reader_u8(&reader) != TAG_END)
		return malformed(trace, "its header is malformed");
	if (start.pointer_size != sizeof(uint64_t))
		return unsupported(trace, "it comes from a 32-bit process");
	start.time = time_of(trace, ticks);
	if (trace->sink.start)
		trace->sink.start(trace->sink.context, &start);
	collect(trace, PIECE_TAG, 1);
	return NT_OK;
}

static void collect_block(struct nt_nettrace *trace)
{
	size_t size = trace->block->size;
	collect(trace, PIECE_BLOCK, size);
	trace->into = trace->block->bytes;
}

static enum nt_status on_size(struct nt_nettrace *trace)
{
	struct nt_reader reader = nt_reader_of(trace->small, trace->need);
	uint32_t size = nt_reader_u32(&reader);
	if (size > NT_NETTRACE_BLOCK_MAX) /* the runtime's are about 100 KB, one event of 64 KB included */
		return malformed(trace, "a block is too large");
	nt_nettrace_blocks_give(&trace->memory, trace->block);
	trace->block = nt_nettrace_blocks_take(&trace->memory, size);
	size_t padding = -trace->offset & 3;
	if (padding)
		collect(trace, PIECE_PADDING, padding);
	else
		collect_block(trace);
	return NT_OK;
}

static enum nt_status on_padding(struct nt_nettrace *trace)
{
	collect_block(trace);
	return NT_OK;
}

static enum nt_status on_block(struct nt_nettrace *trace)
{
	const char *wrong = trace->object->read(trace);
	keep_budget(trace);
	if (wrong)
		return malformed(trace, wrong);
	collect(trace, PIECE_END, 1);
	return NT_OK;
}

static enum nt_status on_end(struct nt_nettrace *trace)
{
	if (trace->small[0] != TAG_END)
		return malformed(trace, "an object does not end where it should");
	collect(trace, PIECE_TAG, 1);
	return NT_OK;
}

static enum nt_status (*const on_piece[])(struct nt_nettrace *) = {
	[PIECE_MAGIC] = on_magic, [PIECE_TAG] = on_tag,         [PIECE_TYPE] = on_type,   [PIECE_NAME] = on_name, [PIECE_START] = on_start,
	[PIECE_SIZE] = on_size,   [PIECE_PADDING] = on_padding, [PIECE_BLOCK] = on_block, [PIECE_END] = on_end,
};

/* ---- interface ---- */

struct nt_nettrace *nt_nettrace_new(const struct nt_nettrace_sink *sink, struct nt_nettrace_budget *budget)
{
	struct nt_nettrace *trace = nt_alloc(sizeof(*trace));
	trace->sink = *sink;
	trace->budget = budget ? budget : &trace->own_budget;
	nt_nettrace_order_init(&trace->order, &trace->sink, &trace->memory);
	nt_nettrace_loss_init(&trace->loss, &trace->sink);
	nt_nettrace_stacks_init(&trace->stacks, &trace->memory);
	nt_nettrace_kinds_init(&trace->kinds);
	collect(trace, PIECE_MAGIC, sizeof(MAGIC) - 1);
	return trace;
}

void nt_nettrace_free(struct nt_nettrace *trace)
{
	if (!trace)
		return;
	count_bytes(trace, 0);
	nt_nettrace_order_fini(&trace->order);
	nt_nettrace_loss_fini(&trace->loss);
	nt_nettrace_stacks_fini(&trace->stacks);
	nt_nettrace_kinds_fini(&trace->kinds);
	nt_nettrace_blocks_give(&trace->memory, trace->block);
	nt_nettrace_blocks_trim(&trace->memory, 0);
	free(trace);
}

enum nt_status nt_nettrace_feed(struct nt_nettrace *trace, const uint8_t *bytes, size_t length, struct nt_error *err)
{
	/* A piece may need nothing (an empty block): as long as one is whole, go on. */
	while (trace->status == NT_OK && (length || trace->have == trace->need)) {
		size_t missing = trace->need - trace->have, part = missing < length ? missing : length;
		if (part)
			memcpy(trace->into + trace->have, bytes, part);
		trace->have += part;
		trace->offset += part;
		bytes += part;
		length -= part;
		if (trace->have == trace->need)
			on_piece[trace->piece](trace);
	}
	if (trace->status < 0 && err)
		*err = trace->error;
	return trace->status;
}

void nt_nettrace_deliver(struct nt_nettrace *trace)
{
	nt_nettrace_order_release(&trace->order, NT_TIME_UNKNOWN);
}

void nt_nettrace_settle(struct nt_nettrace *trace)
{
	nt_nettrace_deliver(trace);
	nt_nettrace_order_trim(&trace->order);
	nt_nettrace_stacks_trim(&trace->stacks);
	nt_nettrace_blocks_trim(&trace->memory, KEPT_BYTES);
	count_bytes(trace, held_bytes(trace));
}

size_t nt_nettrace_waiting(const struct nt_nettrace *trace)
{
	return nt_nettrace_order_waiting(&trace->order);
}
