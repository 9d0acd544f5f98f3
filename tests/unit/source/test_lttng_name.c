// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "source/lttng/lttng_name.h"
#include "source/lttng/lttng_pace.h"

#include <string.h>

static void test_name_goes_and_comes_back(void **state)
{
	(void)state;
	const struct nt_lttng_owner owner = { .pid_ns = UINT64_MAX, .pid = UINT32_MAX, .start_ticks = UINT64_MAX };
	char name[NT_LTTNG_NAME_BYTES];
	nt_lttng_name_make(&owner, UINT32_MAX, UINT64_C(0xfedcba9876543210), name);
	assert_string_equal(name, "nettop-18446744073709551615-4294967295-18446744073709551615-4294967295-fedcba9876543210");
	struct nt_lttng_owner parsed;
	unsigned number;
	assert_true(nt_lttng_name_parse(name, &parsed, &number));
	assert_true(parsed.pid_ns == owner.pid_ns && parsed.pid == owner.pid && parsed.start_ticks == owner.start_ticks);
	assert_int_equal(number, UINT32_MAX);
}

static void test_small_numbers(void **state)
{
	(void)state;
	struct nt_lttng_owner owner;
	unsigned number;
	assert_true(nt_lttng_name_parse("nettop-1-2-3-4-0000000000000005", &owner, &number));
	assert_int_equal(owner.pid, 2);
	assert_int_equal(number, 4);
}

/* A session that we would sweep by mistake is somebody else's work lost. */
static void test_other_names_are_not_ours(void **state)
{
	(void)state;
	static const char *const others[] = {
		"",
		"nettop",
		"nettop-",
		"nettop-1-2-3",
		"nettop-1-2-3-4",
		"nettop-1-2-3-4-",
		"nettop-1-2-3-4-5",
		"nettop-1-2-3-4-00000000000000050",
		"nettop-1-2-3-4-000000000000005G",
		"nettop-1-2-3-4-0000000000000005x",
		"nettop-1-2-3-4-0000000000000005 ",
		"nettop-1-2-3-4-000000000000000A",
		"nettop--1-2-3-4-0000000000000005",
		"nettop-1--2-3-4-0000000000000005",
		"nettop-1-2-3-04-0000000000000005",
		"nettop-+1-2-3-4-0000000000000005",
		"nettop-1-4294967296-3-4-0000000000000005",
		"nettop-99999999999999999999999-2-3-4-0000000000000005",
		"xnettop-1-2-3-4-0000000000000005",
		"my-session",
	};
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		struct nt_lttng_owner owner;
		unsigned number;
		if (nt_lttng_name_parse(others[i], &owner, &number))
			fail_msg("taken for ours: \"%s\"", others[i]);
	}
}

static void test_pace_doubles_up_to_its_limit_and_starts_again(void **state)
{
	(void)state;
	struct nt_lttng_pace pace = { 0 };
	static const unsigned expected_ms[] = { 0, 50, 100, 200, 400, 800, 1000, 1000 };
	for (int round = 0; round < 2; round++) {
		for (size_t i = 0; i < sizeof(expected_ms) / sizeof(expected_ms[0]); i++)
			assert_int_equal(nt_lttng_pace_next(&pace), expected_ms[i]);
		nt_lttng_pace_reset(&pace);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_name_goes_and_comes_back),
		cmocka_unit_test(test_small_numbers),
		cmocka_unit_test(test_other_names_are_not_ours),
		cmocka_unit_test(test_pace_doubles_up_to_its_limit_and_starts_again),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
