// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "decode/names/type_path.h"

#include <string.h>

static void check(const char *type, const char *expected)
{
	struct nt_slice namespace = nt_type_path_namespace((struct nt_slice){ type, strlen(type) });
	assert_int_equal(namespace.length, strlen(expected));
	assert_memory_equal(namespace.text, expected, namespace.length);
}

/* As the runtime writes MethodNamespace. */
static void test_namespaces(void **state)
{
	(void)state;
	check("Shop.Cart", "Shop");
	check("Shop.Web.Pages.Index", "Shop.Web.Pages");
	check("Program", "");
	check("", "");
	check("System.Collections.Generic.Dictionary`2[System.String,Shop.Web.Cart]", "System.Collections.Generic");
	check("Shop.Cart+Line+<AddAsync>d__3", "Shop");
	check("Shop.Cart`1+Line`1[System.Int32,System.Int64]", "Shop");
	check("Cart+Line.With.Dots", "");
	check("<>c__DisplayClass3_0", "");
	check("<Module>", "");
	check("Shop.<p>FBBCB737B2EB0C56E303EC938429E60D810F1029CF7A23EEB007101B03B1255BF__Hidden", "Shop");
	check("Shop.<My.Part>x", "Shop");
	check("<StartupCode$App>.$Program", "");
	check("<StartupCode$App>.Shop.$Program", "Shop");
	check("dynamicClass", "");
	check(".", "");
	check("[.", "");
	check("<.", "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_namespaces),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
