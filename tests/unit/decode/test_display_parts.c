// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "decode/names/display_parts.h"

#include <string.h>

static void are(const char *name, const char *type, const char *method, const char *args)
{
	struct nt_display_parts parts = nt_display_parts_of((struct nt_slice){ name, strlen(name) });
	const char *wanted[] = { type, method, args };
	const struct nt_slice got[] = { parts.type, parts.method, parts.args };
	for (int i = 0; i < 3; i++) {
		assert_int_equal(got[i].length, strlen(wanted[i]));
		assert_memory_equal(got[i].text, wanted[i], got[i].length);
	}
	assert_true(parts.type.length + (parts.type.length > 0) + parts.method.length + parts.args.length == strlen(name));
}

static void names_of_methods(void **state)
{
	(void)state;
	are("Shop.Cart.Total(int, string)", "Shop.Cart", "Total", "(int, string)");
	are("Shop.Cart..ctor()", "Shop.Cart", ".ctor", "()");
	are("Shop.Map<System.Int32, A.B>.Get<T0>(Dictionary<T0, X.Y>)", "Shop.Map<System.Int32, A.B>", "Get<T0>", "(Dictionary<T0, X.Y>)");
	are("Shop.Cart.Run → lambda(int)", "Shop.Cart", "Run → lambda", "(int)");
	are("async Shop.Cart.RunAsync", "async Shop.Cart", "RunAsync", "");
	are("iterator Rows", "", "iterator Rows", "");
}

static void other_names(void **state)
{
	(void)state;
	are("", "", "", "");
	are("memcpy", "", "memcpy", "");
	are("WKS::gc_heap::mark(void*)", "", "WKS::gc_heap::mark", "(void*)");
	are("operator->(x)", "", "operator->", "(x)");
	are("libfoo.so+0x12", "libfoo", "so+0x12", "");
	are(".", "", ".", "");
	are("..", "", "..", "");
	are("(evicted)", "", "", "(evicted)");
	are("[stub A.B]", "", "[stub A.B]", "");
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(names_of_methods), cmocka_unit_test(other_names) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
