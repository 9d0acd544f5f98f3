// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "decode/common/digits.h"

#include <stdio.h>
#include <stdlib.h>

/* What nt_hex_read() makes of a text, and how many characters it steps over; 0 = refused. */
static size_t read_hex(const char *text, uint64_t *value)
{
	const char *at = text;
	return nt_hex_read(&at, text + strlen(text), value) ? (size_t)(at - text) : 0;
}

static void test_numbers(void **state)
{
	(void)state;
	const uint64_t values[] = { 0, 9, 0xa, 0x1a0, 0x89abcdef, 0x12345678, 0x7f1484588090, 0x100000000, UINT64_MAX, UINT64_MAX - 0xf };
	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++)
		for (int width = 1; width <= 16; width++)
			for (int upper = 0; upper < 2; upper++) {
				char text[24];
				uint64_t value;
				size_t length =
					(size_t)snprintf(text, sizeof(text), upper ? "%0*lX" : "%0*lx", width, (unsigned long)values[i]);
				assert_int_equal(read_hex(text, &value), length);
				assert_true(value == values[i]);
				strcat(text, " x");
				assert_int_equal(read_hex(text, &value), length);
				assert_true(value == values[i]);
			}
}

/* Whatever character stands at whatever place, it ends the number there or is one of its digits. */
static void test_every_character_at_every_place(void **state)
{
	(void)state;
	for (size_t place = 0; place < 12; place++)
		for (int c = 1; c < 256; c++) {
			char text[] = "19af0FA95678";
			text[place] = (char)c;
			bool digit = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
			uint64_t value = 0;
			size_t length = digit ? 12 : place;
			assert_int_equal(read_hex(text, &value), length);
			text[length] = '\0';
			if (length)
				assert_true(value == strtoull(text, NULL, 16));
		}
}

static void test_too_long(void **state)
{
	(void)state;
	uint64_t value;
	assert_int_equal(read_hex("00000000000000001", &value), 0);
	assert_int_equal(read_hex("", &value), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_every_character_at_every_place),
		cmocka_unit_test(test_too_long),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
