// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "nettop/column.h"

#include <math.h>
#include <string.h>

enum { TEXT = 128 };

static void bytes_have_three_digits_and_a_suffix(void **state)
{
	static const struct {
		uint64_t bytes;
		const char *text;
	} cases[] = {
		{ 0, "0" },
		{ 412, "412" },
		{ 999, "999" },
		{ 1000, "0.98K" },
		{ 1024, "1.00K" },
		{ 62464, "61.0K" },
		{ 1023 * 1024, "1.00M" },
		{ UINT64_C(2480343613), "2.31G" },
		{ UINT64_C(32212254720), "30.0G" },
		{ UINT64_MAX, "16.0E" },
	};
	char buf[TEXT];
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_string_equal(nt_format_bytes(cases[i].bytes, buf, sizeof(buf)), cases[i].text);
}

static void rates_have_a_decimal_while_small(void **state)
{
	static const struct {
		double count;
		const char *text;
	} cases[] = { { 0, "0.0" },       { 3, "3.0" },      { 38, "38.0" },     { 99.96, "100" },   { 412.4, "412" },
		      { 999.6, "1.00k" }, { 1240, "1.24k" }, { 21400, "21.4k" }, { 5.4e6, "5.40M" }, { (double)NAN, "" } };
	char buf[TEXT];
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_string_equal(nt_format_count(cases[i].count, buf, sizeof(buf)), cases[i].text);
}

static void a_number_of_any_size_has_three_digits(void **state)
{
	static const struct {
		double value;
		const char *text;
	} cases[] = { { 0, "0" },          { -0.0, "0" },           { 3, "3" },          { -12, "-12" },           { 0.00342, "0.00342" },
		      { 63.98, "64" },     { 12.345, "12.3" },      { 999.6, "1.00k" },  { -1240, "-1.24k" },      { 1e20, "100E" },
		      { 1e300, "1e+300" }, { 5e-324, "4.94e-324" }, { (double)NAN, "" }, { -(double)INFINITY, "" } };
	char buf[TEXT];
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_string_equal(nt_format_real(cases[i].value, buf, sizeof(buf)), cases[i].text);
}

static void numbers_of_things_are_whole(void **state)
{
	char buf[TEXT];
	(void)state;
	assert_string_equal(nt_format_whole(0, buf, sizeof(buf)), "0");
	assert_string_equal(nt_format_whole(999, buf, sizeof(buf)), "999");
	assert_string_equal(nt_format_whole(1243, buf, sizeof(buf)), "1.24k");
	assert_string_equal(nt_format_whole(999700, buf, sizeof(buf)), "1.00M");
}

static void durations_change_their_unit(void **state)
{
	static const struct {
		nt_time ns;
		const char *text;
	} cases[] = {
		{ 0, "0ms" },
		{ 412, "412ns" },
		{ 1100 * NT_NS_PER_US, "1.1ms" },
		{ 24 * NT_NS_PER_MS, "24ms" },
		{ 142 * NT_NS_PER_MS, "142ms" },
		{ 999700 * NT_NS_PER_US, "1.0s" },
		{ 9100 * NT_NS_PER_MS, "9.1s" },
		{ 41 * NT_NS_PER_S, "41s" },
		{ 59700 * NT_NS_PER_MS, "1m00s" },
		{ 552 * NT_NS_PER_S, "9m12s" },
		{ 7800 * NT_NS_PER_S, "2h10m" },
		{ 266400 * NT_NS_PER_S, "3d02h" },
		{ UINT64_MAX, "213503d23h" },
	};
	char buf[TEXT];
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_string_equal(nt_format_duration(cases[i].ns, buf, sizeof(buf)), cases[i].text);
}

static const char *format(enum nt_unit unit, uint8_t width, struct nt_cell cell, char *buf)
{
	const struct nt_column column = { .unit = unit, .width = width };
	size_t length = nt_cell_format(&column, cell, buf, TEXT);
	assert_int_equal(length, strlen(buf));
	return buf;
}

static void a_cell_follows_its_unit(void **state)
{
	const struct nt_cell u142ms = { .known = true, .u = 142 * NT_NS_PER_MS };
	const struct nt_cell f86 = { .known = true, .f = 86.4 };
	char buf[TEXT];
	(void)state;
	assert_string_equal(format(NT_UNIT_NS_AS_MS, 9, u142ms, buf), "142.0");
	assert_string_equal(format(NT_UNIT_NS_AS_US, 6, (struct nt_cell){ .known = true, .u = 1850 }, buf), "1.85");
	assert_string_equal(format(NT_UNIT_NS_AS_US, 6, u142ms, buf), "142k");
	assert_string_equal(format(NT_UNIT_PCT, 6, f86, buf), "86.4");
	assert_string_equal(format(NT_UNIT_PCT_WHOLE, 5, f86, buf), "86");
	assert_string_equal(format(NT_UNIT_AGE, 6, u142ms, buf), "0.1s");
	assert_string_equal(format(NT_UNIT_INTEGER, 6, (struct nt_cell){ .known = true, .u = 18342 }, buf), "18342");
	assert_string_equal(format(NT_UNIT_COUNT, 6, (struct nt_cell){ .known = true, .u = 21400 }, buf), "21.4k");
	assert_string_equal(format(NT_UNIT_BAR, 6, (struct nt_cell){ .known = true, .f = 0.5 }, buf), "███");
	assert_string_equal(format(NT_UNIT_BAR, 6, (struct nt_cell){ .known = true, .f = 0.01 }, buf), "·");
	assert_string_equal(format(NT_UNIT_BAR, 6, (struct nt_cell){ .known = true, .f = 7 }, buf), "██████");
}

static void a_number_loses_digits_rather_than_grow(void **state)
{
	const struct nt_cell u142ms = { .known = true, .u = 142 * NT_NS_PER_MS };
	char buf[TEXT];
	(void)state;
	assert_string_equal(format(NT_UNIT_NS_AS_MS, 4, u142ms, buf), "142");
	assert_string_equal(format(NT_UNIT_NS_AS_MS, 4, (struct nt_cell){ .known = true, .u = 3000 * NT_NS_PER_S }, buf), "3.0M");
	assert_string_equal(format(NT_UNIT_COUNT, 4, (struct nt_cell){ .known = true, .u = 1243 }, buf), "1.2k");
	assert_string_equal(format(NT_UNIT_COUNT, 3, (struct nt_cell){ .known = true, .u = 1243 }, buf), "1k");
	assert_string_equal(format(NT_UNIT_BYTES, 4, (struct nt_cell){ .known = true, .u = 4299161 }, buf), "4.1M");
	assert_string_equal(format(NT_UNIT_INTEGER, 6, (struct nt_cell){ .known = true, .u = UINT64_MAX }, buf), "18.4E");
	assert_string_equal(format(NT_UNIT_AGE, 6, (struct nt_cell){ .known = true, .u = 40000000 * NT_NS_PER_S }, buf), "462d");
	assert_string_equal(format(NT_UNIT_PER_S, 4, (struct nt_cell){ .known = true, .f = 5090 }, buf), "5.1k");
	/* With the mark of a lower bound before it. */
	const struct nt_cell least = { .known = true, .at_least = true, .u = 12345 * NT_NS_PER_MS };
	assert_string_equal(format(NT_UNIT_NS_AS_MS, 7, least, buf), ">12345");
	assert_string_equal(format(NT_UNIT_NS_AS_MS, 8, least, buf), ">12345.0");
}

static void unknown_is_blank(void **state)
{
	char buf[TEXT];
	(void)state;
	for (int unit = NT_UNIT_TEXT; unit <= NT_UNIT_BAR; unit++)
		assert_string_equal(format((enum nt_unit)unit, 6, (struct nt_cell){ .known = false, .u = 42 }, buf), "");
	assert_string_equal(format(NT_UNIT_TEXT, 6, (struct nt_cell){ .known = true, .text = NULL }, buf), "");
}

static void text_of_the_target_is_escaped_and_bounded(void **state)
{
	const struct nt_column column = { .unit = NT_UNIT_TEXT };
	char buf[TEXT], small[4];
	(void)state;
	assert_string_equal(format(NT_UNIT_TEXT, 0, (struct nt_cell){ .known = true, .text = "a\x1b[2Jb" }, buf), "a\\x1b[2Jb");
	assert_int_equal(nt_cell_format(&column, (struct nt_cell){ .known = true, .text = "abcdef" }, small, sizeof(small)), 3);
	assert_string_equal(small, "abc");
}

static void a_scale_ends_at_a_round_number(void **state)
{
	static const struct {
		enum nt_scale scale;
		double most;
		const char *text;
	} ends[] = {
		{ NT_SCALE_PCT, 100, "0..100%" },         { NT_SCALE_PCT, 100.4, "0..200%" }, { NT_SCALE_PCT, 932, "0..1k%" },
		{ NT_SCALE_COUNT, 0.031, "0..0.05" },     { NT_SCALE_COUNT, 0.3, "0..0.5" },  { NT_SCALE_COUNT, 1, "0..1" },
		{ NT_SCALE_COUNT, 50, "0..50" },          { NT_SCALE_COUNT, 51, "0..100" },   { NT_SCALE_COUNT, 4999, "0..5k" },
		{ NT_SCALE_MS, 412, "0..500ms" },         { NT_SCALE_MS, 1000, "0..1s" },     { NT_SCALE_MS, 31000, "0..50s" },
		{ NT_SCALE_BYTES, 812, "0..1K" },         { NT_SCALE_BYTES, 1024, "0..1K" },  { NT_SCALE_BYTES, 1023.5 * 1024, "0..1M" },
		{ NT_SCALE_BYTES, 412 << 20, "0..500M" }, { NT_SCALE_BYTES, 1e18, "0..1E" },
	};
	char buf[TEXT];
	(void)state;
	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		double end = nt_scale_end(ends[i].scale, ends[i].most);
		assert_true(end >= ends[i].most * (1 - 1e-6));
		assert_string_equal(nt_scale_text(ends[i].scale, end, buf, sizeof(buf)), ends[i].text);
	}
	assert_true(nt_scale_end(NT_SCALE_COUNT, 0) == 0 && nt_scale_end(NT_SCALE_OWN, 5) == 0 &&
		    nt_scale_end(NT_SCALE_MS, (double)NAN) == 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bytes_have_three_digits_and_a_suffix),
		cmocka_unit_test(rates_have_a_decimal_while_small),
		cmocka_unit_test(a_number_of_any_size_has_three_digits),
		cmocka_unit_test(numbers_of_things_are_whole),
		cmocka_unit_test(durations_change_their_unit),
		cmocka_unit_test(a_cell_follows_its_unit),
		cmocka_unit_test(a_number_loses_digits_rather_than_grow),
		cmocka_unit_test(unknown_is_blank),
		cmocka_unit_test(text_of_the_target_is_escaped_and_bounded),
		cmocka_unit_test(a_scale_ends_at_a_round_number),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
