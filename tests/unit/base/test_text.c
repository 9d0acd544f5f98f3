// SPDX-License-Identifier: GPL-2.0-only
/*
 * What is made of texts from outside. UTF-16 is read several units at a time: what is not ASCII must be right wherever in such a word it stands.
 */
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

/* ---- escaping ---- */

/* Each code point that there is, by itself: a control must not be in what is made of it, all else must be as it was. */
static void no_control_is_left(void **state)
{
	(void)state;
	for (uint32_t code = 0; code <= 0x10ffff; code++) {
		char raw[4], safe[16];
		if (code >= 0xd800 && code < 0xe000)
			continue; /* half of a character */
		size_t length = nt_utf8_encode(code, raw), made = nt_text_escape(raw, length, safe, sizeof(safe));
		if (!nt_text_is_control(code)) {
			assert_int_equal(made, length);
			assert_memory_equal(safe, raw, length);
			continue;
		}
		for (size_t i = 0; i < made; i++)
			assert_in_range(safe[i], ' ' + 1, '~');
		assert_int_equal(safe[0], '\\');
	}
}

static void each_sort_of_control_is_known(void **state)
{
	(void)state;
	static const struct {
		const char *what;
		uint32_t first, last;
	} sorts[] = { { "C0, ESC and BEL among them", 0, 0x1f },
		      { "DEL and C1, U+009B among them", 0x7f, 0x9f },
		      { "the Arabic letter mark", 0x61c, 0x61c },
		      { "marks of direction", 0x200e, 0x200f },
		      { "separators of lines and paragraphs", 0x2028, 0x2029 },
		      { "embeddings and overrides", 0x202a, 0x202e },
		      { "isolates", 0x2066, 0x2069 },
		      { "how characters join and are shaped", 0x206a, 0x206f },
		      { "the byte order mark", 0xfeff, 0xfeff } };
	uint32_t known = 0, all = 0;
	for (size_t i = 0; i < sizeof(sorts) / sizeof(*sorts); i++)
		for (uint32_t code = sorts[i].first; code <= sorts[i].last; code++, all++)
			if (!nt_text_is_control(code))
				fail_msg("U+%04X: %s", (unsigned)code, sorts[i].what);
	for (uint32_t code = 0; code <= 0x10ffff; code++)
		known += nt_text_is_control(code);
	assert_int_equal(known, all);
}

static void escaped_is(const char *raw, size_t length, const char *expected)
{
	char safe[64];
	assert_int_equal(nt_text_escape(raw, length, safe, sizeof(safe)), strlen(expected));
	assert_string_equal(safe, expected);
	/* Who escapes once more changes nothing. */
	assert_int_equal(nt_text_escape(expected, strlen(expected), safe, sizeof(safe)), strlen(expected));
	assert_string_equal(safe, expected);
}

static void controls_become_visible(void **state)
{
	(void)state;
	escaped_is("a\x1b]0;x\a\n\tb", 10, "a\\x1b]0;x\\x07\\x0a\\x09b");
	escaped_is("\xc2\x9b"
		   "2J\xc2\x85",
		   6, "\\x9b2J\\x85");
	escaped_is("\xe2\x80\xae\xd8\x9c", 5, "\\u{202e}\\u{061c}");
	escaped_is("a\0b", 3, "a\\x00b");
	escaped_is("h\xc3\xa4\xe6\x97\xa5\xf0\x9f\x99\x82", 10, "h\xc3\xa4\xe6\x97\xa5\xf0\x9f\x99\x82");
}

#define NO "\xef\xbf\xbd"

static void what_is_no_character_is_marked(void **state)
{
	(void)state;
	escaped_is("\x9b[2J", 4, NO "[2J");                    /* C1 as a byte */
	escaped_is("\xc0\x9b\xc1\xbf", 4, NO NO NO NO);        /* longer than need be */
	escaped_is("\xe0\x82\x9b", 3, NO NO NO);               /* likewise */
	escaped_is("\xed\xa0\x80", 3, NO NO NO);               /* half of a pair */
	escaped_is("\xf4\x90\x80\x80\xff", 5, NO NO NO NO NO); /* beyond the last one */
	escaped_is("\xe2\x80", 2, NO NO);                      /* cut off */
	escaped_is("\xe2\x80\x1b", 3, NO NO "\\x1b");          /* a control in its place */
}

static void a_cut_leaves_no_half(void **state)
{
	(void)state;
	char small[6];
	assert_int_equal(nt_text_escape("ab\x1b", 3, small, sizeof(small)), 2);
	assert_string_equal(small, "ab");
	assert_int_equal(nt_text_escape("abc\xe6\x97\xa5", 6, small, sizeof(small)), 3);
	assert_string_equal(small, "abc");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(any_unit_anywhere),
		cmocka_unit_test(it_is_cut_to_its_room),
		cmocka_unit_test(the_length_ends_at_a_whole_unit),
		cmocka_unit_test(no_control_is_left),
		cmocka_unit_test(each_sort_of_control_is_known),
		cmocka_unit_test(controls_become_visible),
		cmocka_unit_test(what_is_no_character_is_marked),
		cmocka_unit_test(a_cut_leaves_no_half),
	};
	return cmocka_run_group_tests_name("text", tests, NULL, NULL);
}
