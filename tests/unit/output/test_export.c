// SPDX-License-Identifier: GPL-2.0-only
/*
 * Each format in which a recording is written for other tools against tests/data/export/, and from events to markers. `test_export --update` writes these files anew; read the difference.
 * tests/live/test_export.py has them read by programs that are not ours.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "output/export/export_formats.h"
#include "output/export/lanes.h"
#include "output/export/markers.h"

#include <stdlib.h>
#include <string.h>

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))
#define MS            NT_NS_PER_MS
enum { TOP = NT_STACK_ROOT };

static bool updating;

/* ---- a shop of two threads: one computes, is idle, and computes; the main one serves ---- */

static const struct nt_stack_frame shop_frames[] = {
	{ .sort = NT_FRAME_THREAD, .name = "shop", .tid = 4711 },
	{ .sort = NT_FRAME_THREAD, .name = ".NET TP Worker", .tid = 4715 },
	{ .name = "Shop.Program.Main()", .module = "Shop", .kind = NT_CODE_JIT, .tier = NT_TIER_0 },
	{ .name = "Shop.Tree.Walk(Node)", .module = "Shop", .kind = NT_CODE_JIT, .tier = NT_TIER_1 },
	{ .name = "System.String.Concat(string, string)", .module = "System.Private.CoreLib", .kind = NT_CODE_R2R },
	{ .name = "clear_page_erms", .module = "[kernel]", .kind = NT_CODE_KERNEL },
	{ .sort = NT_FRAME_EVICTED, .name = "(evicted)" },
};
/* 2: Main; 3: Walk; 4: Walk in Walk; 5: clear_page in Walk; 6: Walk of the worker; 7: Concat there; 8: what was too much */
static const struct nt_stack_node shop_nodes[] = { { TOP, 0, 0 }, { TOP, 1, 0 }, { 0, 2, 1 }, { 2, 3, 1 },  { 3, 3, 1 },
						   { 3, 5, 2 },   { 1, 3, 3 },   { 6, 4, 1 }, { TOP, 6, 1 } };
/* A busy thread's samples waver by some us; one stands for two. */
static const struct nt_stack_moment shop_moments[] = {
	{ 5010 * MS, 2, 1 }, { 5020 * MS + 7000, 3, 1 }, { 5030 * MS - 9000, 4, 1 }, { 5040 * MS, 5, 2 }, { 5061 * MS, 6, 1 },
	{ 5200 * MS, 7, 1 }, { 5210 * MS + 100, 6, 1 },  { 5400 * MS, 6, 1 },        { 5900 * MS, 8, 1 },
};
static const struct nt_stack_tree shop_tree = { .wanted = NT_STACKS_TIMED,
						.frames = shop_frames,
						.frame_count = LENGTH(shop_frames),
						.nodes = shop_nodes,
						.node_count = LENGTH(shop_nodes),
						.samples = 10,
						.evicted = 1,
						.moments = shop_moments,
						.moment_count = LENGTH(shop_moments) };
static const struct nt_marker shop_markers[] = {
	{ NT_MARKER_REQUEST, false, 0, 5005 * MS, 5300 * MS, "GET /cart 200" },
	{ NT_MARKER_REQUEST, true, 0, 5006 * MS, 6000 * MS, "GET /pay" },
	{ NT_MARKER_PAUSE, false, 0, 5100 * MS, 5102 * MS + 345678, "for a collection" },
	{ NT_MARKER_COLLECTION, false, 0, 5100 * MS + 1, 5102 * MS, "gen1 blocking, gen0 budget (#7)" },
	{ NT_MARKER_COMPILATION, false, 4715, 5110 * MS, 5112 * MS, "Shop.Cart.Total(ref Cart) [tier1]" },
	{ NT_MARKER_EXCEPTION, false, 4715, 5150 * MS, 5150 * MS, "Shop.NoSuchItem" },
	{ NT_MARKER_LOCK, false, 4799, 5160 * MS, 5170 * MS, "" },
	{ NT_MARKER_LOSS, false, 0, 5700 * MS, 5700 * MS, "12 events lost" },
};
static const struct nt_figures shop_figures[] = {
	{ .span_ns = 500 * MS, .cpu.usage_pct = { 12.5, true }, .gc.count = { { 0, true }, { 1, true }, { 0, true } } },
	{ .span_ns = 500 * MS, .cpu.usage_pct = { 0, true } },
};
static const struct nt_export_interval shop_intervals[] = { { 5000 * MS, 5500 * MS, &shop_figures[0] },
							    { 5500 * MS, 6000 * MS, &shop_figures[1] } };
static const struct nt_export_timeline shop = {
	.stacks = { .tree = &shop_tree, .pid = 4711, .process_name = "shop", .t0 = 5000 * MS, .t1 = 6000 * MS, .period_ns = 10 * MS },
	.markers = shop_markers,
	.marker_count = LENGTH(shop_markers),
	.intervals = shop_intervals,
	.interval_count = LENGTH(shop_intervals),
	.realtime_offset_ns = 1764460800000 * (int64_t)MS,
};

/* ---- texts that would be more than text ---- */

static const struct nt_stack_frame hostile_frames[] = {
	{ .sort = NT_FRAME_THREAD, .name = "\"x\n\xff", .tid = 1 },
	{ .name = "A\"},{\\\n(b:1:2)", .module = "\"\\\x1b[2J", .kind = NT_CODE_JIT },
};
static const struct nt_stack_node hostile_nodes[] = { { TOP, 0, 0 }, { 0, 1, 1 } };
static const struct nt_stack_moment hostile_moments[] = { { MS, 1, 1 } };
static const struct nt_stack_tree hostile_tree = { .frames = hostile_frames,
						   .frame_count = LENGTH(hostile_frames),
						   .nodes = hostile_nodes,
						   .node_count = LENGTH(hostile_nodes),
						   .moments = hostile_moments,
						   .moment_count = 1 };
static const struct nt_marker hostile_markers[] = { { NT_MARKER_REQUEST, false, 0, MS, 2 * MS, "GET /\"}]}</script>\x01" } };
static const struct nt_export_timeline hostile = {
	.stacks = { .tree = &hostile_tree, .pid = 1, .process_name = "<b>&\"\n", .t1 = 3 * MS, .period_ns = MS },
	.markers = hostile_markers,
	.marker_count = 1,
};

static const struct nt_stack_tree no_tree = { 0 };
static const struct nt_export_timeline nothing = { .stacks = { .tree = &no_tree, .pid = 4711, .process_name = "idle" } };

static const struct export_case {
	const char *name;
	const struct nt_export_timeline *timeline;
} cases[] = { { "shop", &shop }, { "hostile", &hostile }, { "nothing", &nothing } };

/* ---- as files ---- */

static char *written(const struct nt_export_format *format, const struct nt_export_timeline *timeline, size_t *size)
{
	char *bytes = NULL;
	FILE *out = open_memstream(&bytes, size);
	assert_non_null(out);
	format->write(out, timeline);
	assert_false(ferror(out));
	fclose(out);
	return bytes;
}

static void update(const char *path, const char *bytes, size_t size)
{
	FILE *file = fopen(path, "w");
	assert_non_null(file);
	assert_int_equal(fwrite(bytes, 1, size, file), size);
	fclose(file);
}

static void check_file(const struct export_case *c, const struct nt_export_format *format)
{
	static char expected[65536];
	char path[128];
	size_t size;
	char *bytes = written(format, c->timeline, &size);
	snprintf(path, sizeof(path), "tests/data/export/%s%s", c->name, format->ending);
	if (updating)
		update(path, bytes, size);
	FILE *file = fopen(path, "r");
	if (!file)
		fail_msg("%s cannot be read (run from the top of the repository)", path);
	size_t expected_size = fread(expected, 1, sizeof(expected), file);
	fclose(file);
	if (size != expected_size || memcmp(bytes, expected, size) != 0)
		fail_msg("not as in %s:\n%s", path, bytes);
	free(bytes);
}

static void test_files(void **state)
{
	(void)state;
	const struct nt_export_format *format;
	for (size_t i = 0; i < LENGTH(cases); i++)
		for (size_t f = 0; (format = nt_export_format_at(f)); f++)
			check_file(&cases[i], format);
}

static void test_formats(void **state)
{
	(void)state;
	const struct nt_export_format *format;
	for (size_t f = 0; (format = nt_export_format_at(f)); f++) {
		char path[64];
		snprintf(path, sizeof(path), "a/b.c%s", format->ending);
		assert_ptr_equal(nt_export_format_called(format->name), format);
		assert_ptr_equal(nt_export_format_of_file(path), format);
		assert_null(nt_export_format_of_file(format->ending)); /* a file is called something */
	}
	assert_null(nt_export_format_called("svg"));
	assert_null(nt_export_format_of_file("shop.json"));
}

/* ---- lanes ---- */

static void test_slices_add_up(void **state)
{
	(void)state;
	static const struct {
		nt_time start, end;
		bool follows;
	} expected[] = { { 5061 * MS, 5071 * MS, false },
			 { 5200 * MS, 5210 * MS, false },
			 { 5210 * MS, 5220 * MS, true },
			 { 5400 * MS, 5410 * MS, false } };
	struct nt_lanes lanes;
	struct nt_slice slice = { 0 };
	nt_lanes_make(&lanes, &shop);
	assert_int_equal(lanes.count, 3);
	assert_int_equal(lanes.items[1].tid, 4715);
	assert_int_equal(lanes.items[1].count, LENGTH(expected));
	size_t at = 0;
	for (size_t i = 0; i < LENGTH(expected); i++) {
		assert_true(nt_lane_next(&lanes, &lanes.items[1], &at, &slice));
		assert_int_equal(slice.start, expected[i].start);
		assert_int_equal(slice.end, expected[i].end);
		assert_int_equal(slice.follows, expected[i].follows);
	}
	assert_false(nt_lane_next(&lanes, &lanes.items[1], &at, &slice));
	nt_lanes_fini(&lanes);
}

/* What a stranger's recording may say would fill a disk. */
static void test_what_cannot_be_is_refused(void **state)
{
	(void)state;
	static struct nt_stack_moment moments[2000];
	struct nt_stack_tree tree = shop_tree;
	struct nt_export_timeline timeline = shop;
	assert_true(nt_lanes_are_bounded(&shop));
	timeline.stacks.tree = &tree;
	tree.moments = moments;
	tree.moment_count = LENGTH(moments);
	for (size_t i = 0; i < LENGTH(moments); i++)
		moments[i] = (struct nt_stack_moment){ 5000 * MS + i, 2, 8000 };
	assert_true(nt_lanes_are_bounded(&timeline));
	moments[7].samples = NT_SAMPLES_FOR_ONE_MOST + 1;
	assert_false(nt_lanes_are_bounded(&timeline));
	for (size_t i = 0; i < LENGTH(moments); i++)
		moments[i].samples = 9000; /* too many together */
	assert_false(nt_lanes_are_bounded(&timeline));
	tree = shop_tree;
	timeline.stacks.period_ns = 2 * NT_SAMPLE_PERIOD_MOST_NS;
	assert_false(nt_lanes_are_bounded(&timeline));
}

/* ---- markers ---- */

static const char *const texts[] = { "", "Shop.Cart.Total()", "GET", "/cart", "pay:443", "Shop.NoSuchItem\n" };

static const char *text_of(const struct nt_shown_event *shown, nt_str id, size_t *length)
{
	(void)shown;
	*length = strlen(texts[id]);
	return texts[id];
}

static struct nt_event *event_of(struct nt_event *event, enum nt_event_kind kind, nt_time time, uint32_t tid)
{
	*event = (struct nt_event){ .kind = kind, .time = time, .tid = tid, .pid = 1 };
	return event;
}

static void see(struct nt_markers *markers, const struct nt_event *event)
{
	const struct nt_shown_event shown = { .source = NT_SOURCE_EVENTPIPE, .event = event, .text = text_of };
	nt_markers_see(markers, &shown);
}

static void check_marker(const struct nt_markers *markers, size_t index, enum nt_marker_kind kind, uint32_t tid, nt_time start, nt_time end,
			 const char *text)
{
	assert_true(index < markers->count);
	const struct nt_marker *marker = &markers->items[index];
	assert_int_equal(marker->kind, kind);
	assert_int_equal(marker->tid, tid);
	assert_int_equal(marker->start, start);
	assert_int_equal(marker->end, end);
	assert_string_equal(marker->text, text);
}

/* A background collection during which a young one comes, each in a stop of its own thread. */
static void test_collections_and_pauses(void **state)
{
	(void)state;
	struct nt_markers markers = { 0 };
	struct nt_event e;
	event_of(&e, NT_EV_GC_SUSPEND_BEGIN, 10, 7)->u.gc_suspend_begin.reason = 1;
	see(&markers, &e);
	event_of(&e, NT_EV_GC_START, 20, 7)->u.gc_start = (struct nt_ev_gc_start){ .number = 4, .generation = 2, .reason = 1, .type = 1 };
	see(&markers, &e);
	see(&markers, event_of(&e, NT_EV_GC_RESTART_BEGIN, 30, 7));
	event_of(&e, NT_EV_GC_START, 40, 8)->u.gc_start = (struct nt_ev_gc_start){ .number = 5, .generation = 0, .reason = 0, .type = 2 };
	see(&markers, &e);
	event_of(&e, NT_EV_GC_END, 50, 8)->u.gc_end.number = 5;
	see(&markers, &e);
	event_of(&e, NT_EV_GC_END, 90, 7)->u.gc_end.number = 4;
	see(&markers, &e);
	event_of(&e, NT_EV_GC_END, 95, 7)->u.gc_end.number = 3; /* its begin was before */
	see(&markers, &e);
	nt_markers_end(&markers, 100);
	assert_int_equal(markers.count, 3);
	check_marker(&markers, 0, NT_MARKER_PAUSE, 0, 10, 30, "for a collection");
	check_marker(&markers, 1, NT_MARKER_COLLECTION, 0, 20, 90, "gen2 background, induced (#4)");
	check_marker(&markers, 2, NT_MARKER_COLLECTION, 0, 40, 50, "gen0 foreground, gen0 budget (#5)");
	nt_markers_fini(&markers);
}

/* One within another on a thread, and the same method on another. */
static void test_compilations(void **state)
{
	(void)state;
	struct nt_markers markers = { 0 };
	struct nt_event e;
	for (uint32_t tid = 7; tid <= 8; tid++) {
		event_of(&e, NT_EV_JIT_START, tid, tid)->u.jit_start = (struct nt_ev_jit_start){ .method_id = 0x100, .name = 1 };
		see(&markers, &e);
	}
	event_of(&e, NT_EV_METHOD_LOAD, 20, 7)->u.method = (struct nt_ev_method){ .method_id = 0x100, .name = 1, .tier = NT_TIER_1 };
	see(&markers, &e);
	event_of(&e, NT_EV_METHOD_LOAD, 25, 9)->u.method = (struct nt_ev_method){ .method_id = 0x200, .name = 1 }; /* precompiled */
	see(&markers, &e);
	nt_markers_end(&markers, 30);
	assert_int_equal(markers.count, 2);
	check_marker(&markers, 0, NT_MARKER_COMPILATION, 7, 7, 20, "Shop.Cart.Total() [tier1]");
	check_marker(&markers, 1, NT_MARKER_COMPILATION, 8, 8, 30, "Shop.Cart.Total()");
	assert_false(markers.items[0].open);
	assert_true(markers.items[1].open);
	nt_markers_fini(&markers);
}

static void test_requests_locks_exceptions_losses(void **state)
{
	(void)state;
	struct nt_markers markers = { 0 };
	struct nt_event e;
	event_of(&e, NT_EV_REQUEST, 1, 7)->u.request = (struct nt_ev_request){ .span = 9, .op = NT_REQUEST_BEGUN, .method = 2, .path = 3 };
	see(&markers, &e);
	event_of(&e, NT_EV_REQUEST_MADE, 2, 7)->u.request_made =
		(struct nt_ev_request_made){ .span = 9, .op = NT_REQUEST_BEGUN, .peer = 4 };
	see(&markers, &e);
	see(&markers, event_of(&e, NT_EV_CONTENTION_START, 3, 7));
	e.beside = true; /* the same once more */
	see(&markers, &e);
	event_of(&e, NT_EV_EXCEPTION_THROWN, 4, 7)->u.exception.type = 5;
	see(&markers, &e);
	see(&markers, event_of(&e, NT_EV_CONTENTION_STOP, 5, 7));
	event_of(&e, NT_EV_REQUEST_MADE, 6, 8)->u.request_made = (struct nt_ev_request_made){ .span = 9, .op = NT_REQUEST_DONE };
	see(&markers, &e);
	event_of(&e, NT_EV_REQUEST, 7, 8)->u.request = (struct nt_ev_request){ .span = 9, .op = NT_REQUEST_DONE, .status = 500 };
	see(&markers, &e);
	event_of(&e, NT_EV_LOST, 9, 0)->u.lost = (struct nt_ev_lost){ .count = 3, .count_known = 1, .what = NT_LOST_EVENTS, .from = 8 };
	see(&markers, &e);
	nt_markers_end(&markers, 100);
	assert_int_equal(markers.count, 5);
	check_marker(&markers, 0, NT_MARKER_REQUEST, 0, 1, 7, "GET /cart 500");
	check_marker(&markers, 1, NT_MARKER_REQUEST_MADE, 0, 2, 6, "pay:443");
	check_marker(&markers, 2, NT_MARKER_LOCK, 7, 3, 5, "");
	check_marker(&markers, 3, NT_MARKER_EXCEPTION, 7, 4, 4, "Shop.NoSuchItem\\x0a");
	check_marker(&markers, 4, NT_MARKER_LOSS, 0, 8, 9, "3 events lost");
	nt_markers_fini(&markers);
}

/* What began and has no end, because that was lost, is not joined with the next one's. */
static void test_an_end_that_was_lost(void **state)
{
	(void)state;
	struct nt_markers markers = { 0 };
	struct nt_event e;
	see(&markers, event_of(&e, NT_EV_CONTENTION_START, 3, 7));
	see(&markers, event_of(&e, NT_EV_CONTENTION_START, 10, 7));
	see(&markers, event_of(&e, NT_EV_CONTENTION_STOP, 11, 7));
	nt_markers_end(&markers, 100);
	assert_int_equal(markers.count, 2);
	assert_true(markers.items[0].open);
	check_marker(&markers, 1, NT_MARKER_LOCK, 7, 10, 11, "");
	assert_false(markers.items[1].open);
	nt_markers_fini(&markers);
}

static void test_begins_are_bounded(void **state)
{
	(void)state;
	struct nt_markers markers = { 0 };
	struct nt_event e;
	for (uint32_t tid = 1; tid <= NT_MARKERS_OPEN_MOST + 3; tid++)
		see(&markers, event_of(&e, NT_EV_CONTENTION_START, tid, tid));
	assert_int_equal(markers.count, NT_MARKERS_OPEN_MOST);
	assert_int_equal(markers.left_out[NT_MARKER_LOCK], 3);
	nt_markers_fini(&markers);
}

int main(int argc, char **argv)
{
	updating = argc > 1 && strcmp(argv[1], "--update") == 0;
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_files),
		cmocka_unit_test(test_formats),
		cmocka_unit_test(test_slices_add_up),
		cmocka_unit_test(test_what_cannot_be_is_refused),
		cmocka_unit_test(test_collections_and_pauses),
		cmocka_unit_test(test_compilations),
		cmocka_unit_test(test_requests_locks_exceptions_losses),
		cmocka_unit_test(test_an_end_that_was_lost),
		cmocka_unit_test(test_begins_are_bounded),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
