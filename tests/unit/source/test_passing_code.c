// SPDX-License-Identifier: GPL-2.0-only
/* Looks at code that may be freed: what two of them prove of the time between, and one does not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "source/runtime/passing_code.h"

enum { A = 1, B = 2 };

static nt_time saw(struct nt_passing_code *code, uint64_t start, uint64_t size, uint64_t name, nt_time asked)
{
	const struct nt_passing_method method = { .start = start, .size = size, .name = name, .asked = asked, .answered = asked + 1 };
	return nt_passing_code_saw(code, &method);
}

static void two_looks_prove_the_time_between(void **state)
{
	(void)state;
	struct nt_passing_code code = { 0 };
	assert_int_equal(saw(&code, 0x1000, 0x40, A, 10), NT_TIME_UNKNOWN);
	assert_int_equal(saw(&code, 0x1000, 0x40, A, 20), 11);
	assert_int_equal(saw(&code, 0x1000, 0x40, A, 30), 11);
	assert_int_equal(code.count, 1);
	nt_passing_code_fini(&code);
}

static void another_method_ends_it(void **state)
{
	(void)state;
	const struct {
		uint64_t start, size, name;
	} others[] = { { 0x1000, 0x40, B }, { 0x1000, 0x50, A }, { 0x0ff0, 0x20, A }, { 0x1030, 0x40, A }, { 0x0f00, 0x400, B } };
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		struct nt_passing_code code = { 0 };
		saw(&code, 0x1000, 0x40, A, 10);
		saw(&code, 0x2000, 0x40, A, 10);
		assert_int_equal(saw(&code, others[i].start, others[i].size, others[i].name, 20), NT_TIME_UNKNOWN);
		assert_int_equal(saw(&code, 0x1000, 0x40, A, 30), NT_TIME_UNKNOWN);
		assert_int_equal(saw(&code, 0x2000, 0x40, A, 30), 11); /* it has nothing to do with it */
		nt_passing_code_fini(&code);
	}
}

static void a_look_that_finds_none_ends_it(void **state)
{
	(void)state;
	struct nt_passing_code code = { 0 };
	saw(&code, 0x1000, 0x40, A, 10);
	nt_passing_code_missed(&code, 0x0fff);
	nt_passing_code_missed(&code, 0x1040);
	assert_int_equal(saw(&code, 0x1000, 0x40, A, 20), 11);
	nt_passing_code_missed(&code, 0x103f);
	assert_int_equal(saw(&code, 0x1000, 0x40, A, 30), NT_TIME_UNKNOWN);
	nt_passing_code_fini(&code);
}

static void the_number_is_bounded(void **state)
{
	(void)state;
	struct nt_passing_code code = { 0 };
	for (uint64_t i = 0; i <= NT_PASSING_CODE_MOST; i++)
		saw(&code, 0x1000 + 0x40 * i, 0x40, A, 10 + i);
	assert_int_equal(code.count, NT_PASSING_CODE_MOST);
	assert_int_equal(saw(&code, 0x1040, 0x40, A, 9999), 12);
	assert_int_equal(saw(&code, 0x1000, 0x40, A, 9999), NT_TIME_UNKNOWN); /* the oldest has gone */
	nt_passing_code_fini(&code);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(two_looks_prove_the_time_between),
		cmocka_unit_test(another_method_ends_it),
		cmocka_unit_test(a_look_that_finds_none_ends_it),
		cmocka_unit_test(the_number_is_bounded),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
