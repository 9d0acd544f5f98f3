// SPDX-License-Identifier: GPL-2.0-only
/* Files of counters in the formats of dotnet-counters; that they are the same is seen by tests/live/test_counter_files.py. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "output/frame/counter_lines.h"
#include "output/frame/dotnet_number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct nt_counter_row rows[] = {
	{ .provider = "System.Runtime",
	  .name = "alloc-rate",
	  .display_name = "Allocation Rate",
	  .unit = "B",
	  .kind = NT_COUNTER_INCREMENT,
	  .told = { { .at = 2 * NT_NS_PER_S + 100, .value = 392184 }, { .at = 1 * NT_NS_PER_S, .value = 0.1 } },
	  .told_count = 2 },
	{ .provider = "System.Runtime", .name = "gc-count", .display_name = "Collections", .kind = NT_COUNTER_INCREMENT },
	{ .provider = "Shop, \"the\"",
	  .name = "checkout\n",
	  .unit = "s",
	  .tags = "pay=card,via=web",
	  .meter_tags = "m=1",
	  .instrument_tags = "i=2",
	  .kind = NT_COUNTER_HISTOGRAM,
	  .told = { { .at = 1 * NT_NS_PER_S, .value = 6.996095180511475e-06, .p95 = 0.5, .p99 = (double)INFINITY } },
	  .told_count = 1 },
	{ .provider = "Shop", .name = "stock", .told = { { .at = 1 * NT_NS_PER_S, .value = -12 } }, .told_count = 1 },
	{ .provider = "Shop",
	  .name = "orders",
	  .kind = NT_COUNTER_TOTAL,
	  .told = { { .at = 1 * NT_NS_PER_S, .value = 5 } },
	  .told_count = 1 },
	{ .provider = "Shop",
	  .name = "items",
	  .display_name = "Items",
	  .unit = "count",
	  .told = { { .at = 1 * NT_NS_PER_S, .value = 1 } },
	  .told_count = 1 },
};

static char *written(bool json, size_t count, nt_time interval_ns)
{
	char *text = NULL;
	size_t size;
	struct nt_process_snapshot process = { .counters = rows, .counter_count = count };
	struct nt_counter_lines lines = { .out = open_memstream(&text, &size), .json = json, .interval_ns = interval_ns };
	setenv("TZ", "UTC-1", 1); /* an hour east */
	nt_counter_lines_begin(&lines, "dot\"net", 1234567890);
	nt_counter_lines_add(&lines, &process);
	nt_counter_lines_add(&lines, &(struct nt_process_snapshot){ .counter_count = 0 });
	nt_counter_lines_end(&lines);
	assert_int_equal(lines.any, count > 0);
	fclose(lines.out);
	return text;
}

static void as_csv(void **state)
{
	(void)state;
	char *text = written(false, sizeof(rows) / sizeof(rows[0]), NT_NS_PER_S);
	assert_string_equal(
		text, "Timestamp,Provider,Counter Name,Counter Type,Mean/Increment\n"
		      "01/01/1970 01:00:01,System.Runtime,Allocation Rate (B / 1 sec),Rate,0.1\n"
		      "01/01/1970 01:00:01,\"Shop, \"\"the\"\"\",checkout\\x0a "
		      "(s)[m=1;i=2;pay=card;via=web;Percentile=50],Metric,6.996095180511475E-06\n"
		      "01/01/1970 01:00:01,\"Shop, \"\"the\"\"\",checkout\\x0a (s)[m=1;i=2;pay=card;via=web;Percentile=95],Metric,0.5\n"
		      "01/01/1970 01:00:01,Shop,stock,Metric,-12\n"
		      "01/01/1970 01:00:01,Shop,orders (Count / 1 sec),Rate,5\n"
		      "01/01/1970 01:00:01,Shop,Items (Count),Metric,1\n"
		      "01/01/1970 01:00:02,System.Runtime,Allocation Rate (B / 1 sec),Rate,392184\n");
	free(text);
}

static void as_json(void **state)
{
	(void)state;
	char *text = written(true, 1, NT_NS_PER_S / 2);
	assert_string_equal(text, "{ \"TargetProcess\": \"dot\\\"net\", \"StartTime\": \"1970-01-01T01:00:01.2345678+01:00\", \"Events\": ["
				  "{ \"timestamp\": \"1970-01-01T01:00:01.0000000+01:00\",  \"provider\": \"System.Runtime\",  \"name\": "
				  "\"Allocation Rate (B / 0.5 sec)\",  \"tags\": \"\",  \"counterType\": \"Rate\",  \"meterTags\": \"\",  "
				  "\"instrumentTags\": \"\",  \"value\": 0.1 },"
				  "{ \"timestamp\": \"1970-01-01T01:00:02.0000001+01:00\",  \"provider\": \"System.Runtime\",  \"name\": "
				  "\"Allocation Rate (B / 0.5 sec)\",  \"tags\": \"\",  \"counterType\": \"Rate\",  \"meterTags\": \"\",  "
				  "\"instrumentTags\": \"\",  \"value\": 392184 }]}");
	free(text);
	text = written(true, 3, NT_NS_PER_S);
	assert_non_null(strstr(text,
			       "\"tags\": \"pay=card,via=web,Percentile=95\",  \"counterType\": \"Metric\",  \"meterTags\": \"m=1\",  "
			       "\"instrumentTags\": \"i=2\",  \"value\": 0.5 }"));
	free(text);
}

/* Whole also when nothing was told. */
static void nothing_is_a_whole_file(void **state)
{
	(void)state;
	char *text = written(true, 0, NT_NS_PER_S);
	assert_string_equal(text,
			    "{ \"TargetProcess\": \"dot\\\"net\", \"StartTime\": \"1970-01-01T01:00:01.2345678+01:00\", \"Events\": []}");
	free(text);
}

/* As Double.ToString() gives them in the invariant culture. */
static void numbers_as_dotnet_writes_them(void **state)
{
	(void)state;
	static const struct {
		double value;
		const char *text;
	} numbers[] = { { 0, "0" },
			{ -0.0, "-0" },
			{ 1, "1" },
			{ 1000, "1000" },
			{ 0.1, "0.1" },
			{ 0.0001, "0.0001" },
			{ 0.00001, "1E-05" },
			{ 123456.789, "123456.789" },
			{ 999999999999999, "999999999999999" },
			{ 1e15, "1E+15" },
			{ 1.5e300, "1.5E+300" },
			{ -1.7976931348623157e308, "-1.7976931348623157E+308" },
			{ 5e-324, "5E-324" },
			{ 1.0 / 3, "0.3333333333333333" },
			{ 4.150500000000001, "4.150500000000001" } };
	char out[NT_DOTNET_NUMBER_BYTES];
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		assert_string_equal(nt_dotnet_number(numbers[i].value, out), numbers[i].text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(as_csv),
		cmocka_unit_test(as_json),
		cmocka_unit_test(nothing_is_a_whole_file),
		cmocka_unit_test(numbers_as_dotnet_writes_them),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
