// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "decode/unwind/frame_chain.h"

#include <string.h>

#define BASE UINT64_C(0x7ffd00001000)
#define CODE UINT64_C(0x7f0000004000)

enum { WORDS = 64, MAX = 8 };

static uint64_t stack[WORDS], found[MAX];

static size_t walk(void)
{
	return nt_frame_chain((const uint8_t *)stack, sizeof(stack), BASE, found, MAX);
}

/* A frame pointer at word `at` leads to word `next`, with a return address behind it. */
static void link_frames(size_t at, size_t next, uint64_t returns_to)
{
	stack[at] = BASE + 8 * next;
	stack[next + 1] = returns_to;
}

static int setup(void **state)
{
	(void)state;
	memset(stack, 0, sizeof(stack));
	link_frames(5, 10, CODE + 1);
	link_frames(10, 20, CODE + 2);
	link_frames(20, 22, CODE + 3);
	link_frames(22, 40, CODE + 4);
	link_frames(40, 50, CODE + 5);
	return 0;
}

static void test_a_chain(void **state)
{
	(void)state;
	assert_int_equal(walk(), 5);
	for (size_t i = 0; i < 5; i++)
		assert_int_equal(found[i], CODE + i + 1);
}

static void test_what_only_looks_like_one(void **state)
{
	(void)state;
	stack[0] = BASE;         /* to itself, as the word that libc's register leads to */
	link_frames(1, 2, CODE); /* a chain of one */
	stack[3] = BASE + 8 * 30 + 4;
	assert_int_equal(walk(), 5);
	assert_int_equal(found[0], CODE + 1);
}

static void test_no_return_address(void **state)
{
	(void)state;
	static const uint64_t none[] = { 0, 4096, UINT64_C(1) << 47, BASE + 16 };
	for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++) {
		stack[23] = none[i];
		assert_int_equal(walk(), 0);
	}
}

static void test_the_end_of_the_copy(void **state)
{
	(void)state;
	stack[50] = BASE + sizeof(stack) - 8; /* its return address lies behind the copy */
	assert_int_equal(walk(), 5);
	assert_int_equal(nt_frame_chain((const uint8_t *)stack, sizeof(stack), BASE, found, 4), 4);
	assert_int_equal(nt_frame_chain((const uint8_t *)stack, 0, BASE, found, MAX), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_a_chain, setup),
		cmocka_unit_test_setup(test_what_only_looks_like_one, setup),
		cmocka_unit_test_setup(test_no_return_address, setup),
		cmocka_unit_test_setup(test_the_end_of_the_copy, setup),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
