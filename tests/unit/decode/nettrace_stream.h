/* SPDX-License-Identifier: GPL-2.0-only */
/* Streams for the tests of nettrace: written by hand, and what a decoder says of them in one text. */
#ifndef NT_TESTS_NETTRACE_STREAM_H
#define NT_TESTS_NETTRACE_STREAM_H

#include "decode/eventpipe/nettrace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- writing ---- */

struct stream {
	uint8_t bytes[64 * 1024];
	size_t length;
};

static inline void put(struct stream *s, const void *data, size_t size)
{
	assert_true(s->length + size <= sizeof(s->bytes));
	memcpy(s->bytes + s->length, data, size);
	s->length += size;
}

#define PUT(name_, type_)                                                                                                                  \
	static inline void name_(struct stream *s, type_ value)                                                                            \
	{                                                                                                                                  \
		put(s, &value, sizeof(value));                                                                                             \
	}
PUT(put_u8, uint8_t)
PUT(put_u16, uint16_t)
PUT(put_u32, uint32_t)
PUT(put_u64, uint64_t)
PUT(put_f64, double)
#undef PUT

static inline void put_varuint(struct stream *s, uint64_t value)
{
	for (; value >= 0x80; value >>= 7)
		put_u8(s, (uint8_t)(value | 0x80));
	put_u8(s, (uint8_t)value);
}

static inline void put_utf16(struct stream *s, const char *ascii)
{
	do
		put_u16(s, (uint8_t)*ascii);
	while (*ascii++);
}

static inline void put_object(struct stream *s, const char *type)
{
	put(s, "\5\5\1", 3);
	put_u32(s, 2);
	put_u32(s, 2);
	put_u32(s, (uint32_t)strlen(type));
	put(s, type, strlen(type));
	put_u8(s, 6);
}

static inline void put_block(struct stream *s, const char *type, const struct stream *content)
{
	put_object(s, type);
	put_u32(s, (uint32_t)content->length);
	while (s->length % 4)
		put_u8(s, 0);
	put(s, content->bytes, content->length);
	put_u8(s, 6);
}

/* Magic and header: the clock ticks `frequency` times a second and stood at `ticks`. */
static inline void put_start(struct stream *s, uint64_t ticks, uint64_t frequency)
{
	put(s, "Nettrace\x14\0\0\0!FastSerialization.1", 32);
	put_object(s, "Trace");
	put_u64(s, 0);
	put_u64(s, 0);
	put_u64(s, ticks);
	put_u64(s, frequency);
	put_u32(s, 8);
	put_u32(s, 4711);
	put_u32(s, 2);
	put_u32(s, 1000000);
	put_u8(s, 6);
}

/* A block of events begins; the events follow with put_event() and the like. */
static inline struct stream event_block(void)
{
	struct stream block = { .length = 0 };
	put_u16(&block, 20);
	put_u16(&block, 1);
	put_u64(&block, 0);
	put_u64(&block, 0);
	return block;
}

struct written_event {
	uint32_t kind, sequence_delta, stack;
	uint64_t thread, ticks_delta;
	bool oldest;
};

/* With all of its header. The payload is one byte: the kind. */
static inline void put_event(struct stream *block, struct written_event event)
{
	put_u8(block, (uint8_t)(1 | 2 | 4 | 8 | 128 | (event.oldest ? 64 : 0)));
	put_varuint(block, event.kind);
	put_varuint(block, event.sequence_delta);
	put_varuint(block, event.thread);
	put_varuint(block, UINT32_MAX);
	put_varuint(block, event.thread);
	put_varuint(block, event.stack);
	put_varuint(block, event.ticks_delta);
	put_varuint(block, 1);
	put_u8(block, (uint8_t)event.kind);
}

/* A MetadataBlock with one record, which begins as all do; `rest`: from the count of fields on. */
static inline void put_metadata(struct stream *s, uint32_t number, uint32_t id, const struct stream *rest)
{
	struct stream record = { .length = 0 }, block = event_block();
	put_u32(&record, number);
	put_utf16(&record, "Provider");
	put_u32(&record, id);
	put_utf16(&record, "Name");
	put_u64(&record, 0x10);
	put_u32(&record, 3);
	put_u32(&record, 4);
	put(&record, rest->bytes, rest->length);
	put_u8(&block, 1 | 128);
	put_varuint(&block, 0);
	put_varuint(&block, 0);
	put_varuint(&block, record.length);
	put(&block, record.bytes, record.length);
	put_block(s, "MetadataBlock", &block);
}

static inline void put_kind(struct stream *s, uint32_t number, uint32_t id)
{
	struct stream rest = { .length = 0 };
	put_u32(&rest, 0);
	put_metadata(s, number, id, &rest);
}

/* ---- reading ---- */

/* What a decoder said, one line per event: `TIME THREAD ID STACK_DEPTH`, or `lost COUNT until TIME`. */
struct said {
	char text[256 * 1024];
	size_t length;
	size_t events;
	nt_time newest;
	bool in_order;
	struct nt_nettrace_start start;
};

static inline void say_start(void *context, const struct nt_nettrace_start *start)
{
	((struct said *)context)->start = *start;
}

static inline void say_event(void *context, const struct nt_nettrace_event *event)
{
	struct said *said = context;
	said->events++;
	said->in_order &= event->time >= said->newest;
	said->newest = event->time;
	said->length += (size_t)snprintf(said->text + said->length, sizeof(said->text) - said->length, "%llu %llu %u %u\n",
					 (unsigned long long)event->time, (unsigned long long)event->thread, event->meta->id,
					 event->stack ? event->stack->count : 0);
	assert_true(said->length < sizeof(said->text));
}

static inline void say_lost(void *context, const struct nt_nettrace_lost *lost)
{
	struct said *said = context;
	said->length += (size_t)snprintf(said->text + said->length, sizeof(said->text) - said->length, "lost %llu until %llu\n",
					 (unsigned long long)lost->count, (unsigned long long)lost->until);
	assert_true(said->length < sizeof(said->text));
}

static inline struct nt_nettrace *new_decoder(struct said *said)
{
	said->length = said->events = 0;
	said->newest = 0;
	said->in_order = true;
	said->text[0] = '\0';
	struct nt_nettrace_sink sink = { .context = said, .start = say_start, .event = say_event, .lost = say_lost };
	return nt_nettrace_new(&sink, NULL);
}

/* Decode bytes[0..length), as two pieces. */
static inline enum nt_status decode(const uint8_t *bytes, size_t length, size_t cut, struct said *said)
{
	struct nt_nettrace *trace = new_decoder(said);
	enum nt_status status = nt_nettrace_feed(trace, bytes, cut, NULL);
	if (status == NT_OK)
		status = nt_nettrace_feed(trace, bytes + cut, length - cut, NULL);
	nt_nettrace_free(trace);
	return status;
}

/* A recording of a real runtime, tests/data/nettrace/NAME. Owned by the caller. */
static inline uint8_t *recording(const char *name, size_t *length)
{
	char path[256];
	snprintf(path, sizeof(path), "tests/data/nettrace/%s", name);
	FILE *file = fopen(path, "rb");
	assert_non_null(file);
	uint8_t *bytes = malloc(1 << 20);
	assert_non_null(bytes);
	*length = fread(bytes, 1, 1 << 20, file);
	assert_true(*length > 0 && *length < 1 << 20);
	fclose(file);
	return bytes;
}

#endif
