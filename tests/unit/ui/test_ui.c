// SPDX-License-Identifier: GPL-2.0-only
#include "pressed.h"

#include "nettop/source.h"

static void nothing_is_needed_to_draw(void **state)
{
	(void)state;
	assert_true(has(0, "4711 shop"));
	assert_true(has(5, "Waiting for the first interval"));
	const nt_key keys[] = { 'p', 'z', 'o', 's', NT_KEY_ENTER, 'n', 'F', 'I', NT_KEY_DOWN, 'G', '<', 'K', '2', '0', '?', NT_KEY_ESCAPE };
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		press(keys[i]);
	assert_true(has(0, "4711 shop"));
}

static void effects_are_for_the_loop(void **state)
{
	(void)state;
	assert_int_equal(press('q'), NT_UI_QUIT);
	assert_int_equal(press(nt_key_ctrl('c')), NT_UI_INTERRUPT);
	assert_int_equal(press(NT_KEY_F10), NT_UI_QUIT);
	assert_int_equal(press(nt_key_ctrl('z')), NT_UI_SUSPEND);
	assert_int_equal(press(nt_key_ctrl('l')), NT_UI_REDRAW | NT_UI_REPAINT);
	/* Keys without a meaning are told. */
	assert_int_equal(press('m'), NT_UI_REDRAW);
	assert_int_equal(press(NT_KEY_OTHER), NT_UI_REDRAW);
}

static void an_interval_is_asked_for_and_checked(void **state)
{
	(void)state;
	type("d0.5");
	assert_true(press(NT_KEY_ENTER) & NT_UI_INTERVAL);
	assert_int_equal(nt_ui_interval(ui), NT_NS_PER_S / 2);
	static const char *const wrong[] = { "0", "3601", "-1", "nan", "inf", "1x", "1e99", "0.01", "zero", " " };
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		press('d');
		type(wrong[i]);
		assert_int_equal(press(NT_KEY_ENTER), NT_UI_REDRAW);
		assert_true(has(HEIGHT - 1, "0.1 to 3600"));
		assert_int_equal(nt_ui_interval(ui), NT_NS_PER_S / 2);
	}
	type("d");
	press(NT_KEY_ESCAPE);
	type("d");
	assert_int_equal(press(NT_KEY_ENTER), NT_UI_REDRAW);
	assert_false(has(HEIGHT - 1, "0.1 to 3600"));
	assert_int_equal(nt_ui_interval(ui), NT_NS_PER_S / 2);
	/* A longer one hides nothing that was found. */
	SHOW({ "aaa", 10 });
	type("d60");
	press(NT_KEY_ENTER);
	assert_int_equal(nt_ui_interval(ui), 60 * NT_NS_PER_S);
	assert_false(has(5, "Waiting for the first interval"));
}

static void in_a_prompt_letters_are_text(void **state)
{
	(void)state;
	SHOW({ "quick", 10 }, { "slow", 5 });
	type("/");
	assert_int_equal(press('q'), NT_UI_REDRAW);
	assert_true(has(FIRST_ROW, "quick"));
	assert_true(has(HEIGHT - 1, "/ q"));
	assert_false(has(FIRST_ROW + 1, "slow"));
	/* Except for this one. */
	assert_int_equal(press(nt_key_ctrl('c')), NT_UI_INTERRUPT);
}

/* Who copied a line with a q in it has not asked for the end. */
static void what_is_pasted_is_no_key(void **state)
{
	static const char text[] = "q1?/ x";
	(void)state;
	SHOW({ "quick", 10 }, { "slow", 5 });
	for (const char *at = text; *at; at++)
		assert_int_equal(press((nt_key)*at | NT_KEY_PASTED), NT_UI_REDRAW);
	assert_true(has(HEIGHT - 1, "nothing asks for any here"));
	assert_true(has(FIRST_ROW, "quick") && has(FIRST_ROW + 1, "slow"));
	type("/");
	press('s' | NT_KEY_PASTED);
	press('l' | NT_KEY_PASTED);
	assert_true(has(HEIGHT - 1, "/ sl"));
	assert_true(has(FIRST_ROW, "slow"));
	press(NT_KEY_ESCAPE);
	/* One key is asked for, and no text. */
	press('x');
	assert_int_equal(press('k' | NT_KEY_PASTED), NT_UI_REDRAW);
	assert_true(has(HEIGHT - 1, "Only: "));
	press(NT_KEY_ESCAPE);
	type("d");
	press('2' | NT_KEY_PASTED);
	assert_true(press(NT_KEY_ENTER) & NT_UI_INTERVAL);
	assert_int_equal(nt_ui_interval(ui), 2 * NT_NS_PER_S);
}

static void a_prompt_can_be_edited(void **state)
{
	(void)state;
	SHOW({ "abc", 10 }, { "äbc", 5 });
	type("/\xc3"); /* a byte alone is a character of its own: U+00C3 */
	press(NT_KEY_BACKSPACE);
	press(0xe4);
	type("b");
	assert_true(has(HEIGHT - 1, "/ äb"));
	press(NT_KEY_BACKSPACE);
	press(NT_KEY_BACKSPACE);
	press(NT_KEY_BACKSPACE);
	assert_false(has(HEIGHT - 1, "ä"));
	type("xyz");
	press(nt_key_ctrl('u'));
	assert_false(has(HEIGHT - 1, "xyz"));
	for (int i = 0; i < 1000; i++)
		press('w');
	press(NT_KEY_ENTER);
	assert_true(has(FIRST_ROW, "No row matches"));
}

static void escape_goes_out_step_by_step(void **state)
{
	(void)state;
	SHOW({ "abc", 10 }, { "bcd", 5 });
	type("/bc");
	press(NT_KEY_ENTER);
	press(NT_KEY_ENTER);
	assert_true(has(7, "CALLEES OF abc"));
	press(NT_KEY_ENTER);
	assert_true(has(7, "DETAIL"));
	press('?');
	assert_true(has(7, "HELP"));
	press(NT_KEY_ESCAPE);
	assert_true(has(7, "DETAIL"));
	press(NT_KEY_ESCAPE);
	assert_true(has(7, "CALLEES OF abc"));
	press(NT_KEY_ESCAPE);
	assert_true(has(7, "filter: bc"));
	press(NT_KEY_ESCAPE);
	assert_false(has(7, "filter"));
	press(NT_KEY_ESCAPE);
	assert_true(has(HEIGHT - 1, "q quits"));
}

static void at_the_top_the_cursor_means_the_worst_row(void **state)
{
	(void)state;
	SHOW({ "aaa", 10 }, { "bbb", 5 }, { "ccc", 1 });
	assert_true(selected(0));
	SHOW({ "aaa", 10 }, { "bbb", 50 }, { "ccc", 1 });
	assert_true(selected(0) && has(FIRST_ROW, "bbb"));
}

static void once_moved_the_cursor_stays_on_its_row(void **state)
{
	(void)state;
	SHOW({ "aaa", 10 }, { "bbb", 5 }, { "ccc", 1 });
	press(NT_KEY_DOWN);
	assert_true(selected(1) && has(FIRST_ROW + 1, "bbb"));
	SHOW({ "aaa", 10 }, { "bbb", 5 }, { "ccc", 99 }, { "ddd", 88 });
	assert_true(selected(3) && has(FIRST_ROW + 3, "bbb"));
	SHOW({ "aaa", 10 }, { "ccc", 99 });
	assert_true(selected(1) && has(FIRST_ROW + 1, "aaa"));
	press('g');
	SHOW({ "aaa", 200 }, { "ccc", 99 });
	assert_true(selected(0) && has(FIRST_ROW, "aaa"));
}

static void following_keeps_a_row_even_at_the_top(void **state)
{
	(void)state;
	SHOW({ "aaa", 10 }, { "bbb", 5 });
	press('F');
	SHOW({ "aaa", 10 }, { "bbb", 50 });
	assert_true(selected(1) && has(FIRST_ROW + 1, "aaa"));
	type("/bbb");
	press(NT_KEY_ENTER);
	assert_true(has(FIRST_ROW + 1, "aaa"));
	press('F');
	assert_false(has(FIRST_ROW + 1, "aaa"));
}

static void a_pause_freezes_what_is_shown(void **state)
{
	(void)state;
	SHOW({ "aaa", 10 });
	press(' ');
	assert_true(has(0, "PAUSED"));
	SHOW({ "bbb", 10 });
	assert_true(has(FIRST_ROW, "aaa"));
	/* Sorting and filtering go on. */
	type("/nothing");
	press(NT_KEY_ENTER);
	assert_true(has(FIRST_ROW, "No row matches"));
	press(NT_KEY_ESCAPE);
	press('p');
	assert_true(has(0, "LIVE") && has(FIRST_ROW, "bbb"));
}

static void the_end_is_told_in_a_pause_too(void **state)
{
	(void)state;
	SHOW({ "aaa", 10 });
	press('p');
	struct nt_snapshot *last = SNAPSHOT(2, { "bbb", 10 });
	last->processes[0].target.ended = true;
	last->processes[0].target.ended_at = last->t1;
	last->processes[0].target.end_text = "exit status 0";
	show_taken(last);
	assert_true(has(5, "! now: target ended at") && has(5, "exit status 0"));
	assert_true(has(0, "PAUSED") && has(FIRST_ROW, "aaa"));
	press('p');
	assert_true(has(5, "! Target ended at") && has(0, "ENDED"));
}

static void each_screen_has_its_own_state(void **state)
{
	(void)state;
	SHOW({ "aaa", 10 }, { "bbb", 5 });
	type("/bbb");
	press(NT_KEY_ENTER);
	press('0');
	assert_true(has(6, "[0 Src]"));
	assert_false(has(8, "filter"));
	press('R');
	press(NT_KEY_TAB); /* from the last to the first */
	assert_true(has(6, "[1 Methods]") && has(7, "filter: bbb"));
	press(NT_KEY_BACKTAB);
	assert_true(has(6, "[R]"));
	press('2');
	assert_true(has(6, "[2 GC]"));
}

static void sorting_walks_over_the_columns(void **state)
{
	(void)state;
	SHOW({ "aaa", 10 }, { "bbb", 50 });
	press('<');
	assert_true(has(7, "METHOD↑") && has(FIRST_ROW, "aaa"));
	press('I');
	assert_true(has(7, "METHOD↓") && has(FIRST_ROW, "bbb"));
	press('>');
	assert_true(has(7, "SELF%↓"));
	press('s');
	assert_true(has(7, "SORT BY"));
	press(NT_KEY_DOWN);
	press(NT_KEY_ENTER);
	assert_true(has(7, "TOTAL%↓"));
}

/* Who comes from top presses P, M and T to sort. */
static void keys_of_top_sort(void **state)
{
	(void)state;
	SHOW({ "aaa", 10 }, { "bbb", 50 });
	press('<');
	assert_true(has(7, "METHOD↑"));
	assert_int_equal(press('P'), NT_UI_REDRAW);
	assert_true(has(7, "SELF%↓") && has(FIRST_ROW, "bbb"));
	press('M');
	assert_true(has(HEIGHT - 1, "No column of memory here") && has(7, "SELF%↓"));
	press('I');
	assert_true(has(7, "SELF%↑") && has(FIRST_ROW, "aaa"));
	press('2');
	press('T');
	assert_true(has(11, "PAUSE ms↓") || has(12, "PAUSE ms↓"));
	press('M');
	assert_true(has(11, "AFTER↓") || has(12, "AFTER↓"));
}

/* A file under the name that was confirmed, and none before that. */
static void writing_asks_for_a_name(void **state)
{
	(void)state;
	assert_int_equal(press('w') | press(NT_KEY_ENTER), NT_UI_REDRAW);
	assert_true(has(HEIGHT - 1, "nothing to write yet"));
	SHOW({ "aaa", 10 });
	assert_int_equal(press('w') | press(NT_KEY_ENTER) | press(NT_KEY_ESCAPE), NT_UI_REDRAW);
	assert_false(has(HEIGHT - 1, "File:"));
	assert_int_equal(press('w') | press(NT_KEY_ENTER), NT_UI_REDRAW);
	assert_int_equal(press(NT_KEY_ENTER), NT_UI_REDRAW | NT_UI_WRITE);
	struct nt_file_wish wish = nt_ui_file_wish(ui);
	assert_int_equal(wish.file, NT_FILE_SCREEN);
	assert_true(wish.suggested);
	assert_ptr_equal(strstr(wish.name, "nettop-4711-methods-"), wish.name);
	press('w');
	press(NT_KEY_ENTER);
	press(nt_key_ctrl('u'));
	type("mine.txt");
	assert_int_equal(press(NT_KEY_ENTER), NT_UI_REDRAW | NT_UI_WRITE);
	wish = nt_ui_file_wish(ui);
	assert_string_equal(wish.name, "mine.txt");
	assert_false(wish.suggested);
	/* What nobody keeps is nothing to write. */
	press('w');
	press(NT_KEY_END);
	assert_int_equal(press(NT_KEY_ENTER), NT_UI_REDRAW);
	assert_true(has(HEIGHT - 1, "Nothing is kept of what was: start nettop with --flight MINUTES"));
	press(NT_KEY_ENTER);
	press('w');
	press(NT_KEY_DOWN);
	press(NT_KEY_ENTER);
	press(NT_KEY_ENTER);
	assert_int_equal(nt_ui_file_wish(ui).file, NT_FILE_JSON);
	press('w');
	press(NT_KEY_DOWN);
	press(NT_KEY_DOWN);
	press(NT_KEY_ENTER);
	press(NT_KEY_ENTER);
	assert_int_equal(nt_ui_file_wish(ui).file, NT_FILE_FLAMEGRAPH);
}

static void a_recording_begins_is_seen_and_ends(void **state)
{
	(void)state;
	SHOW({ "aaa", 10 });
	nt_ui_tape(ui, &(struct nt_ui_tape){ .kept_ns = 9 * NT_NS_PER_S });
	press('w');
	press(NT_KEY_END);
	press(NT_KEY_ENTER);
	assert_int_equal(press(NT_KEY_ENTER), NT_UI_REDRAW | NT_UI_WRITE);
	assert_int_equal(nt_ui_file_wish(ui).file, NT_FILE_LAST_MINUTES);
	assert_non_null(strstr(nt_ui_file_wish(ui).name, "nettop-4711-"));
	press('w');
	press(NT_KEY_END);
	press(NT_KEY_UP);
	press(NT_KEY_ENTER);
	assert_int_equal(press(NT_KEY_ENTER), NT_UI_REDRAW | NT_UI_WRITE);
	assert_int_equal(nt_ui_file_wish(ui).file, NT_FILE_RECORDING);
	assert_false(has(0, "REC"));
	nt_ui_tape(ui, &(struct nt_ui_tape){ .records = true, .bytes = 3 << 20 });
	assert_true(has(0, "REC 3.0M LIVE") || has(0, "REC 3.00M LIVE"));
	/* It ends without a name. */
	press('w');
	press(NT_KEY_END);
	press(NT_KEY_UP);
	assert_int_equal(press(NT_KEY_ENTER), NT_UI_REDRAW | NT_UI_WRITE);
	assert_int_equal(nt_ui_file_wish(ui).file, NT_FILE_NO_RECORDING);
}

static void keys_of_later_say_what_they_come_with(void **state)
{
	(void)state;
	SHOW({ "aaa", 10 });
	for (size_t i = 0; i < nt_key_table_count; i++) {
		const struct nt_key_entry *entry = &nt_key_table[i];
		if (entry->action != NT_DO_LATER)
			continue;
		assert_int_equal(press(entry->keys[0]), NT_UI_REDRAW);
		assert_true(has(HEIGHT - 1, ": not in this version; comes with ") && has(HEIGHT - 1, entry->comes_with));
	}
	press('c');
	press('v');
	assert_true(has(HEIGHT - 1, "v: not in this version; comes with groupings"));
	press('1');
	press('v');
	assert_true(has(7, "WHAT CPU TIME IS FOR"));
	press('v');
	assert_true(has(7, "METHOD"));
	press('2');
	press('v');
	assert_true(has(7, "WHAT THE MEMORY CONSISTS OF"));
	press('v');
	press('1');
	press(NT_KEY_ENTER);
	press('v');
	assert_false(has(HEIGHT - 1, "not in this version"));
	press('%');
	assert_true(has(HEIGHT - 1, "No such key here"));
}

static void kernel_rows_can_be_hidden(void **state)
{
	(void)state;
	SHOW({ "aaa", 10 }, { "kernel_function", 50 });
	press('K');
	assert_true(has(FIRST_ROW, "aaa") && has(7, "no kernel"));
	press('U');
	assert_true(has(FIRST_ROW, "kernel_function") && has(7, "no user"));
	press('U');
	assert_true(has(FIRST_ROW, "kernel_function") && has(FIRST_ROW + 1, "aaa"));
}

/* By TOTAL%, and of these only the program's; the order comes back with all rows. */
static void only_the_programs_own_methods_are_shown(void **state)
{
	(void)state;
	SHOW({ "aaa", 50 }, { "own_method", 10 }, { "kernel_function", 30 });
	press('y');
	assert_true(has(FIRST_ROW, "own_method") && has(7, "my code") && has(7, "TOTAL%↓"));
	assert_false(has(FIRST_ROW + 1, "aaa") || has(FIRST_ROW + 1, "kernel_function"));
	press('2');
	press('y');
	assert_true(has(HEIGHT - 1, "No such key here"));
	press('1'); /* it stays as it was */
	assert_true(has(FIRST_ROW, "own_method") && has(7, "my code"));
	press(NT_KEY_ENTER); /* in the calls of each, too */
	assert_true(has(7, "my code"));
	press('y');
	assert_false(has(7, "my code"));
	press('y');
	press(NT_KEY_ESCAPE);
	assert_true(has(FIRST_ROW, "own_method") && has(7, "my code"));
	press('y');
	assert_true(has(FIRST_ROW, "aaa") && has(FIRST_ROW + 1, "kernel_function") && has(7, "SELF%↓"));
	assert_false(has(7, "my code"));
	/* Where there is none it is said what hides the others. */
	SHOW({ "aaa", 50 });
	press('y');
	assert_true(has(FIRST_ROW, "y shows all"));
	press('y');
	assert_true(has(FIRST_ROW, "aaa"));
}

static void counts_can_start_again_from_zero(void **state)
{
	(void)state;
	SHOW({ "aaa", 100 }, { "bbb", 10 });
	press('z');
	assert_true(has(7, "since "));
	/* The totals are share x sequence: `aaa` had 100 of 100 and now has 200; `ccc` was there before but did not run. */
	struct nt_snapshot *second = SNAPSHOT(2, { "aaa", 100 }, { "bbb", 0 }, { "ccc", 5 });
	second->processes[0].samples_all = 105;
	show_taken(second);
	press(NT_KEY_ENTER);
	press(NT_KEY_ENTER);
	assert_true(has(FIRST_ROW, "aaa"));
	bool counted = false;
	for (int y = FIRST_ROW; y < HEIGHT - 1; y++)
		counted |= has(y, "SAMPLES       100");
	assert_true(counted);
	press(NT_KEY_ESCAPE);
	press(NT_KEY_ESCAPE);
	assert_true(has(FIRST_ROW + 1, "ccc") && has(FIRST_ROW + 1, "4.8")); /* 5 of 105 */
	press('o');
	assert_true(has(7, "since attach"));
	press('o');
	assert_true(has(7, "last 10s"));
	/* Back from there also on a screen that has no window. */
	press('6');
	press('o');
	assert_true(has(HEIGHT - 1, "No such key here"));
	press('z');
	assert_true(has(HEIGHT - 1, "o goes back to all since attach"));
	press('o');
	assert_true(has(HEIGHT - 1, "All since attach again"));
	press('1');
	assert_true(has(7, "since attach"));
}

static void messages_end(void **state)
{
	(void)state;
	nt_ui_message(ui, now, "a\x1b[2Jb");
	assert_true(has(HEIGHT - 1, "a\\x1b[2Jb"));
	assert_int_equal(nt_ui_tick(ui, now + 4 * NT_NS_PER_S), 0);
	assert_int_equal(nt_ui_tick(ui, now + 5 * NT_NS_PER_S), NT_UI_REDRAW);
	assert_false(has(HEIGHT - 1, "2Jb"));
	assert_int_equal(nt_ui_tick(ui, now + 6 * NT_NS_PER_S), 0);
}

static void another_size_keeps_the_row(void **state)
{
	(void)state;
	SHOW({ "aaa", 10 }, { "bbb", 9 }, { "ccc", 8 }, { "ddd", 7 }, { "eee", 6 }, { "fff", 5 }, { "ggg", 4 });
	press('G');
	nt_ui_resize(ui, 40, 10);
	bool found = false;
	for (int y = 0; y < 10; y++)
		found |= has(y, "ggg");
	assert_true(found);
	nt_ui_resize(ui, 32, 8);
	assert_true(has(0, "nettop needs 40x10, this is 32x8"));
	nt_ui_resize(ui, WIDTH, HEIGHT);
	assert_true(selected(6) && has(FIRST_ROW + 6, "ggg"));
}

static void snapshots_are_given_back(void **state)
{
	struct nt_snapshot *snapshot = SNAPSHOT(1, { "aaa", 10 });
	(void)state;
	nt_ui_snapshot(ui, snapshot, now);
	assert_true(snapshot->refs > 1);
	SHOW({ "bbb", 1 });
	assert_int_equal(snapshot->refs, 1);
	nt_snapshot_release(snapshot);
}

/* Once, as long as it lasts: each snapshot says it again. */
static void a_session_that_harms_is_logged(void **state)
{
	(void)state;
	struct nt_log *log = nt_log_new();
	const struct nt_ui_config config = { .pid = 4711, .name = "shop", .interval_ns = NT_NS_PER_S, .log = log };
	nt_ui_free(ui);
	ui = nt_ui_new(&config);
	static const char *const said[] = { NULL, "it can end the target", "it can end the target", NULL, "again" };
	for (size_t i = 0; i < sizeof(said) / sizeof(*said); i++) {
		struct nt_snapshot *snapshot = SNAPSHOT(next_sequence++, { "aaa", 1 });
		snapshot->source_count = 1;
		snapshot->sources[0] = (struct nt_source_row){ .id = NT_SOURCE_LTTNG, .state = NT_STATE_DELIVERING, .reason = said[i] };
		show_taken(snapshot);
	}
	assert_int_equal(nt_log_count(log), 2);
	assert_string_equal(nt_log_line(log, 0).text, said[1]);
	assert_string_equal(nt_log_line(log, 1).text, said[4]);
	nt_ui_free(ui);
	ui = NULL;
	nt_log_free(log);
}

/* It is what is asked for, so it is what is looked at; the runtime's sampler is not asked. */
static void wall_time_is_the_first_screen(void **state)
{
	(void)state;
	const struct nt_ui_config config = { .pid = 4711, .name = "shop", .interval_ns = NT_NS_PER_S, .wall = true };
	nt_ui_free(ui);
	ui = nt_ui_new(&config);
	assert_int_equal(nt_ui_demand(ui), NT_WANT_LOOKS | NT_WANT_SWITCHES);
}

/* Nobody has to restart a program for LTTng while EventPipe brings its events. */
static void no_fix_for_what_is_not_missing(void **state)
{
	(void)state;
	static const enum nt_source_state eventpipe[] = { NT_STATE_DELIVERING, NT_STATE_FORBIDDEN };
	for (size_t i = 0; i < sizeof(eventpipe) / sizeof(*eventpipe); i++) {
		struct nt_snapshot *snapshot = SNAPSHOT(next_sequence++, { "aaa", 1 });
		snapshot->source_count = 2;
		snapshot->sources[0] = (struct nt_source_row){
			.id = NT_SOURCE_LTTNG, .state = NT_STATE_ABSENT, .reason = "no LTTng events", .fix = "restart the target"
		};
		snapshot->sources[1] = (struct nt_source_row){ .id = NT_SOURCE_EVENTPIPE, .state = eventpipe[i] };
		show_taken(snapshot);
		press('L');
		assert_int_equal(has(FIRST_ROW + 1, "restart the target"), eventpipe[i] != NT_STATE_DELIVERING);
		press('L');
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		WITH_UI(nothing_is_needed_to_draw),
		WITH_UI(effects_are_for_the_loop),
		WITH_UI(an_interval_is_asked_for_and_checked),
		WITH_UI(in_a_prompt_letters_are_text),
		WITH_UI(what_is_pasted_is_no_key),
		WITH_UI(a_prompt_can_be_edited),
		WITH_UI(escape_goes_out_step_by_step),
		WITH_UI(at_the_top_the_cursor_means_the_worst_row),
		WITH_UI(once_moved_the_cursor_stays_on_its_row),
		WITH_UI(following_keeps_a_row_even_at_the_top),
		WITH_UI(a_pause_freezes_what_is_shown),
		WITH_UI(the_end_is_told_in_a_pause_too),
		WITH_UI(each_screen_has_its_own_state),
		WITH_UI(sorting_walks_over_the_columns),
		WITH_UI(keys_of_top_sort),
		WITH_UI(writing_asks_for_a_name),
		WITH_UI(a_recording_begins_is_seen_and_ends),
		WITH_UI(keys_of_later_say_what_they_come_with),
		WITH_UI(kernel_rows_can_be_hidden),
		WITH_UI(only_the_programs_own_methods_are_shown),
		WITH_UI(counts_can_start_again_from_zero),
		WITH_UI(messages_end),
		WITH_UI(another_size_keeps_the_row),
		WITH_UI(snapshots_are_given_back),
		WITH_UI(a_session_that_harms_is_logged),
		WITH_UI(wall_time_is_the_first_screen),
		WITH_UI(no_fix_for_what_is_not_missing),
	};
	return cmocka_run_group_tests(tests, use_utf8, NULL);
}
