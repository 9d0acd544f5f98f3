// SPDX-License-Identifier: GPL-2.0-only
/* What a module is called, from its path. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "decode/names/module_name.h"

#include <string.h>

static void test_names(void **state)
{
	static const struct {
		const char *path, *name;
	} cases[] = {
		{ "/app/Shop.Web.dll", "Shop.Web" },
		{ "Shop.dll", "Shop" },
		{ "/app/Shop.exe", "Shop.exe" },
		{ "/app.dll/Shop", "Shop" },
		{ "/app/.dll", ".dll" }, /* nothing would be left */
		{ "/app/", "" },
		{ "", "" },
	};
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct nt_slice name = nt_module_name_of(cases[i].path, strlen(cases[i].path));
		assert_int_equal(name.length, strlen(cases[i].name));
		assert_memory_equal(name.text, cases[i].name, name.length);
	}
}

static void test_length_counts(void **state)
{
	(void)state;
	struct nt_slice name = nt_module_name_of("/app/Shop.dll/more", strlen("/app/Shop.dll"));
	assert_int_equal(name.length, 4);
	assert_memory_equal(name.text, "Shop", 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_names), cmocka_unit_test(test_length_counts) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
