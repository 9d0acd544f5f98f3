// SPDX-License-Identifier: GPL-2.0-only
/* The screen of a recording: what stands in place of LIVE, how fast it goes, and that nobody is asked. */
#include "pressed.h"

static int begin_recording(void **state)
{
	const struct nt_ui_config config = { .recording = true, .speed = 1, .pid = 4711, .name = "shop", .interval_ns = 3 * NT_NS_PER_S };
	(void)state;
	begin(state);
	nt_ui_free(ui);
	ui = nt_ui_new(&config);
	nt_ui_resize(ui, WIDTH, HEIGHT);
	return 0;
}

static void line_1_says_how_far_it_is(void **state)
{
	(void)state;
	SHOW({ "aaa", 60 });
	assert_true(has(0, "REPLAY") && !has(0, "LIVE"));
	press(' ');
	assert_true(has(0, "PAUSED"));
	press(' ');
	assert_int_equal(nt_ui_play_is_over(ui, true), NT_UI_REDRAW);
	assert_true(has(0, "END OF RECORDING"));
	nt_ui_play_is_over(ui, false);
	assert_true(has(0, "RECORDING CUT OFF"));
}

static void speeds_are_doubled_and_halved_within_bounds(void **state)
{
	(void)state;
	SHOW({ "aaa", 60 });
	assert_int_equal(press('.'), NT_UI_REDRAW);
	assert_true(nt_ui_speed(ui) == 2 && has(0, "REPLAY x2"));
	press(',');
	press(',');
	assert_true(nt_ui_speed(ui) == 0.5 && has(0, "REPLAY x0.5"));
	for (int i = 0; i < 20; i++)
		press('.');
	assert_true(nt_ui_speed(ui) == 2048);
	for (int i = 0; i < 40; i++)
		press(',');
	assert_true(nt_ui_speed(ui) == 0.0625);
}

static void at_the_newest_interval_it_goes_further(void **state)
{
	(void)state;
	SHOW({ "aaa", 60 });
	SHOW({ "aaa", 60 });
	assert_true(press(']') & NT_UI_FURTHER);
	assert_true(nt_ui_is_paused(ui));
	assert_int_equal(nt_ui_moment_wished(ui).sequence, 3);
	assert_true(press('}') & NT_UI_FURTHER);
	assert_true(nt_ui_moment_wished(ui).time == START + 62 * NT_NS_PER_S);
	assert_false(press('[') & NT_UI_FURTHER);
}

/* What is not kept any more is replayed anew, what was not read yet is read, and what is there is shown. */
static void a_time_is_behind_it_or_kept_or_replayed_anew(void **state)
{
	(void)state;
	for (int i = 0; i < 9; i++)
		SHOW({ "aaa", 60 });
	nt_ui_past(ui, 5, START + 5 * NT_NS_PER_S, 0);
	type("t+99");
	assert_true(has(HEIGHT - 1, "Time: +99"));
	assert_true(press(NT_KEY_ENTER) & NT_UI_FURTHER);
	assert_true(nt_ui_is_paused(ui));
	assert_int_equal(nt_ui_moment_wished(ui).time, START + 99 * NT_NS_PER_S + 1);
	type("t+7");
	assert_true(press(NT_KEY_ENTER) & NT_UI_MOMENT);
	type("t+0");
	assert_true(press(NT_KEY_ENTER) & NT_UI_ANEW);
	assert_int_equal(nt_ui_moment_wished(ui).time, START + 1);
	nt_ui_past(ui, 1, START + 5 * NT_NS_PER_S, 0);
	type("t+0");
	assert_false(press(NT_KEY_ENTER) & NT_UI_ANEW);
	type("tsoon");
	press(NT_KEY_ENTER);
	assert_true(has(HEIGHT - 1, "A time is HH:MM"));
	type("t");
	assert_int_equal(press(NT_KEY_ENTER), NT_UI_REDRAW);
}

static void nobody_is_asked(void **state)
{
	static const char keys[] = { 'H', 'D', 'a', 'd', 'l', 'O', 'Y' };
	(void)state;
	SHOW({ "aaa", 60 });
	for (size_t i = 0; i < sizeof(keys); i++) {
		assert_int_equal(press((nt_key)keys[i]), NT_UI_REDRAW);
		assert_true(has(HEIGHT - 1, "there is no process that could be asked"));
		assert_true(has(FIRST_ROW, "aaa"));
		press(NT_KEY_OTHER);
	}
	press('9');
	assert_false(has(HEIGHT - 1, "Asked for")); /* by opening a screen neither */
	press('e');
	assert_true(has(HEIGHT - 1, "there is no process that could be asked"));
	press('c');
	press('+');
	assert_true(has(HEIGHT - 1, "there is no process that could be asked"));
}

static void its_intervals_are_not_what_is_chosen(void **state)
{
	struct nt_settings settings = { .interval_ns = NT_NS_PER_S };
	(void)state;
	nt_ui_settings(ui, &settings);
	assert_int_equal(settings.interval_ns, NT_NS_PER_S);
}

/* In a live screen the keys of speed say where they belong. */
static void only_a_recording_has_a_speed(void **state)
{
	(void)state;
	SHOW({ "aaa", 60 });
	assert_int_equal(press('.'), NT_UI_REDRAW);
	assert_true(has(HEIGHT - 1, "Only a recording has a speed"));
}

#define OF_RECORDING(test) cmocka_unit_test_setup_teardown(test, begin_recording, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		OF_RECORDING(line_1_says_how_far_it_is),
		OF_RECORDING(speeds_are_doubled_and_halved_within_bounds),
		OF_RECORDING(at_the_newest_interval_it_goes_further),
		OF_RECORDING(a_time_is_behind_it_or_kept_or_replayed_anew),
		OF_RECORDING(nobody_is_asked),
		OF_RECORDING(its_intervals_are_not_what_is_chosen),
		WITH_UI(only_a_recording_has_a_speed),
	};
	return cmocka_run_group_tests(tests, use_utf8, NULL);
}
