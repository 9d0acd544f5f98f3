// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "decode/kernel/host_text.h"

#include <string.h>

static void test_cpus(void **state)
{
	(void)state;
	static const char text[] = "cpu  100 20 30 4000 500 6 7 88 9 9\ncpu0 50 10 15 2000 250 3 3 44 0 0\ncpu1 50 10 15 2000 250 3 4 44 0 "
				   "0\nintr 5 cpu\nctxt 1\n";
	struct nt_host_cpus cpus;
	assert_true(nt_host_cpus_parse(text, strlen(text), &cpus));
	assert_int_equal(cpus.busy_ticks, 100 + 20 + 30 + 6 + 7); /* waiting for storage is idle, and guests are among user */
	assert_int_equal(cpus.steal_ticks, 88);
	assert_int_equal(cpus.count, 2);
	static const char old[] = "cpu 1 2 3 4\ncpu0 1 2 3 4\n"; /* before there were more fields */
	assert_true(nt_host_cpus_parse(old, strlen(old), &cpus));
	assert_int_equal(cpus.busy_ticks, 6);
	assert_int_equal(cpus.steal_ticks, 0);
	static const char *const none[] = {
		"", "cpu", "cpu ", "cpu0 1 2 3 4\n", "cpu 1 2 3\n", "cpu 1 2 x 4\n", "cpu 18446744073709551615 18446744073709551615 1 1\n"
	};
	for (size_t i = 0; i < sizeof(none) / sizeof(*none); i++)
		assert_false(nt_host_cpus_parse(none[i], strlen(none[i]), &cpus));
}

static bool value(const char *text, const char *key, uint64_t *out)
{
	return nt_host_value(text, strlen(text), key, out);
}

static void test_values(void **state)
{
	(void)state;
	uint64_t found;
	assert_true(value("MemTotal:       24683620 kB\nMemFree: 1 kB\n", "MemTotal", &found));
	assert_int_equal(found, 24683620);
	assert_true(value("nr_periods 7\nnr_throttled 3\nthrottled_usec 12", "throttled_usec", &found));
	assert_int_equal(found, 12);
	assert_true(value("oom_kill_disable 0\nunder_oom 0\noom_kill 4\n", "oom_kill", &found));
	assert_int_equal(found, 4);
	assert_false(value("nr_throttled 3\n", "throttled", &found));
	assert_false(value("nr_throttled max\n", "nr_throttled", &found));
	assert_false(value("nr_throttled", "nr_throttled", &found));
	assert_false(value("", "x", &found));
}

static void test_numbers(void **state)
{
	(void)state;
	uint64_t number, period;
	assert_true(nt_host_number("4096\n", 5, &number));
	assert_int_equal(number, 4096);
	assert_false(nt_host_number("max\n", 4, &number));
	assert_false(nt_host_number("-1\n", 3, &number));
	assert_false(nt_host_number("4096x", 5, &number));
	assert_true(nt_host_quota("50000 100000\n", 13, &number, &period));
	assert_int_equal(number, 50000);
	assert_int_equal(period, 100000);
	assert_false(nt_host_quota("max 100000\n", 11, &number, &period));
	assert_false(nt_host_quota("50000 0\n", 8, &number, &period));
	assert_false(nt_host_quota("50000\n", 6, &number, &period));
}

static void test_pressure(void **state)
{
	(void)state;
	static const char text[] =
		"some avg10=68.61 avg60=58.38 avg300=38.34 total=10552105987\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=5\n";
	uint64_t total_us;
	assert_true(nt_host_pressure(text, strlen(text), &total_us));
	assert_int_equal(total_us, UINT64_C(10552105987));
	assert_false(nt_host_pressure("full total=5\n", 13, &total_us));
	assert_false(nt_host_pressure("some avg10=1\ntotal=5\n", 21, &total_us)); /* of another line */
	assert_false(nt_host_pressure("some total=", 11, &total_us));
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_cpus), cmocka_unit_test(test_values), cmocka_unit_test(test_numbers),
					    cmocka_unit_test(test_pressure) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
