// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "decode/elf/eh_frame.h"

#include <stdlib.h>
#include <string.h>

/* The section stands at SECTION; 0x11000.. of the segment lies at file offset 0x1000... */
enum { SECTION = 0x10000 };
static const struct nt_elf_segment segment = { .vaddr = 0x11000, .offset = 0x1000, .file_size = 0x1000 };

/* A section under construction. */
struct section {
	uint8_t bytes[1024];
	size_t size;
};

static void put(struct section *section, const void *bytes, size_t size)
{
	assert_true(section->size + size <= sizeof(section->bytes));
	memcpy(section->bytes + section->size, bytes, size);
	section->size += size;
}

static void put32(struct section *section, uint32_t value)
{
	put(section, &value, sizeof(value));
}

/* An entry that others refer to; returns where it stands. `data`: what follows the length of the augmentation. */
static size_t put_common(struct section *section, const char *augmentation, const char *data, uint8_t data_size)
{
	static const uint8_t factors[] = { 1, 0x78, 16 }; /* code and data alignment, register of the return address */
	size_t at = section->size, text = strlen(augmentation) + 1;
	put32(section, (uint32_t)(4 + 1 + text + sizeof(factors) + 1 + data_size));
	put32(section, 0);
	put(section, "\1", 1);
	put(section, augmentation, text);
	put(section, factors, sizeof(factors));
	put(section, &data_size, 1);
	put(section, data, data_size);
	return at;
}

static void put_function(struct section *section, size_t common, uint64_t start, uint32_t size)
{
	put32(section, 12);
	put32(section, (uint32_t)(section->size - common));
	put32(section, (uint32_t)(start - (SECTION + section->size)));
	put32(section, size);
}

static size_t read_section(const struct section *section, struct nt_bounds *bounds)
{
	uint8_t odd[1 + sizeof(section->bytes)]; /* nothing may be assumed of the alignment */
	memcpy(odd + 1, section->bytes, section->size);
	const struct nt_eh_frame frame = {
		.is64 = true, .bytes = odd + 1, .size = section->size, .vaddr = SECTION, .segments = &segment, .segment_count = 1
	};
	*bounds = (struct nt_bounds){ 0 };
	size_t added = nt_eh_frame_read(&frame, bounds);
	nt_bounds_finish(bounds);
	return added;
}

static void expect(const struct nt_bounds *bounds, uint64_t place, bool found, uint64_t start, uint64_t end)
{
	uint64_t from, to;
	assert_int_equal(nt_bounds_find(bounds, place, &from, &to), found);
	assert_int_equal(from, start);
	assert_int_equal(to, end);
}

static void test_functions_by_file_offset(void **state)
{
	(void)state;
	struct section section = { .size = 0 };
	struct nt_bounds bounds;
	size_t common = put_common(&section, "zR", "\x1b", 1);
	put_function(&section, common, 0x11200, 0x80);
	put_function(&section, common, 0x11100, 0x40);
	assert_int_equal(read_section(&section, &bounds), 2);
	expect(&bounds, 0x10ff, false, 0, 0x1100);
	expect(&bounds, 0x1100, true, 0x1100, 0x1140);
	expect(&bounds, 0x113f, true, 0x1100, 0x1140);
	expect(&bounds, 0x1140, false, 0x1140, 0x1200);
	expect(&bounds, 0x127f, true, 0x1200, 0x1280);
	expect(&bounds, 0x1280, false, 0x1280, UINT64_MAX);
	nt_bounds_fini(&bounds);
}

/* A personality routine and a language-specific pointer come before the encoding that matters; each has its own width. */
static void test_encoding_behind_other_letters(void **state)
{
	(void)state;
	struct section section = { .size = 0 };
	struct nt_bounds bounds;
	size_t common = put_common(&section, "zPLR", "\x9b\1\2\3\4\x1b\x1b", 7);
	put_function(&section, common, 0x11100, 0x40);
	size_t signal_frame = put_common(&section, "zRS", "\x1b", 1);
	put_function(&section, signal_frame, 0x11300, 0x10);
	put_function(&section, common, 0x11400, 0x10); /* back to the first */
	assert_int_equal(read_section(&section, &bounds), 3);
	expect(&bounds, 0x1120, true, 0x1100, 0x1140);
	expect(&bounds, 0x1308, true, 0x1300, 0x1310);
	expect(&bounds, 0x1408, true, 0x1400, 0x1410);
	nt_bounds_fini(&bounds);
}

/* Where the language's data of a function are, of those that have any. */
static void test_data_of_functions(void **state)
{
	(void)state;
	struct section section = { .size = 0 };
	size_t common = put_common(&section, "zPLR", "\x9b\1\2\3\4\x1b\x1b", 7), without = put_common(&section, "zR", "\x1b", 1);
	size_t absolute = put_common(&section, "zLR", "\x03\x1b", 2), indirect = put_common(&section, "zLR", "\x9b\x1b", 2);
	const size_t commons[] = { common, without, absolute, common, indirect };
	for (uint32_t i = 0; i < 5; i++) {
		put32(&section, 17);
		put32(&section, (uint32_t)(section.size - commons[i]));
		put32(&section, (uint32_t)(0x11000 + 0x100 * i - (SECTION + section.size)));
		put32(&section, 0x20);
		put(&section, "\4", 1);
		put32(&section, i == 3 ? 0 : i == 2 ? 0x12340 : (uint32_t)(0x12300 - (SECTION + section.size))); /* 0: none */
	}
	struct nt_eh_data_list list = { 0 };
	const struct nt_eh_frame frame = {
		.is64 = true, .bytes = section.bytes, .size = section.size, .vaddr = SECTION, .segments = &segment, .segment_count = 1
	};
	nt_eh_frame_read_data(&frame, &list);
	assert_int_equal(list.count, 2);
	assert_int_equal(list.items[0].start, 0x11000);
	assert_int_equal(list.items[0].data, 0x12300);
	assert_int_equal(list.items[1].start, 0x11200);
	assert_int_equal(list.items[1].data, 0x12340);
	free(list.items);
	for (size_t size = 0; size < section.size; size++) { /* wherever it ends */
		uint8_t *copy = memcpy(malloc(size + 1), section.bytes, size);
		const struct nt_eh_frame cut = { .is64 = true, .bytes = copy, .size = size, .vaddr = SECTION };
		list = (struct nt_eh_data_list){ 0 };
		nt_eh_frame_read_data(&cut, &list);
		assert_true(list.count <= 2);
		free(list.items);
		free(copy);
	}
}

static void test_pointers_of_eight_bytes(void **state)
{
	(void)state;
	struct section section = { .size = 0 };
	struct nt_bounds bounds;
	const uint64_t absolute[] = { 0x11500, 0x20 };
	size_t common = put_common(&section, "z", "", 0); /* no R: as wide as the machine's, and relative to nothing */
	put32(&section, 20);
	put32(&section, (uint32_t)(section.size - common));
	put(&section, absolute, sizeof(absolute));
	assert_int_equal(read_section(&section, &bounds), 1);
	expect(&bounds, 0x1510, true, 0x1500, 0x1520);
	nt_bounds_fini(&bounds);
}

static void test_what_is_not_known_is_passed_over(void **state)
{
	(void)state;
	struct section section = { .size = 0 };
	struct nt_bounds bounds;
	size_t indirect = put_common(&section, "zR", "\x9b", 1);
	size_t unheard_of = put_common(&section, "zQR", "\x1b", 1);
	size_t common = put_common(&section, "zR", "\x1b", 1);
	put_function(&section, indirect, 0x11100, 0x10);
	put_function(&section, unheard_of, 0x11200, 0x10);
	put_function(&section, common, 0x10ff0, 0x10); /* before the segment */
	put_function(&section, common, 0x12000, 0x10); /* behind it */
	put_function(&section, common, 0x11300, 0);
	put_function(&section, common + 4, 0x11400, 0x10);   /* refers to the middle of something */
	put_function(&section, common, 0x11ff0, 0x7fffffff); /* reaches beyond: cut */
	assert_int_equal(read_section(&section, &bounds), 1);
	expect(&bounds, 0x1ff8, true, 0x1ff0, 0x2000);
	nt_bounds_fini(&bounds);
}

/* Wherever the section is cut off, what came before is read and nothing else. */
static void test_a_section_that_ends_anywhere(void **state)
{
	(void)state;
	struct section section = { .size = 0 };
	size_t common = put_common(&section, "zR", "\x1b", 1), whole[2];
	put_function(&section, common, 0x11100, 0x40);
	whole[0] = section.size;
	put_function(&section, common, 0x11200, 0x40);
	whole[1] = section.size;
	for (section.size = 0; section.size <= whole[1]; section.size++) {
		struct nt_bounds bounds;
		assert_int_equal(read_section(&section, &bounds), (section.size >= whole[0]) + (section.size >= whole[1]));
		nt_bounds_fini(&bounds);
	}
}

static void test_zero_ends_the_section(void **state)
{
	(void)state;
	struct section section = { .size = 0 };
	struct nt_bounds bounds;
	size_t common = put_common(&section, "zR", "\x1b", 1);
	put32(&section, 0);
	put_function(&section, common, 0x11100, 0x40);
	assert_int_equal(read_section(&section, &bounds), 0);
	nt_bounds_fini(&bounds);
}

static void test_overlaps(void **state)
{
	(void)state;
	struct nt_bounds bounds = { 0 };
	nt_bounds_add(&bounds, 100, 50);
	nt_bounds_add(&bounds, 120, 10); /* within */
	nt_bounds_add(&bounds, 200, 10);
	nt_bounds_add(&bounds, 200, 20); /* of the same start the shorter */
	nt_bounds_add(&bounds, UINT32_MAX, 1);
	nt_bounds_add(&bounds, UINT64_MAX, UINT64_MAX);
	nt_bounds_finish(&bounds);
	expect(&bounds, 110, true, 100, 120);
	expect(&bounds, 125, true, 120, 130);
	expect(&bounds, 140, false, 130, 200);
	expect(&bounds, 209, true, 200, 210);
	expect(&bounds, 215, false, 210, UINT64_MAX);
	nt_bounds_fini(&bounds);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_functions_by_file_offset),
		cmocka_unit_test(test_encoding_behind_other_letters),
		cmocka_unit_test(test_data_of_functions),
		cmocka_unit_test(test_pointers_of_eight_bytes),
		cmocka_unit_test(test_what_is_not_known_is_passed_over),
		cmocka_unit_test(test_a_section_that_ends_anywhere),
		cmocka_unit_test(test_zero_ends_the_section),
		cmocka_unit_test(test_overlaps),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
