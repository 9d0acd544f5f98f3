// SPDX-License-Identifier: GPL-2.0-only
/* Two spans beside each other: as text, as JSON, and as a flame graph with the colours of what changed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "nettop/difference_text.h"
#include "output/diff/diff_write.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))
enum { TOP = NT_STACK_ROOT };

/* Main calls Total, which takes three times as much; Walk as much as before but for what is chance; Gone is in BEFORE alone. Threads have other numbers, and Total another tier. */
static const struct nt_stack_frame frames[] = {
	{ .sort = NT_FRAME_THREAD, .name = "shop", .tid = 1 },
	{ .name = "Shop.Main()", .module = "Shop", .kind = NT_CODE_JIT, .tier = NT_TIER_0 },
	{ .name = "Shop.Total()", .module = "Shop", .kind = NT_CODE_JIT, .tier = NT_TIER_0 },
	{ .name = "Shop.Walk()", .module = "Shop", .kind = NT_CODE_JIT, .tier = NT_TIER_1 },
	{ .name = "Shop.Gone()", .module = "Shop", .kind = NT_CODE_JIT, .tier = NT_TIER_1 },
};
static const struct nt_stack_frame later_frames[] = {
	{ .name = "Shop.Walk()", .module = "Shop", .kind = NT_CODE_JIT, .tier = NT_TIER_1 },
	{ .name = "Shop.Total()", .module = "Shop", .kind = NT_CODE_JIT, .tier = NT_TIER_1 },
	{ .name = "Shop.Main()", .module = "Shop", .kind = NT_CODE_JIT, .tier = NT_TIER_0 },
	{ .sort = NT_FRAME_THREAD, .name = "shop", .tid = 2 },
};
static const struct nt_stack_node nodes[] = { { TOP, 0, 0 }, { 0, 1, 0 }, { 1, 2, 100 }, { 1, 3, 800 }, { 1, 4, 100 } };
static const struct nt_stack_node later_nodes[] = { { TOP, 3, 0 }, { 0, 2, 0 }, { 1, 0, 690 }, { 1, 1, 310 } };

static struct nt_difference_row rows[] = {
	{ .id = 1,
	  .name = "Shop.Total()",
	  .module = "Shop",
	  .kind = NT_DIFFER_CPU,
	  .before = { 1e8, true },
	  .after = { 3.1e8, true },
	  .before_pct = { 10, true },
	  .after_pct = { 31, true },
	  .change_pct = 210,
	  .error_pct = 12,
	  .chance = 1e-5,
	  .before_count = 100,
	  .after_count = 310 },
};

static struct nt_process_snapshot was = {
	.target = { .pid = 1, .name = "shop" },
	.stacks = { .frames = frames, .frame_count = LENGTH(frames), .nodes = nodes, .node_count = LENGTH(nodes), .samples = 1000 },
};
static struct nt_process_snapshot is = {
	.target = { .pid = 2, .name = "shop" },
	.stacks = { .frames = later_frames,
		    .frame_count = LENGTH(later_frames),
		    .nodes = later_nodes,
		    .node_count = LENGTH(later_nodes),
		    .samples = 1000 },
	.difference = { .before = { .t0 = NT_NS_PER_S, .t1 = 11 * NT_NS_PER_S, .told_ns = 10 * NT_NS_PER_S, .samples = 1000 },
			.after = { .t0 = 5 * NT_NS_PER_S, .t1 = 15 * NT_NS_PER_S, .told_ns = 9 * NT_NS_PER_S, .samples = 1000 },
			.rows = rows,
			.row_count = 1,
			.compared = { [NT_DIFFER_CPU] = 3 },
			.load = 1.5,
			.needs = { 2.5, true } },
};
static struct nt_snapshot before = { .processes = &was, .process_count = 1, .t1 = 11 * NT_NS_PER_S };
static struct nt_snapshot after = { .processes = &is, .process_count = 1, .t1 = 15 * NT_NS_PER_S };

static char *written(void (*write)(FILE *out, const struct nt_diff *diff), bool crowded)
{
	const struct nt_diff diff = { .before = { .path = "a.nettop", .span = &before, .crowded = crowded },
				      .after = { .path = "b\n.nettop", .span = &after } };
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	assert_non_null(out);
	write(out, &diff);
	assert_false(ferror(out));
	fclose(out);
	return text;
}

static void check_has(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("'%s' is not in:\n%s", part, text);
}

static void test_text(void **state)
{
	(void)state;
	char *text = written(nt_diff_write_text, true);
	check_has(text, "BEFORE    a.nettop  1970-01-01T");
	check_has(text, "10s, 1.00k samples, what is older could not be kept\n");
	check_has(text, "AFTER     b\\x0a.nettop  1970-01-01T");
	check_has(text, "told of 9.0s, load x1.50\n");
	check_has(text, "COMPARED  3 methods\n");
	check_has(text, "CPU TIME  +20% in a method of 10% needs spans 2.5 times as long\n");
	check_has(text, "Shop.Total()");
	free(text);
}

static void test_nothing_is_noise(void **state)
{
	(void)state;
	is.difference.row_count = 0;
	char *text = written(nt_diff_write_text, false);
	is.difference.row_count = 1;
	check_has(text, "Nothing changed beyond noise.\n");
	free(text);
	const struct nt_difference nothing = { .reason = "there are no samples" };
	char buf[NT_DIFFERENCE_TEXT];
	assert_string_equal(nt_difference_nothing_text(&nothing), "Nothing could be compared.");
	assert_string_equal(nt_difference_compared_text(&nothing, buf), "nothing");
	assert_string_equal(nt_difference_needs_text(&nothing, buf), "not compared: there are no samples");
}

static void test_json(void **state)
{
	(void)state;
	char *text = written(nt_diff_write_json, false);
	json_error_t error;
	json_t *object = json_loads(text, 0, &error);
	assert_non_null(object);
	json_t *row = json_array_get(json_object_get(object, "differences"), 0);
	assert_string_equal(json_string_value(json_object_get(row, "name")), "Shop.Total()");
	assert_string_equal(json_string_value(json_object_get(row, "what")), "CPU ms/s");
	assert_true(json_real_value(json_object_get(row, "after")) == 310);
	assert_int_equal(json_integer_value(json_object_get(json_object_get(object, "after"), "pid")), 2);
	assert_true(json_is_object(json_object_get(json_object_get(json_object_get(object, "before"), "figures"), "gc")));
	json_decref(object);
	free(text);
}

/* The rectangle of the box whose title begins so. */
static void check_box(const char *svg, const char *title, const char *fill)
{
	const char *box = strstr(svg, title), *end = box ? strstr(box, "</g>") : NULL, *rect = box ? strstr(box, fill) : NULL;
	if (!rect || rect > end)
		fail_msg("%s is not %s: %.300s", title, fill, box ? box : svg);
}

static void test_flamegraph(void **state)
{
	(void)state;
	char *svg = written(nt_diff_write_flamegraph, false);
	check_box(svg, "<title>Shop.Total()\n310 samples, 31.00 %, was 10.00 %", "#e0503c"); /* whatever its tier */
	check_box(svg, "<title>Shop.Walk()\n690 samples, 69.00 %, was 80.00 %", "#e4e4e4");  /* 2.85 standard errors */
	check_box(svg, "<title>Shop.Main()\n1000 samples, 100.00 %, was 100.00 %", "#e4e4e4");
	check_box(svg, "<title>shop\n", "#e4e4e4"); /* a thread of one name, whatever its number */
	assert_null(strstr(svg, "Shop.Gone"));
	check_has(svg, "noise (3 standard errors)");
	free(svg);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_text), cmocka_unit_test(test_nothing_is_noise),
					    cmocka_unit_test(test_json), cmocka_unit_test(test_flamegraph) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
