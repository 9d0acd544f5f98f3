// SPDX-License-Identifier: GPL-2.0-only
/* Can each theme be read? Contrast is what WCAG 2 calls so: of the colours that xterm's table of 256 has. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "ui/screen/theme.h"

#include <math.h>

enum { WHITE = 231, BLACK = 16 };

static double channel(int value)
{
	double share = value / 255.0;
	return share <= 0.03928 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4);
}

/* Of the cube of 6 x 6 x 6 and of the greys: the first 16 are everybody's own. */
static double luminance(int color)
{
	static const int levels[] = { 0, 95, 135, 175, 215, 255 };
	assert_in_range(color, 16, 255);
	int cube = color - 16, grey = 8 + 10 * (color - 232);
	int red = color >= 232 ? grey : levels[cube / 36], green = color >= 232 ? grey : levels[cube / 6 % 6],
	    blue = color >= 232 ? grey : levels[cube % 6];
	return 0.2126 * channel(red) + 0.7152 * channel(green) + 0.0722 * channel(blue);
}

static double contrast(int a, int b)
{
	double x = luminance(a), y = luminance(b);
	return (fmax(x, y) + 0.05) / (fmin(x, y) + 0.05);
}

/* The least that a look has on this background; what is the terminal's own is its user's. */
static double least(enum nt_palette palette, enum nt_style style, int background)
{
	const struct nt_look *look = nt_theme_look(palette, style);
	int on = look->background < 0 ? background : look->background;
	return look->foreground < 0 ? 21 : contrast(look->foreground, on);
}

static void test_each_can_be_read(void **state)
{
	static const struct {
		enum nt_palette palette;
		int background;
		double contrast, dead; /* tombstones are to be overlooked */
	} themes[] = {
		{ NT_PALETTE_DARK, BLACK, 4.5, 3 },
		{ NT_PALETTE_LIGHT, WHITE, 4.5, 3 },
		{ NT_PALETTE_CONTRAST, BLACK, 12, 12 },
		{ NT_PALETTE_CONTRAST, WHITE, 12, 12 },
	};
	(void)state;
	for (size_t i = 0; i < sizeof(themes) / sizeof(themes[0]); i++)
		for (int style = 0; style < NT_STYLE_COUNT; style++) {
			double is = least(themes[i].palette, (enum nt_style)style, themes[i].background);
			if (is < (style == NT_STYLE_DEAD ? themes[i].dead : themes[i].contrast))
				fail_msg("palette %d style %d on %d: %.1f", (int)themes[i].palette, style, themes[i].background, is);
		}
}

/* A colour is never the only sign: what marks, and the cursor, are told apart without. */
static void test_without_colours(void **state)
{
	(void)state;
	for (int style = 0; style < NT_STYLE_COUNT; style++) {
		const struct nt_look *look = nt_theme_look(NT_PALETTE_MONO, (enum nt_style)style);
		assert_true(look->foreground < 0 && look->background < 0);
		assert_true(style == NT_STYLE_PLAIN || look->attributes);
	}
}

static void test_what_a_terminal_can(void **state)
{
	(void)state;
	assert_int_equal(nt_theme_palette(NT_THEME_AUTO, 256, false), NT_PALETTE_DARK);
	assert_int_equal(nt_theme_palette(NT_THEME_AUTO, 256, true), NT_PALETTE_LIGHT);
	assert_int_equal(nt_theme_palette(NT_THEME_DARK, 256, true), NT_PALETTE_DARK);
	assert_int_equal(nt_theme_palette(NT_THEME_LIGHT, 8, false), NT_PALETTE_16);
	assert_int_equal(nt_theme_palette(NT_THEME_TERMINAL, 256, true), NT_PALETTE_16);
	assert_int_equal(nt_theme_palette(NT_THEME_CONTRAST, 8, false), NT_PALETTE_MONO);
	for (unsigned theme = 0; theme < NT_THEME_COUNT; theme++) {
		assert_int_equal(nt_theme_palette((enum nt_theme)theme, 0, true), NT_PALETTE_MONO);
		enum nt_theme again = NT_THEME_COUNT;
		assert_int_equal(nt_theme_parse(nt_theme_name(theme), &again, NULL), NT_OK);
		assert_int_equal(again, theme);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_each_can_be_read),
		cmocka_unit_test(test_without_colours),
		cmocka_unit_test(test_what_a_terminal_can),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
