// SPDX-License-Identifier: GPL-2.0-only
/* liblttng-ctl, loaded when it is first needed. */
#include "source/lttng/lttng_ctl.h"

#include <dlfcn.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static bool is_loaded(void)
{
	void *library = dlopen("liblttng-ctl.so.0", RTLD_NOW | RTLD_NOLOAD);
	if (library)
		dlclose(library);
	return library != NULL;
}

/* A program with everything of the sources in it must not pay for the library at its start. */
static void test_comes_with_the_first_question(void **state)
{
	(void)state;
	struct nt_error err = { 0 };
	assert_false(is_loaded());
	const struct nt_lttng_ctl *ctl = nt_lttng_ctl(&err);
	assert_non_null(ctl);
	assert_true(is_loaded());
	assert_ptr_equal(nt_lttng_ctl(NULL), ctl);
}

static void test_has_every_function(void **state)
{
	(void)state;
	const struct nt_lttng_ctl *ctl = nt_lttng_ctl(NULL);
#define FUNCTION(name) assert_non_null(ctl->name);
#include "source/lttng/lttng_ctl.def"
	assert_string_equal(ctl->strerror(-LTTNG_ERR_NO_SESSIOND), "No session daemon is available");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_comes_with_the_first_question),
		cmocka_unit_test(test_has_every_function),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
