// SPDX-License-Identifier: GPL-2.0-only
/* Sorting by a number: in order, equal ones as they came, whatever the size of an element. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/alloc.h"
#include "base/radix_sort.h"

#include <stdlib.h>
#include <string.h>

enum { COUNT = 3000, WORDS_MAX = 4 };

/* The generator of the test's numbers: always the same ones. */
static uint64_t next(uint64_t *state)
{
	*state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return *state >> 20;
}

/* Elements of `words` words, of which the second is the place at first. Numbers differ in the bits of `mask`, and are sorted by those from `low` on. */
static void check_sorted(size_t words, uint64_t mask, unsigned low)
{
	uint64_t state = words ^ mask;
	void *items = nt_realloc(NULL, COUNT, words * sizeof(uint64_t));
	for (size_t i = 0; i < COUNT; i++) {
		uint64_t item[WORDS_MAX] = { next(&state) & mask, i };
		memcpy((uint64_t *)items + i * words, item, words * sizeof(uint64_t));
	}
	nt_radix_sort(&items, COUNT, words * sizeof(uint64_t), low);
	const uint64_t *sorted = items;
	uint64_t places = 0;
	for (size_t i = 0; i < COUNT; i++) {
		const uint64_t *item = sorted + i * words;
		places += words > 1 ? item[1] : 0;
		if (!i)
			continue;
		uint64_t here = item[0] >> low, before = item[-(ptrdiff_t)words] >> low;
		assert_true(here >= before);
		if (words > 1 && here == before)
			assert_true(item[1] > item[1 - (ptrdiff_t)words]);
	}
	assert_int_equal(places, words > 1 ? (uint64_t)COUNT * (COUNT - 1) / 2 : 0);
	free(items);
}

static void test_in_order(void **state)
{
	(void)state;
	static const uint64_t masks[] = { 0, 0xff, 0xffff00, 0x3, UINT64_MAX, UINT64_C(0xff000000000000ff) };
	for (size_t words = 1; words <= WORDS_MAX; words++)
		for (size_t i = 0; i < sizeof(masks) / sizeof(*masks); i++)
			for (unsigned low = 0; low <= 32; low += 8)
				check_sorted(words, masks[i], low);
}

static void test_few(void **state)
{
	(void)state;
	void *none = NULL;
	nt_radix_sort(&none, 0, 8, 0);
	assert_null(none);
	void *one = nt_realloc(NULL, 1, 8);
	*(uint64_t *)one = 7;
	nt_radix_sort(&one, 1, 8, 0);
	assert_int_equal(*(uint64_t *)one, 7);
	free(one);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_in_order), cmocka_unit_test(test_few) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
