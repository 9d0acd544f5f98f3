// SPDX-License-Identifier: GPL-2.0-only
/* What a full collection tells of the heap, summed up by type: names, losses, and a second collection that somebody else asked for. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "../rundown_payload.h"
#include "decode/clr/clr.h"
#include "decode/eventpipe/heap_events.h"
#include "source/eventpipe/heap_table.h"
#include "source/eventpipe/heap_walk.h"

#include <string.h>

enum { ORDER = 0x100, LIST = 0x200, ARRAY = 0x300, TEXT = 0x400, ARRAY_FLAG = 8, FULL = 2, INDUCED = 1, BLOCKING = 0 };

struct world {
	struct nt_heap_table *table;
	struct nt_nettrace_sink sink;
	nt_time now;
};

static struct world begin(void)
{
	struct world w = { .table = nt_heap_table_new(0), .now = 1000 };
	w.sink = nt_heap_table_sink(w.table);
	return w;
}

static struct nt_heap_found *end(struct world *w)
{
	struct nt_heap_found *heap = nt_heap_table_finish(w->table);
	nt_heap_table_free(w->table);
	nt_heap_found_join(heap);
	return heap;
}

static void say(struct world *w, uint32_t id, const struct payload *payload)
{
	struct nt_nettrace_meta meta = { .provider = NT_CLR_PROVIDER, .name = "", .id = id };
	const struct nt_nettrace_event event = {
		.meta = &meta, .time = w->now, .payload = payload->bytes, .payload_length = (uint32_t)payload->length
	};
	w->now += 1000;
	w->sink.event(w->sink.context, &event);
}

static void say_collection(struct world *w, uint32_t number)
{
	struct payload payload = { .length = 0 };
	payload_u32(&payload, number);
	payload_u32(&payload, FULL);
	payload_u32(&payload, INDUCED);
	payload_u32(&payload, BLOCKING);
	payload_put(&payload, "\0\0", 2);
	say(w, NT_HEAP_GC_START, &payload);
}

static void say_end(struct world *w, uint32_t number)
{
	struct payload payload = { .length = 0 };
	payload_u32(&payload, number);
	payload_u32(&payload, FULL);
	say(w, NT_HEAP_GC_END, &payload);
}

static void say_nothing(struct world *w, uint32_t id)
{
	const struct payload payload = { .length = 0 };
	say(w, id, &payload);
}

static void add_type(struct payload *payload, uint64_t id, uint32_t flags, const char *name, const uint64_t *arguments, uint32_t count)
{
	payload_u64(payload, id);
	payload_u64(payload, 0x77);
	payload_u32(payload, 0x2000001);
	payload_u32(payload, flags);
	payload_put(payload, "\x12", 1);
	payload_text(payload, name);
	payload_u32(payload, count);
	for (uint32_t i = 0; i < count; i++)
		payload_u64(payload, arguments[i]);
}

static void say_types(struct world *w)
{
	struct payload payload = { .length = 0 };
	payload_u32(&payload, 4);
	payload_put(&payload, "\t\0", 2);
	add_type(&payload, ORDER, 0, "Shop.Order", NULL, 0);
	add_type(&payload, LIST, 0, "System.Collections.Generic.List`1", (const uint64_t[]){ ORDER }, 1);
	add_type(&payload, ARRAY, ARRAY_FLAG, "", (const uint64_t[]){ ORDER }, 1);
	add_type(&payload, TEXT, 0, "System.String", NULL, 0);
	say(w, NT_HEAP_TYPES, &payload);
}

struct node {
	uint64_t address, bytes, type;
};

static void say_nodes(struct world *w, uint32_t index, const struct node *nodes, uint32_t count)
{
	struct payload payload = { .length = 0 };
	payload_u32(&payload, index);
	payload_u32(&payload, count);
	payload_put(&payload, "\t\0", 2);
	for (uint32_t i = 0; i < count; i++) {
		payload_u64(&payload, nodes[i].address);
		payload_u64(&payload, nodes[i].bytes);
		payload_u64(&payload, nodes[i].type);
		payload_u64(&payload, 3);
	}
	say(w, NT_HEAP_NODES, &payload);
}

static void say_static(struct world *w, uint64_t object, uint64_t type, const char *field)
{
	struct payload payload = { .length = 0 };
	payload_u32(&payload, 1);
	payload_u64(&payload, 1);
	payload_put(&payload, "\t\0", 2);
	payload_u64(&payload, 0x5000);
	payload_u64(&payload, object);
	payload_u64(&payload, type);
	payload_u32(&payload, 0);
	payload_text(&payload, field);
	say(w, NT_HEAP_STATICS, &payload);
}

static const struct node nodes[] = {
	{ 0x10, 40, ORDER }, { 0x40, 24, TEXT }, { 0x60, 40, ORDER }, { 0x90, 1024, ARRAY }, { 0x500, 32, LIST }
};

static void check_type(const struct nt_heap_found *heap, size_t at, const char *name, uint64_t count, uint64_t bytes)
{
	assert_true(at < heap->type_count);
	assert_string_equal(heap->types[at].name, name);
	assert_int_equal(heap->types[at].count, count);
	assert_int_equal(heap->types[at].bytes, bytes);
}

static void objects_are_summed_up_by_type_the_largest_first(void **state)
{
	(void)state;
	struct world w = begin();
	say_nothing(&w, NT_HEAP_SUSPEND); /* 1000 */
	say_collection(&w, 7);
	say_static(&w, 0x500, LIST, "s_orders");
	say_nodes(&w, 0, nodes, 5);
	say_end(&w, 7);
	say_nothing(&w, NT_HEAP_RESTARTED); /* 6000 */
	say_types(&w);
	struct nt_heap_found *heap = end(&w);
	check_type(heap, 0, "Shop.Order[]", 1, 1024);
	check_type(heap, 1, "Shop.Order", 2, 80);
	check_type(heap, 2, "System.Collections.Generic.List<Shop.Order>", 1, 32);
	check_type(heap, 3, "string", 1, 24);
	assert_int_equal(heap->type_count, 4);
	assert_int_equal(heap->object_count, 5);
	assert_int_equal(heap->bytes, 1160);
	assert_int_equal(heap->pause_ns, 5000);
	assert_false(heap->partial);
	assert_int_equal(heap->static_count, 1);
	assert_string_equal(heap->statics[0].field, "s_orders");
	assert_string_equal(heap->statics[0].type, "System.Collections.Generic.List<Shop.Order>");
	assert_true(heap->statics[0].bytes_known);
	assert_int_equal(heap->statics[0].bytes, 32);
	nt_heap_found_free(heap);
}

static void types_are_told_apart_whatever_their_numbers_are(void **state)
{
	(void)state;
	enum { TYPES = 5000, ROUNDS = 3 };
	struct world w = begin();
	assert_false(nt_heap_table_has_begun(w.table));
	say_collection(&w, 7);
	assert_true(nt_heap_table_has_begun(w.table));
	for (uint32_t i = 0; i < ROUNDS * TYPES; i++) {
		/* Their addresses differ in the upper bits, too; and 0 is a number as well. */
		const struct node node = { .address = 0x10000 + 64 * i,
					   .bytes = 24 + i % TYPES,
					   .type = (uint64_t)(i % TYPES) << (i % TYPES % 40) };
		say_nodes(&w, i, &node, 1);
	}
	say_end(&w, 7);
	struct nt_heap_found *heap = nt_heap_table_finish(w.table);
	nt_heap_table_free(w.table);
	uint64_t bytes = 0;
	for (size_t i = 0; i < heap->type_count; i++) {
		assert_int_equal(heap->types[i].count % ROUNDS, 0);
		bytes += heap->types[i].bytes;
		if (heap->types[i].id == 1 << 1)
			assert_int_equal(heap->types[i].bytes, ROUNDS * (24 + 1));
	}
	assert_int_equal(heap->object_count, ROUNDS * TYPES);
	assert_int_equal(bytes, heap->bytes);
	nt_heap_found_free(heap);
}

static void events_that_are_missing_are_known_by_their_numbers(void **state)
{
	(void)state;
	struct world w = begin();
	say_collection(&w, 7);
	say_types(&w);
	say_nodes(&w, 0, nodes, 1);
	say_nodes(&w, 3, nodes, 1);
	say_end(&w, 7);
	struct nt_heap_found *heap = end(&w);
	assert_true(heap->partial);
	assert_float_equal(heap->came_pct, 50, 0.01);
	assert_int_equal(heap->types[0].count, 2);
	nt_heap_found_free(heap);
}

static void a_walk_without_its_end_is_a_part(void **state)
{
	(void)state;
	struct world w = begin();
	say_collection(&w, 7);
	say_nodes(&w, 0, nodes, 5);
	struct nt_heap_found *heap = end(&w);
	assert_true(heap->partial);
	nt_heap_found_free(heap);
}

static void a_second_collection_counts_no_object_twice(void **state)
{
	(void)state;
	struct world w = begin();
	say_collection(&w, 7);
	say_nodes(&w, 0, nodes, 5);
	say_end(&w, 7);
	say_collection(&w, 8);
	say_static(&w, 0x500, LIST, "s_again");
	say_nodes(&w, 0, nodes, 5);
	say_end(&w, 8);
	struct nt_heap_found *heap = end(&w);
	assert_int_equal(heap->object_count, 5);
	assert_int_equal(heap->static_count, 0);
	assert_false(heap->partial);
	nt_heap_found_free(heap);
}

static void a_type_that_was_not_told_has_its_number(void **state)
{
	(void)state;
	struct world w = begin();
	say_collection(&w, 7);
	say_nodes(&w, 0, nodes, 2);
	say_end(&w, 7);
	struct nt_heap_found *heap = end(&w);
	assert_int_equal(heap->type_count, 2);
	assert_non_null(strstr(heap->types[0].name, "0x100"));
	nt_heap_found_free(heap);
}

static void types_that_lead_in_a_circle_have_an_end(void **state)
{
	(void)state;
	struct world w = begin();
	struct payload payload = { .length = 0 };
	payload_u32(&payload, 1);
	payload_put(&payload, "\t\0", 2);
	add_type(&payload, ORDER, 0, "Shop.Self`2", (const uint64_t[]){ ORDER, ORDER }, 2);
	say_collection(&w, 7);
	say(&w, NT_HEAP_TYPES, &payload);
	say_nodes(&w, 0, nodes, 1);
	say_end(&w, 7);
	struct nt_heap_found *heap = end(&w);
	assert_int_equal(heap->type_count, 1);
	assert_non_null(strstr(heap->types[0].name, "Shop.Self"));
	nt_heap_found_free(heap);
}

static void an_event_that_breaks_its_layout_makes_a_part(void **state)
{
	(void)state;
	struct world w = begin();
	struct payload payload = { .length = 0 };
	payload_u32(&payload, 0);
	payload_u32(&payload, 0xffffffff);
	payload_put(&payload, "\t\0", 2);
	say_collection(&w, 7);
	say(&w, NT_HEAP_NODES, &payload);
	say_end(&w, 7);
	struct nt_heap_found *heap = end(&w);
	assert_int_equal(heap->object_count, 0);
	assert_true(heap->partial);
	nt_heap_found_free(heap);
}

static void room_is_a_quarter_of_what_is_left(void **state)
{
	(void)state;
	assert_int_equal(nt_heap_walk_buffer_mb(UINT64_MAX, UINT64_MAX, 256), 256);
	assert_int_equal(nt_heap_walk_buffer_mb(UINT64_C(400) << 20, UINT64_MAX, 256), 100);
	assert_int_equal(nt_heap_walk_buffer_mb(UINT64_MAX, UINT64_C(100) << 20, 256), 25);
	assert_int_equal(nt_heap_walk_buffer_mb(0, UINT64_MAX, 256), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(objects_are_summed_up_by_type_the_largest_first),
		cmocka_unit_test(types_are_told_apart_whatever_their_numbers_are),
		cmocka_unit_test(events_that_are_missing_are_known_by_their_numbers),
		cmocka_unit_test(a_walk_without_its_end_is_a_part),
		cmocka_unit_test(a_second_collection_counts_no_object_twice),
		cmocka_unit_test(a_type_that_was_not_told_has_its_number),
		cmocka_unit_test(types_that_lead_in_a_circle_have_an_end),
		cmocka_unit_test(an_event_that_breaks_its_layout_makes_a_part),
		cmocka_unit_test(room_is_a_quarter_of_what_is_left),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
