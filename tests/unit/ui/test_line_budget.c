// SPDX-License-Identifier: GPL-2.0-only
/* What may be sent over a slow line. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "ui/terminal/line_budget.h"

#include <locale.h>

enum { WIDTH = 400 };

static void test_no_second_has_more(void **state)
{
	struct nt_line_budget budget = { 0 };
	struct nt_grid grid;
	(void)state;
	nt_grid_init(&grid, WIDTH, 1);
	nt_grid_fill(&grid, 0, 0, WIDTH, NT_STYLE_PLAIN, "x");
	int sent_in[100] = { 0 };
	for (int tick = 0; tick < 100; tick++) { /* of 100 ms; nobody reads for the first two seconds */
		nt_line_budget_pass(&budget, (nt_time)(tick + 1) * 100 * NT_NS_PER_MS);
		if (tick >= 20)
			sent_in[tick] = nt_line_budget_take(&budget, nt_grid_row(&grid, 0), 0, WIDTH, true);
	}
	int most = 0;
	for (int tick = 0; tick + 10 <= 100; tick++) {
		int sum = 0;
		for (int i = 0; i < 10; i++)
			sum += sent_in[tick + i];
		most = sum > most ? sum : most;
	}
	assert_in_range(most, 400, NT_LINE_BYTES_PER_S);
	nt_grid_fini(&grid);
}

static void test_what_is_not_enough_waits(void **state)
{
	struct nt_line_budget budget = { 0 };
	struct nt_grid grid;
	(void)state;
	nt_grid_init(&grid, WIDTH, 1);
	nt_grid_put(&grid, 0, 0, WIDTH, NT_STYLE_MARK, "全全全全");
	assert_int_equal(nt_line_budget_take(&budget, nt_grid_row(&grid, 0), 0, WIDTH, false), 0);
	/* For three wide characters, the third only in half. */
	budget.bytes = 12 + 36 + 16 + 3 + 3 + 2;
	assert_int_equal(nt_line_budget_take(&budget, nt_grid_row(&grid, 0), 0, 8, false), 4);
	budget.bytes = NT_LINE_SAVED_BYTES;
	assert_int_equal(nt_line_budget_take(&budget, nt_grid_row(&grid, 0), 4, 8, false), 8);
	nt_grid_fini(&grid);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_no_second_has_more),
		cmocka_unit_test(test_what_is_not_enough_waits),
	};
	setlocale(LC_CTYPE, "C.UTF-8");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
