// SPDX-License-Identifier: GPL-2.0-only
/* Command lines of a recording in place of a process. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/unit/command_line.h"

static void a_recording_is_asked_for_nothing_more(void **state)
{
	(void)state;
	struct nt_error err = { 0 };
	struct nt_options options = parse_good("stacks --replay shop.nettop --from +1.5 --to 13:04 --off-cpu -f pprof -o x");
	assert_string_equal(options.replay_path, "shop.nettop");
	assert_int_equal(options.from.ns, 3 * NT_NS_PER_S / 2);
	assert_int_equal(options.to.sort, NT_WHEN_OF_DAY);
	parse_good("jit --replay shop.nettop --json --fail-above methods=1 --to +9");
	parse_good("threads --replay shop.nettop --json --to +9");
	parse_good("report --replay shop.nettop -f html --rows 3 --from 13:04:05");
	parse_good("replay shop.nettop --json --from +1");
	static const char *const bad[][2] = {
		{ "stacks --replay a -d 3", "--duration is of a process" },
		{ "stacks --replay a -F 3", "--frequency is of a process" },
		{ "stacks --replay a -e page-faults", "--event is of a process" },
		{ "threads --replay a --native", "--native is of a process" },
		{ "report --replay a --alloc", "--alloc is of a process" },
		{ "report --replay a shop", "'shop' is a process, and --replay a recording" },
		{ "jit --replay a -p 1", "--pid is of a process" },
		{ "jit --replay a -- dotnet a.dll", "one process or one program" },
		{ "stacks -p 1 --from +1", "--from and --to are a part of a recording" },
		{ "stacks --replay a --from x", "--from 'x' is no time" },
		{ "threads --replay a --from +1", "no option '--from" },
	};
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_equal(parse(bad[i][0], &options, &err), NT_ERR_USAGE);
		if (!strstr(err.cause[0], bad[i][1]))
			fail_msg("'%s': \"%s\" does not say \"%s\"", bad[i][0], err.cause[0], bad[i][1]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_recording_is_asked_for_nothing_more),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
