// SPDX-License-Identifier: GPL-2.0-only
#include "output/export/nettrace_file.h"

#include "base/hash.h"
#include "base/index.h"
#include "base/text_buffer.h"
#include "nettop/status.h"

#include <stdlib.h>
#include <time.h>

/* Tags of FastSerialization. */
enum tag { TAG_NULL = 1, TAG_BEGIN = 5, TAG_END = 6 };

/* Of objects: what wrote them, and what may read them. */
enum { VERSION_TRACE = 4, VERSION_BLOCK = 2 };

/* Bits that begin each event. */
enum head_flag {
	HAS_KIND = 1,
	HAS_CAPTURE_THREAD = 2,
	HAS_THREAD = 4,
	HAS_STACK = 8,
	IS_SORTED = 64,
	HAS_PAYLOAD_LENGTH = 128,
};

enum {
	BLOCK_COMPRESSED = 1,
	BLOCK_HEAD_BYTES = 20,
	BLOCK_BYTES = 64 << 10, /* the runtime's are 100 KB, and some readers allow for little more */
	STACKS_BYTES = 1 << 20, /* of stacks, before they are forgotten: a reader keeps them so long */
	MILLISECOND = 1000000,
	MOST_LOST = INT32_MAX, /* at a time: a gap beyond is none, because the numbers begin anew */
};

/* What the header of an event says only where it differs from the one before; all zero at the begin of a block. */
struct before {
	uint64_t time, tid;
	uint32_t kind, stack, payload_length;
};

struct nt_nettrace_writer {
	FILE *out;                                   /* borrowed */
	uint64_t offset;                             /* of the next byte in the file */
	struct nt_text_buffer kinds, stacks, events; /* contents of the blocks that come next */
	nt_time first, last;                         /* of the events in theirs */
	struct before before;
	uint32_t sequence; /* of the newest event: there is one row of numbers, whatever thread an event is of */
	uint32_t kind_count;
	struct nt_index stack_numbers;     /* by hash of their addresses */
	uint32_t stack_first, stack_count; /* number of the first in `stacks`; how many are there */
	size_t stack_bytes;                /* since the last point at which they were forgotten */
	struct nt_text_buffer known;       /* the addresses of all that have a number since then, of each: count, addresses */
	struct nt_text_buffer object;      /* scratch */
};

/* ---- objects ---- */

static void write_bytes(struct nt_nettrace_writer *writer, const struct nt_text_buffer *bytes)
{
	fwrite(bytes->bytes, 1, bytes->length, writer->out);
	writer->offset += bytes->length;
}

/* Up to its content. */
static void put_object(struct nt_text_buffer *out, const char *type, uint32_t version)
{
	nt_text_put_char(out, TAG_BEGIN);
	nt_text_put_char(out, TAG_BEGIN); /* its type, which has none of its own */
	nt_text_put_char(out, TAG_NULL);
	nt_text_put_u32(out, version);
	nt_text_put_u32(out, version);
	nt_text_put_u32(out, (uint32_t)strlen(type));
	nt_text_put(out, type);
	nt_text_put_char(out, TAG_END);
}

/* A block with `content`, which is empty then. */
static void write_block(struct nt_nettrace_writer *writer, const char *type, struct nt_text_buffer *content)
{
	struct nt_text_buffer *out = &writer->object;
	out->length = 0;
	put_object(out, type, VERSION_BLOCK);
	nt_text_put_u32(out, (uint32_t)content->length);
	while ((writer->offset + out->length) % sizeof(uint32_t))
		nt_text_put_char(out, 0);
	nt_text_put_bytes(out, content->bytes, content->length);
	nt_text_put_char(out, TAG_END);
	write_bytes(writer, out);
	content->length = 0;
}

/* As Windows has it (SYSTEMTIME): eight numbers of 16 bits, in UTC. */
static void put_system_time(struct nt_text_buffer *out, uint64_t unix_ms)
{
	enum { MS = 1000 };
	time_t seconds = (time_t)(unix_ms / MS);
	struct tm tm;
	gmtime_r(&seconds, &tm);
	const int numbers[] = { tm.tm_year + 1900, tm.tm_mon + 1, tm.tm_wday, tm.tm_mday,
				tm.tm_hour,        tm.tm_min,     tm.tm_sec,  (int)(unix_ms % MS) };
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		nt_text_put_u16(out, (uint16_t)numbers[i]);
}

static void write_begin(struct nt_nettrace_writer *writer, const struct nt_nettrace_begin *begin)
{
	struct nt_text_buffer *out = &writer->object;
	uint64_t unix_ns = begin->time + (uint64_t)begin->realtime_offset_ns, unix_ms = unix_ns / MILLISECOND; /* up to the year 2554 */
	nt_text_put(out, "Nettrace");
	nt_text_put_u32(out, (uint32_t)strlen("!FastSerialization.1"));
	nt_text_put(out, "!FastSerialization.1");
	put_object(out, "Trace", VERSION_TRACE);
	put_system_time(out, unix_ms);
	/* The same moment on our clock: the one before it that has a whole number of ms on the wall. */
	nt_text_put_u64(out, begin->time - unix_ns % MILLISECOND);
	nt_text_put_u64(out, NT_NS_PER_S);
	nt_text_put_u32(out, sizeof(uint64_t));
	nt_text_put_u32(out, begin->pid);
	nt_text_put_u32(out, begin->cpu_count);
	nt_text_put_u32(out, begin->sampling_ns);
	nt_text_put_char(out, TAG_END);
	write_bytes(writer, out);
}

/* ---- blocks ---- */

/* The times are those of its events. */
static void put_block_head(struct nt_text_buffer *block, nt_time first, nt_time last)
{
	nt_text_put_u16(block, BLOCK_HEAD_BYTES);
	nt_text_put_u16(block, BLOCK_COMPRESSED);
	nt_text_put_u64(block, first);
	nt_text_put_u64(block, last);
}

/* A stack lies before the first event that has it, and so does a kind. */
static void flush(struct nt_nettrace_writer *writer)
{
	if (writer->kinds.length)
		write_block(writer, "MetadataBlock", &writer->kinds);
	if (writer->stack_count) {
		memcpy(writer->stacks.bytes + sizeof(uint32_t), &writer->stack_count, sizeof(writer->stack_count));
		write_block(writer, "StackBlock", &writer->stacks);
		writer->stack_first += writer->stack_count;
		writer->stack_count = 0;
	}
	if (writer->events.length) {
		const nt_time times[] = { writer->first, writer->last };
		memcpy(writer->events.bytes + BLOCK_HEAD_BYTES - sizeof(times), times, sizeof(times));
		write_block(writer, "EventBlock", &writer->events);
		writer->before = (struct before){ 0 };
	}
}

/* A point at which all before it has been told: stacks are numbered anew from here on. */
static void write_point(struct nt_nettrace_writer *writer)
{
	struct nt_text_buffer point = { 0 };
	flush(writer);
	nt_text_put_u64(&point, writer->last);
	nt_text_put_u32(&point, 1); /* the one row of numbers */
	nt_text_put_u64(&point, 0);
	nt_text_put_u32(&point, writer->sequence);
	write_block(writer, "SPBlock", &point);
	nt_text_buffer_fini(&point);
	nt_index_fini(&writer->stack_numbers);
	writer->stack_first = 1;
	writer->stack_bytes = 0;
	writer->known.length = 0;
}

struct nt_nettrace_writer *nt_nettrace_writer_new(FILE *out, const struct nt_nettrace_begin *begin)
{
	struct nt_nettrace_writer *writer = nt_alloc(sizeof(*writer));
	writer->out = out;
	writer->first = writer->last = begin->time;
	writer->stack_first = 1;
	write_begin(writer, begin);
	return writer;
}

void nt_nettrace_writer_end(struct nt_nettrace_writer *writer)
{
	write_point(writer);
	fputc(TAG_NULL, writer->out);
	nt_text_buffer_fini(&writer->kinds);
	nt_text_buffer_fini(&writer->stacks);
	nt_text_buffer_fini(&writer->events);
	nt_text_buffer_fini(&writer->known);
	nt_text_buffer_fini(&writer->object);
	free(writer);
}

/* ---- kinds ---- */

uint32_t nt_nettrace_writer_kind(struct nt_nettrace_writer *writer, const struct nt_nettrace_kind *kind)
{
	struct nt_text_buffer record = { 0 }, *block = &writer->kinds;
	uint32_t number = ++writer->kind_count;
	nt_text_put_u32(&record, number);
	nt_text_put_utf16(&record, kind->provider, strlen(kind->provider));
	nt_text_put_u32(&record, kind->id);
	nt_text_put_utf16(&record, kind->name, strlen(kind->name));
	nt_text_put_u64(&record, kind->keywords);
	nt_text_put_u32(&record, kind->version);
	nt_text_put_u32(&record, kind->level);
	nt_text_put_u32(&record, 0); /* fields that it describes */
	if (!block->length)
		put_block_head(block, 0, 0);
	nt_text_put_char(block, (char)HAS_PAYLOAD_LENGTH);
	nt_text_put_varint(block, 0); /* its time is that of the one before */
	nt_text_put_varint(block, record.length);
	nt_text_put_bytes(block, record.bytes, record.length);
	nt_text_buffer_fini(&record);
	return number;
}

/* ---- stacks ---- */

/* The number of a stack that has one, else 0. */
static uint32_t find_stack(const struct nt_nettrace_writer *writer, uint64_t hash, const uint64_t *addresses, uint32_t count)
{
	uint32_t at = nt_index_get(&writer->stack_numbers, hash), head[2];
	if (at == NT_INDEX_NONE)
		return 0;
	memcpy(head, writer->known.bytes + at, sizeof(head));
	bool same = head[1] == count && memcmp(writer->known.bytes + at + sizeof(head), addresses, count * sizeof(*addresses)) == 0;
	return same ? head[0] : 0;
}

static uint32_t number_of_stack(struct nt_nettrace_writer *writer, const uint64_t *addresses, uint32_t count)
{
	size_t bytes = count * sizeof(*addresses);
	uint64_t hash = nt_hash_bytes(addresses, bytes);
	uint32_t number = find_stack(writer, hash, addresses, count);
	if (number)
		return number;
	number = writer->stack_first + writer->stack_count++;
	nt_index_put(&writer->stack_numbers, hash, (uint32_t)writer->known.length);
	nt_text_put_u32(&writer->known, number);
	nt_text_put_u32(&writer->known, count);
	nt_text_put_bytes(&writer->known, (const char *)addresses, bytes);
	if (!writer->stacks.length) {
		nt_text_put_u32(&writer->stacks, number);
		nt_text_put_u32(&writer->stacks, 0); /* how many: when that is known */
	}
	nt_text_put_u32(&writer->stacks, (uint32_t)bytes);
	nt_text_put_bytes(&writer->stacks, (const char *)addresses, bytes);
	writer->stack_bytes += bytes;
	return number;
}

/* ---- events ---- */

/* Of the first event of a block, the row of its number is said, and the number: it is one more than what is said. */
static void put_head(struct nt_nettrace_writer *writer, const struct before *now)
{
	struct nt_text_buffer *block = &writer->events;
	struct before *before = &writer->before;
	bool begins = block->length == BLOCK_HEAD_BYTES, jumps = begins || now->kind != before->kind;
	unsigned flags = IS_SORTED | (jumps ? HAS_KIND : 0u) | (begins ? HAS_CAPTURE_THREAD : 0u) |
			 (now->tid != before->tid ? HAS_THREAD : 0u) | (now->stack != before->stack ? HAS_STACK : 0u) |
			 (now->payload_length != before->payload_length ? HAS_PAYLOAD_LENGTH : 0u);
	nt_text_put_char(block, (char)flags);
	if (flags & HAS_KIND)
		nt_text_put_varint(block, now->kind);
	if (flags & HAS_CAPTURE_THREAD) {
		nt_text_put_varint(block, writer->sequence);
		nt_text_put_varint(block, 0);          /* the row */
		nt_text_put_varint(block, UINT32_MAX); /* the processor is not known */
	}
	if (flags & HAS_THREAD)
		nt_text_put_varint(block, now->tid);
	if (flags & HAS_STACK)
		nt_text_put_varint(block, now->stack);
	nt_text_put_varint(block, now->time - before->time);
	if (flags & HAS_PAYLOAD_LENGTH)
		nt_text_put_varint(block, now->payload_length);
	*before = *now;
	writer->sequence++;
}

void nt_nettrace_writer_event(struct nt_nettrace_writer *writer, const struct nt_nettrace_told *event)
{
	nt_assert(event->kind && event->kind <= writer->kind_count && event->payload_length <= NT_NETTRACE_PAYLOAD_MAX);
	if (writer->stack_bytes >= STACKS_BYTES)
		write_point(writer);
	else if (writer->events.length + event->payload_length > BLOCK_BYTES || writer->stacks.length > BLOCK_BYTES)
		flush(writer);
	const struct before now = {
		.time = event->time,
		.tid = event->tid,
		.kind = event->kind,
		.stack = event->address_count ? number_of_stack(writer, event->addresses, event->address_count) : 0,
		.payload_length = event->payload_length,
	};
	if (!writer->events.length) {
		put_block_head(&writer->events, 0, 0); /* when they are known */
		writer->first = event->time;
	}
	writer->last = event->time;
	put_head(writer, &now);
	nt_text_put_bytes(&writer->events, event->payload ? event->payload : "", event->payload_length);
}

void nt_nettrace_writer_lost(struct nt_nettrace_writer *writer, uint64_t count)
{
	/* The next event begins a block, whose first number is said. */
	flush(writer);
	writer->sequence += count < MOST_LOST ? (uint32_t)count : MOST_LOST;
}
