// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "source/image/demangle.h"

#include <stdio.h>
#include <string.h>

static void expect(const char *mangled, const char *name)
{
	char buf[NT_DEMANGLE_MAX];
	assert_string_equal(nt_demangle(mangled, buf), name);
}

static void test_names(void **state)
{
	(void)state;
	expect("_ZN3SVR7gc_heap19mark_object_simple1EPhS1_i", "SVR::gc_heap::mark_object_simple1(unsigned char*, unsigned char*, int)");
	expect("memcpy", "memcpy");
	expect("", "");
	expect("_Z", "_Z");
	expect("_Znonsense", "_Znonsense");
	expect("_Znwm@plt", "operator new(unsigned long)@plt");
	expect("memcpy@plt", "memcpy@plt");
	expect("_Znonsense@plt", "_Znonsense@plt");
	expect("_Z@plt", "_Z@plt");
}

/* f(pair<int, int>, pair<S0_, S0_>, pair<S1_, S1_> ...): each substitution doubles what it stands for, the last one to 2^30. */
static void test_exponential_name_is_cut(void **state)
{
	(void)state;
	char mangled[2048] = "_Z1fSt4pairIiiE";
	for (int i = 0; i < 30; i++) {
		static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
		size_t used = strlen(mangled);
		snprintf(mangled + used, sizeof(mangled) - used, "St4pairIS%c_S%c_E", digits[i], digits[i]);
	}
	char buf[NT_DEMANGLE_MAX];
	nt_demangle(mangled, buf);
	assert_int_equal(strncmp(buf, "f(std::pair<int, int>, std::pair<std::pair<int, int>", 52), 0);
	assert_int_equal(strlen(buf), NT_DEMANGLE_MAX - 1);
	assert_string_equal(buf + NT_DEMANGLE_MAX - 4, "...");
}

static void test_long_plain_name_is_cut(void **state)
{
	(void)state;
	char name[3 * NT_DEMANGLE_MAX], buf[NT_DEMANGLE_MAX];
	memset(name, 'x', sizeof(name));
	name[sizeof(name) - 1] = '\0';
	nt_demangle(name, buf);
	assert_int_equal(strlen(buf), NT_DEMANGLE_MAX - 1);
	assert_string_equal(buf + NT_DEMANGLE_MAX - 4, "...");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_exponential_name_is_cut),
		cmocka_unit_test(test_long_plain_name_is_cut),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
