// SPDX-License-Identifier: GPL-2.0-only
/* What a terminal answers, told apart from what is typed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "ui/terminal/term_answer.h"

#include <string.h>

/* Takes all of `text`; what are keys is in `keys`. Returns the last step. */
static enum nt_answer_step take(struct nt_answer *answer, const char *text, char *keys)
{
	enum nt_answer_step step = NT_ANSWER_IS_KEY;
	for (; *text; text++) {
		step = nt_answer_take(answer, (unsigned char)*text);
		if (step != NT_ANSWER_IS_KEY)
			continue;
		keys += nt_answer_held(answer, keys);
		step = nt_answer_take(answer, (unsigned char)*text);
		if (step == NT_ANSWER_IS_KEY)
			*keys++ = *text;
	}
	*keys = '\0';
	return step;
}

static void test_light_or_dark(void **state)
{
	static const struct {
		const char *text;
		bool known, light;
	} cases[] = {
		{ "\033]11;rgb:ffff/ffff/ffff\033\\", true, true },
		{ "\033]11;rgb:0000/0000/0000\a", true, false },
		{ "\033]11;rgb:fd/f6/e3\a", true, true },
		{ "\033]11;rgb:F/f/F\a", true, true },
		{ "\033]11;rgb:000/2b2/363\a", true, false },
		{ "\033]11;rgba:ffff/ffff/ffff/0000\a", true, true },
		{ "\033]11;rgb:ffff/ffff\a", false, false },
		{ "\033]11;rgb:/ff/ff\a", false, false },
		{ "\033]11;#ffffff\a", false, false },
		{ "\033]10;rgb:ffff/ffff/ffff\a", false, false },
		{ "\033]\a", false, false },
	};
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct nt_answer answer = { 0 };
		char keys[64];
		bool known;
		assert_int_equal(take(&answer, cases[i].text, keys), NT_ANSWER_COLOR);
		assert_string_equal(keys, "");
		bool light = nt_answer_is_light(&answer, &known);
		assert_int_equal(known, cases[i].known);
		assert_int_equal(light, cases[i].light);
	}
}

static void test_keys_around_an_answer_stay_keys(void **state)
{
	struct nt_answer answer = { 0 };
	char keys[64];
	(void)state;
	assert_int_equal(take(&answer, "j\033]11;rgb:0/0/0\033\\k", keys), NT_ANSWER_IS_KEY);
	assert_string_equal(keys, "jk");
	assert_int_equal(take(&answer, "\033[?64;1c", keys), NT_ANSWER_KNOWN);
	assert_string_equal(keys, "");
	assert_int_equal(take(&answer, "\033[?2026;2$yq", keys), NT_ANSWER_IS_KEY);
	assert_string_equal(keys, "q");
	assert_int_equal(take(&answer, "\033\033]11;rgb:0/0/0\a\033x\033[Z", keys), NT_ANSWER_IS_KEY);
	assert_string_equal(keys, "\033\033x\033[Z");
}

static void test_a_text_without_end_ends(void **state)
{
	struct nt_answer answer = { 0 };
	char keys[8192];
	(void)state;
	take(&answer, "\033]", keys);
	for (int i = 0; i < 4097; i++)
		assert_int_equal(nt_answer_take(&answer, 'x'), NT_ANSWER_INSIDE);
	assert_int_equal(nt_answer_take(&answer, 'x'), NT_ANSWER_IS_KEY);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_light_or_dark),
		cmocka_unit_test(test_keys_around_an_answer_stay_keys),
		cmocka_unit_test(test_a_text_without_end_ends),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
