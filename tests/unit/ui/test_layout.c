// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "ui/screen/layout.h"

enum { MOST_WIDTH = 260, MOST_HEIGHT = 90, MOST_MARKED = 6 };

static void check_size(int width, int height, enum nt_header header, int marked)
{
	struct nt_layout layout;
	nt_layout_of(width, height, header, marked, &layout);
	assert_int_equal(layout.too_small, width < NT_LEAST_WIDTH || height < NT_LEAST_HEIGHT);
	if (layout.too_small)
		return;
	/* One under the other without a gap, from the first line to the last. */
	int y = 1 + layout.tiles_height;
	if (layout.finding_y >= 0)
		assert_int_equal(layout.finding_y, y++);
	else
		assert_int_equal(header, NT_HEADER_LINE);
	if (layout.tabs_y >= 0)
		assert_int_equal(layout.tabs_y, y++);
	assert_int_equal(layout.title_y, y++);
	assert_int_equal(layout.body_y, y);
	assert_int_equal(layout.body_y + layout.body_height, layout.context_y);
	assert_int_equal(layout.context_y, height - 1);
	assert_true(layout.body_height >= 5);
	/* Two tiles stand side by side: mark, label, blank, headline, blank, sparkline, blank, facts, blank. */
	if (layout.tiles == NT_TILES_PAIRS)
		assert_true(2 * (1 + 5 + 1 + 8 + 1 + layout.spark_cells + 1 + layout.fact_cells + 1) <= width);
}

static void every_size_is_covered(void **state)
{
	(void)state;
	for (int width = 0; width <= MOST_WIDTH; width++)
		for (int height = 0; height <= MOST_HEIGHT; height++)
			for (int marked = 0; marked <= MOST_MARKED; marked++)
				for (int header = NT_HEADER_BY_SIZE; header <= NT_HEADER_LINE; header++)
					check_size(width, height, (enum nt_header)header, marked);
}

static void check(int width, int height, enum nt_tiles_form tiles, int tiles_height, int body_height)
{
	struct nt_layout layout;
	nt_layout_of(width, height, NT_HEADER_BY_SIZE, 0, &layout);
	assert_int_equal(layout.tiles, tiles);
	assert_int_equal(layout.tiles_height, tiles_height);
	assert_int_equal(layout.body_height, body_height);
}

static void the_pictures_hold(void **state)
{
	(void)state;
	check(80, 24, NT_TILES_PAIRS, 4, 15);
	check(120, 40, NT_TILES_PAIRS, 5, 30);
	check(120, 29, NT_TILES_PAIRS, 4, 20); /* requests and the machine leave first */
	check(79, 24, NT_TILES_SINGLE, 2, 17);
	check(59, 24, NT_TILES_HEADLINES, 1, 18);
	check(80, 20, NT_TILES_PAIRS, 4, 11);
	check(80, 19, NT_TILES_HEADLINES, 1, 13);
	check(80, 13, NT_TILES_HEADLINES, 1, 8);
	check(40, 10, NT_TILES_HEADLINES, 1, 5);
}

static void width_decides_the_forms(void **state)
{
	struct nt_layout layout;
	(void)state;
	nt_layout_of(120, 40, NT_HEADER_BY_SIZE, 0, &layout);
	assert_true(layout.wide && !layout.compact && !layout.short_hints);
	assert_int_equal(layout.spark_cells, 12);
	nt_layout_of(119, 40, NT_HEADER_BY_SIZE, 0, &layout);
	assert_true(!layout.wide && layout.spark_cells == 6);
	nt_layout_of(59, 40, NT_HEADER_BY_SIZE, 0, &layout);
	assert_true(layout.compact && layout.short_hints);
	nt_layout_of(80, 13, NT_HEADER_BY_SIZE, 0, &layout);
	assert_true(layout.short_hints && layout.tabs_y < 0);
}

/* Pressing B on this screen leads to these headers, one after the other. */
static void check_headers(int width, int height, const enum nt_header *expected, size_t count)
{
	struct nt_layout layout;
	nt_layout_of(width, height, NT_HEADER_BY_SIZE, 0, &layout);
	for (size_t i = 0; i < count; i++) {
		nt_layout_of(width, height, nt_layout_next_header(&layout), 0, &layout);
		assert_int_equal(layout.header, expected[i]);
	}
}

static void the_header_can_be_chosen(void **state)
{
	static const enum nt_header from_full[] = { NT_HEADER_SHORT, NT_HEADER_LINE, NT_HEADER_FULL, NT_HEADER_SHORT };
	static const enum nt_header from_short[] = { NT_HEADER_LINE, NT_HEADER_FULL, NT_HEADER_SHORT, NT_HEADER_LINE };
	/* No room for a full one. */
	static const enum nt_header smallest[] = { NT_HEADER_LINE, NT_HEADER_SHORT, NT_HEADER_LINE, NT_HEADER_SHORT };
	(void)state;
	check_headers(80, 24, from_full, 4);
	check_headers(80, 18, from_short, 4);
	check_headers(50, 24, from_short, 4);
	check_headers(40, 10, smallest, 4);
	/* Back at what the size gives, the size decides again. */
	struct nt_layout layout;
	nt_layout_of(80, 24, NT_HEADER_LINE, 0, &layout);
	assert_int_equal(nt_layout_next_header(&layout), NT_HEADER_BY_SIZE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_size_is_covered),
		cmocka_unit_test(the_pictures_hold),
		cmocka_unit_test(width_decides_the_forms),
		cmocka_unit_test(the_header_can_be_chosen),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
