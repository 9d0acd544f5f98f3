// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "ui/screen/ascii.h"
#include "ui/screen/grid.h"

#include <locale.h>
#include <string.h>

enum { WIDTH = 10, HEIGHT = 2 };

static struct nt_grid grid;

static int begin(void **state)
{
	(void)state;
	nt_grid_init(&grid, WIDTH, HEIGHT);
	return 0;
}

static int end(void **state)
{
	(void)state;
	nt_grid_fini(&grid);
	return 0;
}

static void assert_row(int y, const char *expected)
{
	char text[256];
	int cells = 0;
	assert_string_equal(nt_grid_row_text(&grid, y, text, sizeof(text)), expected);
	for (int x = 0; x < grid.width; x++)
		cells += nt_grid_row(&grid, y)[x].width;
	assert_int_equal(cells, grid.width);
}

static void text_is_clipped_at_room_and_edge(void **state)
{
	(void)state;
	assert_int_equal(nt_grid_put(&grid, 1, 0, 3, NT_STYLE_MARK, "abcdef"), 4);
	assert_row(0, " abc");
	assert_int_equal(nt_grid_row(&grid, 0)[1].style, NT_STYLE_MARK);
	assert_int_equal(nt_grid_row(&grid, 0)[4].style, NT_STYLE_PLAIN);
	nt_grid_put(&grid, 7, 1, 99, NT_STYLE_PLAIN, "abcdef");
	assert_row(1, "       abc");
}

static void outside_nothing_is_written(void **state)
{
	(void)state;
	nt_grid_put(&grid, 0, -1, 5, NT_STYLE_PLAIN, "x");
	nt_grid_put(&grid, 0, HEIGHT, 5, NT_STYLE_PLAIN, "x");
	nt_grid_put(&grid, WIDTH, 0, 5, NT_STYLE_PLAIN, "x");
	nt_grid_put(&grid, -3, 0, 5, NT_STYLE_PLAIN, "x");
	nt_grid_fill(&grid, 4, HEIGHT + 3, 5, NT_STYLE_PLAIN, "x");
	nt_grid_paint(&grid, -5, 0, 100, NT_STYLE_DIM);
	nt_grid_paint(&grid, 0, 7, 100, NT_STYLE_DIM);
	assert_row(0, "");
	assert_row(1, "");
	assert_int_equal(nt_grid_row(&grid, 0)[WIDTH - 1].style, NT_STYLE_DIM);
}

static void a_wide_character_is_never_cut_in_half(void **state)
{
	(void)state;
	assert_int_equal(nt_grid_put(&grid, 0, 0, 3, NT_STYLE_PLAIN, "日本"), 2);
	assert_row(0, "日");
	nt_grid_put(&grid, 9, 1, 9, NT_STYLE_PLAIN, "日");
	assert_row(1, "");
}

static void writing_over_half_a_wide_character_blanks_the_other(void **state)
{
	(void)state;
	nt_grid_put(&grid, 0, 0, WIDTH, NT_STYLE_PLAIN, "日本語");
	nt_grid_put(&grid, 1, 0, 1, NT_STYLE_PLAIN, "x");
	assert_row(0, " x本語");
	nt_grid_put(&grid, 4, 0, 1, NT_STYLE_PLAIN, "y");
	assert_row(0, " x本y");
	nt_grid_put(&grid, 1, 0, 2, NT_STYLE_PLAIN, "名");
	assert_row(0, " 名 y");
}

static void combining_characters_join_the_one_before(void **state)
{
	(void)state;
	assert_int_equal(nt_grid_put(&grid, 0, 0, WIDTH, NT_STYLE_PLAIN, "e\xcc\x81x"), 2);
	assert_string_equal(nt_grid_row(&grid, 0)[0].text, "e\xcc\x81");
	/* At the start there is nothing to join; too many of them are left out. */
	nt_grid_put(&grid, 0, 1, WIDTH, NT_STYLE_PLAIN, "\xcc\x81z");
	assert_row(1, "z");
	nt_grid_put(&grid, 0, 0, WIDTH, NT_STYLE_PLAIN, "o\xcc\x81\xcc\x81\xcc\x81\xcc\x81\xcc\x81\xcc\x81\xcc\x81\xcc\x81\xcc\x81q");
	assert_true(strlen(nt_grid_row(&grid, 0)[0].text) < NT_CELL_BYTES);
	assert_string_equal(nt_grid_row(&grid, 0)[1].text, "q");
}

static void nothing_but_characters_is_shown(void **state)
{
	(void)state;
	/* ESC, C1, two bidi controls, which have no width, and a byte that is none */
	assert_int_equal(nt_grid_put(&grid, 0, 0, WIDTH, NT_STYLE_PLAIN, "a\x1b\xc2\x9b\xe2\x80\xae\xd8\x9c\xffz"), 7);
	assert_row(0, "a\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbdz");
}

static void right_aligned_text_ends_at_its_room(void **state)
{
	(void)state;
	nt_grid_put_right(&grid, 0, 0, 6, NT_STYLE_PLAIN, "abc");
	assert_row(0, "   abc");
	nt_grid_put_right(&grid, 0, 1, 2, NT_STYLE_PLAIN, "abc");
	assert_row(1, "ab");
}

static void fill_covers_its_room(void **state)
{
	(void)state;
	nt_grid_fill(&grid, 2, 0, 3, NT_STYLE_TITLE, "─");
	assert_row(0, "  ───");
	nt_grid_fill(&grid, 0, 1, 99, NT_STYLE_TITLE, "=");
	assert_row(1, "==========");
}

static void resizing_blanks_everything(void **state)
{
	(void)state;
	nt_grid_put(&grid, 0, 0, WIDTH, NT_STYLE_PLAIN, "abc");
	nt_grid_resize(&grid, 3, 5);
	assert_int_equal(grid.height, 5);
	assert_row(0, "");
	assert_row(4, "");
	nt_grid_resize(&grid, -7, 0);
	assert_int_equal(grid.width * grid.height, 1);
}

static void signs_have_ascii_stand_ins(void **state)
{
	static const struct {
		const char *sign;
		char ascii;
	} cases[] = { { "─", '-' }, { "…", '$' }, { "↓", 'v' }, { "↑", '^' }, { "●", '*' },  { "○", 'o' }, { "·", '.' },
		      { "▁", '_' }, { "█", '#' }, { "A", 'A' }, { "é", '?' }, { "日", '?' }, { "", ' ' } };
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_int_equal(nt_ascii_of(cases[i].sign), cases[i].ascii);
}

static int use_utf8(void **state)
{
	(void)state;
	return setlocale(LC_CTYPE, "C.UTF-8") ? 0 : -1;
}

#define ON_GRID(test) cmocka_unit_test_setup_teardown(test, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		ON_GRID(text_is_clipped_at_room_and_edge),
		ON_GRID(outside_nothing_is_written),
		ON_GRID(a_wide_character_is_never_cut_in_half),
		ON_GRID(writing_over_half_a_wide_character_blanks_the_other),
		ON_GRID(combining_characters_join_the_one_before),
		ON_GRID(nothing_but_characters_is_shown),
		ON_GRID(right_aligned_text_ends_at_its_room),
		ON_GRID(fill_covers_its_room),
		ON_GRID(resizing_blanks_everything),
		cmocka_unit_test(signs_have_ascii_stand_ins),
	};
	return cmocka_run_group_tests(tests, use_utf8, NULL);
}
