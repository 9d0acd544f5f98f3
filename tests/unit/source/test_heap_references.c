// SPDX-License-Identifier: GPL-2.0-only
/* References of objects as a full collection tells them, made into a graph: whose they are, static fields in place of the arrays that they lie in, and when there is none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "../rundown_payload.h"
#include "base/alloc.h"
#include "source/eventpipe/heap_reference_events.h"

#include <stdlib.h>

enum { ORDER, LIST, SLOTS, TYPES, LIMIT = 1 << 20 };
/* Two pieces of the heap: the one with higher addresses comes first. */
enum { THE_LIST = 0x10001000, ONE = 0x10001100, OTHER = 0x10001200, THE_SLOTS = 0x8000 };

struct told {
	struct nt_heap_reference_events events;
	struct nt_heap_found *heap;
	uint32_t edge_events, root_events, pair_events;
};

static struct told begin(uint64_t limit)
{
	struct told told = { .events = { .references = nt_heap_references_of_events(limit) },
			     .heap = nt_alloc(sizeof(struct nt_heap_found)) };
	static const char *const names[] = { "Shop.Order", "List", "object[]" };
	told.heap->types = nt_alloc(TYPES * sizeof(struct nt_heap_type));
	told.heap->type_count = TYPES;
	for (unsigned i = 0; i < TYPES; i++)
		told.heap->types[i] = (struct nt_heap_type){ .name = nt_strdup(names[i]), .count = 1 };
	return told;
}

static void node(struct told *told, uint64_t address, uint64_t bytes, uint32_t type, uint64_t references)
{
	const struct nt_heap_node entry = { .address = address, .bytes = bytes, .references = references };
	nt_heap_references_node(told->events.references, &entry, type);
}

static void edges(struct told *told, const uint64_t *to, uint32_t count)
{
	struct payload payload = { .length = 0 };
	payload_u32(&payload, told->edge_events++);
	payload_u32(&payload, count);
	payload_put(&payload, "\t\0", 2);
	for (uint32_t i = 0; i < count; i++) {
		payload_u64(&payload, to[i]);
		payload_u32(&payload, 0);
	}
	nt_heap_references_event(&told->events, NT_HEAP_EDGES, payload.bytes, payload.length);
}

static void root(struct told *told, uint64_t object, char kind, uint32_t flags)
{
	struct payload payload = { .length = 0 };
	payload_u32(&payload, told->root_events++);
	payload_u32(&payload, 1);
	payload_put(&payload, "\t\0", 2);
	payload_u64(&payload, object);
	payload_put(&payload, &kind, 1);
	payload_u32(&payload, flags);
	payload_u64(&payload, 0x77);
	nt_heap_references_event(&told->events, NT_HEAP_ROOTS, payload.bytes, payload.length);
}

static void pair(struct told *told, uint64_t key, uint64_t value)
{
	struct payload payload = { .length = 0 };
	payload_u32(&payload, told->pair_events++);
	payload_u32(&payload, 1);
	payload_put(&payload, "\t\0", 2);
	payload_u64(&payload, key);
	payload_u64(&payload, value);
	payload_u64(&payload, 0);
	nt_heap_references_event(&told->events, NT_HEAP_PAIRS, payload.bytes, payload.length);
}

static void add_static(struct told *told, uint64_t place, uint64_t object)
{
	struct nt_heap_found *heap = told->heap;
	heap->statics = nt_realloc(heap->statics, heap->static_count + 1, sizeof(*heap->statics));
	heap->statics[heap->static_count++] = (struct nt_heap_static){
		.field = nt_strdup("s_list"), .owner = nt_strdup("Shop.Cache"), .type = nt_strdup("List"), .place = place, .object = object
	};
}

static const struct nt_heap_graph *finish(struct told *told)
{
	static const uint32_t rows[] = { ORDER, LIST, SLOTS };
	nt_heap_references_finish(told->events.references, rows, told->heap);
	if (told->heap->graph)
		assert_true(nt_heap_graph_is_sound(told->heap->graph));
	nt_heap_found_name_graph(told->heap);
	return told->heap->graph;
}

static void end(struct told *told)
{
	nt_heap_references_free(told->events.references);
	nt_heap_found_free(told->heap);
}

/* A list with two orders, in a static field that lies in an array which a handle holds. */
static struct told tell(void)
{
	struct told told = begin(LIMIT);
	node(&told, THE_LIST, 32, LIST, 2);
	node(&told, ONE, 24, ORDER, 1);
	edges(&told, (const uint64_t[]){ OTHER, ONE, THE_LIST }, 3);
	node(&told, OTHER, UINT64_C(5) << 30, ORDER, 0);
	node(&told, THE_SLOTS, 48, SLOTS, 2);
	edges(&told, (const uint64_t[]){ ONE, THE_LIST }, 2);
	root(&told, THE_SLOTS, 2, 1);
	root(&told, OTHER, 0, 0);
	root(&told, ONE, 2, 2); /* weak */
	pair(&told, OTHER, ONE);
	add_static(&told, THE_SLOTS + 24, THE_LIST);
	return told;
}

static uint32_t at(const struct nt_heap_graph *graph, uint64_t address)
{
	for (uint32_t i = 0; i < graph->count; i++)
		if (graph->addresses[i] == address)
			return i;
	fail_msg("no node at 0x%lx", (unsigned long)address);
	return 0;
}

static void check_edges(const struct nt_heap_graph *graph, uint32_t node, const uint32_t *to, uint32_t count)
{
	assert_int_equal(graph->first_edge[node + 1] - graph->first_edge[node], count);
	for (uint32_t i = 0; i < count; i++)
		assert_int_equal(graph->edges[graph->first_edge[node] + i], to[i]);
}

static void each_object_has_its_references(void **state)
{
	(void)state;
	struct told told = tell();
	const struct nt_heap_graph *graph = finish(&told);
	assert_non_null(graph);
	assert_null(told.heap->no_graph);
	uint32_t list = at(graph, THE_LIST), one = at(graph, ONE), other = at(graph, OTHER), slots = at(graph, THE_SLOTS);
	check_edges(graph, list, (const uint32_t[]){ other, one }, 2);
	check_edges(graph, one, (const uint32_t[]){ list }, 1);
	check_edges(graph, other, (const uint32_t[]){ one }, 1);        /* lives as long */
	check_edges(graph, slots, (const uint32_t[]){ one, slots }, 2); /* the field's own is no longer the array's */
	assert_int_equal(nt_heap_graph_bytes(graph, other), UINT64_C(5) << 30);
	assert_int_equal(nt_heap_graph_bytes(graph, list), 32);
	assert_string_equal(graph->types[graph->type_of[one]].name, "Shop.Order");
	end(&told);
}

static void roots_are_nodes(void **state)
{
	(void)state;
	struct told told = tell();
	const struct nt_heap_graph *graph = finish(&told);
	uint32_t field = told.heap->statics[0].node, from_root = graph->first_edge[graph->root + 1] - graph->first_edge[graph->root];
	assert_int_equal(from_root, 1 + NT_HEAP_ROOT_KINDS);
	assert_int_equal(graph->edges[graph->first_edge[graph->root]], field);
	assert_string_equal(graph->types[graph->type_of[field]].name, "static Shop.Cache.s_list");
	check_edges(graph, field, (const uint32_t[]){ at(graph, THE_LIST) }, 1);
	check_edges(graph, field + 1 + NT_HEAP_ROOT_STACK, (const uint32_t[]){ at(graph, OTHER) }, 1);
	check_edges(graph, field + 1 + NT_HEAP_ROOT_HANDLE, (const uint32_t[]){ at(graph, THE_SLOTS) }, 1);
	assert_true(graph->types[graph->type_of[field]].is_root);
	end(&told);
}

static void without_one_event_there_is_none(void **state)
{
	(void)state;
	struct told told = tell();
	told.edge_events++;
	edges(&told, (const uint64_t[]){ ONE }, 1);
	assert_null(finish(&told));
	assert_non_null(told.heap->no_graph);
	end(&told);
	told = tell(); /* more references than the objects say that they have */
	edges(&told, (const uint64_t[]){ ONE }, 1);
	assert_null(finish(&told));
	end(&told);
	told = tell();
	told.heap->partial = true;
	assert_null(finish(&told));
	end(&told);
}

static void what_does_not_fit_is_given_up(void **state)
{
	(void)state;
	struct told told = begin(10000);
	for (uint32_t i = 0; i < 10000; i++)
		node(&told, 0x100000 + UINT64_C(32) * i, 32, ORDER, 0);
	assert_null(finish(&told));
	assert_non_null(told.heap->no_graph);
	end(&told);
}

static void objects_within_each_other_are_none(void **state)
{
	(void)state;
	struct told told = begin(LIMIT);
	node(&told, 0x1000, 32, ORDER, 0);
	node(&told, 0x3000, 32, ORDER, 0);
	node(&told, 0x2000, 32, ORDER, 0);
	assert_null(finish(&told));
	end(&told);
}

/* Regions that lie between each other, each object found by its address: by a reference of the one before. */
static void many_regions_in_any_order(void **state)
{
	(void)state;
	enum { REGIONS = 8, EACH = 200 };
	static const unsigned order[REGIONS] = { 3, 5, 0, 7, 1, 6, 2, 4 };
	struct told told = begin(LIMIT);
	uint64_t all[REGIONS * EACH], count = 0;
	for (unsigned i = 0; i < REGIONS; i++)
		for (unsigned j = 0; j < EACH; j++)
			all[count++] = ((UINT64_C(1000) + order[i]) << 22) + 24 * j + (j > 100 ? 0x100000 : 0);
	for (uint64_t i = 0; i < count; i++)
		node(&told, all[i], 24, ORDER, 1);
	for (uint64_t i = 0; i < count; i++)
		edges(&told, &all[(i + 777) % count], 1);
	const struct nt_heap_graph *graph = finish(&told);
	assert_non_null(graph);
	for (uint32_t i = 0; i < count; i++)
		check_edges(graph, i, (const uint32_t[]){ (uint32_t)((i + 777) % count) }, 1);
	end(&told);
}

/* As words of stacks are, which only look like references. */
static void a_doubtful_root_counts_only_where_no_other_one_does(void **state)
{
	(void)state;
	static const char *const names[] = { "maybe", "surely" };
	static const struct nt_heap_root_names kinds = { .names = names, .count = 2, .doubtful = 0 };
	static const uint32_t rows[] = { ORDER, LIST, SLOTS };
	struct told told = begin(LIMIT);
	nt_heap_references_free(told.events.references);
	told.events.references = nt_heap_references_new(LIMIT, &kinds);
	node(&told, THE_LIST, 32, LIST, 1);
	node(&told, ONE, 24, ORDER, 0);
	node(&told, OTHER, 24, ORDER, 0);
	nt_heap_references_edge(told.events.references, ONE);
	nt_heap_references_root(told.events.references, OTHER, 0);
	nt_heap_references_root(told.events.references, ONE, 0);
	nt_heap_references_root(told.events.references, ONE + 8, 0); /* no object */
	nt_heap_references_root(told.events.references, THE_LIST, 1);
	nt_heap_references_finish(told.events.references, rows, told.heap);
	const struct nt_heap_graph *graph = told.heap->graph;
	assert_true(graph && nt_heap_graph_is_sound(graph));
	uint32_t maybe = graph->root + 1, first = graph->first_edge[maybe];
	assert_int_equal(graph->first_edge[maybe + 1] - first, 1);
	assert_int_equal(graph->edges[first], at(graph, OTHER));
	assert_int_equal(graph->first_edge[maybe + 2] - graph->first_edge[maybe + 1], 1);
	end(&told);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_object_has_its_references),
		cmocka_unit_test(roots_are_nodes),
		cmocka_unit_test(without_one_event_there_is_none),
		cmocka_unit_test(what_does_not_fit_is_given_up),
		cmocka_unit_test(objects_within_each_other_are_none),
		cmocka_unit_test(many_regions_in_any_order),
		cmocka_unit_test(a_doubtful_root_counts_only_where_no_other_one_does),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
