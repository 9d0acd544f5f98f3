// SPDX-License-Identifier: GPL-2.0-only
/* Keys that somebody has chosen so that they fall together: they do, as long as no secret is in the hash. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/hash.h"
#include "base/index.h"

#include <stdbool.h>
#include <string.h>

enum { KEYS = 4096, SLOTS = 2 * KEYS };

/* How many of SLOTS are hit by texts whose first half makes the product zero, so that their second half does not count. */
static unsigned slots_of_texts(void)
{
	static bool hit[SLOTS];
	unsigned count = 0;
	memset(hit, 0, sizeof(hit));
	for (uint64_t i = 0; i < KEYS; i++) {
		const uint64_t words[] = { UINT64_C(0x9e3779b97f4a7c15), i, 0 };
		size_t slot = nt_hash_bytes(words, sizeof(words)) % SLOTS;
		count += !hit[slot];
		hit[slot] = true;
	}
	return count;
}

/* The number that nt_hash_mix() makes `hash` of. */
static uint64_t unmixed(uint64_t hash)
{
	hash ^= hash >> 33;
	hash *= UINT64_C(0x9cb4b2f8129337db);
	hash ^= hash >> 33;
	hash *= UINT64_C(0x4f74430c22a54005);
	return hash ^ (hash >> 33);
}

/* The same of numbers that nt_hash_mix() puts into one slot. */
static unsigned slots_of_numbers(void)
{
	static bool hit[SLOTS];
	unsigned count = 0;
	memset(hit, 0, sizeof(hit));
	for (uint64_t i = 0; i < KEYS; i++) {
		size_t slot = nt_hash_number(unmixed(i << 32) ^ UINT64_C(0x9e3779b97f4a7c15)) % SLOTS;
		count += !hit[slot];
		hit[slot] = true;
	}
	return count;
}

static void test_chosen_keys(void **state)
{
	(void)state;
	assert_int_equal(nt_hash_mix(unmixed(42)), 42);
	assert_int_equal(slots_of_texts(), 1);
	assert_int_equal(slots_of_numbers(), 1);
	uint64_t before = nt_hash_secret[0];
	nt_hash_choose_secret();
	assert_int_not_equal(nt_hash_secret[0], before);
	assert_int_equal(nt_hash_secret[0] & 1, 1);
	/* By chance KEYS keys hit 39 of 100 slots. */
	assert_true(slots_of_texts() > SLOTS / 3);
	assert_true(slots_of_numbers() > SLOTS / 3);
}

static void test_index_finds_what_was_put(void **state)
{
	(void)state;
	struct nt_index index = { 0 };
	for (uint32_t i = 0; i < KEYS; i++)
		nt_index_put(&index, unmixed((uint64_t)i << 32), i);
	for (uint32_t i = 0; i < KEYS; i++)
		assert_int_equal(nt_index_get(&index, unmixed((uint64_t)i << 32)), i);
	nt_index_fini(&index);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_chosen_keys), cmocka_unit_test(test_index_finds_what_was_put) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
