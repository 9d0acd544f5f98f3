// SPDX-License-Identifier: GPL-2.0-only
/* What is pasted, told apart from what is typed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "ui/terminal/term_paste.h"

static void only_text_of_a_paste_is_left(void **state)
{
	static const struct {
		nt_key key;
		enum nt_paste_step step;
	} keys[] = {
		{ 'q', NT_PASTE_IS_KEY },
		{ NT_KEY_UP, NT_PASTE_IS_KEY },
		{ NT_KEY_PASTE_BEGIN, NT_PASTE_DROPPED },
		{ 'q', NT_PASTE_IS_TEXT },
		{ 0xe9, NT_PASTE_IS_TEXT },
		{ NT_KEY_ENTER, NT_PASTE_DROPPED },
		{ '\n', NT_PASTE_DROPPED },
		{ 3, NT_PASTE_DROPPED },
		{ 26, NT_PASTE_DROPPED },
		{ NT_KEY_ESCAPE, NT_PASTE_DROPPED },
		{ NT_KEY_BACKSPACE, NT_PASTE_DROPPED },
		{ 0x9b, NT_PASTE_DROPPED },   /* CSI in one */
		{ 0x202e, NT_PASTE_DROPPED }, /* from right to left */
		{ NT_KEY_UP, NT_PASTE_DROPPED },
		{ NT_KEY_MOUSE, NT_PASTE_DROPPED },
		{ NT_KEY_PASTE_BEGIN, NT_PASTE_DROPPED },
		{ 'z', NT_PASTE_IS_TEXT },
		{ NT_KEY_PASTE_END, NT_PASTE_DROPPED },
		{ 'q', NT_PASTE_IS_KEY },
		{ NT_KEY_PASTE_END, NT_PASTE_DROPPED },
		{ 'q', NT_PASTE_IS_KEY },
	};
	struct nt_paste paste = { 0 };
	(void)state;
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (nt_paste_take(&paste, keys[i].key, i + 1) != keys[i].step)
			fail_msg("key %zu is another", i);
}

static void one_without_end_is_over(void **state)
{
	struct nt_paste paste = { 0 };
	nt_time now = NT_NS_PER_S;
	(void)state;
	nt_paste_take(&paste, NT_KEY_PASTE_BEGIN, now);
	for (int i = 0; i < 3; i++) /* a slow line */
		assert_int_equal(nt_paste_take(&paste, 'q', now += NT_PASTE_PAUSE_NS), NT_PASTE_IS_TEXT);
	assert_int_equal(nt_paste_take(&paste, NT_KEY_ESCAPE, now + NT_PASTE_PAUSE_NS), NT_PASTE_DROPPED); /* does not make it last */
	assert_int_equal(nt_paste_take(&paste, 'q', now + NT_PASTE_PAUSE_NS + 1), NT_PASTE_IS_KEY);
}

static void a_pasted_character_is_no_key(void **state)
{
	(void)state;
	assert_true(nt_key_is_pasted('q' | NT_KEY_PASTED));
	assert_false(nt_key_is_pasted('q'));
	for (unsigned kind = NT_MOUSE_CLICK; kind <= NT_MOUSE_RELEASE; kind++)
		assert_false(nt_key_is_pasted(nt_key_mouse((enum nt_mouse)kind, 0x3fff, 0x3fff)));
	assert_int_equal(nt_key_action('q' | NT_KEY_PASTED), NT_DO_NOTHING);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_text_of_a_paste_is_left),
		cmocka_unit_test(one_without_end_is_over),
		cmocka_unit_test(a_pasted_character_is_no_key),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
