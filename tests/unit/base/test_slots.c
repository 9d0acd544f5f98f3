// SPDX-License-Identifier: GPL-2.0-only
/* Records that come and go, known by their numbers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/slots.h"

struct record {
	uint64_t value, more;
};

static struct record *at(const struct nt_slots *slots, uint32_t number)
{
	return nt_slots_at(slots, number);
}

/* Each keeps what was written to it, however many come; 0 is nobody's number. */
static void test_growth(void **state)
{
	(void)state;
	enum { MANY = 10000 };
	struct nt_slots slots;
	nt_slots_init(&slots, sizeof(struct record));
	for (uint32_t i = 1; i <= MANY; i++) {
		assert_int_equal(nt_slots_take(&slots), i);
		at(&slots, i)->value = i;
	}
	for (uint32_t i = 1; i <= MANY; i++)
		assert_int_equal(at(&slots, i)->value, i);
	assert_int_equal(slots.used, MANY);
	nt_slots_fini(&slots);
}

/* As many come as go: the room does not grow, and nobody finds what somebody else left. */
static void test_numbers_are_given_again(void **state)
{
	(void)state;
	enum { LIVING = 100, TURNS = 1000 };
	uint32_t numbers[LIVING];
	struct nt_slots slots;
	nt_slots_init(&slots, sizeof(struct record));
	for (size_t i = 0; i < LIVING; i++)
		numbers[i] = nt_slots_take(&slots);
	size_t capacity = slots.capacity;
	for (size_t i = 0; i < TURNS; i++) {
		size_t one = i * 37 % LIVING, another = (i * 37 + 11) % LIVING;
		*at(&slots, numbers[one]) = (struct record){ UINT64_MAX, UINT64_MAX };
		*at(&slots, numbers[another]) = (struct record){ UINT64_MAX, UINT64_MAX };
		nt_slots_give_back(&slots, numbers[one]);
		nt_slots_give_back(&slots, numbers[another]);
		numbers[one] = nt_slots_take(&slots);
		numbers[another] = nt_slots_take(&slots);
		assert_int_not_equal(numbers[one], numbers[another]);
		assert_int_equal(at(&slots, numbers[one])->value | at(&slots, numbers[one])->more, 0);
		assert_int_equal(at(&slots, numbers[another])->value | at(&slots, numbers[another])->more, 0);
	}
	assert_int_equal(slots.capacity, capacity);
	assert_int_equal(slots.used, LIVING);
	nt_slots_fini(&slots);
}

static void test_clear(void **state)
{
	(void)state;
	struct nt_slots slots;
	nt_slots_init(&slots, sizeof(struct record));
	for (uint64_t i = 0; i < 5; i++)
		at(&slots, nt_slots_take(&slots))->value = i;
	nt_slots_give_back(&slots, 3);
	nt_slots_clear(&slots);
	assert_int_equal(slots.used, 0);
	assert_int_equal(nt_slots_take(&slots), 1);
	assert_int_equal(at(&slots, 1)->value, 0);
	nt_slots_fini(&slots);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_growth),
		cmocka_unit_test(test_numbers_are_given_again),
		cmocka_unit_test(test_clear),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
