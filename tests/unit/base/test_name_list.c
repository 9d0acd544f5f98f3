// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/name_list.h"

#include <string.h>

static void names_come_one_by_one(void **state)
{
	(void)state;
	const char *rest = "Shop,-Npgsql,a", *name;
	assert_int_equal(nt_name_list_next(&rest, &name), 4);
	assert_memory_equal(name, "Shop", 4);
	assert_int_equal(nt_name_list_next(&rest, &name), 7);
	assert_int_equal(nt_name_list_next(&rest, &name), 1);
	assert_int_equal(nt_name_list_next(&rest, &name), 0);
	assert_int_equal(nt_name_list_next(&rest, &name), 0);
}

static void names_are_added_and_taken_out(void **state)
{
	(void)state;
	char list[16] = "";
	assert_false(nt_name_list_has(list, "a"));
	assert_true(nt_name_list_add(list, sizeof(list), "aa"));
	assert_true(nt_name_list_add(list, sizeof(list), "a"));
	assert_true(nt_name_list_add(list, sizeof(list), "b"));
	assert_true(nt_name_list_add(list, sizeof(list), "a"));
	assert_string_equal(list, "aa,a,b");
	assert_true(nt_name_list_has(list, "a"));
	assert_false(nt_name_list_has(list, "aa,a"));
	/* The last byte is for the end. */
	assert_false(nt_name_list_add(list, sizeof(list), "123456789"));
	assert_true(nt_name_list_add(list, sizeof(list), "12345678"));
	assert_string_equal(list, "aa,a,b,12345678");
	nt_name_list_remove(list, "a");
	assert_string_equal(list, "aa,b,12345678");
	nt_name_list_remove(list, "12345678");
	assert_string_equal(list, "aa,b");
	nt_name_list_remove(list, "c");
	nt_name_list_remove(list, "aa");
	assert_string_equal(list, "b");
	nt_name_list_remove(list, "b");
	assert_string_equal(list, "");
	strcpy(list, "x,x");
	nt_name_list_remove(list, "x");
	assert_string_equal(list, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_come_one_by_one),
		cmocka_unit_test(names_are_added_and_taken_out),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
