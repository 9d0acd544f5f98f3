// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "decode/common/xz.h"

#include <lzma.h>
#include <stdlib.h>
#include <string.h>

enum { PACKED_BYTES = 64 << 10, MB = 1 << 20 };

/* `size` bytes, all the same, packed. */
static size_t pack(size_t size, uint8_t packed[PACKED_BYTES])
{
	uint8_t *bytes = calloc(1, size ? size : 1);
	size_t used = 0;
	assert_int_equal(lzma_easy_buffer_encode(0, LZMA_CHECK_CRC32, NULL, bytes, size, packed, &used, PACKED_BYTES), LZMA_OK);
	free(bytes);
	return used;
}

static void expect_size(size_t size, size_t limit)
{
	uint8_t packed[PACKED_BYTES], *out;
	size_t used = pack(size, packed), out_size;
	assert_int_equal(nt_xz_unpack(packed, used, limit, &out, &out_size, NULL), NT_OK);
	assert_int_equal(out_size, size);
	free(out);
}

static void expect_refusal(const uint8_t *packed, size_t size, size_t limit, const char *sentence)
{
	struct nt_error err = { 0 };
	uint8_t *out = (uint8_t *)1;
	size_t out_size;
	assert_true(nt_xz_unpack(packed, size, limit, &out, &out_size, &err) < 0);
	assert_null(out);
	assert_int_equal(out_size, 0);
	assert_string_equal(err.cause[0], sentence);
}

static void test_sizes_around_the_limit(void **state)
{
	(void)state;
	uint8_t packed[PACKED_BYTES];
	expect_size(0, MB);
	expect_size(1, MB);
	expect_size(64 << 10, MB); /* the first buffer, full */
	expect_size((64 << 10) + 1, MB);
	expect_size(MB, MB);
	expect_refusal(packed, pack(MB + 1, packed), MB, "unpacks to more than 1 MB");
	expect_refusal(packed, pack(4 * MB, packed), MB, "unpacks to more than 1 MB");
}

static void test_damage(void **state)
{
	(void)state;
	uint8_t packed[PACKED_BYTES];
	size_t size = pack(1000, packed);
	expect_refusal(packed, 0, MB, "ends too early");
	expect_refusal(packed, size - 1, MB, "ends too early");
	expect_refusal(packed, size / 2, MB, "ends too early");
	expect_refusal((const uint8_t *)"\177ELF, not packed at all", 23, MB, "is not in the xz format");
	packed[size / 2] ^= 0x55;
	expect_refusal(packed, size, MB, "is damaged");
}

/* What follows is padding, or somebody else's. */
static void test_bytes_behind_the_stream(void **state)
{
	(void)state;
	uint8_t packed[PACKED_BYTES], *out;
	size_t size = pack(1000, packed), out_size;
	memset(packed + size, 'x', 16);
	assert_int_equal(nt_xz_unpack(packed, size + 16, MB, &out, &out_size, NULL), NT_OK);
	assert_int_equal(out_size, 1000);
	free(out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sizes_around_the_limit),
		cmocka_unit_test(test_damage),
		cmocka_unit_test(test_bytes_behind_the_stream),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
