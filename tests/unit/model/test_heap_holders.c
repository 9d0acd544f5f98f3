// SPDX-License-Identifier: GPL-2.0-only
/* Who holds the objects of a heap: paths by type, and what a root alone holds, which is held against the plain meaning of that: take the node away, and see what is left. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "model/heap/heap_held.h"
#include "model/heap/heap_paths_find.h"

#include "base/alloc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NODES_MAX = 4000, EDGES_MAX = 16000, ROUNDS = 300 };

struct built {
	struct nt_heap_graph graph;
	struct {
		uint32_t from, to;
	} list[EDGES_MAX];
	uint32_t edge_count;
};

static struct built *begin(void)
{
	struct built *built = nt_alloc(sizeof(*built));
	built->graph.type_of = nt_realloc(NULL, NODES_MAX, sizeof(uint32_t));
	built->graph.bytes = nt_realloc(NULL, NODES_MAX, sizeof(uint32_t));
	return built;
}

static uint32_t type(struct built *built, const char *name, bool is_root)
{
	struct nt_heap_graph *graph = &built->graph;
	graph->types = nt_realloc(graph->types, graph->type_count + 1, sizeof(*graph->types));
	graph->types[graph->type_count] = (struct nt_heap_graph_type){ .name = nt_strdup(name), .is_root = is_root };
	return (uint32_t)graph->type_count++;
}

static uint32_t node(struct built *built, uint32_t type, uint32_t bytes)
{
	assert_in_range(built->graph.count, 0, NODES_MAX - 1);
	built->graph.type_of[built->graph.count] = type;
	built->graph.bytes[built->graph.count] = bytes;
	return built->graph.count++;
}

static void edge(struct built *built, uint32_t from, uint32_t to)
{
	assert_in_range(built->edge_count, 0, EDGES_MAX - 1);
	built->list[built->edge_count].from = from;
	built->list[built->edge_count++].to = to;
}

static const struct nt_heap_graph *make(struct built *built)
{
	struct nt_heap_graph *graph = &built->graph;
	uint32_t at = 0;
	graph->first_edge = nt_realloc(NULL, graph->count + 1, sizeof(uint32_t));
	graph->edges = nt_realloc(NULL, built->edge_count + 1, sizeof(uint32_t));
	for (uint32_t i = 0; i < graph->count; i++) {
		graph->first_edge[i] = at;
		for (uint32_t j = 0; j < built->edge_count; j++)
			if (built->list[j].from == i)
				graph->edges[at++] = built->list[j].to;
	}
	graph->first_edge[graph->count] = at;
	assert_true(nt_heap_graph_is_sound(graph));
	return graph;
}

static void end(struct built *built)
{
	struct nt_heap_graph *graph = nt_realloc(NULL, 1, sizeof(*graph));
	*graph = built->graph;
	nt_heap_graph_free(graph);
	free(built);
}

/* ---- a shop ---- */

struct shop {
	struct built *built;
	const struct nt_heap_graph *graph;
	uint32_t root, orders, names, stacks, shared;
};

/* A list of three orders with their bytes; the first one is in a dictionary of another field, too; a list of five links; and an order that nobody has. */
static struct shop open_shop(void)
{
	struct shop shop = { .built = begin() };
	struct built *b = shop.built;
	uint32_t roots = type(b, "roots", true), orders = type(b, "static Shop.Cache.s_orders", true),
		 names = type(b, "static Shop.Cache.s_names", true), stacks = type(b, "stacks of threads", true);
	uint32_t list = type(b, "List<Shop.Order>", false), array = type(b, "Shop.Order[]", false), order = type(b, "Shop.Order", false),
		 again = type(b, "Shop.Order", false), bytes = type(b, "byte[]", false), dictionary = type(b, "Dictionary", false),
		 link = type(b, "Shop.Link", false), payload = type(b, "Shop.Payload", false);
	shop.root = b->graph.root = node(b, roots, 0);
	shop.orders = node(b, orders, 0);
	shop.names = node(b, names, 0);
	shop.stacks = node(b, stacks, 0);
	edge(b, shop.root, shop.orders);
	edge(b, shop.root, shop.names);
	edge(b, shop.root, shop.stacks);
	uint32_t the_list = node(b, list, 32), the_array = node(b, array, 56), the_names = node(b, dictionary, 80);
	edge(b, shop.orders, the_list);
	edge(b, the_list, the_array);
	edge(b, shop.names, the_names);
	for (int i = 0; i < 3; i++) {
		uint32_t one = node(b, i == 2 ? again : order, 24), its = node(b, bytes, 1000);
		edge(b, the_array, one);
		edge(b, one, its);
		edge(b, its, its); /* what refers to itself */
		if (!i) {
			edge(b, the_names, one);
			shop.shared = one;
		}
	}
	uint32_t before = shop.stacks;
	for (int i = 0; i < 5; i++) {
		uint32_t next = node(b, link, 24), has = node(b, payload, 16);
		edge(b, before, next);
		edge(b, next, has);
		before = has;
	}
	node(b, order, 24);
	shop.graph = make(b);
	return shop;
}

static void check_step(const struct nt_heap_paths *paths, size_t at, uint32_t depth, const char *name, uint64_t count)
{
	assert_in_range(at + 1, 1, paths->step_count);
	assert_string_equal(paths->steps[at].name, name);
	assert_int_equal(paths->steps[at].depth, depth);
	assert_int_equal(paths->steps[at].count, count);
}

static void paths_are_put_together_by_type(void **state)
{
	(void)state;
	struct shop shop = open_shop();
	struct nt_heap_tree tree = nt_heap_tree_of(shop.graph);
	struct nt_heap_paths *paths = nt_heap_paths_find(shop.graph, &tree, "Shop.Order", 100);
	assert_int_equal(paths->count, 4);
	assert_int_equal(paths->bytes, 96);
	assert_int_equal(paths->lost, 1);
	/* The first one is nearer to the other field. */
	check_step(paths, 0, 0, "Shop.Order[]", 2);
	check_step(paths, 1, 1, "List<Shop.Order>", 2);
	check_step(paths, 2, 2, "static Shop.Cache.s_orders", 2);
	check_step(paths, 3, 0, "Dictionary", 1);
	check_step(paths, 4, 1, "static Shop.Cache.s_names", 1);
	assert_int_equal(paths->step_count, 5);
	assert_true(paths->steps[2].is_root && paths->steps[4].is_root && !paths->steps[0].is_root);
	assert_int_equal(paths->steps[0].bytes, 48);
	nt_heap_paths_free(paths);
	nt_heap_tree_fini(&tree);
	end(shop.built);
}

static void a_list_is_one_step(void **state)
{
	(void)state;
	struct shop shop = open_shop();
	struct nt_heap_tree tree = nt_heap_tree_of(shop.graph);
	struct nt_heap_paths *paths = nt_heap_paths_find(shop.graph, &tree, "Shop.Payload", 100);
	assert_int_equal(paths->count, 5);
	assert_int_equal(paths->lost, 0);
	check_step(paths, 0, 0, "Shop.Link", 5);
	check_step(paths, 1, 1, "stacks of threads", 5);
	assert_int_equal(paths->step_count, 2);
	assert_true(paths->steps[0].repeats);
	nt_heap_paths_free(paths);
	nt_heap_tree_fini(&tree);
	end(shop.built);
}

static void what_is_not_listed_is_said(void **state)
{
	(void)state;
	struct shop shop = open_shop();
	struct nt_heap_tree tree = nt_heap_tree_of(shop.graph);
	struct nt_heap_paths *paths = nt_heap_paths_find(shop.graph, &tree, "Shop.Order", 2);
	assert_int_equal(paths->step_count, 2);
	assert_int_equal(paths->left_out, 3);
	nt_heap_paths_free(paths);
	nt_heap_tree_fini(&tree);
	end(shop.built);
}

/* More types on a path than are listed: the nearest to the root are, and that some are missing is said. */
static void a_path_of_many_types_is_cut(void **state)
{
	(void)state;
	struct built *built = begin();
	char name[32];
	uint32_t before = built->graph.root = node(built, type(built, "roots", true), 0);
	for (unsigned i = 0; i < 200; i++) {
		snprintf(name, sizeof(name), "T%u", i);
		uint32_t next = node(built, type(built, name, false), 8);
		edge(built, before, next);
		before = next;
	}
	const struct nt_heap_graph *graph = make(built);
	struct nt_heap_tree tree = nt_heap_tree_of(graph);
	struct nt_heap_paths *paths = nt_heap_paths_find(graph, &tree, "T199", 1000);
	assert_int_equal(paths->lost, 0);
	assert_in_range(paths->step_count, 10, 64);
	assert_true(paths->steps[0].is_cut);
	assert_string_equal(paths->steps[paths->step_count - 1].name, "roots");
	assert_true(paths->steps[paths->step_count - 1].is_root);
	nt_heap_paths_free(paths);
	nt_heap_tree_fini(&tree);
	end(built);
}

static void a_type_is_meant_by_the_end_of_its_name(void **state)
{
	(void)state;
	struct built *built = begin();
	bool several;
	built->graph.root = node(built, type(built, "static Shop.Order", true), 0);
	type(built, "Shop.Order", false);
	type(built, "Shop.Line", false);
	type(built, "Store.Line", false);
	type(built, "Shop.Order", false);
	const struct nt_heap_graph *graph = make(built);
	assert_string_equal(nt_heap_type_meant(graph, "Order", &several), "Shop.Order");
	assert_false(several);
	assert_string_equal(nt_heap_type_meant(graph, "Store.Line", &several), "Store.Line");
	assert_null(nt_heap_type_meant(graph, "Line", &several));
	assert_true(several);
	assert_null(nt_heap_type_meant(graph, "rder", &several));
	assert_false(several);
	end(built);
}

/* ---- what is held ---- */

static void what_two_have_is_held_by_neither(void **state)
{
	(void)state;
	struct shop shop = open_shop();
	const uint32_t nodes[] = { shop.orders, shop.names, shop.stacks, shop.shared, shop.root };
	struct nt_heap_held held[5];
	assert_true(nt_heap_held_by(shop.graph, nodes, 5, held));
	assert_int_equal(held[0].count, 2 + 2 * 2); /* list, array, two orders with their bytes */
	assert_int_equal(held[0].bytes, 32 + 56 + 2 * 1024);
	assert_int_equal(held[1].count, 1);
	assert_int_equal(held[1].bytes, 80);
	assert_int_equal(held[2].count, 10);
	assert_int_equal(held[3].count, 2);
	assert_int_equal(held[3].bytes, 1024);
	assert_int_equal(held[4].count, shop.graph->count - 5); /* all but four roots and what nobody has */
	end(shop.built);
}

static unsigned long seed = 1;

static uint32_t draw(uint32_t below)
{
	seed = seed * 6364136223846793005UL + 1442695040888963407UL;
	return (uint32_t)(seed >> 33) % below;
}

/* Bytes of what can be reached when `without` is not there. */
static uint64_t reachable(const struct nt_heap_graph *graph, uint32_t without)
{
	static uint32_t stack[NODES_MAX];
	static bool seen[NODES_MAX];
	uint32_t depth = 0;
	uint64_t bytes = 0;
	memset(seen, 0, sizeof(seen));
	if (graph->root != without)
		stack[depth++] = graph->root;
	seen[graph->root] = true;
	while (depth) {
		uint32_t at = stack[--depth];
		bytes += nt_heap_graph_bytes(graph, at);
		for (uint32_t i = graph->first_edge[at]; i < graph->first_edge[at + 1]; i++) {
			uint32_t to = graph->edges[i];
			if (to != without && !seen[to]) {
				seen[to] = true;
				stack[depth++] = to;
			}
		}
	}
	return bytes;
}

static void as_if_it_were_taken_away(void **state)
{
	(void)state;
	static uint32_t nodes[NODES_MAX];
	static struct nt_heap_held held[NODES_MAX];
	for (unsigned round = 0; round < ROUNDS; round++) {
		struct built *built = begin();
		uint32_t count = 2 + draw(60), edges = draw(4 * count), plain = type(built, "T", false);
		for (uint32_t i = 0; i < count; i++)
			nodes[i] = node(built, plain, 1 + draw(100));
		for (uint32_t i = 0; i < edges; i++) /* mostly to what is near, as lists and trees have it */
			edge(built, draw(count), draw(3) ? draw(count) : (draw(count) + 1) % count);
		for (uint32_t i = 1; i < count; i++)
			if (draw(3))
				edge(built, i - 1, i);
		built->graph.root = draw(count);
		const struct nt_heap_graph *graph = make(built);
		assert_true(nt_heap_held_by(graph, nodes, count, held));
		uint64_t all = reachable(graph, NT_HEAP_NODE_NONE);
		for (uint32_t i = 0; i < count; i++)
			assert_int_equal(held[i].bytes, all - reachable(graph, i));
		end(built);
	}
}

static void a_long_list_takes_no_longer(void **state)
{
	(void)state;
	struct built *built = begin();
	uint32_t link = type(built, "Link", false), nodes[] = { 1, NODES_MAX / 2 };
	struct nt_heap_held held[2];
	for (uint32_t i = 0; i < NODES_MAX; i++) {
		node(built, link, 10);
		if (i)
			edge(built, i - 1, i);
		if (i > 1)
			edge(built, i, i - 1);
	}
	assert_true(nt_heap_held_by(make(built), nodes, 2, held));
	assert_int_equal(held[0].count, NODES_MAX - 1);
	assert_int_equal(held[1].count, NODES_MAX / 2);
	end(built);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(paths_are_put_together_by_type),
		cmocka_unit_test(a_list_is_one_step),
		cmocka_unit_test(what_is_not_listed_is_said),
		cmocka_unit_test(a_path_of_many_types_is_cut),
		cmocka_unit_test(a_type_is_meant_by_the_end_of_its_name),
		cmocka_unit_test(what_two_have_is_held_by_neither),
		cmocka_unit_test(as_if_it_were_taken_away),
		cmocka_unit_test(a_long_list_takes_no_longer),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
