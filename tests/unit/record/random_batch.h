/* SPDX-License-Identifier: GPL-2.0-only */
/* Batches of everything that a batch may have, with figures by chance and at their limits; and whether two of them say the same. */
#ifndef NT_TESTS_RANDOM_BATCH_H
#define NT_TESTS_RANDOM_BATCH_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "base/event_fields.h"
#include "base/hash_mix.h"

static inline uint64_t random_number(uint64_t *seed)
{
	static const uint64_t extreme[] = {
		0, 1, 127, 128, UINT32_MAX, (uint64_t)UINT32_MAX + 1, INT64_MAX, (uint64_t)INT64_MAX + 1, UINT64_MAX
	};
	uint64_t number = nt_hash_mix(*seed += UINT64_C(0x9e3779b97f4a7c15));
	switch (number % 4) {
	case 0:
		return extreme[number / 4 % (sizeof(extreme) / sizeof(extreme[0]))];
	case 1:
		return number >> 8 & 0xff;
	default:
		return number >> number % 64;
	}
}

static inline uint64_t random_below(uint64_t *seed, uint64_t limit)
{
	return nt_hash_mix(*seed += UINT64_C(0x9e3779b97f4a7c15)) % limit;
}

static inline void random_payload(uint64_t *seed, struct nt_event *event)
{
	for (size_t i = 0; i < nt_event_field_count; i++) {
		const struct nt_event_field *field = &nt_event_fields[i];
		char *place = (char *)event + field->offset;
		bool is_long = field->type == NT_EVENT_FIELD_U64 || field->type == NT_EVENT_FIELD_HEX ||
			       field->type == NT_EVENT_FIELD_F64 || field->type == NT_EVENT_FIELD_TIME ||
			       field->type == NT_EVENT_FIELD_U64S;
		size_t size = field->type == NT_EVENT_FIELD_BOOL ? 1 : is_long ? 8 : 4;
		for (size_t n = 0; field->kind == event->kind && n < field->count; n++) {
			uint64_t value = field->type == NT_EVENT_FIELD_BOOL ? random_below(seed, 2) : random_number(seed);
			memcpy(place + n * size, &value, size);
		}
	}
}

/* Lines, texts and stacks as sources have them: one after the other, or some of them the same. */
static inline void random_arrays(uint64_t *seed, struct nt_batch *batch)
{
	static const char text[] = "System.Collections.Generic.List`1\0\xff\x80[T]";
	for (size_t i = random_below(seed, 5); i-- > 0;)
		nt_batch_announce_str(batch, (nt_str)random_number(seed), text, random_below(seed, sizeof(text)));
	for (size_t i = random_below(seed, 5); i-- > 0;) {
		uint64_t addresses[40];
		unsigned count = (unsigned)random_below(seed, 40), of_kernel = (unsigned)random_below(seed, count + 1);
		for (size_t n = 0; n < count; n++)
			addresses[n] = random_number(seed);
		nt_batch_announce_stack(batch, (nt_stack)random_number(seed), addresses, of_kernel, count);
	}
	for (size_t i = random_below(seed, 3); i-- > 0;) {
		const struct nt_batch_line lines[] = {
			{ .start = random_number(seed), .size = 7, .offset = 3, .length = 9, .kind = 1 },
			{ .start = random_number(seed), .size = (uint32_t)random_number(seed), .length = 20 }
		};
		const struct nt_batch_place place = { random_number(seed), (uint32_t)random_number(seed), (uint32_t)random_number(seed) };
		nt_batch_add(batch, NT_EV_CODE, random_number(seed), 1, 0)->u.code.first = (uint32_t)batch->line_count;
		nt_batch_add_lines(batch, lines, 2, text);
		struct nt_event *code = nt_batch_add(batch, NT_EV_CODE, random_number(seed), 1, 0);
		code->u.code.first = (uint32_t)batch->place_count;
		code->u.code.map = 3;
		nt_batch_add_places(batch, &place, 1);
		nt_batch_add(batch, NT_EV_SOURCE_LINES, random_number(seed), 1, 0);
		nt_batch_add_source_lines(batch, lines, 2, text, 30);
	}
}

/* One event of each kind at least. */
static inline void random_batch(uint64_t *seed, struct nt_batch *batch)
{
	nt_batch_reset(batch);
	batch->source = (enum nt_source_id)random_below(seed, NT_SOURCE_COUNT);
	batch->pid = (uint32_t)random_number(seed);
	batch->epoch = (uint32_t)random_number(seed);
	random_arrays(seed, batch);
	for (unsigned kind = 0; kind < NT_EV_LIMIT; kind++) {
		if (!nt_event_kind_exists(kind))
			continue;
		struct nt_event *event = nt_batch_add(batch, (enum nt_event_kind)kind, random_number(seed), (uint32_t)random_below(seed, 3),
						      (uint32_t)random_number(seed));
		event->version = (uint8_t)random_below(seed, 4);
		event->beside = random_below(seed, 2);
		event->stack = (nt_stack)random_below(seed, 3);
		random_payload(seed, event);
	}
}

static inline void assert_same_array(const void *a, size_t a_count, const void *b, size_t b_count, size_t size)
{
	assert_int_equal(a_count, b_count);
	if (a_count)
		assert_memory_equal(a, b, a_count * size);
}

#define ASSERT_SAME_ARRAY(a, b, items, count) assert_same_array((a)->items, (a)->count, (b)->items, (b)->count, sizeof(*(a)->items))

static inline void assert_same_batch(const struct nt_batch *a, const struct nt_batch *b)
{
	assert_int_equal(a->source, b->source);
	assert_int_equal(a->pid, b->pid);
	assert_int_equal(a->epoch, b->epoch);
	assert_int_equal(a->own_count, b->own_count);
	ASSERT_SAME_ARRAY(a, b, events, event_count);
	ASSERT_SAME_ARRAY(a, b, strs, str_count);
	ASSERT_SAME_ARRAY(a, b, stacks, stack_count);
	ASSERT_SAME_ARRAY(a, b, lines, line_count);
	ASSERT_SAME_ARRAY(a, b, places, place_count);
	ASSERT_SAME_ARRAY(a, b, bytes, byte_count);
	ASSERT_SAME_ARRAY(a, b, addresses, address_count);
}

#endif
