// SPDX-License-Identifier: GPL-2.0-only
/* Code of a Native AOT executable, which has methods with their names, functions with symbols, and others with bounds. */
#include "sampled_world.h"

enum { IMAGE = 0x800000 };
#define PATH "/srv/app"

/* An answer for [start, start + 0x100). */
static void answer(struct world *w, uint64_t start, const char *name, enum nt_naming naming)
{
	struct nt_ev_name *said = answer_name(w, 1, PATH, start, start + 0x100, name, NULL);
	said->kind = NT_CODE_R2R;
	said->naming = naming;
}

static void check(const struct nt_snapshot *s, const char *name, const char *module, const char *caller)
{
	const struct nt_method_row *row = row_named(s, name);
	assert_non_null(row);
	assert_int_equal(row->kind, NT_CODE_R2R);
	assert_string_equal(row->module, module);
	if (caller)
		assert_string_equal(row->caller, caller);
	else
		assert_null(row->caller);
}

static void test_rows(void **state)
{
	(void)state;
	struct world w;
	begin(&w);
	map_image(&w.perf, 1, IMAGE, 0x10000, PATH, NT_MAP_FILE);
	answer(&w, 0x1000, "instance void [Shop] Shop.Cart+Line::Sum(int32)", NT_NAMING_NAMED);
	answer(&w, 0x1100, "app_Shop_Cart.Sum", NT_NAMING_NAMED);
	answer(&w, 0x1200, "app!0x1200", NT_NAMING_BOUNDED);
	answer(&w, 0x1300, "app!0x1300", NT_NAMING_BOUNDED);
	feed_send(&w.codemap);
	const uint64_t chain[] = { IMAGE + 0x1210, IMAGE + 0x1310, IMAGE + 0x1010, IMAGE + 0x1110 };
	sample_chain(&w.perf, 10, 5, chain, 0, 4);
	sample_at(&w.perf, 20, 5, IMAGE + 0x1010);
	struct nt_snapshot *s = close_all(&w, 1000);
	check(s, "Shop.Cart.Line.Sum(int)", "Shop", NULL);
	check(s, "app_Shop_Cart.Sum", "app", NULL);               /* its symbol does not say for certain in which assembly it is */
	check(s, "app!0x1200", "app", "Shop.Cart.Line.Sum(int)"); /* called by another one that has bounds only, which says nothing */
	assert_int_equal(row_named(s, "app!0x1200")->naming, NT_NAMING_BOUNDED);
	nt_snapshot_release(s);
	end(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_rows) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
