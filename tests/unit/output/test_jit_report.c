// SPDX-License-Identifier: GPL-2.0-only
/* The report of nettop jit: its table, its JSON and back. */
#include "jit_shop.h"

#include "base/alloc.h"
#include "base/arena.h"

#include <jansson.h>
#include <unistd.h>

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
	"AT THE START: not told by cause: whether modules have precompiled code comes over EventPipe only (--source eventpipe,perf)\n"
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
	"    CPU ms  CLOCK ms       N     IL NATIVE NAMESPACE\n"
	"       7.0       7.2       2    240  2.93K Shop\n"
	"       3.0       6.0      30         18.8K (dynamic)\n"
	"       1.0       1.5       1     40    512 Lib.Text\n"
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

static void test_the_start(void **state)
{
	(void)state;
	static struct nt_jit_startup_row rows[] = {
		{ .id = 2,
		  .name = "Shop.Program.Main()",
		  .module = "Shop",
		  .cause = NT_JIT_CAUSE_NO_CODE,
		  .tier = NT_TIER_0,
		  .at_ns = 40000000,
		  .time_ns = 3000000,
		  .self_ns = 2000000,
		  .cpu_ns = { 1900000, true } },
		{ .id = 1,
		  .name = "Shop.Cart..cctor()",
		  .module = "Shop",
		  .cause = NT_JIT_CAUSE_NO_CODE,
		  .tier = NT_TIER_0,
		  .at_ns = 40500000,
		  .time_ns = 1000000,
		  .self_ns = 1000000,
		  .cpu_ns = { 900000, true } },
	};
	static struct nt_jit_cause_row causes[] = { { .id = 1,
						      .cause = NT_JIT_CAUSE_NO_CODE,
						      .module = "Shop",
						      .remedy = "ReadyToRun",
						      .count = 2,
						      .self_ns = 3000000,
						      .cpu_count = 2,
						      .cpu_ns = 2800000 } };
	const struct nt_jit_setting_cost setting = { .off = NT_JIT_OFF_QUICK, .count = 2, .self_ns = 3000000, .cpu_ns = { 2800000, true } };
	struct nt_process_snapshot process = process_of_shop();
	process.jit_startup = (struct nt_jit_startup_rows){
		.seen = true, .items = rows, .count = 2, .beyond_count = 1, .causes = causes, .cause_count = 1, .setting = setting
	};
	struct nt_jit_report *report = report_of(process, true);
	char *table = table_of(NULL, report);
	static const char expected[] =
		"AT THE START (first 10 s), by cause: what is spared by something is at most so much\n"
		"    CPU ms  CLOCK ms       N WHY        AT MOST SPARED BY MODULE\n"
		"       2.8       3.0       2 no r2r     ReadyToRun        Shop\n"
		"\n"
		"AT THE START, by settings: TC_QuickJit=0 costs at most 2.8 ms of CPU time: 2 methods optimized at once\n"
		"\n"
		"AT THE START, IN ORDER: the first 2 of 3 (--json: 2)\n"
		"     AT ms    CPU ms  CLOCK ms WHY        TIER  MODULE METHOD\n"
		"      40.0       1.9       3.0 no r2r     tier0 Shop   Shop.Program.Main()\n"
		"      40.5       0.9       1.0 no r2r     tier0 Shop   Shop.Cart..cctor()\n";
	if (!strstr(table, expected))
		fail_msg("%s", table);
	free(table);
	char *text = nt_jit_report_json(report);
	json_t *json = json_loads(text, 0, NULL);
	assert_int_equal(json_array_size(json_object_get(json, "startup")), 2);
	assert_int_equal(json_integer_value(json_object_get(json, "startup_beyond_count")), 1);
	const json_t *told = json_object_get(json, "startup_setting");
	assert_string_equal(json_string_value(json_object_get(told, "name")), "TC_QuickJit=0");
	assert_string_equal(json_string_value(json_object_get(told, "by")), "environment");
	assert_int_equal(json_integer_value(json_object_get(told, "count")), 2);
	assert_int_equal(json_integer_value(json_object_get(told, "self_ns")), 3000000);
	assert_int_equal(json_integer_value(json_object_get(told, "cpu_ns")), 2800000);
	json_decref(json);
	free(text);
	struct nt_jit_report *again = read_again(report); /* a later run is compared with its causes */
	assert_string_equal(again->lines[NT_JIT_CAUSES][0].name, "no r2r: Shop");
	assert_string_equal(again->lines[NT_JIT_CAUSES][0].remedy, "ReadyToRun");
	nt_jit_report_free(again);
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
		cmocka_unit_test(test_the_start),
		cmocka_unit_test(test_json_has_all_of_the_table),
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
