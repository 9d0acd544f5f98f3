// SPDX-License-Identifier: GPL-2.0-only
/* Rows that moved on by a cell. That a terminal is then as it should be: test_term.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "ui/terminal/row_shift.h"

#include <locale.h>
#include <string.h>

enum { WIDTH = 60 };

static struct nt_grid shown, grid;

static int begin(void **state)
{
	(void)state;
	nt_grid_init(&shown, WIDTH, 1);
	nt_grid_init(&grid, WIDTH, 1);
	return setlocale(LC_CTYPE, "C.UTF-8") ? 0 : -1;
}

static int end(void **state)
{
	(void)state;
	nt_grid_fini(&shown);
	nt_grid_fini(&grid);
	return 0;
}

static int shift(const char *before, const char *after)
{
	nt_grid_clear(&shown);
	nt_grid_clear(&grid);
	nt_grid_put(&shown, 0, 0, WIDTH, NT_STYLE_PLAIN, before);
	nt_grid_put(&grid, 0, 0, WIDTH, NT_STYLE_PLAIN, after);
	return nt_row_shift(nt_grid_row(&grid, 0), nt_grid_row(&shown, 0), WIDTH);
}

static void a_picture_that_moved_on_is_found(void **state)
{
	(void)state;
	assert_int_equal(shift("CPU   ▁▂▃▄▅▆▇█▁▂▃▄▅▆▇█▁▂▃▄▅▆▇█▁▂▃▄▅▆▇█ 98%", "CPU   ▂▃▄▅▆▇█▁▂▃▄▅▆▇█▁▂▃▄▅▆▇█▁▂▃▄▅▆▇█▁ 98%"), 6);
	nt_row_shift_apply(shown.cells, 6, WIDTH);
	char text[WIDTH * 4];
	assert_string_equal(nt_grid_row_text(&shown, 0, text, sizeof(text)), "CPU   ▂▃▄▅▆▇█▁▂▃▄▅▆▇█▁▂▃▄▅▆▇█▁▂▃▄▅▆▇█ 98%");
}

static void what_saves_nothing_is_none(void **state)
{
	(void)state;
	assert_int_equal(shift("the same text, and not a single change in it", "the same text, and not a single change in it"), -1);
	assert_int_equal(shift("▁▂▃▄▅▆▇█ too short", "▂▃▄▅▆▇█▁ too short"), -1);
	assert_int_equal(shift("........................................x", "........................................."), -1);
	assert_int_equal(shift("a text in place of another one, that has", "nothing to do with what was there before"), -1);
	/* To the right: a terminal can do that, too, but no picture of ours does it. */
	assert_int_equal(shift("abcdefghijklmnopqrstuvwxyzabcdefghijklmn", " abcdefghijklmnopqrstuvwxyzabcdefghijklmn"), -1);
	/* Deleting half of a wide character leaves whatever the terminal thinks best. */
	assert_int_equal(shift("abcdefghijklmnopqrstuvwxyzabcdefghij全", "bcdefghijklmnopqrstuvwxyzabcdefghij全"), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_picture_that_moved_on_is_found),
		cmocka_unit_test(what_saves_nothing_is_none),
	};
	return cmocka_run_group_tests(tests, begin, end);
}
