// SPDX-License-Identifier: GPL-2.0-only
/* What single requests may cost the target. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "source/eventpipe/eventpipe_limit.h"

#include <string.h>
#include <unistd.h>

enum { SECONDS = 5 };

/* So many looks, a second apart, each of which finds that so much was paid and used; whether they are over the limit at the end. */
static bool look(struct nt_eventpipe_limit *limit, unsigned looks, uint64_t paid_ms, uint64_t used_ms, unsigned most_pct)
{
	bool over = false;
	for (unsigned i = 1; i <= looks; i++) {
		nt_time now = limit->looked ? limit->looked + NT_NS_PER_S : NT_NS_PER_S;
		over = nt_eventpipe_limit_look(limit, limit->paid_ns + paid_ms * NT_NS_PER_MS, limit->cpu_ns + used_ms * NT_NS_PER_MS,
					       most_pct, now);
	}
	return over;
}

static bool is_over(uint64_t paid_ms, uint64_t used_ms, unsigned most_pct)
{
	struct nt_eventpipe_limit limit = { 0 };
	return look(&limit, SECONDS, paid_ms, used_ms, most_pct);
}

/* 5 % unless somebody says otherwise, of what it uses without them; 1 % of a CPU is no matter. */
static void over_the_limit(void **state)
{
	(void)state;
	assert_false(is_over(40, 900, 0));
	assert_true(is_over(60, 900, 0));
	assert_true(is_over(60, 900, 6));
	assert_false(is_over(60, 900, 8));
	assert_false(is_over(9, 10, 5)); /* of an idle program */
	assert_true(is_over(11, 12, 5));
	assert_true(is_over(500, 0, 99));      /* whose CPU time cannot be read */
	assert_false(is_over(900, 1000, 100)); /* whatever it costs */
}

/* One late piece of the stream ends nothing, two looks in a row do; then it stays so. */
static void two_looks_decide(void **state)
{
	(void)state;
	struct nt_eventpipe_limit limit = { 0 };
	assert_false(look(&limit, 2, 500, 1000, 5)); /* the first is the base */
	assert_false(look(&limit, 1, 0, 1000, 5));
	assert_false(look(&limit, 1, 500, 1000, 5));
	assert_true(look(&limit, 1, 500, 1000, 5));
	assert_true(look(&limit, 3, 0, 1000, 5));
	struct nt_probe said;
	nt_eventpipe_limit_tell(&limit, "single requests", &said);
	assert_non_null(strstr(said.reason, "single requests are no longer told"));
	assert_non_null(strstr(said.reason, "~100 % of its CPU time"));
	assert_non_null(strstr(said.fix, "--max-target-cost 100"));
	/* Between two seconds nothing is looked at. */
	limit = (struct nt_eventpipe_limit){ 0 };
	for (unsigned i = 0; i < 100; i++)
		assert_false(nt_eventpipe_limit_look(&limit, i * 500 * NT_NS_PER_MS, i * NT_NS_PER_MS, 5, NT_NS_PER_S + i * NT_NS_PER_MS));
}

static void cpu_time_of_a_process(void **state)
{
	(void)state;
	assert_true(nt_eventpipe_limit_cpu_ns((uint32_t)getpid()) > 0);
	assert_int_equal(nt_eventpipe_limit_cpu_ns(1u << 22), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(over_the_limit), cmocka_unit_test(two_looks_decide),
					    cmocka_unit_test(cpu_time_of_a_process) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
