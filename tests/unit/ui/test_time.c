// SPDX-License-Identifier: GPL-2.0-only
/* The minutes on one axis, and going back to an interval among them. */
#include "minutes.h"

static void one_second_is_seen_among_many(void **state)
{
	(void)state;
	press('m');
	assert_true(has(FIRST_ROW - 1, "THE LAST QUARTER OF AN HOUR"));
	pass(900, 450);
	/* 56 columns; the newest is in the last. */
	assert_int_equal(column_of(CPU, "█"), column_with(450, 900, 20));
	assert_true(has(CPU, "100%"));
	assert_true(has(GC, "not told"));
	assert_true(has(REQUESTS, "not told"));
	assert_true(has(PLACE + 1, "20 s a column"));
	/* After a quarter of an hour it is gone. */
	pass(600, 0);
	assert_int_equal(column_of(CPU, "█"), -1);
	assert_true(has(CPU, "_"));
}

static void a_short_time_has_short_columns(void **state)
{
	(void)state;
	press('m');
	pass(20, 11);
	assert_true(has(PLACE + 1, "1 s a column"));
	assert_int_equal(column_of(CPU, "█"), COLUMNS - 1 - 9);
	assert_int_equal(column_of(CPU, "_"), COLUMNS - 20); /* what was before is blank: nobody knows it */
	assert_int_equal(column_of(PLACE, "↑"), COLUMNS - 1);
}

/* What is over stays as it is, until all of it moves by a column: a look at a line is not a search for it, and a terminal has little to show anew. */
static void columns_stand_for_the_same_time(void **state)
{
	char before[1024], clocks[1024];
	unsigned moved = 0, later = 0;
	(void)state;
	press('m');
	pass(200, 150);
	for (unsigned i = 0; i < 12; i++) {
		int was = column_of(CPU, "█");
		snprintf(before, sizeof(before), "%s", line(CPU));
		snprintf(clocks, sizeof(clocks), "%s", line(CLOCKS));
		pass(1, 0);
		bool moves = column_of(CPU, "█") == was - 1;
		assert_true(moves || strcmp(line(CPU), before) == 0);
		moved += moves;
		later += strcmp(line(CLOCKS), clocks) != 0;
		assert_int_equal(column_of(CPU, "█"), column_with(150, 200 + i + 1, 4));
	}
	assert_int_equal(moved, 3);
	assert_int_equal(later, 3);
	/* The times of day are whole minutes, and that of a column is when it begins. */
	const char *clock = strchr(line(CLOCKS), ':') - 2;
	unsigned minute, second;
	assert_int_equal(sscanf(clock + 3, "%2u:%2u", &minute, &second), 2);
	assert_int_equal(second, 0);
}

/* Each column that it lasts has its value: blank would be what is not known. */
static void a_long_interval_fills_its_columns(void **state)
{
	(void)state;
	press('m');
	for (unsigned i = 0; i < 3; i++) {
		struct nt_snapshot *snapshot = interval(next_sequence++, 50);
		snapshot->t0 = START + 5 * i * NT_NS_PER_S;
		snapshot->t1 = START + 5 * (i + 1) * NT_NS_PER_S;
		show_taken(snapshot);
	}
	assert_true(has(PLACE + 1, "1 s a column"));
	assert_int_equal(column_of(CPU, "█"), COLUMNS - 15);
	assert_true(has(CPU, "███████████████ 50.0%"));
}

static void a_finding_is_a_mark(void **state)
{
	(void)state;
	press('m');
	pass(5, 0);
	struct nt_snapshot *found = interval(next_sequence++, 0);
	found->processes->findings = nt_alloc(sizeof(*found->processes->findings));
	found->processes->finding_count = 1;
	found->processes->findings->text = found->processes->findings->short_text = found->processes->findings->brief_text = "";
	show_taken(found);
	pass(3, 0);
	assert_int_equal(column_of(FINDINGS, "!"), COLUMNS - 1 - 3);
}

/* 300 ms of an interval in which nothing else was sampled. */
static void a_burst_within_a_second_is_bright(void **state)
{
	(void)state;
	nt_ui_resize(ui, WIDTH, 40);
	press('m');
	for (unsigned i = 0; i < 12; i++) {
		struct nt_snapshot *snapshot = interval(next_sequence++, 0);
		struct nt_interval_samples *samples = &snapshot->processes->interval_samples;
		samples->known = i != 2;
		for (unsigned part = 0; part < NT_INTERVAL_PARTS; part++)
			samples->parts[part] = i == 8 && part >= 20 && part < 35 ? 2 : i == 4 && part == 0;
		show_taken(snapshot);
	}
	int bottom = 0;
	for (int y = PLACE + 2; y < 40; y++)
		if (strncmp(line(y), "        0 ", 10) == 0)
			bottom = y;
	assert_true(bottom > 0);
	/* Ten rows of 100 ms. */
	for (int row = 0; row < 10; row++) {
		assert_int_equal(column_of(bottom - row, "█"), row >= 4 && row < 7 ? COLUMNS - 4 : -1);
		assert_int_equal(column_of(bottom - row, "░"), row == 0 ? COLUMNS - 8 : -1);
		assert_int_equal(column_of(bottom - row, "·"), COLUMNS - 12);
	}
	assert_true(has(bottom - 4, "400ms"));
	assert_true(has(bottom + 1, "a full cell: 10"));
	size_t empty = 0;
	for (const char *at = line(bottom - 1); (at = strstr(at, "·")); at++)
		empty++;
	assert_int_equal(empty, 11); /* nothing is known of one of the twelve */
}

/* What the program does when the screen asks for an interval. */
static void go(nt_key key, uint64_t expected)
{
	assert_true(press(key) & NT_UI_MOMENT);
	struct nt_ui_moment wished = nt_ui_moment_wished(ui);
	uint64_t sequence = wished.time ? (wished.time - START) / NT_NS_PER_S : 0;
	sequence = sequence > wished.sequence ? sequence : wished.sequence;
	assert_int_equal(sequence, expected);
	struct nt_snapshot *snapshot = interval(sequence, 42);
	nt_ui_go_back(ui, snapshot, now);
	nt_snapshot_release(snapshot);
}

static void a_cell_or_several_are_a_span(void **state)
{
	(void)state;
	const nt_time tenth = NT_NS_PER_S / 10;
	nt_ui_resize(ui, WIDTH, 40);
	press('m');
	for (unsigned i = 0; i < 12; i++) {
		struct nt_snapshot *snapshot = interval(next_sequence++, 0);
		snapshot->processes->interval_samples.known = true;
		snapshot->processes->interval_samples.parts[0] = 1;
		show_taken(snapshot);
	}
	/* Where no cell is looked at, all of the interval, to the end of another. */
	press('x');
	assert_true(has(39, "A span from this interval on"));
	check_span(end_of(11), end_of(12));
	go(NT_KEY_LEFT, 11);
	go(NT_KEY_LEFT, 10);
	check_span(end_of(9), end_of(12));
	go(NT_KEY_RIGHT, 11);
	go(NT_KEY_RIGHT, 12);
	assert_true(press(NT_KEY_ESCAPE) & NT_UI_REDRAW);
	assert_true(row_with("CPU samples, a column an interval") < 40);
	press(NT_KEY_UP);
	press(NT_KEY_UP);
	press(NT_KEY_UP);
	press(NT_KEY_DOWN);
	check_span(end_of(11) + tenth, end_of(11) + 2 * tenth);
	press('x');
	press(NT_KEY_UP);
	press(NT_KEY_UP);
	check_span(end_of(11) + tenth, end_of(11) + 4 * tenth);
	/* Three intervals before that, and a later part: what was marked is the end. */
	for (uint64_t to = 11; to > 8; to--)
		go(NT_KEY_LEFT, to);
	check_span(end_of(8) + 3 * tenth, end_of(11) + 2 * tenth);
	struct nt_snapshot *span = interval(12, 7);
	span->t0 = end_of(8) + 3 * tenth;
	span->t1 = end_of(11) + 2 * tenth;
	nt_ui_go_back(ui, span, now);
	nt_snapshot_release(span);
	assert_true(has(0, "SPAN "));
	assert_false(has(FIRST_ROW - 1, "QUARTER"));
	assert_true(has(row_with("SELF%"), "span of 2.9"));
	assert_false(has(row_with("SELF%"), "last "));
	assert_false(press('?') & NT_UI_MOMENT);
	press(NT_KEY_ESCAPE);
	assert_true(row_with("samples of this span were not kept") < HEIGHT); /* none that "yet" may come */
	/* It is the span of every screen; totals are those at its end. */
	press('2');
	assert_true(has(0, "SPAN "));
	assert_true(has(row_with("p50 ms"), "in span"));
	press('3');
	assert_true(has(0, "SPAN "));
	assert_true(has(row_with("METHOD"), "span of 2.9"));
	press('o');
	assert_true(has(row_with("METHOD"), "since attach"));
	press('o');
	assert_true(has(row_with("METHOD"), "span of 2.9"));
	press('z');
	assert_true(has(39, "A span is counted for itself"));
	go('[', 11);
	assert_true(has(0, "PAUSED"));
}

static void a_span_is_kept_to_compare_others_with_it(void **state)
{
	(void)state;
	const nt_time tenth = NT_NS_PER_S / 10;
	nt_ui_resize(ui, WIDTH, 40);
	pass_sampled(12);
	press('=');
	assert_true(row_with("QUARTER") < 40);
	assert_true(has(39, "Choose a span"));
	press(NT_KEY_UP);
	assert_false(press('=') & NT_UI_MOMENT);
	assert_true(has(39, "Kept."));
	assert_int_equal(column_of(row_with("against  "), "="), COLUMNS - 1);
	press(NT_KEY_UP);
	assert_false(press('=') & NT_UI_MOMENT);
	assert_true(has(39, "a part in common"));
	go(NT_KEY_LEFT, 11);
	/* The other one: Enter is the same now. */
	for (int enter = 0; enter < 2; enter++) {
		assert_true(press(enter ? NT_KEY_ENTER : '=') & NT_UI_MOMENT);
		struct nt_ui_moment wished = nt_ui_moment_wished(ui);
		assert_int_equal(wished.against_from, end_of(11));
		assert_int_equal(wished.against_to, end_of(11) + tenth);
		assert_int_equal(wished.from, end_of(10));
		assert_int_equal(wished.to, end_of(10) + tenth);
	}
	struct nt_snapshot *span = interval(11, 7);
	span->processes->difference = (struct nt_difference){ .after = { .t0 = end_of(10), .t1 = end_of(11), .samples = 99 },
							      .before = { .t0 = end_of(8), .t1 = end_of(9), .samples = 98 },
							      .compared = { [NT_DIFFER_CPU] = 12 } };
	nt_ui_go_back(ui, span, now);
	nt_snapshot_release(span);
	assert_true(has(0, "SPAN "));
	assert_true(has(row_with(" THIS "), "99 samples"));
	assert_true(row_with("Nothing changed beyond noise") < 40);
	/* Back, to choose another one; twice Esc lets the first one go. */
	press('=');
	assert_true(row_with("QUARTER") < 40);
	assert_int_equal(column_of(row_with("against  "), "="), COLUMNS - 1);
	press(NT_KEY_ESCAPE);
	assert_true(row_with("a column") < 40);
	assert_true(row_with("QUARTER") < 40);
	press(NT_KEY_ESCAPE);
	assert_int_equal(row_with("QUARTER"), 40);
}

/* The one that all screens show is the first one, too. */
static void a_span_that_is_shown_is_kept(void **state)
{
	(void)state;
	nt_ui_resize(ui, WIDTH, 40);
	pass_sampled(12);
	press('m');
	press(NT_KEY_UP);
	check_span(end_of(11), end_of(11) + NT_NS_PER_S / 10);
	struct nt_snapshot *span = interval(12, 7);
	nt_ui_go_back(ui, span, now);
	nt_snapshot_release(span);
	press('=');
	assert_true(row_with("QUARTER") < 40);
	assert_true(has(39, "Kept."));
	assert_int_equal(column_of(row_with("against  "), "="), COLUMNS - 1);
}

static void keys_go_back_and_on(void **state)
{
	(void)state;
	pass(200, 0);
	go('[', 199);
	assert_true(has(0, "PAUSED"));
	go('[', 198);
	go(']', 199);
	go('{', 139);
	go('}', 199);
	press('m');
	go(NT_KEY_LEFT, 198);
	/* Three seconds more are measured, and the picture stays. */
	pass(3, 0);
	assert_int_equal(column_of(PLACE, "↑"), column_with(198, 203, 4));
	go(NT_KEY_RIGHT, 199);
	assert_true(press(NT_KEY_ENTER) & NT_UI_REDRAW);
	assert_false(has(FIRST_ROW - 1, "QUARTER"));
	assert_true(has(0, "PAUSED"));
	press(' ');
	assert_true(has(0, "LIVE"));
}

/* An interval may be longer than a minute: the next one is the one meant. */
static void a_minute_on_is_another_interval(void **state)
{
	(void)state;
	pass(2, 0);
	go('[', 1);
	press('}');
	assert_int_equal(nt_ui_moment_wished(ui).sequence, 2);
}

static void the_newest_and_the_oldest_are_said(void **state)
{
	(void)state;
	assert_int_equal(press('['), 0); /* nothing is shown yet */
	pass(2, 0);
	assert_false(press(']') & NT_UI_MOMENT);
	assert_true(has(HEIGHT - 1, "This is the newest interval"));
	go('[', 1);
	struct nt_snapshot *first = interval(1, 42);
	assert_true(press('[') & NT_UI_MOMENT);
	nt_ui_go_back(ui, first, now);
	nt_snapshot_release(first);
	assert_true(has(HEIGHT - 1, "Nothing older is kept"));
}

/* Of long ago it is not known in which of ten seconds samples were taken: line 1 says so, and the axis from when on it is. */
static void what_is_told_to_ten_seconds_says_so(void **state)
{
	(void)state;
	nt_ui_resize(ui, 120, 40);
	pass(30, 0);
	press('m');
	assert_false(has(PLACE + 1, "samples are told"));
	nt_ui_past(ui, 1, end_of(1), end_of(20));
	press('?');
	press(NT_KEY_ESCAPE);
	press('m');
	assert_true(row_with("samples are told to 10 s") < 40);
	struct nt_snapshot *span = interval(12, 7);
	span->t0 = end_of(2);
	span->processes->stacks.wanted = NT_STACKS_SIDES;
	span->processes->stacks.coarse_ns = NT_SAMPLES_FOLDED_NS;
	press(NT_KEY_UP);
	assert_true(press(NT_KEY_ENTER) & NT_UI_MOMENT);
	nt_ui_go_back(ui, span, now);
	nt_snapshot_release(span);
	assert_true(has(0, "call tree to 10s"));
	assert_true(row_with(", to 10s") < 40);
}

static struct nt_snapshot *interval_with_method(uint64_t sequence)
{
	struct nt_snapshot *snapshot = interval(sequence, 42);
	snapshot->processes->methods = nt_alloc(sizeof(*snapshot->processes->methods));
	*snapshot->processes->methods = (struct nt_method_row){ .id = 7, .name = "Shop.Work()", .window_self_pct = 100 };
	snapshot->processes->method_count = 1;
	return snapshot;
}

/* Nothing that is still to come brings it: it is asked for with its interval, and a span has it. */
static void the_call_tree_is_that_of_the_time(void **state)
{
	(void)state;
	for (next_sequence = 1; next_sequence < 4; next_sequence++)
		show_taken(interval_with_method(next_sequence));
	assert_false(press(NT_KEY_ENTER) & NT_UI_MOMENT); /* as long as it is live */
	assert_true(row_with("call stacks are kept") < HEIGHT);
	press(NT_KEY_ESCAPE);
	press(' ');
	assert_true(press(NT_KEY_ENTER) & NT_UI_MOMENT);
	assert_int_equal(nt_ui_moment_wished(ui).sequence, 3);
	assert_true(nt_ui_moment_wished(ui).calls);
	struct nt_snapshot *then = interval_with_method(3);
	nt_ui_go_back(ui, then, now);
	nt_snapshot_release(then);
	assert_false(has(HEIGHT - 1, "Nothing older is kept"));
	assert_true(row_with("the CPU samples of this time were not kept") < HEIGHT);
	assert_true(press('[') & NT_UI_MOMENT);
	assert_true(nt_ui_moment_wished(ui).calls);
	press(NT_KEY_ESCAPE);
	assert_true(press('[') & NT_UI_MOMENT);
	assert_false(nt_ui_moment_wished(ui).calls);
}

/* Before it nothing was counted from the zero on. */
static void what_was_before_a_zero_is_as_it_was(void **state)
{
	(void)state;
	pass(5, 0);
	press('z');
	pass(2, 0);
	go('[', 6);
	go('[', 5);
	assert_int_equal(row_with("since attach"), HEIGHT);
	go('[', 4);
	assert_true(has(0, "PAUSED"));
	assert_true(row_with("since attach") < HEIGHT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		WITH_UI(one_second_is_seen_among_many),
		WITH_UI(a_short_time_has_short_columns),
		WITH_UI(columns_stand_for_the_same_time),
		WITH_UI(a_long_interval_fills_its_columns),
		WITH_UI(a_finding_is_a_mark),
		WITH_UI(a_burst_within_a_second_is_bright),
		WITH_UI(a_cell_or_several_are_a_span),
		WITH_UI(a_span_is_kept_to_compare_others_with_it),
		WITH_UI(a_span_that_is_shown_is_kept),
		WITH_UI(keys_go_back_and_on),
		WITH_UI(a_minute_on_is_another_interval),
		WITH_UI(what_is_told_to_ten_seconds_says_so),
		WITH_UI(the_call_tree_is_that_of_the_time),
		WITH_UI(the_newest_and_the_oldest_are_said),
		WITH_UI(what_was_before_a_zero_is_as_it_was),
	};
	return cmocka_run_group_tests(tests, use_utf8, NULL);
}
