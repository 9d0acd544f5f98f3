// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "decode/names/type_name.h"

#include <string.h>

static void check(const char *raw, const char *shown)
{
	char buf[NT_METHOD_NAME_MAX];
	size_t length = nt_type_name_show((struct nt_slice){ raw, strlen(raw) }, buf, sizeof(buf));
	assert_string_equal(buf, shown);
	assert_int_equal(length, strlen(shown));
}

/* As .NET 10 spells them in AllocationSampled. */
static void test_spellings(void **state)
{
	(void)state;
	check("System.Int32", "int");
	check("System.Int32[,]", "int[,]");
	check("System.String[][]", "string[][]");
	check("Shop.Cart", "Shop.Cart");
	check("System.Collections.Generic.List`1[System.Int32]", "System.Collections.Generic.List<int>");
	check("System.Collections.Generic.Dictionary`2[System.String,System.Collections.Generic.List`1[System.Nullable`1[System.Int32]]]",
	      "System.Collections.Generic.Dictionary<string, List<Nullable<int>>>");
	check("Entry[System.String,System.Collections.Generic.List`1[System.Int32]][]", "Entry<string, List<int>>[]");
	check("RangeSelectIterator`1[System.Int32,System.Int64]", "RangeSelectIterator<int, long>");
	check("Shop.Cart`1+Line`1[System.Int32,System.Int64]", "Shop.Cart<int>.Line<long>");
	check("Enumerator[System.Int32,System.String]", "Enumerator<int, string>");
	check("D[System.String][]", "D<string>[]");
	check("AsyncStateMachineBox`1[System.Int32,Shop.Cart`1+<LoadAsync>d__3[System.String]]",
	      "state of async Shop.Cart<string>.LoadAsync");
	check("AsyncStateMachineBox`1[System.Int32,Shop.Cart+VB$StateMachine_2_LoadAsync]", "state of async Shop.Cart.LoadAsync");
	check("AsyncStateMachineBox`1[System.Int32,Shop.Main+loadAsync@31]", "state of async Shop.Main.loadAsync @31");
	check("AsyncStateMachineBox`1[System.Int32,System.__Canon]", "AsyncStateMachineBox<int, __Canon>");
	check("<Rows>d__4[System.String]", "state of Rows<string>");
	check("VB$StateMachine_4_Rows", "state of Rows");
	check("<>c__DisplayClass1_1", "<>c__DisplayClass1_1");
	check("<>f__AnonymousType0`2[System.Int32,System.String]", "<>f__AnonymousType0<int, string>");
	check("total@11-1", "total@11-1");
	check("Shop.<p>FBBCB737B2EB0C56E303EC938429E60D810F1029CF7A23EEB007101B03B1255BF__Hidden", "Shop.Hidden");
}

static void test_what_is_not_understood_stays(void **state)
{
	(void)state;
	check("", "");
	check("[]", "[]");
	check("]", "]");
	check("A[", "A[");
	check("A[,", "A[,");
	check("A[B", "A[B");
	check("A`1[[B]]", "A`1[[B]]");
	check("A`9999999999", "A");
	check("(type not said)", "(type not said)");
}

static void test_long_ones_are_cut(void **state)
{
	(void)state;
	char raw[3000], buf[NT_METHOD_NAME_MAX];
	memset(raw, 'N', sizeof(raw));
	size_t length = nt_type_name_show((struct nt_slice){ raw, sizeof(raw) }, buf, sizeof(buf));
	assert_int_equal(length, sizeof(buf) - 1);
	assert_string_equal(buf + length - strlen(NT_NAME_CUT), NT_NAME_CUT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_spellings),
		cmocka_unit_test(test_what_is_not_understood_stays),
		cmocka_unit_test(test_long_ones_are_cut),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
