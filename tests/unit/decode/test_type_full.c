// SPDX-License-Identifier: GPL-2.0-only
/* Types in the words of C#, whole. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "decode/names/type_full.h"

#include <stdio.h>
#include <string.h>

static void as_people_write_them(void **state)
{
	(void)state;
	static const char *const cases[][2] = {
		{ "System.String", "string" },
		{ "Shop.Order", "Shop.Order" },
		{ "System.Int32[,]", "int[,]" },
		{ "System.Int32[][,]", "int[][,]" },
		{ "System.Collections.Generic.List`1[Shop.Order]", "System.Collections.Generic.List<Shop.Order>" },
		{ "System.Collections.Generic.Dictionary`2+Entry[System.String,Shop.Order][]",
		  "System.Collections.Generic.Dictionary<string, Shop.Order>.Entry[]" },
		{ "Outer`1+Inner`2[A,B,C]", "Outer<A>.Inner<B, C>" },
		{ "Lid[System.String]", "Lid<string>" },
		{ "A`1[B`1[System.Byte[]]]", "A<B<byte[]>>" },
		{ "Shop.Cart+<>c", "Shop.Cart.<>c" },
		{ "Shop.Cart+<Run>d__5`1[System.Int32]", "Shop.Cart.<Run>d__5<int>" },
		{ "List`1", "List" },
		{ "?0x7f00", "?0x7f00" },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char shown[256];
		nt_type_full_show((struct nt_slice){ cases[i][0], strlen(cases[i][0]) }, shown, sizeof(shown));
		assert_string_equal(shown, cases[i][1]);
	}
}

static void what_is_of_no_such_form_stays(void **state)
{
	(void)state;
	static const char *const cases[] = { "", "A[", "A[B", "A[B,", "A]", "A[]x", "A`1[B]]", "A[[B]", "A`2[B]", ",", "A[B,]" };
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char shown[256];
		nt_type_full_show((struct nt_slice){ cases[i], strlen(cases[i]) }, shown, sizeof(shown));
		assert_string_equal(shown, cases[i]);
	}
}

static void deep_ones_and_small_rooms(void **state)
{
	(void)state;
	char deep[512] = "", shown[64];
	for (int i = 0; i < 40; i++)
		strcat(deep, "A`1[");
	strcat(deep, "B");
	for (int i = 0; i < 40; i++)
		strcat(deep, "]");
	assert_int_equal(nt_type_full_show((struct nt_slice){ deep, strlen(deep) }, shown, sizeof(shown)), sizeof(shown) - 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(as_people_write_them),
		cmocka_unit_test(what_is_of_no_such_form_stays),
		cmocka_unit_test(deep_ones_and_small_rooms),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
