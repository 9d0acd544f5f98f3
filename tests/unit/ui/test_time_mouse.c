// SPDX-License-Identifier: GPL-2.0-only
/* The mouse on the screen of time. In a terminal: tests/pty/test_mouse.py. */
#include "minutes.h"

static unsigned mouse(enum nt_mouse kind, int column, int y)
{
	return press(nt_key_mouse(kind, LABEL + column, y));
}

/* As the program does it when the screen asks. */
static void show_wished(void)
{
	struct nt_snapshot *snapshot = interval(nt_ui_moment_wished(ui).sequence, 42);
	nt_ui_go_back(ui, snapshot, now);
	nt_snapshot_release(snapshot);
}

static void a_click_leads_to_what_is_seen_there(void **state)
{
	(void)state;
	nt_ui_resize(ui, WIDTH, 40);
	const int top = 1; /* there is a line more of tiles */
	press('m');
	pass(100, 77);
	for (unsigned i = 0; i < 50; i++) {
		struct nt_snapshot *snapshot = interval(next_sequence++, 0);
		if (i == 30) {
			snapshot->processes->findings = nt_alloc(sizeof(*snapshot->processes->findings));
			snapshot->processes->finding_count = 1;
			snapshot->processes->findings->text = snapshot->processes->findings->short_text =
				snapshot->processes->findings->brief_text = "";
		}
		show_taken(snapshot);
	}
	/* Three seconds a column: the peak is in one of them, and the finding in another. */
	assert_true(mouse(NT_MOUSE_CLICK, column_of(top + CPU, "█"), top + CPU) & NT_UI_MOMENT);
	assert_int_equal(nt_ui_moment_wished(ui).sequence, 77);
	show_wished();
	assert_true(has(0, "PAUSED"));
	assert_true(mouse(NT_MOUSE_CLICK, column_of(top + FINDINGS, "!"), top + FINDINGS) & NT_UI_MOMENT);
	assert_int_equal(nt_ui_moment_wished(ui).sequence, 131);
	show_wished();
	/* Where nothing is. */
	assert_int_equal(mouse(NT_MOUSE_CLICK, 0, top + CPU), 0);
	assert_int_equal(mouse(NT_MOUSE_CLICK, COLUMNS, top + CPU), 0);
	assert_int_equal(mouse(NT_MOUSE_CLICK, -3, top + CPU), 0);
	/* Let go in the same place nothing is chosen. */
	assert_int_equal(mouse(NT_MOUSE_CLICK, COLUMNS - 1, top + GC) & NT_UI_MOMENT, NT_UI_MOMENT);
	show_wished();
	assert_int_equal(mouse(NT_MOUSE_RELEASE, COLUMNS - 1, top + CPU), 0);
	assert_int_equal(press(NT_KEY_ENTER) & NT_UI_MOMENT, 0);
	press('m');
	/* The wheel is [ and ]. */
	assert_true(mouse(NT_MOUSE_WHEEL_UP, 3, top + CPU) & NT_UI_MOMENT);
	assert_int_equal(nt_ui_moment_wished(ui).sequence, 149);
	show_wished();
	assert_true(mouse(NT_MOUSE_WHEEL_DOWN, 3, top + CPU) & NT_UI_MOMENT);
	assert_int_equal(nt_ui_moment_wished(ui).sequence, 150);
}

static void columns_are_dragged_over(void **state)
{
	(void)state;
	nt_ui_resize(ui, WIDTH, 40);
	const int top = 1; /* there is a line more of tiles */
	press('m');
	pass(150, 0);
	/* From right to left and from left to right: all of both columns. */
	for (int back = 0; back < 2; back++) {
		int left = COLUMNS - 11, right = COLUMNS - 6;
		if (mouse(NT_MOUSE_CLICK, back ? right : left, top + CPU) & NT_UI_MOMENT)
			show_wished();
		assert_true(mouse(NT_MOUSE_RELEASE, back ? left : right, top + WAITS) & NT_UI_MOMENT);
		show_wished();
		assert_true(has(top + PLACE, "chosen "));
		assert_int_equal(column_of(top + PLACE, "-"), left);
		assert_true(has(top + PLACE, " ------"));
		assert_false(has(top + PLACE, "-------"));
		assert_true(press(NT_KEY_ENTER) & NT_UI_MOMENT);
		struct nt_ui_moment span = nt_ui_moment_wished(ui);
		assert_int_equal(span.to - span.from, 6 * 3 * NT_NS_PER_S);
		assert_int_equal(column_with((span.from - START) / NT_NS_PER_S + 1, 150, 3), left);
	}
	/* The next click begins anew. */
	mouse(NT_MOUSE_CLICK, COLUMNS - 1, top + CPU);
	show_wished();
	assert_false(has(top + PLACE, "chosen"));
}

static void cells_of_the_heat_map_are_dragged_over(void **state)
{
	const nt_time tenth = NT_NS_PER_S / 10;
	(void)state;
	nt_ui_resize(ui, WIDTH, 40);
	press('m');
	pass_sampled(100);
	int bottom = row_with("        0 ");
	assert_true(bottom < 40);
	/* 56 columns of an interval each: the last one is the 100th. It does not move under the mouse. */
	mouse(NT_MOUSE_CLICK, COLUMNS - 10, bottom - 3);
	assert_int_equal(nt_ui_moment_wished(ui).sequence, 91);
	show_wished();
	pass_sampled(3);
	assert_int_equal(column_of(bottom - 10, "↓"), COLUMNS - 10);
	assert_true(has(bottom - 3, " <"));
	mouse(NT_MOUSE_RELEASE, COLUMNS - 8, bottom - 1);
	assert_int_equal(nt_ui_moment_wished(ui).sequence, 93);
	show_wished();
	assert_int_equal(column_of(bottom - 3, "x"), COLUMNS - 10);
	check_span(end_of(90) + 3 * tenth, end_of(92) + 2 * tenth);
	/* Back beyond its begin it moves as little as it has to; live again its last column is the newest. */
	assert_true(press('{') & NT_UI_MOMENT);
	ui->moment = (struct nt_ui_moment){ .sequence = 33 };
	show_wished();
	assert_int_equal(column_of(bottom - 10, "↓"), 0);
	press(' ');
	pass_sampled(1);
	mouse(NT_MOUSE_CLICK, COLUMNS - 1, bottom);
	assert_int_equal(ui->shown->sequence, 104);
	assert_int_equal(press(NT_KEY_ENTER) & NT_UI_MOMENT, NT_UI_MOMENT);
	assert_int_equal(nt_ui_moment_wished(ui).from, end_of(103));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		WITH_UI(a_click_leads_to_what_is_seen_there),
		WITH_UI(columns_are_dragged_over),
		WITH_UI(cells_of_the_heat_map_are_dragged_over),
	};
	return cmocka_run_group_tests(tests, use_utf8, NULL);
}
