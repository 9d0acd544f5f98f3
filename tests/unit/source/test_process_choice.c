// SPDX-License-Identifier: GPL-2.0-only
/* Which processes a list is of. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "source/processes/process_choice.h"

static void test_names_and_pids(void **state)
{
	(void)state;
	const struct nt_process_choice choice = { .named = "4711,shop,17" }, pids = { .named = "1,2" }, none = { 0 };
	assert_true(nt_process_choice_has_pid(&choice, 4711) && nt_process_choice_has_pid(&choice, 17));
	assert_false(nt_process_choice_has_pid(&choice, 471) || nt_process_choice_has_pid(&choice, 7));
	assert_true(nt_process_choice_has_name(&choice, "dotnet", "shop") && nt_process_choice_has_name(&choice, "shop", NULL));
	assert_false(nt_process_choice_has_name(&choice, "sho", "shops"));
	assert_true(nt_process_choice_is_of_pids(&pids));
	assert_false(nt_process_choice_is_of_pids(&choice) || nt_process_choice_is_of_pids(&none));
	assert_false(nt_process_choice_has_pid(&none, 1) || nt_process_choice_has_name(&none, "a", "a"));
}

/* By the path that /proc has, or the folder, of either version of control groups; a name that begins alike is another group. */
static void test_groups(void **state)
{
	static const char v2[] = "0::/system.slice/shop.service/worker\n";
	static const char v1[] = "12:memory:/docker/4f\n4:cpu,cpuacct:/docker/4f\n0::/\n";
	static const struct {
		const char *wanted, *text;
		bool is_in;
	} cases[] = {
		{ "/system.slice/shop.service", v2, true },
		{ "/system.slice/shop.service/", v2, true },
		{ "/system.slice", v2, true },
		{ "/", v2, true },
		{ "/system.slice/shop", v2, false },
		{ "/system.slice/shop.service/worker/1", v2, false },
		{ "/sys/fs/cgroup/system.slice/shop.service", v2, true },
		{ "/sys/fs/cgroup/unified/system.slice", v2, true },
		{ "/sys/fs/cgroups/system.slice", v2, false },
		{ "/docker/4f", v1, true },
		{ "/sys/fs/cgroup/memory/docker/4f", v1, true },
		{ "/docker/4", v1, false },
		{ "/docker/4f", "", false },
		{ "/docker/4f", "nonsense\n:\n::", false },
		{ "/docker/4f", "0::/docker/4f", true },
	};
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct nt_process_choice choice = { .cgroup = cases[i].wanted };
		if (nt_process_choice_has_cgroup(&choice, cases[i].text) != cases[i].is_in)
			fail_msg("%s in %s", cases[i].wanted, cases[i].text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_names_and_pids), cmocka_unit_test(test_groups) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
