// SPDX-License-Identifier: GPL-2.0-only
/* What nettop enables over LTTng ends no program: no pattern of ours matches an event with a text that may be null and is measured first. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "decode/clr/clr.h"
#include "source/lttng/lttng_session.h"

#include <fnmatch.h>
#include <stdio.h>

static bool ends_programs(const struct nt_clr_desc *desc)
{
	const char *why;
	for (unsigned i = 0; i < desc->field_count; i++)
		if (nt_clr_null_text(desc->base, desc->fields[i].name, &why) == NT_CLR_NULL_ENDS)
			return true;
	return false;
}

/* LTTng's patterns know `*` and the backslash, as the shell's do. */
static bool matches(const char *pattern, const struct nt_clr_desc *desc)
{
	char name[128];
	snprintf(name, sizeof(name), NT_CLR_LTTNG_PROVIDER ":%s", desc->name);
	return fnmatch(pattern, name, 0) == 0;
}

static void test_no_pattern_of_ours_ends_programs(void **state)
{
	(void)state;
	const struct nt_clr_desc *desc;
	const char *pattern;
	size_t harmful = 0, matched = 0;
	for (size_t i = 0; (desc = nt_clr_at_index(i)); i++) {
		harmful += ends_programs(desc);
		for (size_t k = 0; (pattern = nt_lttng_session_pattern(k)); k++) {
			if (ends_programs(desc) && matches(pattern, desc))
				fail_msg("%s enables %s, which ends programs", pattern, desc->name);
			matched += matches(pattern, desc);
		}
	}
	assert_true(harmful > 0);
	assert_true(matched > 30);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_no_pattern_of_ours_ends_programs) };
	return cmocka_run_group_tests_name("lttng_patterns", tests, NULL, NULL);
}
