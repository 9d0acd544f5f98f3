// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "nettop/purpose.h"

static const struct nt_f64 shares[NT_PURPOSE_COUNT] = {
	[NT_PURPOSE_PROGRAM] = NT_KNOWN(41.4), [NT_PURPOSE_GC] = NT_KNOWN(12),  [NT_PURPOSE_KERNEL] = NT_KNOWN(22.2),
	[NT_PURPOSE_JIT] = NT_KNOWN(0.4),      [NT_PURPOSE_IDLE] = NT_KNOWN(0),
};

/* Largest first, as many as fit, none of which nobody would see. */
static void as_many_as_fit(void **state)
{
	(void)state;
	static const struct {
		int cells;
		const char *text;
	} cases[] = { { 100, "program 41%  kernel 22%  gc 12%" },
		      { 31, "program 41%  kernel 22%  gc 12%" },
		      { 30, "program 41%  kernel 22%" },
		      { 11, "program 41%" },
		      { 10, "" },
		      { 0, "" },
		      { -3, "" } };
	char text[NT_PURPOSES_BYTES];
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		nt_purposes_text(shares, cases[i].cells, text);
		assert_string_equal(text, cases[i].text);
	}
}

static void what_is_not_known_is_not_said(void **state)
{
	(void)state;
	static const struct nt_f64 none[NT_PURPOSE_COUNT];
	struct nt_f64 all[NT_PURPOSE_COUNT];
	char text[NT_PURPOSES_BYTES];
	nt_purposes_text(none, 100, text);
	assert_string_equal(text, "");
	for (unsigned i = 0; i < NT_PURPOSE_COUNT; i++)
		all[i] = nt_f64_of(100.0 / NT_PURPOSE_COUNT);
	nt_purposes_text(all, NT_PURPOSES_BYTES, text);
	assert_string_equal(text,
			    "program 11%  framework 11%  gc 11%  jit 11%  runtime 11%  kernel 11%  native 11%  idle 11%  unknown 11%");
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(as_many_as_fit), cmocka_unit_test(what_is_not_known_is_not_said) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
