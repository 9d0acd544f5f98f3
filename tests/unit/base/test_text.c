// SPDX-License-Identifier: GPL-2.0-only
/* UTF-16 is read several units at a time: what is not ASCII must be right wherever in such a word it stands. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/text.h"

#include <string.h>

enum { UNITS = 19 };

static void put_unit(uint8_t *bytes, size_t index, uint16_t unit)
{
	bytes[2 * index] = (uint8_t)unit;
	bytes[2 * index + 1] = (uint8_t)(unit >> 8);
}

/* "aaaa…", with `unit` in its place. */
static void put_text(uint8_t *bytes, size_t count, size_t place, uint16_t unit)
{
	for (size_t i = 0; i < count; i++)
		put_unit(bytes, i, i == place ? unit : 'a');
}

static void any_unit_anywhere(void **state)
{
	(void)state;
	static const struct {
		uint16_t unit;
		const char *utf8;
	} cases[] = { { 'b', "b" },         { 0x7f, "\x7f" },           { 0x80, "\xc2\x80" },
		      { 0xff, "\xc3\xbf" }, { 0x20ac, "\xe2\x82\xac" }, { 0xd800, "\xef\xbf\xbd" } };
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		for (size_t count = 1; count < UNITS; count++)
			for (size_t place = 0; place < count; place++) {
				uint8_t units[2 * UNITS];
				char got[4 * UNITS], expected[4 * UNITS] = "";
				put_text(units, count, place, cases[i].unit);
				for (size_t at = 0; at < count; at++)
					strcat(expected, at == place ? cases[i].utf8 : "a");
				assert_int_equal(nt_utf16_to_utf8(units, count, got, sizeof(got)), strlen(expected));
				assert_string_equal(got, expected);
			}
}

static void it_is_cut_to_its_room(void **state)
{
	(void)state;
	uint8_t units[2 * UNITS];
	put_text(units, UNITS, UNITS, 0);
	for (size_t size = 1; size < UNITS + 4; size++) {
		char got[UNITS + 4];
		memset(got, '!', sizeof(got));
		size_t length = size - 1 < UNITS ? size - 1 : UNITS;
		assert_int_equal(nt_utf16_to_utf8(units, UNITS, got, size), length);
		assert_int_equal(got[length], '\0');
		for (size_t i = size; i < sizeof(got); i++)
			assert_int_equal(got[i], '!');
	}
}

static void the_length_ends_at_a_whole_unit(void **state)
{
	(void)state;
	for (size_t place = 0; place < UNITS; place++) {
		uint8_t units[2 * UNITS];
		put_text(units, UNITS, place, 0);
		assert_int_equal(nt_utf16_length(units, sizeof(units)), 2 * place);
		assert_true(nt_utf16_length(units, 2 * place) == SIZE_MAX);
		assert_true(nt_utf16_length(units, 2 * place + 1) == SIZE_MAX);
		/* Half a unit is 0 in each of these. */
		put_text(units, UNITS, place, 0x100);
		assert_true(nt_utf16_length(units, sizeof(units)) == SIZE_MAX);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(any_unit_anywhere),
		cmocka_unit_test(it_is_cut_to_its_room),
		cmocka_unit_test(the_length_ends_at_a_whole_unit),
	};
	return cmocka_run_group_tests_name("text", tests, NULL, NULL);
}
