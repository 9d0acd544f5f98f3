// SPDX-License-Identifier: GPL-2.0-only
/* Keys of rows: equal ones have one number, and a number that was given up is given again. */
#include "build.h"

#include "symbol/method_keys.h"

enum { MANY = 5000 };
static const char names[MANY]; /* texts are told apart by their addresses */

static struct nt_key key_of(size_t i, enum nt_code_kind kind)
{
	return (struct nt_key){ .name = &names[i], .kind = kind };
}

static void test_equal_keys(void **state_)
{
	(void)state_;
	struct nt_keys keys;
	uint32_t numbers[MANY];
	nt_keys_init(&keys);
	for (size_t i = 0; i < MANY; i++)
		numbers[i] =
			nt_keys_intern(&keys, &(struct nt_key){ .name = &names[i], .kind = NT_CODE_JIT, .raw_name = "not part of it" });
	for (size_t i = 0; i < MANY; i++) {
		struct nt_key jit = key_of(i, NT_CODE_JIT);
		assert_int_equal(nt_keys_intern(&keys, &jit), numbers[i]);
		assert_ptr_equal(keys.items[numbers[i]].name, &names[i]);
		assert_int_equal(keys.items[numbers[i]].id, i + 2); /* 1 is "(other methods)" */
	}
	struct nt_key r2r = key_of(7, NT_CODE_R2R), elsewhere = key_of(7, NT_CODE_JIT);
	elsewhere.module = &names[0];
	assert_int_equal(nt_keys_intern(&keys, &r2r), MANY + 1);
	assert_int_equal(nt_keys_intern(&keys, &elsewhere), MANY + 2);
	assert_int_equal(keys.used, MANY + 3);
	nt_keys_fini(&keys);
}

/* Every third goes, and as many come: no room is taken, no id comes back, those that stayed are found. */
static void test_numbers_are_given_again(void **state_)
{
	(void)state_;
	struct nt_keys keys;
	nt_keys_init(&keys);
	for (size_t i = 0; i < MANY; i++) {
		struct nt_key key = key_of(i, NT_CODE_JIT);
		assert_int_equal(nt_keys_intern(&keys, &key), i + 1);
	}
	size_t count = keys.count;
	for (size_t i = 0; i < MANY; i += 3) {
		nt_keys_remove(&keys, (uint32_t)i + 1);
		assert_false(nt_keys_valid(&keys, (uint32_t)i + 1));
	}
	for (size_t i = 0; i < MANY; i++) {
		struct nt_key key = key_of(i, i % 3 ? NT_CODE_JIT : NT_CODE_R2R);
		uint32_t number = nt_keys_intern(&keys, &key);
		if (i % 3)
			assert_int_equal(number, i + 1);
		else
			assert_true(keys.items[number].id > MANY + 1);
	}
	assert_int_equal(keys.count, count);
	nt_keys_remove(&keys, NT_KEY_OTHER);
	assert_true(nt_keys_valid(&keys, NT_KEY_OTHER));
	nt_keys_fini(&keys);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_equal_keys),
		cmocka_unit_test(test_numbers_are_given_again),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
