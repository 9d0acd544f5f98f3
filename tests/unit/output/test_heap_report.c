// SPDX-License-Identifier: GPL-2.0-only
/* What `nettop heap` writes of a heap: whole and in part, alone and beside an earlier one, and that it reads what it wrote. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "output/heap/heap_report.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct nt_heap_type now_types[] = { { 1, "Shop.Order[]", 1, 4096 }, { 2, "Shop.Order", 30, 1200 }, { 3, "string", 10, 240 } },
			   before_types[] = { { 3, "string", 20, 480 }, { 2, "Shop.Order", 10, 400 }, { 4, "Shop.Gone", 2, 64 } };
static struct nt_heap_static statics[] = {
	{ .field = "s_count", .type_id = 5, .type = "Shop.Counter" },
	{ .field = "s_more", .type_id = 6, .type = "System.Collections.Generic.List<Shop.Order>", .bytes = 32, .bytes_known = true },
	{ .field = "s_orders",
	  .owner = "Shop.Cache",
	  .type_id = 6,
	  .type = "System.Collections.Generic.List<Shop.Order>",
	  .bytes = 32,
	  .bytes_known = true },
	{ .field = "s_others", .type_id = 7, .type = "System.Collections.Generic.List<Shop.OrderLine>", .bytes = 32, .bytes_known = true },
	{ .field = "s_texts", .type_id = 8, .type = "System.Collections.Generic.List<string>", .bytes = 32, .bytes_known = true },
};
static const struct nt_heap_found now = { .types = now_types,
					  .type_count = 3,
					  .statics = statics,
					  .static_count = 5,
					  .object_count = 41,
					  .bytes = 5536,
					  .came_pct = 100,
					  .pause_ns = 12 * NT_NS_PER_MS,
					  .took_ns = 20 * NT_NS_PER_MS },
				  before = { .types = before_types,
					     .type_count = 3,
					     .object_count = 32,
					     .bytes = 944,
					     .came_pct = 100,
					     .pause_ns = NT_TIME_UNKNOWN,
					     .took_ns = NT_TIME_UNKNOWN },
				  half = { .types = now_types,
					   .type_count = 3,
					   .object_count = 41,
					   .bytes = 5536,
					   .partial = true,
					   .came_pct = 50,
					   .pause_ns = NT_TIME_UNKNOWN,
					   .took_ns = NT_TIME_UNKNOWN };

static struct nt_heap_report report_of(const struct nt_heap_found *heap)
{
	return (struct nt_heap_report){
		.pid = 4711, .name = "shop", .runtime = "10.0.12", .time_unix_ns = INT64_C(1764374400000000000), .heap = heap
	};
}

static char *text_of(const struct nt_heap_found *heap, const struct nt_heap_found *earlier, uint64_t rows)
{
	char *text = NULL;
	size_t length;
	FILE *out = open_memstream(&text, &length);
	const struct nt_heap_report one = report_of(heap), other = report_of(earlier);
	nt_heap_write_text(out, &one, earlier ? &other : NULL, rows);
	fclose(out);
	return text;
}

static void check_has(const char *text, const char *words)
{
	if (!strstr(text, words))
		fail_msg("no '%s' in:\n%s", words, text);
}

static void types_with_the_most_bytes_and_what_may_hold_them(void **state)
{
	(void)state;
	char *text = text_of(&now, NULL, 2);
	check_has(text, "5.41KB in 41 objects of 3 types. It stood still for 12ms.");
	check_has(text, "  74.0    4.00K        1    4.00K  Shop.Order[]\n");
	check_has(text, "  21.7    1.17K       30       40  Shop.Order\nand 1 further types (--rows)\n");
	check_has(text, "\n  static Shop.Cache.s_orders: System.Collections.Generic.List<Shop.Order>\n");
	check_has(text, "\n  static s_more: System.Collections.Generic.List<Shop.Order>\n");
	assert_null(strstr(text, "s_others"));
	assert_null(strstr(text, "s_texts"));
	assert_null(strchr(text, '~'));
	free(text);
}

static void of_a_part_the_whole_is_estimated_and_marked(void **state)
{
	(void)state;
	char *text = text_of(&half, NULL, 20);
	check_has(text, "~10.8KB in ~82 objects");
	check_has(text, "Only 50 % of it came");
	check_has(text, "~  8.00K ~      2    4.00K  Shop.Order[]\n");
	free(text);
}

static void an_estimate_ends_where_counting_does(void **state)
{
	(void)state;
	const struct nt_heap_found part = { .partial = true, .came_pct = 1e-9 };
	assert_int_equal(nt_heap_estimate(&part, UINT64_MAX / 2), UINT64_MAX);
	assert_int_equal(nt_heap_estimate(&part, 3), 300000000000);
}

static void what_grew_most_is_first(void **state)
{
	(void)state;
	size_t count;
	struct nt_heap_pair *pairs = nt_heap_pairs(&now, &before, &count);
	static const char *const names[] = { "Shop.Order[]", "Shop.Order", "Shop.Gone", "string" };
	assert_int_equal(count, 4);
	for (size_t i = 0; i < count; i++)
		assert_string_equal(pairs[i].name, names[i]);
	assert_int_equal(pairs[1].count_before, 10);
	assert_int_equal(pairs[2].count, 0);
	free(pairs);
	char *text = text_of(&now, &before, 20);
	check_has(text, "   +4.00K    4.00K        +1        1  Shop.Order[]\n");
	check_has(text, "     -240      240       -10       10  string\n");
	free(text);
}

static void json_is_read_back(void **state)
{
	(void)state;
	char path[] = "/tmp/nettop-heap-XXXXXX";
	struct nt_heap_file file;
	struct nt_error err = { 0 };
	int fd = mkstemp(path);
	FILE *out = fdopen(fd, "w");
	const struct nt_heap_report one = report_of(&now), other = report_of(&before);
	nt_heap_write_json(out, &one, &other);
	fclose(out);
	json_t *object = json_load_file(path, 0, NULL);
	assert_int_equal(json_array_size(json_object_get(object, "changes")), 4);
	assert_true(json_is_null(json_object_get(json_array_get(json_object_get(object, "statics"), 0), "bytes")));
	json_decref(object);
	assert_int_equal(nt_heap_read(path, &file, &err), NT_OK);
	assert_int_equal(file.report.pid, 4711);
	assert_string_equal(file.report.name, "shop");
	assert_int_equal(file.heap->type_count, 3);
	assert_string_equal(file.heap->types[1].name, "Shop.Order");
	assert_int_equal(file.heap->types[1].bytes, 1200);
	nt_heap_file_fini(&file);
	out = fopen(path, "w");
	fputs("{\"type\": \"heap\", \"types\": [{}]}", out);
	fclose(out);
	assert_int_equal(nt_heap_read(path, &file, &err), NT_ERR_USAGE);
	unlink(path);
	assert_int_equal(nt_heap_read(path, &file, &err), NT_ERR_USAGE);
}

static void how_much_was_lost_at_the_end_is_not_said(void **state)
{
	(void)state;
	char path[] = "/tmp/nettop-heap-XXXXXX";
	struct nt_heap_file file;
	struct nt_error err = { 0 };
	struct nt_heap_found part = now;
	FILE *out = fdopen(mkstemp(path), "w");
	part.partial = true;
	const struct nt_heap_report report = report_of(&part);
	nt_heap_write_json(out, &report, NULL);
	fclose(out);
	json_t *object = json_load_file(path, 0, NULL);
	assert_true(json_is_null(json_object_get(object, "came_pct")));
	assert_true(json_is_true(json_object_get(object, "partial")));
	json_decref(object);
	assert_int_equal(nt_heap_read(path, &file, &err), NT_OK);
	assert_true(file.heap->partial);
	assert_float_equal(file.heap->came_pct, 100, 0.01);
	nt_heap_file_fini(&file);
	unlink(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(how_much_was_lost_at_the_end_is_not_said),
		cmocka_unit_test(types_with_the_most_bytes_and_what_may_hold_them),
		cmocka_unit_test(of_a_part_the_whole_is_estimated_and_marked),
		cmocka_unit_test(an_estimate_ends_where_counting_does),
		cmocka_unit_test(what_grew_most_is_first),
		cmocka_unit_test(json_is_read_back),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
