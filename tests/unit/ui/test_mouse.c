// SPDX-License-Identifier: GPL-2.0-only
/* What a click does, wherever it is. In a terminal: tests/pty/test_mouse.py. */
#include "build.h"

#include "base/alloc.h"
#include "base/text.h"
#include "ui/state/state.h"

/* Its `ui` would be in the way of what is declared above. */
#include "pressed.h"

enum { TILES = 1, FINDING = 5, TABS = 6, TITLES = FIRST_ROW - 1, LAST = HEIGHT - 1, NAME = 60, SELF = 4, TOTAL = 11 };

static unsigned click(int x, int y)
{
	return press(nt_key_mouse(NT_MOUSE_CLICK, x, y));
}

/* In cells. The text is there. */
static int column_of(int y, const char *text)
{
	char before[1024];
	const char *found = strstr(line(y), text);
	if (!found)
		fail_msg("'%s' is not in: %s", text, line(y));
	snprintf(before, sizeof(before), "%.*s", (int)(found - line(y)), line(y));
	return nt_text_cells(before);
}

static void test_a_title_sorts(void **state)
{
	(void)state;
	SHOW({ "aaa", 50 }, { "bbb", 10 });
	click(TOTAL, TITLES);
	assert_true(has(TITLES, "TOTAL%↓"));
	click(TOTAL, TITLES);
	assert_true(has(TITLES, "TOTAL%↑") && has(FIRST_ROW, "bbb"));
	click(SELF, TITLES);
	assert_true(has(TITLES, "SELF%↓") && has(FIRST_ROW, "aaa"));
	/* Nothing is under this place, or something lies over it. */
	click(0, TITLES);
	press('?');
	click(TOTAL, TITLES);
	press('?');
	assert_true(has(TITLES, "SELF%↓"));
}

static void test_two_clicks_on_a_row_are_enter(void **state)
{
	(void)state;
	SHOW({ "aaa", 50 }, { "bbb", 10 }, { "ccc", 5 });
	press('0'); /* where Enter opens the row itself */
	press('1');
	click(NAME, FIRST_ROW + 1);
	assert_true(selected(1));
	now += NT_NS_PER_S;
	click(NAME, FIRST_ROW + 1);
	assert_true(selected(1) && has(TITLES, "SELF%")); /* that was long ago */
	now += NT_NS_PER_S / 10;
	click(NAME, FIRST_ROW + 2);
	assert_true(selected(2) && has(TITLES, "SELF%")); /* that was another row */
	now += NT_NS_PER_S / 10;
	click(NAME, FIRST_ROW + 2);
	assert_true(has(TITLES, "CALLEES OF ccc") || has(TITLES, "CALLERS OF ccc"));
}

static void test_a_line_of_a_menu_is_chosen(void **state)
{
	(void)state;
	SHOW({ "aaa", 50 }, { "bbb", 10 });
	press('s');
	assert_true(has(TITLES, "SORT BY") && has(FIRST_ROW + 1, "TOTAL%"));
	click(20, FIRST_ROW + 1);
	assert_true(has(TITLES, "TOTAL%↓"));
	/* One that stays open, and is longer than the screen: it stays where it is, too. */
	press('C');
	press(NT_KEY_END);
	char first[1024];
	snprintf(first, sizeof(first), "%.20s", line(FIRST_ROW) + 5);
	bool shown = has(FIRST_ROW + 1, "[x]");
	click(3, FIRST_ROW + 1);
	assert_true(has(TITLES, "COLUMNS OF THIS SCREEN") && has(FIRST_ROW, first) && has(FIRST_ROW + 1, shown ? "[ ]" : "[x]"));
	size_t cursor = ui->menu_cursor;
	press(nt_key_mouse(NT_MOUSE_WHEEL_UP, 3, FIRST_ROW));
	assert_true(ui->overlay == NT_OVERLAY_COLUMNS && ui->menu_cursor == (cursor > 3 ? cursor - 3 : 0));
	click(3, LAST - 1); /* below its last line there may be nothing */
	press(NT_KEY_ESCAPE);
	press('Z');
	assert_int_equal(click(5, FIRST_ROW + 2) & NT_UI_THEME, NT_UI_THEME);
	assert_true(has(FIRST_ROW + 2, " * light"));
	assert_int_equal(click(5, FIRST_ROW + 10), 0);
}

static void test_a_tile_leads_to_its_screen(void **state)
{
	static const struct {
		int x, y;
		const char *tab;
	} tiles[] = { { 3, TILES, "[1 Methods]" },    { 45, TILES, "[4 Thr]" },      { 3, TILES + 1, "[2 GC]" },
		      { 45, TILES + 1, "[5 Alloc]" }, { 3, TILES + 2, "[3 JIT]" },   { 79, TILES + 2, "[4 Thr]" },
		      { 39, TILES + 3, "[6 Exc]" },   { 40, TILES + 3, "[7 Lock]" }, { 3, TILES, "[1 Methods]" } };
	(void)state;
	SHOW({ "aaa", 50 });
	for (size_t i = 0; i < sizeof(tiles) / sizeof(tiles[0]); i++) {
		press('?');
		click(tiles[i].x, tiles[i].y);
		if (!has(TABS, tiles[i].tab) || ui->overlay != NT_OVERLAY_NONE)
			fail_msg("%d,%d leads to %s", tiles[i].x, tiles[i].y, line(TABS));
	}
	/* In one line: the headlines that there are. */
	struct nt_snapshot *snapshot = SNAPSHOT(next_sequence++, { "aaa", 50 });
	snapshot->processes[0].interval.cpu.usage_pct = nt_f64_of(98);
	show_taken(snapshot);
	press('4');
	press('B');
	assert_int_equal(ui->layout.tiles, NT_TILES_HEADLINES);
	click(column_of(1, "CPU"), 1);
	assert_int_equal(ui->view, NT_VIEW_METHODS);
	press('B');
	assert_int_equal(ui->layout.tiles, NT_TILES_NONE);
	assert_int_equal(click(3, 0), 0);
}

static void test_the_line_of_the_finding_leads_to_it(void **state)
{
	(void)state;
	SHOW({ "aaa", 50 });
	press('2');
	click(20, FINDING);
	assert_true(has(LAST, "Nothing is out of its usual range"));
}

/* A look at the heap that goes on ends, as it does by a key. */
static void test_who_leaves_the_heap_by_a_click_has_left_it(void **state)
{
	(void)state;
	SHOW({ "aaa", 50 });
	press('H');
	assert_true(click(3, TILES) & NT_UI_HEAP_END);
	press('H');
	assert_true(click(column_of(TABS, "2 GC"), TABS) & NT_UI_HEAP_END);
	press('D');
	assert_true(click(3, TILES) & NT_UI_DUMP_LEFT);
}

static void test_a_keys_word_is_the_key(void **state)
{
	(void)state;
	SHOW({ "aaa", 50 }, { "bbb", 10 });
	click(column_of(LAST, "sort"), LAST);
	assert_int_equal(ui->overlay, NT_OVERLAY_SORT);
	click(column_of(LAST, "back"), LAST);
	assert_int_equal(ui->overlay, NT_OVERLAY_NONE);
	click(column_of(LAST, "? help"), LAST);
	assert_int_equal(ui->overlay, NT_OVERLAY_HELP);
	click(column_of(LAST, "PgDn"), LAST);
	assert_true(ui->page_top > 0);
	click(column_of(LAST, "PgUp"), LAST);
	assert_int_equal(ui->page_top, 0);
	assert_int_equal(click(column_of(LAST, "Esc back") + 8, LAST) & ~(unsigned)NT_UI_REDRAW, 0); /* between two */
	assert_int_equal(ui->overlay, NT_OVERLAY_HELP);
	click(0, LAST);
	assert_int_equal(ui->overlay, NT_OVERLAY_NONE);
	/* Where a message stands, or something is asked for, nobody has aimed at a key. */
	press('%');
	assert_true(has(LAST, "No such key here"));
	click(0, LAST);
	assert_true(has(FIRST_ROW, "aaa") && has(TITLES, "SELF%"));
	press('/');
	click(0, LAST);
	assert_int_equal(ui->prompt, NT_PROMPT_FILTER);
}

static void test_what_a_prompt_names_is_the_key(void **state)
{
	(void)state;
	SHOW({ "aaa", 50 }, { "bbb", 10 });
	type("/bb");
	click(column_of(LAST, "bb"), LAST); /* what was typed is no key */
	assert_true(has(LAST, "/ bb"));
	click(column_of(LAST, "clear"), LAST);
	assert_false(has(LAST, "/ bb"));
	type("b");
	click(column_of(LAST, "Enter keep") + 7, LAST);
	assert_int_equal(ui->prompt, NT_PROMPT_NONE);
	assert_true(has(FIRST_ROW, "bbb"));
	press('/');
	click(column_of(LAST, "Esc"), LAST);
	assert_true(ui->prompt == NT_PROMPT_NONE && has(FIRST_ROW, "aaa"));
	press('x');
	click(column_of(LAST, "Only"), LAST);
	assert_int_equal(ui->prompt, NT_PROMPT_RESTRICT);
	click(column_of(LAST, "kind"), LAST);
	assert_true(ui->prompt == NT_PROMPT_NONE && ui->restriction.part == NT_PART_KIND);
	press('x');
	click(column_of(LAST, "x all"), LAST);
	assert_int_equal(ui->restriction.part, NT_PART_ALL);
}

static void test_what_a_page_names_is_the_key(void **state)
{
	(void)state;
	SHOW({ "aaa", 50 }, { "bbb", 10 });
	/* Help: an entry is its key, whichever word of it. */
	press('?');
	int y = FIRST_ROW;
	for (int lines = 0; lines < 100 && !has(y, "sort menu"); lines++)
		press(NT_KEY_DOWN);
	click(column_of(y, "sort menu") + 3, y);
	assert_int_equal(ui->overlay, NT_OVERLAY_SORT);
	press(NT_KEY_ESCAPE);
	press('?');
	assert_int_equal(click(2, FIRST_ROW) & ~(unsigned)NT_UI_REDRAW, 0); /* what a mark means */
	assert_int_equal(ui->overlay, NT_OVERLAY_HELP);
	press(NT_KEY_ESCAPE);
	/* A dump is chosen by its line, and begun by the word for that alone. */
	press('D');
	assert_int_equal(nt_ui_dump(ui, "It stands still.", true, false), NT_UI_REDRAW);
	y = FIRST_ROW;
	while (y < LAST && !has(y, nt_dump_kind_name(NT_DUMP_KIND_COUNT - 1)))
		y++;
	assert_int_equal(click(40, y) & NT_UI_DUMP, NT_UI_DUMP);
	assert_int_equal(nt_ui_dump_kind(ui), NT_DUMP_KIND_COUNT - 1);
	assert_int_equal(click(column_of(FIRST_ROW, "has it written"), FIRST_ROW) & NT_UI_DUMP_BEGIN, 0);
	assert_int_equal(click(column_of(FIRST_ROW, "Enter") + 4, FIRST_ROW) & NT_UI_DUMP_BEGIN, NT_UI_DUMP_BEGIN);
	press(NT_KEY_ESCAPE);
	press('H');
	assert_int_equal(nt_ui_heap(ui, "It stands still.", true), NT_UI_REDRAW);
	assert_int_equal(click(column_of(FIRST_ROW, "looks at"), FIRST_ROW) & NT_UI_HEAP_BEGIN, 0);
	unsigned holders = NT_UI_HEAP_BEGIN | NT_UI_HEAP_HOLDERS;
	assert_int_equal(click(column_of(FIRST_ROW, " v ") + 1, FIRST_ROW) & holders, holders);
}

static void test_a_row_beside_the_table_is_gone_to(void **state)
{
	enum { SIDE = 160 - 60 };
	(void)state;
	nt_ui_resize(ui, 160, 40);
	struct nt_snapshot *snapshot = SNAPSHOT(next_sequence++, { "aaa", 50 });
	struct nt_process_snapshot *process = snapshot->processes;
	process->waits = nt_alloc(2 * sizeof(*process->waits));
	process->wait_count = 2;
	process->waits[0] =
		(struct nt_wait_row){ .id = 7, .site = "First.Wait()", .waiting_count = 1, .spent_all_ns = 9, .window_spent = 9 };
	process->waits[1] =
		(struct nt_wait_row){ .id = 8, .site = "Second.Wait()", .waiting_count = 1, .spent_all_ns = 3, .window_spent = 3 };
	show_taken(snapshot);
	int y = 0;
	while (y < 40 && !has(y, "Second.Wait"))
		y++;
	assert_int_equal(click(SIDE, y + 1), 0);
	click(SIDE, y);
	assert_int_equal(ui->view, NT_VIEW_WAITS);
	assert_int_equal(nt_ui_table(ui)->cursor_id, 8);
	press('1');
	click(SIDE + 5, y - 2);
	assert_int_equal(ui->view, NT_VIEW_WAITS);
	press('4'); /* a stack leads nowhere */
	assert_int_equal(click(SIDE + 5, y), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		WITH_UI(test_a_title_sorts),
		WITH_UI(test_two_clicks_on_a_row_are_enter),
		WITH_UI(test_a_line_of_a_menu_is_chosen),
		WITH_UI(test_a_tile_leads_to_its_screen),
		WITH_UI(test_the_line_of_the_finding_leads_to_it),
		WITH_UI(test_who_leaves_the_heap_by_a_click_has_left_it),
		WITH_UI(test_a_keys_word_is_the_key),
		WITH_UI(test_what_a_prompt_names_is_the_key),
		WITH_UI(test_what_a_page_names_is_the_key),
		WITH_UI(test_a_row_beside_the_table_is_gone_to),
	};
	return cmocka_run_group_tests(tests, use_utf8, NULL);
}
