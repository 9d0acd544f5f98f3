// SPDX-License-Identifier: GPL-2.0-only
/* What a module of the 0-ABI calls lasts beyond its destructor: of this program, which does what the compiled-in destructor does. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "ust0/functions.h"

#include <string.h>

static void enrol(void)
{
}

static void enter(void)
{
}

static void leave(void)
{
}

static void get(void)
{
}

static void another(void)
{
}

static int library;
static const struct ust0_functions ours = { .register_lib = enrol, .read_lock = enter, .read_unlock = leave, .dereference = get };

/* In both kinds of memory that a module writes to. */
static struct ust0_functions zeroed, later, initialised = { &library, enrol, NULL, enter, leave, get };
static struct ust0_functions of_another_library = { &library, enrol, another, enter, leave, get };
static struct ust0_functions of_another_kind = { &library, enrol, NULL, enter, leave, another };
static struct ust0_functions half = { &library, NULL, NULL, enter, leave, get };

/* As it is in the header, for one module. */
static void destruct(struct ust0_functions *functions)
{
	if (functions->library)
		memset(functions, 0, sizeof(*functions));
}

static void test_those_of_ours_last(void **state)
{
	(void)state;
	zeroed = initialised;
	assert_int_equal(ust0_functions_keep(&library, &ours), 2);
	destruct(&zeroed);
	destruct(&initialised);
	assert_true(zeroed.read_lock == enter && zeroed.dereference == get && zeroed.register_lib == enrol);
	assert_true(initialised.read_lock == enter && initialised.read_unlock == leave);
	assert_int_equal(ust0_functions_keep(&library, &ours), 0);
	later = ours;
	later.library = &library;
	assert_int_equal(ust0_functions_keep(&library, &ours), 1);
	assert_null(later.library);
}

static void test_others_are_left_alone(void **state)
{
	(void)state;
	ust0_functions_keep(&library, &ours);
	assert_ptr_equal(of_another_library.library, &library);
	assert_ptr_equal(of_another_kind.library, &library);
	assert_ptr_equal(half.library, &library);
}

static void test_of_no_module(void **state)
{
	(void)state;
	int here;
	later = initialised;
	later.library = &library;
	assert_int_equal(ust0_functions_keep(NULL, &ours), 0);
	assert_int_equal(ust0_functions_keep(&here, &ours), 0);
	assert_int_equal(ust0_functions_keep((void *)_cmocka_run_group_tests, &ours),
			 0); /* another module's; libc's functions may be a sanitizer's here */
	assert_ptr_equal(later.library, &library);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_those_of_ours_last), cmocka_unit_test(test_others_are_left_alone),
					    cmocka_unit_test(test_of_no_module) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
