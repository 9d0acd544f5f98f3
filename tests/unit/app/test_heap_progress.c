// SPDX-License-Identifier: GPL-2.0-only
/* How far a look at the heap is, for who waits: an estimate that promises no end. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "app/show/heap_look.h"

static void the_bar_goes_on_to_its_last_cell_but_one(void **state)
{
	(void)state;
	char text[NT_HEAP_PRICE_BYTES];
	assert_string_equal(nt_heap_progress_text(0, 0, UINT64_C(100) << 20, true, text),
			    "[....................] 0 objects, 0B of some 100MB read; the process stands still");
	assert_string_equal(nt_heap_progress_text(1600000, UINT64_C(50) << 20, UINT64_C(100) << 20, true, text),
			    "[#########...........] 1.60M objects, 50.0MB of some 100MB read; the process stands still");
	assert_string_equal(nt_heap_progress_text(3200000, UINT64_C(300) << 20, UINT64_C(100) << 20, false, text),
			    "[###################.] 3.20M objects, 300MB of some 100MB read");
}

static void without_an_estimate_there_is_none(void **state)
{
	(void)state;
	char text[NT_HEAP_PRICE_BYTES];
	assert_string_equal(nt_heap_progress_text(5, 160, 0, false, text), "5 objects, 160B read");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_bar_goes_on_to_its_last_cell_but_one),
		cmocka_unit_test(without_an_estimate_there_is_none),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
