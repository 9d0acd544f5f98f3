// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which IL precompiled code was made of. tests/data/corpus/r2r/lines is what crossgen2 of .NET 10 made of the program in test_pdb.c; the older form is made here by
 * hand.
 */
#include "decode/assembly/r2r_debug.h"
#include "decode/assembly/r2r_name.h"
#include "memory_window.h"

#include <stdarg.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

enum { FILE_MAX = 1 << 16 };

struct image {
	uint8_t bytes[FILE_MAX];
	struct memory memory;
	struct nt_window *window;
	struct nt_r2r r2r;
	uint32_t il[NT_IL_MAP_MAX], native[NT_IL_MAP_MAX];
};

static void open_image(struct image *image)
{
	struct nt_pe pe;
	FILE *stream = fopen("tests/data/corpus/r2r/lines", "r");
	assert_non_null(stream);
	image->memory = (struct memory){ .bytes = image->bytes, .size = fread(image->bytes, 1, FILE_MAX, stream) };
	fclose(stream);
	image->window = memory_window(&image->memory);
	assert_true(nt_pe_read(image->window, 0, &pe));
	assert_int_equal(nt_r2r_read(&pe, &image->r2r), NT_R2R_READ);
}

static void close_image(struct image *image)
{
	nt_r2r_fini(&image->r2r);
	nt_window_free(image->window);
}

static struct nt_r2r_range method_named(const struct nt_r2r *r2r, const char *text)
{
	static struct nt_r2r_name name;
	struct nt_r2r_range range;
	for (uint32_t number = 0; nt_r2r_next(r2r, &number, &range);)
		if (nt_r2r_name(r2r, range.owner, NULL, &name) == NT_R2R_NAMED && strcmp(name.text, text) == 0)
			return range;
	fail_msg("no method %s", text);
	return range;
}

static bool is_one_of(uint32_t value, const uint32_t *values, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (values[i] == value)
			return true;
	return false;
}

/* The statements of Sum are at these offsets (test_pdb.c); others may be those of calls. */
static void test_packed_bits(void **state)
{
	(void)state;
	static struct image image;
	static const uint32_t statements[] = { 0, 2, 4, 6, 10, 14, 18, NT_IL_PROLOG, NT_IL_EPILOG, NT_IL_NO_MAPPING };
	struct nt_il_map map;
	open_image(&image);
	struct nt_r2r_range range = method_named(&image.r2r, "int32 [tiny] Tiny::Sum(int32)");
	assert_true(nt_r2r_il_map(&image.r2r, range.function, image.il, image.native, &map));
	assert_in_range(map.count, 4, 20);
	assert_int_equal(image.native[0], 0);
	assert_int_equal(image.il[0], NT_IL_PROLOG);
	for (uint32_t i = 0; i < map.count; i++) {
		assert_true(is_one_of(image.il[i], statements, sizeof(statements) / sizeof(*statements)));
		assert_true(!i || image.native[i] >= image.native[i - 1]);
		assert_true(image.native[i] < range.end - range.begin);
	}
	assert_true(is_one_of(6, image.il, map.count));
	assert_true(is_one_of(18, image.il, map.count));
	close_image(&image);
}

static void test_there_is_none(void **state)
{
	(void)state;
	static struct image image;
	struct nt_il_map map;
	open_image(&image);
	assert_false(nt_r2r_il_map(&image.r2r, 100000, image.il, image.native, &map));
	assert_int_equal(map.count, 0);
	image.r2r.debug_info.rva = 0;
	assert_false(nt_r2r_il_map(&image.r2r, 0, image.il, image.native, &map));
	close_image(&image);
}

/* The array of one element, `function`, in the place of the image's own; then the method's bounds, written in nibbles, the lower half of a byte first. */
static void write_nibbles(struct image *image, uint32_t function)
{
	const uint8_t debug[] = {
		16 << 3, 1,    (uint8_t)(function << 3), /* an array of 16, whose one block is a leaf */
		0,                                       /* shared with nobody */
		0x04,                                    /* 4 bytes of bounds, nothing of variables */
		0x02,    0x03, 0x19,
		0x07, /* 2 entries: native 0, IL 0 + 3, 0; native +9 in two nibbles, IL 4 + 3, 0 */
	};
	uint64_t at;
	assert_true(function < 16);
	assert_true(nt_pe_offset(&image->r2r.pe, image->r2r.debug_info.rva, sizeof(debug), &at));
	memcpy(image->bytes + at, debug, sizeof(debug));
	image->r2r.debug_info.size = sizeof(debug);
	image->r2r.major_version = 9;
	nt_window_rest(image->window);
}

static void test_nibbles(void **state)
{
	(void)state;
	static struct image image;
	struct nt_il_map map;
	open_image(&image);
	struct nt_r2r_range range = method_named(&image.r2r, "int32 [tiny] Tiny::Sum(int32)");
	write_nibbles(&image, range.function);
	assert_true(nt_r2r_il_map(&image.r2r, range.function, image.il, image.native, &map));
	assert_int_equal(map.count, 2);
	assert_int_equal(image.native[0], 0);
	assert_int_equal(image.il[0], 0);
	assert_int_equal(image.native[1], 9);
	assert_int_equal(image.il[1], 4);
	image.r2r.debug_info.size--; /* the bounds are said to be longer than what there is */
	assert_false(nt_r2r_il_map(&image.r2r, range.function, image.il, image.native, &map));
	close_image(&image);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_packed_bits),
		cmocka_unit_test(test_there_is_none),
		cmocka_unit_test(test_nibbles),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
