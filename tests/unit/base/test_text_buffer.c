// SPDX-License-Identifier: GPL-2.0-only
/* Text that grows: numbers as printf has them, texts escaped, and reals that a reader gets back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/text_buffer.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

static struct nt_text_buffer out;

static void check_written(const char *expected)
{
	char *text = nt_text_buffer_take(&out);
	assert_string_equal(text, expected);
	free(text);
}

static void whole_numbers(void **state)
{
	(void)state;
	static const uint64_t values[] = { 0, 7, 10, 4294967296, UINT64_MAX };
	char expected[64];
	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		nt_text_put_unsigned(&out, values[i]);
		nt_text_put_char(&out, ' ');
		nt_text_put_hex(&out, values[i]);
		snprintf(expected, sizeof(expected), "%" PRIu64 " 0x%" PRIx64, values[i], values[i]);
		check_written(expected);
	}
	nt_text_put_signed(&out, INT64_MIN);
	check_written("-9223372036854775808");
	nt_text_put_digits(&out, 7, 3);
	nt_text_put_digits(&out, 1234, 3);
	check_written("0071234");
}

static const double reals[] = { 0,        -0.0,      1,         -1,       0.1,       4.5,   -2.25,     1.0 / 3,   999999,
				999999.5, 1000000,   123456.75, 1e-4,     9.9e-5,    5e-7,  1e15,      1e300,     -5e-324,
				0.3,      0.1 + 0.2, 149998.5,  149999.5, -100000.5, 2.675, 1e6 + 0.1, 1e14 + 0.5 };

static void reals_for_people(void **state)
{
	(void)state;
	char expected[64];
	for (size_t i = 0; i < sizeof(reals) / sizeof(reals[0]); i++) {
		nt_text_put_real(&out, reals[i]);
		snprintf(expected, sizeof(expected), "%g", reals[i]);
		check_written(expected);
	}
}

static void reals_come_back(void **state)
{
	(void)state;
	uint64_t seed = 1;
	for (size_t i = 0; i < 100000; i++) {
		seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407;
		double value = i < sizeof(reals) / sizeof(reals[0]) ? reals[i] : (double)((int64_t)seed >> 32) / (i % 3 ? 1000 : 7);
		nt_text_put_exact(&out, value);
		char *text = nt_text_buffer_take(&out);
		bool same = strtod(text, NULL) == value && strpbrk(text, ".e");
		if (!same)
			fail_msg("%.17g became %s", value, text);
		free(text);
	}
}

static void texts_are_escaped(void **state)
{
	(void)state;
	static const char text[] = "a\x1b[31m \"\\ \xc3\xa9 \xff \xe2\x80\xae";
	nt_text_put_escaped(&out, text, sizeof(text) - 1);
	check_written("a\\x1b[31m \"\\ \xc3\xa9 \xef\xbf\xbd \\u{202e}");
	nt_text_put_json(&out, text);
	check_written("\"a\\\\x1b[31m \\\"\\\\ \xc3\xa9 \xef\xbf\xbd \\\\u{202e}\"");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(whole_numbers),
		cmocka_unit_test(reals_for_people),
		cmocka_unit_test(reals_come_back),
		cmocka_unit_test(texts_are_escaped),
	};
	return cmocka_run_group_tests_name("text_buffer", tests, NULL, NULL);
}
