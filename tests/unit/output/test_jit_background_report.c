// SPDX-License-Identifier: GPL-2.0-only
/* The report of nettop jit where nobody tells of the CPU time of compilations: what /proc tells of the threads that compile in the background stands in it all the same. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "output/jit/jit_compare.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* `reason`: why perf tells nothing; NULL = it does. */
static struct nt_jit_report *report_of(struct nt_u64 background_cpu_ns, const char *reason)
{
	struct nt_process_snapshot process = { .target = { .pid = 4711, .name = "shop", .cpu_ns = NT_KNOWN(59 * NT_NS_PER_MS) } };
	struct nt_jit_figures *jit = &process.total.jit;
	jit->method_count = nt_u64_of(33);
	jit->time_ns = nt_u64_of(90 * NT_NS_PER_MS);
	jit->background_cpu_ns = background_cpu_ns;
	if (!reason) {
		jit->cpu_count = nt_u64_of(33);
		jit->cpu_ns = nt_u64_of(11 * NT_NS_PER_MS);
	}
	const struct nt_snapshot snapshot = { .final = true,
					      .complete = true,
					      .sources = { { .id = NT_SOURCE_PERF, .reason = reason } },
					      .source_count = 1,
					      .processes = &process,
					      .process_count = 1 };
	struct nt_jit_report *report = NULL;
	assert_int_equal(nt_jit_report_of(&snapshot, true, &report, NULL), NT_OK);
	return report;
}

static const char refused[] = "the kernel allows no events";

static struct nt_jit_report *read_again(const struct nt_jit_report *report)
{
	char path[] = "/tmp/nt-test-jit-XXXXXX";
	char *json = nt_jit_report_json(report);
	int fd = mkstemp(path);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, json, strlen(json)), strlen(json));
	close(fd);
	struct nt_jit_report *again = NULL;
	assert_int_equal(nt_jit_report_read(path, &again, NULL), NT_OK);
	unlink(path);
	free(json);
	return again;
}

static void assert_says(const struct nt_jit_report *report, const char *words, bool says)
{
	char *text = NULL;
	size_t length = 0;
	FILE *file = open_memstream(&text, &length);
	assert_non_null(file);
	nt_jit_report_write(report, file);
	fclose(file);
	if (!strstr(text, words) == says)
		fail_msg("'%s' is%s in:\n%s", words, says ? " not" : "", text);
	free(text);
}

/* Of the foreground nothing is made up: no sum, no share. */
static void test_the_background_is_told(void **state)
{
	(void)state;
	struct nt_jit_report *report = report_of(nt_u64_of(40 * NT_NS_PER_MS), refused), *again = read_again(report);
	assert_int_equal(again->totals.jit_background_cpu_ns.v, 40 * NT_NS_PER_MS);
	assert_false(again->totals.jit_cpu_ns.known || again->totals.jit_cpu_count.known || again->totals.cpu_pct.known);
	assert_says(again,
		    "(the CPU time of compiling is not known: the kernel allows no events; at least 40 ms of CPU in the background, in the "
		    "foreground unknown)\n",
		    true);
	assert_says(again, " compile time as CPU time, ms                 -\n", true);
	assert_says(again, " compile time by the clock, ms             90.0\n", true);
	nt_jit_report_free(again);
	nt_jit_report_free(report);
}

static void test_what_is_unknown_is_null(void **state)
{
	(void)state;
	struct nt_jit_report *report = report_of((struct nt_u64){ 0 }, refused), *again = read_again(report);
	char *json = nt_jit_report_json(report);
	assert_non_null(strstr(json, "\"jit_background_cpu_ns\":null"));
	assert_non_null(strstr(json, "\"jit_cpu_ns\":null"));
	assert_false(again->totals.jit_background_cpu_ns.known);
	assert_says(report, "(the CPU time of compiling is not known: the kernel allows no events)\n", true);
	assert_says(report, "in the background", false);
	free(json);
	nt_jit_report_free(again);
	nt_jit_report_free(report);
}

/* Where that of compilations is known it is one of its parts. */
static void test_all_is_known(void **state)
{
	(void)state;
	struct nt_jit_report *report = report_of(nt_u64_of(40 * NT_NS_PER_MS), NULL);
	assert_int_equal(report->totals.jit_background_cpu_ns.v, 40 * NT_NS_PER_MS);
	assert_says(report, "in the background", false);
	nt_jit_report_free(report);
}

/* It is at least so much: the difference of two such figures says nothing. Known of each run, it is known of all. */
static void test_no_difference_is_made_of_it(void **state)
{
	(void)state;
	struct nt_jit_report *runs[] = { report_of(nt_u64_of(40 * NT_NS_PER_MS), refused), report_of(nt_u64_of(60 * NT_NS_PER_MS), refused),
					 report_of((struct nt_u64){ 0 }, refused) };
	struct nt_jit_report *known = nt_jit_report_of_runs(runs, 2), *unknown = nt_jit_report_of_runs(runs, 3);
	char *compared = nt_jit_compare_json(runs[0], runs[1]);
	assert_int_equal(known->totals.jit_background_cpu_ns.v, 50 * NT_NS_PER_MS);
	assert_false(unknown->totals.jit_background_cpu_ns.known);
	assert_non_null(strstr(compared, "\"jit_background_cpu_ns\":{\"old\":null,\"new\":null,\"difference\":null"));
	free(compared);
	for (size_t i = 0; i < sizeof(runs) / sizeof(runs[0]); i++)
		nt_jit_report_free(runs[i]);
	nt_jit_report_free(known);
	nt_jit_report_free(unknown);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_the_background_is_told),
		cmocka_unit_test(test_what_is_unknown_is_null),
		cmocka_unit_test(test_all_is_known),
		cmocka_unit_test(test_no_difference_is_made_of_it),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
