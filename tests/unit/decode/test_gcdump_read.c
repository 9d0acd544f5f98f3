// SPDX-License-Identifier: GPL-2.0-only
/* A .gcdump file of another tool, and files that are none: each number in it that lies. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "decode/heap/gcdump_read.h"
#include "gcdump_bytes.h"

enum { GRAPH = 1 << 20 };

static bool read_it(const struct gcdump_bytes *bytes, struct nt_gcdump *out)
{
	const char *why;
	bool good = nt_gcdump_read(bytes->bytes, bytes->length, GRAPH, out, &why);
	assert_true(good == (out->heap != NULL));
	assert_non_null(why);
	return good;
}

static const struct nt_heap_type *row(const struct nt_heap_found *heap, const char *name)
{
	for (size_t i = 0; i < heap->type_count; i++)
		if (strcmp(heap->types[i].name, name) == 0)
			return &heap->types[i];
	fail_msg("no type %s", name);
	return NULL;
}

static void objects_and_references_are_read(void **state)
{
	(void)state;
	const struct gcdump_bytes bytes = gcdump_usual("dotnet-gcdump");
	struct nt_gcdump dump;
	assert_true(read_it(&bytes, &dump));
	const struct nt_heap_found *heap = dump.heap;
	assert_true(nt_heap_graph_is_sound(heap->graph));
	assert_int_equal(heap->object_count, 4);
	assert_int_equal(heap->bytes, 32 + 2 * 24 + 4000);
	assert_int_equal(row(heap, "Shop.Order")->count, 2);
	assert_int_equal(row(heap, "Shop.Order")->bytes, 48);
	assert_int_equal(row(heap, "byte[]")->bytes, 4000);
	assert_int_equal(row(heap, "System.Collections.Generic.List<Shop.Order>")->count, 1);
	assert_string_equal(heap->graph->types[5].name, "Pair<int, string>");
	assert_int_equal(heap->graph->edges[heap->graph->first_edge[4]], 2);
	assert_string_equal(dump.process, "shop");
	assert_int_equal(dump.pid, 4711);
	nt_gcdump_fini(&dump);
}

/* The class in such a file is the type of the object: nobody knew the class. Nor does anybody know in which time zone it was written. */
static void what_others_do_not_know_is_not_said(void **state)
{
	(void)state;
	const struct gcdump_bytes bytes = gcdump_usual("dotnet-gcdump");
	struct nt_gcdump dump;
	assert_true(read_it(&bytes, &dump));
	assert_int_equal(dump.heap->static_count, 1);
	assert_null(dump.heap->statics[0].owner);
	assert_string_equal(dump.heap->statics[0].field, "s_orders");
	assert_string_equal(dump.heap->graph->types[1].name, "static s_orders");
	assert_int_equal(dump.heap->statics[0].bytes, 32);
	assert_int_equal(dump.time_unix_ns, 0);
	assert_false(dump.heap->graph->fields_apart);
	nt_gcdump_fini(&dump);
}

static void what_nettop_wrote_is_known(void **state)
{
	(void)state;
	const struct gcdump_bytes bytes = gcdump_usual("nettop");
	struct nt_gcdump dump;
	assert_true(read_it(&bytes, &dump));
	assert_int_equal(dump.time_unix_ns, (INT64_C(639000000000000000) - INT64_C(621355968000000000)) * 100);
	assert_true(dump.heap->graph->fields_apart);
	nt_gcdump_fini(&dump);
}

static void each_cut_is_noticed(void **state)
{
	(void)state;
	struct gcdump_bytes bytes = gcdump_usual("dotnet-gcdump");
	size_t whole = bytes.length, graph_end = bytes.blob + 20 + 4 + 8 * GCDUMP_NODES;
	for (bytes.length = 0; bytes.length < whole; bytes.length++) {
		struct nt_gcdump dump;
		bool good = read_it(&bytes, &dump);
		assert_true(good == (bytes.length >= graph_end));
		nt_gcdump_fini(&dump);
	}
}

static void lie(size_t where, uint32_t value, size_t of)
{
	struct gcdump_bytes bytes = gcdump_usual("dotnet-gcdump");
	struct nt_gcdump dump;
	size_t at[] = { bytes.root, bytes.type_count, bytes.node_count, bytes.places, bytes.blob_length, bytes.blob };
	memcpy(bytes.bytes + at[where] + of, &value, where == 5 ? 1 : sizeof(value));
	assert_false(read_it(&bytes, &dump));
}

static void numbers_that_lead_nowhere(void **state)
{
	(void)state;
	for (size_t where = 0; where < 5; where++) {
		lie(where, UINT32_MAX, 0);
		lie(where, INT32_MAX, 0);
	}
	lie(0, GCDUMP_NODES, 0); /* a root that is no node */
	lie(3, 1000, 4);         /* a node outside of the blob */
	lie(5, 0x3f, 2);         /* a reference to no node */
	lie(5, 0x3e, 0);         /* a type that is none */
	lie(5, 0x7f, 1);         /* fewer than no references */
}

/* All nodes are at one place that has many references: a short file would be a large graph. */
static void nodes_that_share_their_references(void **state)
{
	(void)state;
	struct gcdump_bytes bytes = gcdump_usual("dotnet-gcdump");
	struct nt_gcdump dump;
	const uint32_t places[GCDUMP_NODES] = { 0 };
	const uint8_t node[] = { 4, 8, 0, 0, 0, 0, 0, 0, 0, 0 };
	memcpy(bytes.bytes + bytes.places, places, sizeof(places));
	memcpy(bytes.bytes + bytes.blob, node, sizeof(node));
	assert_false(read_it(&bytes, &dump));
}

static void more_than_nettop_may_take(void **state)
{
	(void)state;
	const struct gcdump_bytes bytes = gcdump_usual("dotnet-gcdump");
	struct nt_gcdump dump;
	const char *why;
	assert_false(nt_gcdump_read(bytes.bytes, bytes.length, 100, &dump, &why));
	assert_non_null(strstr(why, "memory"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(objects_and_references_are_read), cmocka_unit_test(what_others_do_not_know_is_not_said),
		cmocka_unit_test(what_nettop_wrote_is_known),      cmocka_unit_test(each_cut_is_noticed),
		cmocka_unit_test(numbers_that_lead_nowhere),       cmocka_unit_test(nodes_that_share_their_references),
		cmocka_unit_test(more_than_nettop_may_take),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
