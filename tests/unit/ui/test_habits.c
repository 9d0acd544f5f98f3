// SPDX-License-Identifier: GPL-2.0-only
/* Keys of top, htop and less: what their users expect happens, or a word says what does it. */
#include "pressed.h"

#include "ui/screen/habits.h"

static void test_each_does_what_is_said(void **state)
{
	(void)state;
	assert_true(nt_habit_count >= 40);
	for (size_t i = 0; i < nt_habit_count; i++) {
		const struct nt_habit *habit = &nt_habits[i];
		if (nt_key_action(habit->key) != habit->action)
			fail_msg("%s does %d here", habit->caps, (int)nt_key_action(habit->key));
		assert_true(*habit->expects && *habit->of);
		assert_true(habit->action != NT_DO_NOTHING || habit->instead);
		for (size_t k = 0; k < i; k++)
			assert_true(nt_habits[k].key != habit->key);
	}
}

/* What no key does is said when it is pressed; what another key does, in the help. */
static void test_what_does_not_happen_is_said(void **state)
{
	(void)state;
	SHOW({ "aaa", 50 }, { "bbb", 10 });
	for (size_t i = 0; i < nt_habit_count; i++) {
		const struct nt_habit *habit = &nt_habits[i];
		if (!habit->instead)
			continue;
		bool found = false;
		if (habit->action == NT_DO_NOTHING) {
			press(habit->key);
			found = has(HEIGHT - 1, habit->instead);
			press(NT_KEY_ESCAPE);
		} else {
			char first[24];
			snprintf(first, sizeof(first), " %-8s in %s", habit->caps, habit->of);
			press('?');
			press(NT_KEY_END);
			for (int page = 0; page < 10 && !found; page++) {
				for (int y = 0; y < HEIGHT && !found; y++)
					found = has(y, first);
				press(NT_KEY_PAGE_UP);
			}
			press(NT_KEY_ESCAPE);
		}
		if (!found)
			fail_msg("nobody says '%s' of %s", habit->instead, habit->caps);
	}
}

/* Each of those that do something is seen to do it, but for what ends nettop and what lies in the terminal. */
static void test_what_they_do_is_done(void **state)
{
	(void)state;
	SHOW({ "aaa", 50 }, { "bbb", 10 }, { "ccc", 5 });
	for (size_t i = 0; i < nt_habit_count; i++) {
		const struct nt_habit *habit = &nt_habits[i];
		bool moves_up = habit->action == NT_DO_UP || habit->action == NT_DO_FIRST || habit->action == NT_DO_PAGE_UP;
		if (habit->action == NT_DO_NOTHING || habit->instead)
			continue;
		press(moves_up ? NT_KEY_END : NT_KEY_HOME);
		unsigned effects = press(habit->key);
		if (habit->action == NT_DO_QUIT)
			assert_true(effects & (NT_UI_QUIT | NT_UI_INTERRUPT));
		else if (habit->action == NT_DO_SAVE)
			assert_true(effects & NT_UI_SAVE);
		else
			assert_true(effects & NT_UI_REDRAW);
		if (moves_up)
			assert_true(selected(0) || selected(1));
		else if (habit->action == NT_DO_DOWN)
			assert_true(selected(1));
		else if (habit->action == NT_DO_LAST || habit->action == NT_DO_PAGE_DOWN)
			assert_true(selected(2));
		else if (habit->action == NT_DO_FILTER)
			assert_true(has(HEIGHT - 1, "/"));
		else if (habit->action == NT_DO_HELP)
			assert_true(has(7, "HELP"));
		else if (habit->action == NT_DO_SORT_MENU)
			assert_true(has(7, "SORT BY"));
		else if (habit->action == NT_DO_THEMES)
			assert_true(has(7, "COLOURS"));
		press(NT_KEY_ESCAPE);
		press(NT_KEY_ESCAPE);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		WITH_UI(test_each_does_what_is_said),
		WITH_UI(test_what_does_not_happen_is_said),
		WITH_UI(test_what_they_do_is_done),
	};
	return cmocka_run_group_tests(tests, use_utf8, NULL);
}
