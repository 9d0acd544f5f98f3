// SPDX-License-Identifier: GPL-2.0-only
/* The report of nettop jit: its table, its JSON and back, and two of them compared. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "output/jit/jit_compare.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Borrows nothing that ends: constants. */
static struct nt_process_snapshot process_of_shop(void)
{
	static struct nt_jit_row methods[] = {
		{ .id = 1,
		  .name = "Shop.Cart.Total(ref Cart)",
		  .module = "Shop",
		  .tier = NT_TIER_1,
		  .trigger = NT_JIT_BACKGROUND,
		  .count_all = 2,
		  .time_all_ns = 7250000,
		  .max_ns = 5000000,
		  .il_bytes = 120,
		  .native_bytes = 2048,
		  .cpu_count_all = 2,
		  .cpu_all_ns = 7000000 },
		{ .id = 2,
		  .name = "lambda_method(Closure, Row)",
		  .module = "(dynamic)",
		  .tier = NT_TIER_OPTIMIZED,
		  .trigger = NT_JIT_FOREGROUND,
		  .count_all = 30,
		  .time_all_ns = 6000000,
		  .max_ns = 900000,
		  .native_bytes = 640,
		  .cpu_count_all = 30,
		  .cpu_all_ns = 3000000 },
		{ .id = 3,
		  .name = "Lib.Text.Parse(string)",
		  .tier = NT_TIER_0,
		  .trigger = NT_JIT_REJECTED,
		  .count_all = 1,
		  .time_all_ns = 1500000,
		  .max_ns = 1500000,
		  .rejected_all = 1,
		  .il_bytes = 40,
		  .native_bytes = 512,
		  .cpu_count_all = 1,
		  .cpu_all_ns = 1000000 },
	};
	static struct nt_jit_module_row modules[] = { { "Shop", { 2, 7250000, 240, 3000, 2, 7000000 } },
						      { "(dynamic)", { 30, 6000000, 0, 19200, 30, 3000000 } },
						      { NULL, { 1, 1500000, 40, 512, 1, 1000000 } } };
	struct nt_process_snapshot process = {
		.target = { .pid = 4711, .name = "shop", .runtime = "10.0.12", .cpu_ns = NT_KNOWN(59000000) },
		.jit_methods = methods,
		.jit_method_count = sizeof(methods) / sizeof(methods[0]),
		.jit_modules = modules,
		.jit_module_count = sizeof(modules) / sizeof(modules[0]),
	};
	process.total.lived_ns = 2 * NT_NS_PER_S;
	process.total.cpu.time_ns = nt_u64_of(29500000);
	process.total.jit.method_count = nt_u64_of(33);
	process.total.jit.time_ns = nt_u64_of(14750000);
	process.total.jit.cpu_ns = nt_u64_of(11000000);
	process.total.jit.cpu_count = nt_u64_of(33);
	process.total.jit.il_bytes = nt_u64_of(280);
	process.total.jit.native_bytes = nt_u64_of(22712);
	process.total.jit.dynamic_count = nt_u64_of(30);
	process.total.jit.rejected_count = nt_u64_of(1);
	process.jit_by_tier[NT_TIER_0] = (struct nt_jit_sums){ 2, 3750000, 160, 1464, 2, 3000000 };
	process.jit_by_tier[NT_TIER_1] = (struct nt_jit_sums){ 1, 5000000, 120, 2048, 1, 5000000 };
	process.jit_by_tier[NT_TIER_OPTIMIZED] = (struct nt_jit_sums){ 30, 6000000, 0, 19200, 30, 3000000 };
	process.jit_by_trigger[NT_JIT_FOREGROUND] = (struct nt_jit_sums){ 31, 8250000, 120, 20152, 31, 5000000 };
	process.jit_by_trigger[NT_JIT_BACKGROUND] = (struct nt_jit_sums){ 1, 5000000, 120, 2048, 1, 5000000 };
	process.jit_by_trigger[NT_JIT_REJECTED] = (struct nt_jit_sums){ 1, 1500000, 40, 512, 1, 1000000 };
	return process;
}

static struct nt_jit_report *report_of(struct nt_process_snapshot process, bool from_start)
{
	const struct nt_snapshot snapshot = { .final = true, .complete = true, .processes = &process, .process_count = 1 };
	struct nt_jit_report *report = NULL;
	struct nt_error err = { 0 };
	if (nt_jit_report_of(&snapshot, from_start, &report, &err) != NT_OK)
		fail_msg("%s", err.cause[0]);
	report->settings_known = report->file_settings_known = true;
	return report;
}

/* The caller's. */
static char *table_of(const struct nt_jit_report *before, const struct nt_jit_report *report)
{
	char *text = NULL;
	size_t length = 0;
	FILE *file = open_memstream(&text, &length);
	assert_non_null(file);
	if (before)
		nt_jit_compare_write(before, report, file);
	else
		nt_jit_report_write(report, file);
	fclose(file);
	return text;
}

/* Through JSON and back. */
static struct nt_jit_report *read_again(const struct nt_jit_report *report)
{
	char path[] = "/tmp/nt-test-jit-XXXXXX";
	char *json = nt_jit_report_json(report);
	int fd = mkstemp(path);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, json, strlen(json)), strlen(json));
	close(fd);
	struct nt_jit_report *again = NULL;
	struct nt_error err = { 0 };
	if (nt_jit_report_read(path, &again, &err) != NT_OK)
		fail_msg("%s", err.cause[0]);
	unlink(path);
	free(json);
	return again;
}

static void assert_text(char *text, const char *expected)
{
	assert_string_equal(text, expected);
	free(text);
}

static const char shop_table[] =
	"nettop jit: shop (4711), .NET 10.0.12, 2.0s from its start on\n"
	" methods compiled                            33\n"
	" compile time by the clock, ms             14.8\n"
	" compile time as CPU time, ms              11.0\n"
	" CPU time of the process, ms               59.0\n"
	" share of it for compiling, %              18.6\n"
	" IL compiled                                280\n"
	" code made                                22.2K\n"
	" methods made at run time                    30\n"
	" ReadyToRun code rejected                     1\n"
	" watched for, ms                         2000.0\n"
	"\n"
	"    CPU ms  CLOCK ms       N     IL NATIVE TIER\n"
	"       5.0       5.0       1    120  2.00K tier1\n"
	"       3.0       6.0      30         18.8K opt\n"
	"       3.0       3.8       2    160  1.43K tier0\n"
	"\n"
	"    CPU ms  CLOCK ms       N     IL NATIVE TRIGGER\n"
	"       5.0       5.0       1    120  2.00K background\n"
	"       5.0       8.2      31    120  19.7K foreground\n"
	"       1.0       1.5       1     40    512 r2r reject\n"
	"\n"
	"    CPU ms  CLOCK ms       N     IL NATIVE MODULE\n"
	"       7.0       7.2       2    240  2.93K Shop\n"
	"       3.0       6.0      30         18.8K (dynamic)\n"
	"       1.0       1.5       1     40    512 (not known)\n"
	"\n"
	"SLOWEST: 3 of 3 methods\n"
	"    CPU ms  CLOCK ms       N  MAX ms     IL NATIVE TIER  TRIGGER    MODULE    METHOD\n"
	"       7.0       7.2       2     5.0    120  2.00K tier1 background Shop      Shop.Cart.Total(ref Cart)\n"
	"       3.0       6.0      30     0.9           640 opt   foreground (dynamic) lambda_method(Closure, Row)\n"
	"       1.0       1.5       1     1.5     40    512 tier0 r2r reject           Lib.Text.Parse(string)\n"
	"\n"
	"READYTORUN CODE REJECTED: 1 of 1 methods\n"
	"    CPU ms  CLOCK ms       N  MAX ms     IL NATIVE TIER  TRIGGER    MODULE METHOD\n"
	"       1.0       1.5       1     1.5     40    512 tier0 r2r reject        Lib.Text.Parse(string)\n";

static void test_the_table(void **state)
{
	(void)state;
	struct nt_jit_report *report = report_of(process_of_shop(), true);
	assert_text(table_of(NULL, report), shop_table);
	nt_jit_report_free(report);
}

static void test_json_has_all_of_the_table(void **state)
{
	(void)state;
	struct nt_jit_report *report = report_of(process_of_shop(), true), *again = read_again(report);
	char *table = table_of(NULL, report);
	assert_text(table_of(NULL, again), table);
	free(table);
	nt_jit_report_free(again);
	nt_jit_report_free(report);
}

/* The process after a change: one method changed, one came, one went. */
static struct nt_process_snapshot process_after(void)
{
	static struct nt_jit_row methods[3];
	struct nt_process_snapshot process = process_of_shop();
	memcpy(methods, process.jit_methods, sizeof(methods));
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
	process.jit_by_trigger[NT_JIT_REJECTED].count = 0;
	process.jit_by_trigger[NT_JIT_FOREGROUND].count = 32;
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

static void test_attached_later(void **state)
{
	(void)state;
	struct nt_jit_report *report = report_of(process_of_shop(), false);
	assert_int_equal(report->totals.cpu_ns.v, 29500000); /* of the time watched, not since its start */
	assert_true(report->totals.cpu_pct.v > 37.2 && report->totals.cpu_pct.v < 37.3);
	nt_jit_report_free(report);
}

/* Time by the clock is no part of CPU time: where the kernel does not tell, there is no share. */
static void test_without_cpu_time(void **state)
{
	(void)state;
	struct nt_process_snapshot process = process_of_shop();
	process.total.jit.cpu_ns.known = process.total.jit.cpu_count.known = false;
	const struct nt_snapshot snapshot = { .final = true,
					      .complete = true,
					      .sources = { { .id = NT_SOURCE_PERF, .reason = "the kernel allows no events" } },
					      .source_count = 1,
					      .processes = &process,
					      .process_count = 1 };
	struct nt_jit_report *report = NULL;
	assert_int_equal(nt_jit_report_of(&snapshot, true, &report, NULL), NT_OK);
	struct nt_jit_report *again = read_again(report);
	assert_false(again->totals.cpu_pct.known);
	char *table = table_of(NULL, again);
	assert_non_null(strstr(table, " compile time as CPU time, ms                 -\n"));
	assert_non_null(strstr(table, " share of it for compiling, %                 -\n"));
	assert_non_null(strstr(table, "(the CPU time of compiling is not known: the kernel allows no events)"));
	assert_null(strstr(table, "CPU ms"));
	free(table);
	nt_jit_report_free(again);
	nt_jit_report_free(report);
}

static void test_cpu_time_of_some(void **state)
{
	(void)state;
	struct nt_process_snapshot process = process_of_shop();
	process.total.jit.cpu_count = nt_u64_of(30);
	struct nt_jit_report *report = report_of(process, true), *whole = report_of(process_of_shop(), true);
	char *table = table_of(NULL, report), *compared = table_of(report, whole);
	assert_non_null(strstr(table, " compile time as CPU time, ms             >11.0\n"));
	assert_non_null(strstr(table, " share of it for compiling, %             >18.6\n"));
	assert_non_null(strstr(table, "(>: the CPU time of 3 of the compilations is not known)"));
	assert_non_null(strstr(compared, " compile time as CPU time, ms             >11.0        11.0           -\n"));
	assert_non_null(strstr(compared, "by the clock, CPU time is not known of both"));
	free(table);
	free(compared);
	nt_jit_report_free(whole);
	nt_jit_report_free(report);
}

static void test_settings(void **state)
{
	(void)state;
	struct nt_jit_report *before = report_of(process_of_shop(), true), *after = report_of(process_of_shop(), true);
	nt_jit_report_add_setting(after, "DOTNET_gcServer", "1");
	nt_jit_report_add_setting(after, "DOTNET_ReadyToRun", "0");
	nt_jit_report_sort(after);
	struct nt_jit_report *again = read_again(after);
	char *table = table_of(NULL, again), *compared = table_of(before, again), *same = table_of(again, after);
	assert_non_null(strstr(table, "\nsettings: ReadyToRun was off (DOTNET_ReadyToRun=0), DOTNET_gcServer=1\n"));
	assert_non_null(
		strstr(compared, "\nnew settings: ReadyToRun was off (DOTNET_ReadyToRun=0), DOTNET_gcServer=1\nTHE SETTINGS DIFFER"));
	assert_null(strstr(same, "DIFFER"));
	free(same);
	free(compared);
	free(table);
	nt_jit_report_free(again);
	nt_jit_report_free(after);
	nt_jit_report_free(before);
}

/* What a runtimeconfig.json sets counts where no variable does; where it was not read nobody knows whether it differs. */
static void test_settings_of_a_file(void **state)
{
	(void)state;
	struct nt_jit_report *before = report_of(process_of_shop(), true), *after = report_of(process_of_shop(), true);
	nt_jit_report_add_setting(after, "System.Runtime.TieredCompilation", "false");
	nt_jit_report_add_setting(after, "System.GC.Server", "true");
	nt_jit_report_add_setting(after, "DOTNET_TieredPGO", "1");
	nt_jit_report_add_overruled(after, "System.Runtime.TieredPGO", "false");
	nt_jit_report_add_overruled(before, "System.Runtime.TieredPGO", "true");
	nt_jit_report_add_setting(before, "DOTNET_TieredPGO", "1");
	nt_jit_report_sort(after);
	struct nt_jit_report *again = read_again(after);
	char *table = table_of(NULL, again), *compared = table_of(before, again), *same = table_of(again, after);
	assert_non_null(strstr(
		table, "\nsettings: DOTNET_TieredPGO=1, System.GC.Server=true, tiered compilation was off "
		       "(System.Runtime.TieredCompilation=false), System.Runtime.TieredPGO=false (not in force: the variable is)\n"));
	assert_null(strstr(table, "runtimeconfig.json"));
	assert_non_null(strstr(compared, "THE SETTINGS DIFFER"));
	assert_null(strstr(same, "DIFFER"));
	free(same);
	free(compared);
	free(table);
	again->file_settings_known = false;
	again->setting_count = 1;
	compared = table_of(before, again);
	assert_null(strstr(compared, "DIFFER"));
	assert_non_null(strstr(compared, "\nnew settings in its runtimeconfig.json: not known\n"));
	free(compared);
	nt_jit_report_free(again);
	nt_jit_report_free(after);
	nt_jit_report_free(before);
}

/* Of runs whose compile time, and that of the slowest method, is so many ms more than in the shop. */
static struct nt_jit_report *runs_of(const unsigned *more_ms, size_t count)
{
	enum { MOST = 8 };
	static struct nt_jit_row methods[3];
	struct nt_jit_report *reports[MOST];
	assert_true(count <= MOST);
	for (size_t i = 0; i < count; i++) {
		struct nt_process_snapshot process = process_of_shop();
		memcpy(methods, process.jit_methods, sizeof(methods));
		methods[0].cpu_all_ns += more_ms[i] * NT_NS_PER_MS;
		process.jit_methods = methods;
		process.total.jit.cpu_ns.v += more_ms[i] * NT_NS_PER_MS;
		reports[i] = report_of(process, true);
	}
	struct nt_jit_report *merged = nt_jit_report_of_runs(reports, count);
	for (size_t i = 0; i < count; i++)
		nt_jit_report_free(reports[i]);
	return merged;
}

static void test_several_runs(void **state)
{
	(void)state;
	static const unsigned usual[] = { 4, 0, 1 }, other[] = { 5, 2, 3 }, slow[] = { 41, 40, 43 };
	struct nt_jit_report *made = runs_of(usual, 3), *first = read_again(made), *second = runs_of(other, 3), *third = runs_of(slow, 3);
	assert_int_equal(first->runs, 3);
	assert_int_equal(first->totals.jit_cpu_ns.v, 12000000);
	assert_int_equal(first->least.jit_cpu_ns.v, 11000000);
	assert_int_equal(first->most.jit_cpu_ns.v, 15000000);
	assert_int_equal(first->counts[NT_JIT_METHODS], 3);
	assert_int_equal(first->lines[NT_JIT_METHODS][0].sums.cpu_ns, 8000000);
	assert_int_equal(first->lines[NT_JIT_METHODS][0].cpu_ns.most, 11000000);
	char *table = table_of(NULL, first), *near = table_of(first, second), *far = table_of(first, third);
	assert_non_null(strstr(table, "from its start on, medians of 3 runs\n"));
	assert_non_null(strstr(table, " compile time as CPU time, ms              12.0        11.0        15.0\n"));
	assert_non_null(strstr(near, " compile time as CPU time, ms              12.0        14.0        +2.0  within the spread\n"));
	assert_non_null(strstr(near, "~+2.0      2      2     +0 Shop      Shop.Cart.Total"));
	assert_non_null(strstr(far, " compile time as CPU time, ms              12.0        52.0       +40.0\n"));
	assert_non_null(strstr(far, " +40.0      2      2     +0 Shop      Shop.Cart.Total"));
	free(far);
	free(near);
	free(table);
	nt_jit_report_free(third);
	nt_jit_report_free(second);
	nt_jit_report_free(first);
	nt_jit_report_free(made);
}

static void test_nothing_was_seen(void **state)
{
	(void)state;
	struct nt_process_snapshot process = process_of_shop();
	process.total.jit = (struct nt_jit_figures){ .why = { "no log", "switch the log on" } };
	const struct nt_snapshot snapshot = { .final = true, .complete = true, .processes = &process, .process_count = 1 };
	struct nt_jit_report *report = NULL;
	struct nt_error err = { 0 };
	assert_int_equal(nt_jit_report_of(&snapshot, true, &report, &err), NT_ERR_FORBIDDEN);
	assert_null(report);
	assert_non_null(strstr(err.cause[0], "no log"));
	assert_string_equal(err.fix, "switch the log on");
}

static void test_lost_events_are_told(void **state)
{
	(void)state;
	struct nt_process_snapshot process = process_of_shop();
	const struct nt_snapshot snapshot = { .final = true, .complete = true, .lost_count = 1, .processes = &process, .process_count = 1 };
	struct nt_jit_report *report = NULL;
	assert_int_equal(nt_jit_report_of(&snapshot, true, &report, NULL), NT_OK);
	char *table = table_of(NULL, report);
	assert_non_null(strstr(table, "NOT COMPLETE"));
	free(table);
	nt_jit_report_free(report);
}

/* Both reports of a comparison may be of a program that was killed: it goes through JSON. */
static void test_a_killed_program_is_told(void **state)
{
	(void)state;
	static const struct {
		const char *end, *said; /* said: NULL = nothing */
	} cases[] = {
		{ "killed by SIGSEGV", "IT ENDED: killed by SIGSEGV; below is what was seen until then\n methods compiled" },
		{ "exit status 3", "IT ENDED: exit status 3;" },
		{ NULL, "IT ENDED: nobody tells how;" },
		{ "exit status 0", NULL },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct nt_process_snapshot process = process_of_shop();
		process.target.ended = true;
		process.target.end_text = cases[i].end;
		struct nt_jit_report *report = report_of(process, false), *again = read_again(report);
		assert_int_equal(nt_jit_report_is_cut(again), cases[i].said != NULL);
		assert_string_equal(again->end, cases[i].end ? cases[i].end : "nobody tells how");
		char *table = table_of(NULL, again);
		assert_int_equal(strstr(table, "IT ENDED") != NULL, cases[i].said != NULL);
		assert_true(!cases[i].said || strstr(table, cases[i].said));
		free(table);
		nt_jit_report_free(again);
		nt_jit_report_free(report);
	}
	struct nt_jit_report *runs = report_of(process_of_shop(), false);
	assert_null(runs->end);
	assert_false(nt_jit_report_is_cut(runs));
	nt_jit_report_free(runs);
}

/* It died before anything came: that is the news, and why nothing came is said, too. */
static void test_killed_before_anything_was_seen(void **state)
{
	(void)state;
	struct nt_process_snapshot process = process_of_shop();
	process.total.jit = (struct nt_jit_figures){ .why = { "no log", "switch the log on" } };
	process.target.ended = true;
	process.target.end_text = "killed by SIGSEGV";
	const struct nt_snapshot snapshot = { .final = true, .complete = true, .processes = &process, .process_count = 1 };
	struct nt_jit_report *report = NULL;
	struct nt_error err = { 0 };
	assert_int_equal(nt_jit_report_of(&snapshot, true, &report, &err), NT_ERR_GONE);
	assert_non_null(strstr(err.cause[0], "killed by SIGSEGV"));
	assert_non_null(strstr(err.cause[0], "no log"));
}

static void test_what_is_no_report(void **state)
{
	(void)state;
	static const struct {
		const char *text, *words;
	} cases[] = {
		{ "", "is not JSON" },
		{ "{\"type\":\"jit\"", "is not JSON" },
		{ "[]", "is not a report" },
		{ "{\"type\":\"summary\",\"schema\":1}", "is not a report" },
		{ "{\"type\":\"jit\",\"schema\":2,\"total\":{\"method_count\":1,\"time_ns\":1}}", "is not a report" },
		{ "{\"type\":\"jit\",\"schema\":1}", "is not a report" },
		{ "{\"type\":\"jit\",\"schema\":1,\"total\":{\"method_count\":-1,\"time_ns\":1}}", "is not a report" },
		{ "{\"type\":\"jit\",\"schema\":1,\"total\":{\"method_count\":1,\"time_ns\":1},\"methods\":[{\"name\":7}]}",
		  "is not a report" },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char path[] = "/tmp/nt-test-jit-XXXXXX";
		int fd = mkstemp(path);
		assert_true(fd >= 0);
		assert_int_equal(write(fd, cases[i].text, strlen(cases[i].text)), strlen(cases[i].text));
		close(fd);
		struct nt_jit_report *report = NULL;
		struct nt_error err = { 0 };
		assert_int_equal(nt_jit_report_read(path, &report, &err), NT_ERR_USAGE);
		assert_null(report);
		if (!strstr(err.cause[0], cases[i].words))
			fail_msg("'%s': %s", cases[i].text, err.cause[0]);
		unlink(path);
	}
	struct nt_jit_report *report = NULL;
	struct nt_error err = { 0 };
	assert_int_equal(nt_jit_report_read("/nonexistent/old.json", &report, &err), NT_ERR_USAGE);
	assert_non_null(strstr(err.cause[0], "/nonexistent/old.json"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_the_table),
		cmocka_unit_test(test_json_has_all_of_the_table),
		cmocka_unit_test(test_compared),
		cmocka_unit_test(test_compared_as_json),
		cmocka_unit_test(test_attached_later),
		cmocka_unit_test(test_without_cpu_time),
		cmocka_unit_test(test_cpu_time_of_some),
		cmocka_unit_test(test_settings),
		cmocka_unit_test(test_settings_of_a_file),
		cmocka_unit_test(test_several_runs),
		cmocka_unit_test(test_nothing_was_seen),
		cmocka_unit_test(test_lost_events_are_told),
		cmocka_unit_test(test_a_killed_program_is_told),
		cmocka_unit_test(test_killed_before_anything_was_seen),
		cmocka_unit_test(test_what_is_no_report),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
