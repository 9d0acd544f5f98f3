// SPDX-License-Identifier: GPL-2.0-only
/* Two reports of nettop jit beside each other. */
#include "jit_shop.h"

#include <jansson.h>

/* A report that was written before reports had a section says nothing of it: all of it is not new. */
static void test_compared_with_an_older_one(void **state_)
{
	(void)state_;
	struct nt_process_snapshot process = process_of_shop();
	struct nt_jit_report *after = report_of(process, false);
	process.jit_group_count[NT_JIT_BY_NAMESPACE] = 0;
	struct nt_jit_report *before = report_of(process, false);
	char *table = table_of(before, after), *json = nt_jit_compare_json(before, after);
	assert_null(strstr(table, "NAMESPACE"));
	assert_non_null(strstr(table, "MODULE"));
	assert_non_null(strstr(json, "\"namespaces\":null"));
	free(json);
	free(table);
	nt_jit_report_free(before);
	nt_jit_report_free(after);
}

/* The process after a change: one method changed, one came, one went. */
static struct nt_process_snapshot process_after(void)
{
	static struct nt_jit_row methods[3];
	static struct nt_jit_group_row triggers[2];
	struct nt_process_snapshot process = process_of_shop();
	memcpy(methods, process.jit_methods, sizeof(methods));
	memcpy(triggers, process.jit_groups[NT_JIT_BY_TRIGGER], sizeof(triggers));
	methods[0].time_all_ns = 9250000;
	methods[0].cpu_all_ns = 9000000;
	methods[2].name = "Lib.Text.ParseSpan(ReadOnlySpan<char>)";
	methods[2].rejected_all = 0;
	process.jit_methods = methods;
	process.total.jit.method_count = nt_u64_of(32);
	process.total.jit.time_ns = nt_u64_of(16750000);
	process.total.jit.cpu_ns = nt_u64_of(13000000);
	process.total.jit.cpu_count = nt_u64_of(32);
	process.total.jit.rejected_count = nt_u64_of(0);
	process.total.jit.il_bytes.known = false;
	triggers[0].all.count = 32;
	process.jit_groups[NT_JIT_BY_TRIGGER] = triggers;
	process.jit_group_count[NT_JIT_BY_TRIGGER] = 2;
	return process;
}

static const char compared_table[] = "old: shop (4711), .NET 10.0.12, 2.0s from its start on\n"
				     "new: shop (4711), .NET 10.0.12, 2.0s from its start on\n"
				     "                                            OLD         NEW        DIFF\n"
				     " methods compiled                            33          32          -1\n"
				     " compile time by the clock, ms             14.8        16.8        +2.0\n"
				     " compile time as CPU time, ms              11.0        13.0        +2.0\n"
				     " CPU time of the process, ms               59.0        59.0        +0.0\n"
				     " share of it for compiling, %              18.6        22.0        +3.4\n"
				     " IL compiled                                280           -           -\n"
				     " code made                                22.2K       22.2K          +0\n"
				     " methods made at run time                    30          30          +0\n"
				     " ReadyToRun code rejected                     1           0          -1\n"
				     " watched for, ms                         2000.0      2000.0        +0.0\n"
				     " (times below: CPU time; how much runs differ by themselves is not known, --repeat tells it)\n"
				     "\n"
				     "    OLD MS    NEW MS     DIFF  OLD N  NEW N   DIFF TIER\n"
				     "       3.0       3.0     +0.0     30     30     +0 opt\n"
				     "       3.0       3.0     +0.0      2      2     +0 tier0\n"
				     "       5.0       5.0     +0.0      1      1     +0 tier1\n"
				     "\n"
				     "    OLD MS    NEW MS     DIFF  OLD N  NEW N   DIFF TRIGGER\n"
				     "       1.0               -1.0      1            -1 r2r reject\n"
				     "       5.0       5.0     +0.0      1      1     +0 background\n"
				     "       5.0       5.0     +0.0     31     32     +1 foreground\n"
				     "\n"
				     "    OLD MS    NEW MS     DIFF  OLD N  NEW N   DIFF MODULE\n"
				     "       3.0       3.0     +0.0     30     30     +0 (dynamic)\n"
				     "       1.0       1.0     +0.0      1      1     +0 (not known)\n"
				     "       7.0       7.0     +0.0      2      2     +0 Shop\n"
				     "\n"
				     "    OLD MS    NEW MS     DIFF  OLD N  NEW N   DIFF NAMESPACE\n"
				     "       3.0       3.0     +0.0     30     30     +0 (dynamic)\n"
				     "       1.0       1.0     +0.0      1      1     +0 Lib.Text\n"
				     "       7.0       7.0     +0.0      2      2     +0 Shop\n"
				     "\n"
				     "CHANGED MOST: 2 of 2 methods, all of them +2.0 ms\n"
				     "    OLD MS    NEW MS     DIFF  OLD N  NEW N   DIFF MODULE    METHOD\n"
				     "       7.0       9.0     +2.0      2      2     +0 Shop      Shop.Cart.Total(ref Cart)\n"
				     "       3.0       3.0     +0.0     30     30     +0 (dynamic) lambda_method(Closure, Row)\n"
				     "\n"
				     "APPEARED: 1 of 1 methods, all of them +1.0 ms\n"
				     "    OLD MS    NEW MS     DIFF  OLD N  NEW N   DIFF MODULE METHOD\n"
				     "                 1.0     +1.0             1     +1        Lib.Text.ParseSpan(ReadOnlySpan<char>)\n"
				     "\n"
				     "VANISHED: 1 of 1 methods, all of them -1.0 ms\n"
				     "    OLD MS    NEW MS     DIFF  OLD N  NEW N   DIFF MODULE METHOD\n"
				     "       1.0               -1.0      1            -1        Lib.Text.Parse(string)\n";

static void test_compared(void **state)
{
	(void)state;
	struct nt_jit_report *before = report_of(process_of_shop(), true), *after = report_of(process_after(), true);
	assert_text(table_of(before, after), compared_table);
	nt_jit_report_free(before);
	nt_jit_report_free(after);
}

static json_t *member(json_t *object, const char *key)
{
	json_t *value = json_object_get(object, key);
	if (!value)
		fail_msg("no %s", key);
	return value;
}

static void test_compared_as_json(void **state)
{
	(void)state;
	struct nt_jit_report *before = report_of(process_of_shop(), true), *after = report_of(process_after(), true);
	char *text = nt_jit_compare_json(before, after);
	json_t *object = json_loads(text, 0, NULL);
	assert_string_equal(json_string_value(member(object, "type")), "jit_compare");
	json_t *time = member(member(object, "total"), "time_ns"), *il = member(member(object, "total"), "il_bytes");
	assert_int_equal(json_integer_value(member(time, "old")), 14750000);
	assert_int_equal(json_integer_value(member(time, "new")), 16750000);
	assert_int_equal(json_integer_value(member(time, "difference")), 2000000);
	assert_true(json_is_null(member(il, "new")) && json_is_null(member(il, "difference")));
	json_t *methods = member(object, "methods");
	assert_int_equal(json_array_size(methods), 4);
	json_t *changed = json_array_get(methods, 0), *vanished = json_array_get(methods, 1);
	assert_string_equal(json_string_value(member(changed, "name")), "Shop.Cart.Total(ref Cart)");
	assert_int_equal(json_integer_value(member(changed, "time_ns_difference")), 2000000);
	assert_string_equal(json_string_value(member(vanished, "name")), "Lib.Text.Parse(string)");
	assert_true(json_is_null(member(vanished, "new")));
	assert_int_equal(json_integer_value(member(vanished, "count_difference")), -1);
	json_decref(object);
	free(text);
	nt_jit_report_free(before);
	nt_jit_report_free(after);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_compared),
		cmocka_unit_test(test_compared_with_an_older_one),
		cmocka_unit_test(test_compared_as_json),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
