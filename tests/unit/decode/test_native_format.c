// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "decode/assembly/native_format.h"
#include "memory_window.h"

static void test_integers(void **state)
{
	(void)state;
	static const struct {
		const char *bytes;
		size_t length;
		uint32_t number;
		int32_t with_sign;
	} cases[] = {
		{ "\x00", 1, 0, 0 },
		{ "\x02", 1, 1, 1 },
		{ "\xfe", 1, 127, -1 },
		{ "\x01\x02", 2, 128, 128 },
		{ "\xfd\xff", 2, 0x3fff, -1 },
		{ "\x03\x00\x02", 3, 0x4000, 0x4000 },
		{ "\xfb\xff\xff", 3, 0x1fffff, -1 },
		{ "\x07\x00\x00\x02", 4, 0x200000, 0x200000 },
		{ "\x0f\x78\x56\x34\x12", 5, 0x12345678, 0x12345678 },
		{ "\x0f\xff\xff\xff\xff", 5, UINT32_MAX, -1 },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct nt_reader reader = nt_reader_of(cases[i].bytes, cases[i].length);
		assert_int_equal(nt_native_unsigned(&reader), cases[i].number);
		assert_int_equal(nt_reader_left(&reader), 0);
		reader = nt_reader_of(cases[i].bytes, cases[i].length);
		assert_int_equal(nt_native_signed(&reader), cases[i].with_sign);
		reader = nt_reader_of(cases[i].bytes, cases[i].length - 1);
		nt_native_unsigned(&reader);
		assert_true(reader.bad);
	}
}

/*
 * 20 elements in two blocks, offsets of one byte. The first block has 0 and 9: at bit 8 its tree has a left (1) and a right (2) side, and each of them has one
 * element, whose number it says. The second one has element 16 alone.
 */
static const uint8_t array_bytes[] = {
	0xaa,
	0xaa,               /* before it */
	(20 << 2 | 0) << 1, /* 20 elements */
	2,
	7,                 /* offsets of the blocks, from here */
	(3 << 2 | 3) << 1, /* both sides; the right one begins 3 bytes from here */
	0 << 3,
	0x51, /* element 0 */
	9 << 3,
	0x59, /* element 9 */
	0 << 3,
	0x60, /* element 16 */
};

static void test_array(void **state)
{
	(void)state;
	struct memory memory = { .bytes = array_bytes, .size = sizeof(array_bytes) };
	struct nt_window *window = memory_window(&memory);
	struct nt_native_array array;
	assert_true(nt_native_array_read(window, 2, sizeof(array_bytes) - 2, &array));
	assert_int_equal(array.count, 20);
	for (uint32_t i = 0; i < 40; i++) {
		uint64_t offset = 0;
		bool found = nt_native_array_find(&array, i, &offset);
		assert_int_equal(found, i == 0 || i == 9 || i == 16);
		if (found)
			assert_int_equal(array_bytes[offset], i == 0 ? 0x51 : i == 9 ? 0x59 : 0x60);
	}
	/* Cut off: there are fewer elements, never others. */
	for (uint32_t size = 0; size < sizeof(array_bytes) - 2; size++) {
		uint64_t offset;
		if (nt_native_array_read(window, 2, size, &array))
			assert_false(nt_native_array_find(&array, 16, &offset));
	}
	nt_window_free(window);
}

/* What is told of a block at once is what is told of each of its elements. */
static void assert_blocks_as_elements(const struct nt_native_array *array)
{
	for (uint32_t block = 0; block <= array->count / NT_NATIVE_BLOCK && block < 4; block++) {
		uint64_t offsets[NT_NATIVE_BLOCK], offset;
		unsigned found = nt_native_array_block(array, block, offsets);
		for (uint32_t i = 0; i < NT_NATIVE_BLOCK; i++) {
			assert_int_equal(found >> i & 1, nt_native_array_find(array, block * NT_NATIVE_BLOCK + i, &offset));
			if (found >> i & 1)
				assert_int_equal(offsets[i], offset);
		}
	}
}

static void test_blocks(void **state)
{
	(void)state;
	enum { SIZE = 400, ROUNDS = 3000 };
	uint8_t bytes[SIZE];
	uint32_t random = 1;
	unsigned elements = 0;
	for (unsigned round = 0; round < ROUNDS; round++) {
		for (size_t i = 0; i < SIZE; i++) {
			random = random * 1664525 + 1013904223;
			bytes[i] = (uint8_t)(random >> 24) &
				   (round & 1 ? 0x3e : 0xff); /* every other time small numbers only: trees that stay within */
		}
		memcpy(bytes, array_bytes + 2, round % 3 ? 3 : sizeof(array_bytes) - 2);
		struct memory memory = { .bytes = bytes, .size = SIZE };
		struct nt_window *window = memory_window(&memory);
		struct nt_native_array array;
		for (uint32_t size = 0; size <= SIZE; size += 1 + round % 37)
			if (nt_native_array_read(window, 0, size, &array)) {
				uint64_t offsets[NT_NATIVE_BLOCK];
				assert_blocks_as_elements(&array);
				elements += (unsigned)__builtin_popcount(nt_native_array_block(&array, 0, offsets));
			}
		nt_window_free(window);
	}
	assert_true(elements > ROUNDS);
}

/* Two buckets: the first has two entries, the second none. */
static const uint8_t table_bytes[] = {
	1 << 2 | 0, /* two buckets, offsets of one byte */
	3,          7,
	7,                        /* where they begin, from here, and where the last one ends */
	0x11,       (6 - 1) << 1, /* hash, distance from its own place */
	0x12,       (5 - 1) << 1, /* likewise */
	0xee,       0xee,
	0x71,       0x72, /* what they refer to */
};

static void test_table(void **state)
{
	(void)state;
	struct memory memory = { .bytes = table_bytes, .size = sizeof(table_bytes) };
	struct nt_window *window = memory_window(&memory);
	struct nt_native_table table;
	uint64_t offset;
	assert_true(nt_native_table_read(window, 0, sizeof(table_bytes), &table));
	assert_true(nt_native_table_next(&table, &offset));
	assert_int_equal(table_bytes[offset], 0x71);
	assert_true(nt_native_table_next(&table, &offset));
	assert_int_equal(table_bytes[offset], 0x72);
	assert_false(nt_native_table_next(&table, &offset));
	assert_false(nt_native_table_next(&table, &offset));
	for (uint32_t size = 0; size < 4; size++)
		assert_false(nt_native_table_read(window, 0, size, &table));
	nt_window_free(window);
}

/* Buckets that lie over each other would be walked through again and again. */
static void test_overlapping_buckets(void **state)
{
	(void)state;
	uint8_t bytes[] = { 1 << 2, 3, 7, 5, 0x11, 10, 0x12, 8, 0x13, 6, 0x71, 0x72 };
	struct memory memory = { .bytes = bytes, .size = sizeof(bytes) };
	struct nt_window *window = memory_window(&memory);
	struct nt_native_table table;
	uint64_t offset;
	unsigned count = 0;
	assert_true(nt_native_table_read(window, 0, sizeof(bytes), &table));
	while (nt_native_table_next(&table, &offset))
		count++;
	assert_int_equal(count, 2);
	nt_window_free(window);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_integers),
		cmocka_unit_test(test_array),
		cmocka_unit_test(test_blocks),
		cmocka_unit_test(test_table),
		cmocka_unit_test(test_overlapping_buckets),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
