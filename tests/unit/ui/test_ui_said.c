// SPDX-License-Identifier: GPL-2.0-only
/* What the screen must not say: another method's code, part of a number, nothing where there is something. */
#include "pressed.h"

#include "base/alloc.h"

/* RAW NAME alone is wider than this screen. */
static void the_last_column_stays(void **state)
{
	enum { USUAL = 6, RAW_NAME = 9 }; /* lines of the menu before METHOD, which is its last one */
	(void)state;
	SHOW({ "aaa", 10 });
	press('C');
	for (int i = 0; i < RAW_NAME; i++) {
		if (i < USUAL)
			press(' ');
		press(NT_KEY_DOWN);
	}
	press(' ');
	press(NT_KEY_END);
	press(' ');
	press(NT_KEY_ESCAPE);
	assert_true(has(7, "RAW NAME") && !has(7, "METHOD"));
	nt_ui_resize(ui, 40, 10);
	bool there = false;
	for (int y = 0; y < 10; y++)
		there |= has(y, "RAW NAME");
	assert_true(there);
	nt_ui_resize(ui, 1, 1);
	nt_ui_resize(ui, WIDTH, HEIGHT);
	assert_true(has(7, "RAW NAME"));
}

/* What was looked at before is not shown in its place. */
static void code_is_that_of_the_chosen_method(void **state)
{
	struct nt_snapshot *snapshot = SNAPSHOT(next_sequence++, { "aaa", 10 }, { "bbb", 5 });
	(void)state;
	snapshot->processes[0].annotation = (struct nt_annotation){ .method = 'a', .name = "aaa" };
	show_taken(snapshot);
	press('a');
	assert_true(has(7, "aaa"));
	press(NT_KEY_ESCAPE);
	press(' ');
	press(NT_KEY_DOWN);
	press('a');
	assert_false(has(7, "aaa"));
	assert_true(has(7, "bbb"));
	assert_true(has(10, "Nobody looked at its code then."));
	press(NT_KEY_ESCAPE);
	press(NT_KEY_UP);
	press('a');
	assert_true(has(7, "aaa"));
}

static void a_page_that_became_shorter_is_not_blank(void **state)
{
	enum { MANY = 600 };
	struct nt_snapshot *snapshot = SNAPSHOT(next_sequence++, { "aaa", 10 });
	struct nt_process_snapshot *process = &snapshot->processes[0];
	(void)state;
	process->threads = nt_alloc(MANY * sizeof(*process->threads));
	process->thread_count = MANY;
	for (uint32_t i = 0; i < MANY; i++)
		process->threads[i] = (struct nt_thread_row){ .id = i + 1, .tid = i + 1, .name = "worker" };
	show_taken(snapshot);
	press('S');
	assert_true(has(FIRST_ROW, "600 threads"));
	press('G');
	assert_false(has(FIRST_ROW, "600 threads"));
	SHOW({ "aaa", 10 });
	assert_true(has(FIRST_ROW, "0 threads"));
}

/* Beside the arrow there is less room than the column is wide. */
static void a_whole_cpu_is_not_cut(void **state)
{
	struct nt_snapshot *snapshot = SNAPSHOT(next_sequence++, { "aaa", 10 });
	struct nt_process_snapshot *process = &snapshot->processes[0];
	(void)state;
	process->threads = nt_alloc(sizeof(*process->threads));
	process->threads[0] = (struct nt_thread_row){ .id = 1, .tid = 7, .name = "spins", .cpu_pct = nt_f64_of(100) };
	process->thread_count = 1;
	show_taken(snapshot);
	nt_ui_resize(ui, 40, 10);
	press('4');
	bool whole = false;
	for (int y = 0; y < 10; y++)
		whole |= has(y, "100 ") && has(y, "spins");
	assert_true(whole);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		WITH_UI(the_last_column_stays),
		WITH_UI(code_is_that_of_the_chosen_method),
		WITH_UI(a_page_that_became_shorter_is_not_blank),
		WITH_UI(a_whole_cpu_is_not_cut),
	};
	return cmocka_run_group_tests(tests, use_utf8, NULL);
}
