// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "memory_window.h"

enum { SIZE = 70 * NT_WINDOW_MAX + 100 };

static uint8_t bytes[SIZE];

static int set_up(void **state)
{
	(void)state;
	for (size_t i = 0; i < SIZE; i++)
		bytes[i] = (uint8_t)(i * 31 + i / 251);
	return 0;
}

static void test_any_piece(void **state)
{
	(void)state;
	struct memory memory = { .bytes = bytes, .size = SIZE };
	struct nt_window *window = memory_window(&memory);
	/* Within a page, across two, as long as possible, the page at the end, and back to one whose place another has taken. */
	static const struct {
		uint64_t offset;
		size_t size;
	} pieces[] = { { 0, 1 },
		       { 4000, 96 },
		       { 4000, 97 },
		       { 4095, 2 },
		       { 17, NT_WINDOW_MAX },
		       { 64 * NT_WINDOW_MAX + 5, 20 },
		       { 5, 20 },
		       { SIZE - 100, 100 },
		       { SIZE - 1, 1 },
		       { SIZE, 0 },
		       { 63 * NT_WINDOW_MAX + 4000, 1000 },
		       { SIZE - 200, 200 } };
	for (size_t i = 0; i < sizeof(pieces) / sizeof(*pieces); i++) {
		const uint8_t *seen = nt_window_at(window, pieces[i].offset, pieces[i].size);
		assert_non_null(seen);
		assert_memory_equal(seen, bytes + pieces[i].offset, pieces[i].size);
	}
	assert_null(nt_window_at(window, SIZE - 1, 2));
	assert_null(nt_window_at(window, SIZE + 1, 0));
	assert_null(nt_window_at(window, UINT64_MAX, 2));
	nt_window_free(window);
}

static void test_what_was_read_stays(void **state)
{
	(void)state;
	struct memory memory = { .bytes = bytes, .size = SIZE };
	struct nt_window *window = memory_window(&memory);
	nt_window_at(window, 100, 10);
	nt_window_at(window, 3000, 10);
	assert_int_equal(memory.read_count, 1);
	nt_window_rest(window);
	nt_window_at(window, 100, 10);
	assert_int_equal(memory.read_count, 2);
	nt_window_free(window);
}

/* From one end to the other in small steps: many pages at a time, and the right bytes, beyond the pages that are kept, too. */
static void test_walk(void **state)
{
	(void)state;
	struct memory memory = { .bytes = bytes, .size = SIZE };
	struct nt_window *window = memory_window(&memory);
	for (size_t at = 0; at + 100 <= SIZE; at += 100)
		assert_memory_equal(nt_window_at(window, at, 100), bytes + at, 100);
	assert_true(memory.read_count <= 1 + SIZE / NT_WINDOW_MAX / 4);
	nt_window_free(window);
}

/* Two tables at once, as far from each other as any: each is read once. */
static void test_to_and_fro(void **state)
{
	(void)state;
	struct memory memory = { .bytes = bytes, .size = SIZE };
	struct nt_window *window = memory_window(&memory);
	enum { TABLE = SIZE / 2 };
	for (size_t distance = 32 * NT_WINDOW_MAX; distance <= TABLE; distance += NT_WINDOW_MAX) {
		nt_window_rest(window);
		memory.read_count = 0;
		for (size_t at = 0; at + 100 <= SIZE - distance; at += 100) {
			assert_memory_equal(nt_window_at(window, at, 100), bytes + at, 100);
			assert_memory_equal(nt_window_at(window, at + distance, 100), bytes + at + distance, 100);
		}
		assert_true(memory.read_count <= 3 + 2 * (SIZE - distance) / NT_WINDOW_MAX / 4);
	}
	nt_window_free(window);
}

static void test_held(void **state)
{
	(void)state;
	struct memory memory = { .bytes = bytes, .size = SIZE };
	struct nt_window *window = memory_window(&memory);
	nt_window_hold(window, 1000, 60 * NT_WINDOW_MAX);
	assert_int_equal(memory.read_count, 1);
	for (size_t at = 1000; at + 4000 <= 1000 + 60 * NT_WINDOW_MAX; at += 4000)
		assert_memory_equal(nt_window_at(window, at, 4000), bytes + at, 4000);
	assert_int_equal(memory.read_count, 1);
	/* Before it, over its ends, beyond the file. */
	assert_memory_equal(nt_window_at(window, 0, 1100), bytes, 1100);
	assert_memory_equal(nt_window_at(window, 60 * NT_WINDOW_MAX, 2000), bytes + 60 * NT_WINDOW_MAX, 2000);
	assert_null(nt_window_at(window, SIZE - 1, 2));
	nt_window_hold(window, 0, 0);
	memory.broken = true;
	assert_null(nt_window_at(window, 30 * NT_WINDOW_MAX, 10));
	/* What cannot be held is read where somebody looks. */
	nt_window_hold(window, SIZE - 10, 20);
	nt_window_hold(window, 0, SIZE);
	memory.broken = false;
	assert_memory_equal(nt_window_at(window, 30 * NT_WINDOW_MAX, 10), bytes + 30 * NT_WINDOW_MAX, 10);
	nt_window_free(window);
}

static void test_unreadable(void **state)
{
	(void)state;
	struct memory memory = { .bytes = bytes, .size = SIZE, .broken = true };
	struct nt_window *window = memory_window(&memory);
	assert_null(nt_window_at(window, 100, 10));
	memory.broken = false; /* a failure is not kept */
	assert_memory_equal(nt_window_at(window, 100, 10), bytes + 100, 10);
	memory.broken = true;
	assert_null(nt_window_at(window, 4 * NT_WINDOW_MAX - 5, 10)); /* its second half */
	nt_window_free(window);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_any_piece), cmocka_unit_test(test_what_was_read_stays),
		cmocka_unit_test(test_walk),      cmocka_unit_test(test_to_and_fro),
		cmocka_unit_test(test_held),      cmocka_unit_test(test_unreadable),
	};
	return cmocka_run_group_tests(tests, set_up, NULL);
}
