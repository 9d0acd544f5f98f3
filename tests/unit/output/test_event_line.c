// SPDX-License-Identifier: GPL-2.0-only
/* Lines of `nettop events`: fields of each kind, a log, a collection, what is lost. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "output/events/event_line.h"
#include "nettop/snapshot.h"
#include "output/events/gc_line.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FIELDS(array) .fields = (array), .field_count = sizeof(array) / sizeof((array)[0])
enum { TID = 4812 };
#define TIME (1250 * NT_NS_PER_MS)

static const struct nt_told_field fields[] = {
	{ .name = "Count", .kind = NT_TOLD_UNSIGNED, .u = 12 },       { .name = "At", .kind = NT_TOLD_UNSIGNED, .u = 0x7f0012345678 },
	{ .name = "Change", .kind = NT_TOLD_SIGNED, .i = -3 },        { .name = "Paid", .kind = NT_TOLD_BOOL, .u = 1 },
	{ .name = "Price", .kind = NT_TOLD_REAL, .real = 4.5 },       { .name = "Who", .kind = NT_TOLD_TEXT, .text = "Ann \x1b[31m" },
	{ .name = "Lines", .kind = NT_TOLD_BYTES, .byte_count = 24 },
};
static const struct nt_told_event event = {
	.provider = "Microsoft-Windows-DotNETRuntime", .name = "GCStart", .id = 1, .time = TIME, .tid = TID, FIELDS(fields)
};
/* Two lists, one of pairs and one that is longer than what is told of it, and an object. */
static const struct nt_told_field nested_fields[] = {
	{ .name = "tags", .kind = NT_TOLD_LIST, .inner = 3, .element_count = 1 },
	{ .name = "", .kind = NT_TOLD_OBJECT, .inner = 2 },
	{ .name = "Key", .kind = NT_TOLD_TEXT, .text = "k\n" },
	{ .name = "Value", .kind = NT_TOLD_TEXT, .text = "v" },
	{ .name = "numbers", .kind = NT_TOLD_LIST, .inner = 2, .element_count = 9 },
	{ .name = "", .kind = NT_TOLD_UNSIGNED, .u = 4 },
	{ .name = "", .kind = NT_TOLD_UNSIGNED, .u = 5 },
	{ .name = "first", .kind = NT_TOLD_OBJECT, .inner = 2 },
	{ .name = "Number", .kind = NT_TOLD_SIGNED, .i = -1 },
	{ .name = "Number", .kind = NT_TOLD_BOOL, .u = 1 },
	{ .name = "none", .kind = NT_TOLD_LIST },
};
static const struct nt_told_event nested = {
	.provider = "Shop", .name = "Pairs", .time = TIME, .tid = TID, FIELDS(nested_fields), .cut = true
};
static const struct nt_told_field log_fields[] = {
	{ .name = "Level", .kind = NT_TOLD_SIGNED, .i = 3 },
	{ .name = "LoggerName", .kind = NT_TOLD_TEXT, .text = "Shop.Cart" },
	{ .name = "FormattedMessage", .kind = NT_TOLD_TEXT, .text = "no\nstock" },
};

static char *written(bool as_json, const struct nt_told_event *told)
{
	struct nt_event_lines lines;
	nt_event_lines_init(&lines, as_json, 0);
	nt_event_lines_add(&lines, told);
	char *text = nt_text_buffer_take(&lines.out);
	nt_event_lines_fini(&lines);
	return text;
}

static void check_end(char *line, const char *end)
{
	size_t length = strlen(line), tail = strlen(end);
	if (length < tail || strcmp(line + length - tail, end) != 0)
		fail_msg("not '%s' at the end of: %s", end, line);
	free(line);
}

static void each_kind_of_field_as_text(void **state)
{
	(void)state;
	check_end(written(false, &event), ":01.250 t4812 clr/GCStart Count=12 At=0x7f0012345678 Change=-3 Paid=true Price=4.5 "
					  "Who=\"Ann \\x1b[31m\" Lines=(24 bytes)\n");
}

static const struct nt_call_frame frames[] = { { .name = "Shop.Cart.Pay(string)", .module = "Shop.dll" },
					       { .name = "[0x7f12]", .native = true },
					       { .name = "Evil\x1b[2J\"" } };

static char *with_stack(bool as_json, const struct nt_call_stack *stack)
{
	struct nt_event_lines lines;
	nt_event_lines_init(&lines, as_json, 0);
	nt_event_lines_add(&lines, &event);
	nt_event_lines_add_stack(&lines, stack, "no stack: none came");
	nt_event_lines_add_more(&lines, 17, TIME);
	char *text = nt_text_buffer_take(&lines.out);
	nt_event_lines_fini(&lines);
	return text;
}

static void its_call_stack(void **state)
{
	const struct nt_call_stack stack = { .frames = frames, .count = 3, .cut = true };
	(void)state;
	check_end(with_stack(false, &stack), " Lines=(24 bytes)\n\tShop.Cart.Pay(string) (Shop.dll)\n\t[0x7f12]\n\tEvil\\x1b[2J\"\n"
					     "\t… and further ones, which are not told\n"
					     "-- 17 events came too fast to be told one by one with their stacks\n");
	check_end(with_stack(false, NULL),
		  " Lines=(24 bytes)\n\t(no stack: none came)\n-- 17 events came too fast to be told one by one with "
		  "their stacks\n");
	char *none = with_stack(true, NULL), *text = with_stack(true, &stack), *end = strchr(text, '\n');
	assert_non_null(strstr(none, ",\"cut\":false,\"stack\":null,\"stack_cut\":false}\n{\"type\":\"more\",\"count\":17,"));
	*end = '\0';
	json_t *object = json_loads(text, 0, NULL), *second = json_array_get(json_object_get(object, "stack"), 1);
	assert_int_equal(json_array_size(json_object_get(object, "stack")), 3);
	assert_string_equal(json_string_value(json_object_get(second, "method")), "[0x7f12]");
	assert_true(json_is_null(json_object_get(second, "module")) && json_is_true(json_object_get(second, "native")));
	assert_true(json_is_true(json_object_get(object, "stack_cut")));
	json_decref(object);
	free(none);
	free(text);
}

static void what_is_within_a_field(void **state)
{
	(void)state;
	check_end(written(false, &nested),
		  " Shop/Pairs tags=[k\\x0a=\"v\"] numbers=[4, 5, … 9 in all] first={Number=-1 Number=true} none=[] …\n");
	check_end(written(true, &nested), "\"fields\":{\"tags\":[{\"Key\":\"k\\\\x0a\",\"Value\":\"v\"}],\"numbers\":[4,5],"
					  "\"first\":{\"Number\":-1,\"#1\":true},\"none\":[]},\"cut\":true}\n");
}

static void what_nothing_describes(void **state)
{
	(void)state;
	const struct nt_told_event told = { .provider = "Shop", .name = "Order", .time = TIME, .tid = TID, .left_bytes = 90, .cut = true };
	check_end(written(false, &told), " Shop/Order (90 bytes more)\n");
}

static void one_without_a_name_has_its_number(void **state)
{
	(void)state;
	const struct nt_told_event unknown = { .provider = "Shop", .name = "", .id = 77, .time = TIME, .tid = TID, .cut = true };
	check_end(written(false, &unknown), " t4812 Shop/77 …\n");
}

static void a_log_says_its_words(void **state)
{
	(void)state;
	const struct nt_told_event log = {
		.provider = "Microsoft-Extensions-Logging", .name = "FormattedMessage", .time = TIME, .tid = TID, FIELDS(log_fields)
	};
	check_end(written(false, &log), " t4812 warn     Shop.Cart: no\\x0astock\n");
}

static void each_kind_of_field_as_json(void **state)
{
	(void)state;
	char *line = written(true, &event);
	json_t *object = json_loads(line, 0, NULL), *told = json_object_get(object, "fields");
	assert_string_equal(json_string_value(json_object_get(object, "type")), "event");
	assert_int_equal(json_integer_value(json_object_get(object, "time_unix_ns")), TIME);
	assert_int_equal(json_integer_value(json_object_get(told, "Change")), -3);
	assert_true(json_is_true(json_object_get(told, "Paid")));
	assert_true(json_is_null(json_object_get(told, "Lines")));
	assert_int_equal(json_object_size(told), 7);
	json_decref(object);
	free(line);
}

/* Names that are hostile: none, one twice, one that looks like a number, two that are one when they are escaped. */
static void each_member_has_a_name_of_its_own(void **state)
{
	(void)state;
	static const struct nt_told_field members[] = {
		{ .name = "#1", .kind = NT_TOLD_BOOL },
		{ .name = "", .kind = NT_TOLD_BOOL },
		{ .name = "\x1b", .kind = NT_TOLD_BOOL },
		{ .name = "\\x1b", .kind = NT_TOLD_BOOL },
		{ .name = "\xff", .kind = NT_TOLD_BOOL },
		{ .name = "\xfe", .kind = NT_TOLD_BOOL },
		{ .name = "a\"", .kind = NT_TOLD_UNSIGNED, .u = UINT64_MAX },
		{ .name = "a\"", .kind = NT_TOLD_REAL, .real = INFINITY },
	};
	const struct nt_told_event hostile = { .provider = "Shop", .name = "", .time = TIME, FIELDS(members) };
	char *line = written(true, &hostile);
	json_t *object = json_loads(line, JSON_REJECT_DUPLICATES, NULL), *told = json_object_get(object, "fields");
	assert_int_equal(json_object_size(told), 8);
	assert_true(json_real_value(json_object_get(told, "a\"")) == 18446744073709551615.0 && json_is_null(json_object_get(told, "#7")));
	assert_true(json_is_null(json_object_get(object, "name")));
	json_decref(object);
	free(line);
}

static void what_is_lost_has_a_line(void **state)
{
	(void)state;
	struct nt_event_lines lines;
	for (int as_json = 0; as_json < 2; as_json++) {
		nt_event_lines_init(&lines, as_json, 5);
		nt_event_lines_add_lost(&lines, 12, as_json ? NT_TIME_UNKNOWN : TIME);
		check_end(nt_text_buffer_take(&lines.out), as_json ? "{\"type\":\"lost\",\"count\":12,\"time_unix_ns\":null}\n"
								   : "-- 12 events lost: the process had no room for them\n");
		nt_event_lines_fini(&lines);
	}
}

static void an_unknown_number_of_losses_has_a_line(void **state)
{
	(void)state;
	struct nt_event_lines lines;
	for (int as_json = 0; as_json < 2; as_json++) {
		nt_event_lines_init(&lines, as_json, 5);
		nt_event_lines_add_some_lost(&lines, TIME);
		check_end(nt_text_buffer_take(&lines.out), as_json ? "{\"type\":\"lost\",\"count\":null,\"time_unix_ns\":1250000005}\n"
								   : "-- events lost, nobody knows how many: LTTng had no room for them\n");
		nt_event_lines_fini(&lines);
	}
}

static void a_stop_has_a_line(void **state)
{
	(void)state;
	struct nt_event_lines lines;
	for (int as_json = 0; as_json < 2; as_json++) {
		nt_event_lines_init(&lines, as_json, 5);
		nt_event_lines_add_gap(&lines, TIME, TIME + 1500 * NT_NS_PER_MS);
		check_end(nt_text_buffer_take(&lines.out), as_json ? "{\"type\":\"lost\",\"count\":null,\"time_unix_ns\":2750000005}\n"
								   : "-- stopped for 1.5 s: what happened meanwhile is not told\n");
		nt_event_lines_fini(&lines);
	}
}

static void a_collection_leaves_out_what_is_not_known(void **state)
{
	(void)state;
	const struct nt_process_snapshot process = { .target = { .pid = 1 } };
	const struct nt_snapshot snapshot = { .t1 = 2 * NT_NS_PER_S };
	const struct nt_column_context context = { .snapshot = &snapshot, .process = &process };
	const struct nt_gc_row row = {
		.id = 12,
		.generation = 1,
		.type = 0,
		.start = NT_TIME_UNKNOWN,
		.end = TIME,
		.pause_ns = { .known = true, .v = 2100 * NT_NS_PER_US },
		.before_bytes = { .known = true, .v = 2048 },
		.after_bytes = { .known = true, .v = 1024 },
		.found_bytes = { { .known = true, .v = 2000 }, { 0 }, { .known = true, .v = 48 } },
		.generation_bytes = { { .known = true, .v = 0 }, { .known = true, .v = 1000 }, { .known = true, .v = 24 } },
		.way = NT_GC_WAY_SWEEP,
		.asked_by = "Shop.Cart.Add",
		.finished = true
	};
	char *text = NULL;
	size_t length;
	FILE *out = open_memstream(&text, &length);
	nt_gc_line_text(out, &row, &context, 0);
	fclose(out);
	check_end(text, " gc 12 gen1 eph sweep pause 2.1ms 2.00K -> 1.00K gen0 1.95K->0 gen1 0.98K gen2 48->24 by Shop.Cart.Add\n");
	out = open_memstream(&text, &length);
	nt_gc_line_json(out, &row, &context, 0);
	fclose(out);
	json_t *object = json_loads(text, 0, NULL);
	assert_int_equal(json_integer_value(json_object_get(object, "number")), 12);
	assert_true(json_is_null(json_object_get(object, "loh_bytes")));
	json_decref(object);
	free(text);
}

static void a_log_of_collections_says_what_is_lost(void **state)
{
	(void)state;
	static const struct {
		bool as_json;
		struct nt_u64 count;
		const char *line;
	} cases[] = {
		{ false, { .known = true, .v = 7 }, "-- 7 events lost: collections may be missing, or parts of them\n" },
		{ false, { .known = false }, "-- an unknown number of events lost: collections may be missing, or parts of them\n" },
		{ true, { .known = true, .v = 7 }, "{\"type\":\"lost\",\"count\":7,\"time_unix_ns\":1250000000}\n" },
		{ true, { .known = false }, "{\"type\":\"lost\",\"count\":null,\"time_unix_ns\":1250000000}\n" },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char *text = NULL;
		size_t length;
		FILE *out = open_memstream(&text, &length);
		nt_gc_line_lost(out, cases[i].as_json, cases[i].count, TIME, 0);
		fclose(out);
		check_end(text, cases[i].line);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_kind_of_field_as_text),
		cmocka_unit_test(its_call_stack),
		cmocka_unit_test(what_is_within_a_field),
		cmocka_unit_test(what_nothing_describes),
		cmocka_unit_test(one_without_a_name_has_its_number),
		cmocka_unit_test(a_log_says_its_words),
		cmocka_unit_test(each_kind_of_field_as_json),
		cmocka_unit_test(each_member_has_a_name_of_its_own),
		cmocka_unit_test(what_is_lost_has_a_line),
		cmocka_unit_test(an_unknown_number_of_losses_has_a_line),
		cmocka_unit_test(a_stop_has_a_line),
		cmocka_unit_test(a_log_of_collections_says_what_is_lost),
		cmocka_unit_test(a_collection_leaves_out_what_is_not_known),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
