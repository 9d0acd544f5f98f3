// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "ui/screen/spark.h"

#include <math.h>

static void the_largest_shown_is_the_full_cell(void **state)
{
	const struct nt_trend trend = { .cells = { 0, 1, 2, 3, 4, 5, 6, 7 }, .known = 0xff };
	char out[NT_SPARK_BYTES];
	(void)state;
	assert_string_equal(nt_spark_trend(&trend, 0, out), "_▂▃▄▅▆▇█");
}

/* What is small beside it is low, and what is more than it is not cut. */
static void a_full_cell_can_be_more_than_the_largest(void **state)
{
	const struct nt_trend trend = { .cells = { 0, 1, 2, 3, 4, 5, 6, 7 }, .known = 0xff };
	char out[NT_SPARK_BYTES];
	(void)state;
	assert_string_equal(nt_spark_trend(&trend, 14, out), "_▂▂▃▃▄▄▅");
	assert_string_equal(nt_spark_trend(&trend, 1000, out), "_▂▂▂▂▂▂▂");
	assert_string_equal(nt_spark_trend(&trend, 2, out), "_▂▃▄▅▆▇█");
}

static void what_is_not_known_is_blank(void **state)
{
	const struct nt_trend trend = { .cells = { 9, 9, 9, 9, 0, 0, 0, 5 }, .known = 0xf0 };
	char out[NT_SPARK_BYTES];
	(void)state;
	assert_string_equal(nt_spark_trend(&trend, 0, out), "    ___█");
}

static void only_a_measured_zero_is_the_lowest_cell(void **state)
{
	const struct nt_trend trend = { .cells = { 1000, 0, 0.001f, 1000, 0, 0, 0, 0 }, .known = 0xff };
	const struct nt_trend nothing = { .known = 0xff };
	char out[NT_SPARK_BYTES];
	(void)state;
	assert_string_equal(nt_spark_trend(&trend, 0, out), "█_▂█____");
	assert_string_equal(nt_spark_trend(&nothing, 0, out), "________");
}

static void a_series_shows_its_newest_cells(void **state)
{
	struct nt_series series = { 0 };
	char out[NT_SPARK_BYTES];
	(void)state;
	for (int i = 0; i < NT_SERIES_CELLS; i++)
		series.cells[i] = nt_f64_of(i < 6 ? 1000 : i - 5);
	assert_string_equal(nt_spark_series(&series, 6, 0, out), "▂▃▅▆▇█");
	assert_string_equal(nt_spark_series(&series, NT_SERIES_CELLS, 0, out), "██████▂▂▂▂▂▂");
	series.cells[NT_SERIES_CELLS - 1].known = false;
	assert_string_equal(nt_spark_series(&series, 6, 0, out), "▂▄▅▇█ ");
}

static void values_that_are_no_numbers_are_blank(void **state)
{
	struct nt_series series = { 0 };
	char out[NT_SPARK_BYTES];
	(void)state;
	series.cells[10] = nt_f64_of((double)NAN);
	series.cells[9] = nt_f64_of((double)INFINITY);
	series.cells[8] = nt_f64_of(-3);
	series.cells[11] = nt_f64_of(5);
	assert_string_equal(nt_spark_series(&series, 4, 0, out), "_  █");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_largest_shown_is_the_full_cell),      cmocka_unit_test(what_is_not_known_is_blank),
		cmocka_unit_test(only_a_measured_zero_is_the_lowest_cell), cmocka_unit_test(a_series_shows_its_newest_cells),
		cmocka_unit_test(values_that_are_no_numbers_are_blank),    cmocka_unit_test(a_full_cell_can_be_more_than_the_largest),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
