// SPDX-License-Identifier: GPL-2.0-only
/* Findings of who lacks a CPU, or only seems to. */
#include "finding_seconds.h"

/* A second of a target that got `ran_ms` of its two CPUs and waited for them so long, and in which these took so long. */
static void second_without_a_cpu(unsigned ran_ms, unsigned waited_ms, unsigned pause_ms, unsigned jit_ms)
{
	struct nt_process_snapshot *process = next_second();
	struct nt_figures *figures = &process->interval;
	process->target.cpu_count = nt_u64_of(2);
	figures->cpu.time_ns = nt_u64_of(ran_ms * NT_NS_PER_MS);
	figures->cpu.waited_ns = nt_u64_of(waited_ms * NT_NS_PER_MS);
	figures->gc.pause_ns = figures->gc.pause_max_ns = nt_u64_of(pause_ms * NT_NS_PER_MS);
	figures->gc.count[2] = nt_u64_of(0);
	figures->jit.time_ns = nt_u64_of(jit_ms * NT_NS_PER_MS);
	close_second();
}

/* Pauses and compilations of one who waits for a CPU last longer. They are named beside that when they would be too long even with one. */
static void who_lacks_a_cpu_does_nothing_else_wrong(void **state)
{
	(void)state;
	static const struct {
		unsigned ran_ms, waited_ms, pause_ms, jit_ms;
		bool waits, pauses, compiles;
	} cases[] = {
		{ 60, 900, 300, 900, true, false, false },
		{ 1950, 9000, 300, 900, false, true, true }, /* they wait for each other: it has all CPUs */
		{ 300, 300, 450, 700, true, true, true },
		{ 5, 100, 0, 0, false, false, false }, /* it wants little, and waits little */
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		set_up(state);
		for (int second = 0; second < 12; second++)
			second_without_a_cpu(cases[i].ran_ms, cases[i].waited_ms, cases[i].pause_ms, cases[i].jit_ms);
		assert_int_equal(the_finding(NT_FINDING_CPU_WAIT) != NULL, cases[i].waits);
		assert_int_equal(the_finding(NT_FINDING_GC_STORM) != NULL, cases[i].pauses);
		assert_int_equal(the_finding(NT_FINDING_JIT_STORM) != NULL, cases[i].compiles);
		if (!cases[i].waits)
			continue;
		assert_non_null(strstr(the_finding(NT_FINDING_CPU_WAIT)->text, cases[i].pauses ? "50% of the time" : "94% of the time"));
		assert_non_null(
			strstr(the_finding(NT_FINDING_CPU_WAIT)->text, cases[i].pauses ? "gets 0.3 of 2 CPUs" : "gets 0.06 of 2 CPUs"));
		if (cases[i].pauses)
			assert_non_null(strstr(the_finding(NT_FINDING_GC_STORM)->text, "; waits for a CPU 50% of the time"));
	}
}

/* A program whose threads wait for each other lacks no CPU, and its pauses are what they are. Who has them must be known to be nobody. */
static void threads_that_wait_for_each_other_lack_no_cpu(void **state)
{
	static const struct {
		struct nt_host_figures host;
		bool waits;
		unsigned ran_ms; /* of 2000 */
	} cases[] = {
		{ { .pressure_of = "cgroup", .steal_pct = NT_KNOWN(0), .others_pct = NT_KNOWN(9) }, false, 1200 },
		{ { .pressure_of = "cgroup", .steal_pct = NT_KNOWN(0), .others_pct = NT_KNOWN(80) }, true, 1200 },
		/* Who calls it works beside it: that is load. */
		{ { .pressure_of = "cgroup", .steal_pct = NT_KNOWN(0), .others_pct = NT_KNOWN(50) }, false, 1500 },
		{ { .pressure_of = "machine", .steal_pct = NT_KNOWN(0), .others_pct = NT_KNOWN(9) }, true, 1200 },
		{ { .pressure_of = "cgroup",
		    .steal_pct = NT_KNOWN(0),
		    .others_pct = NT_KNOWN(9),
		    .quota_pct = NT_KNOWN(200),
		    .period_count = NT_KNOWN(10),
		    .throttled_count = NT_KNOWN(1) },
		  true,
		  1200 },
		{ { .quota_pct = NT_KNOWN(150), .period_count = NT_KNOWN(10), .throttled_count = NT_KNOWN(9) }, true, 1500 },
		{ .waits = true, .ran_ms = 1200 },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		set_up(state);
		for (int second = 0; second < 12; second++) {
			struct nt_process_snapshot *process = next_second();
			struct nt_figures *figures = &process->interval;
			process->target.cpu_count = nt_u64_of(2);
			figures->cpu.time_ns = nt_u64_of(cases[i].ran_ms * NT_NS_PER_MS);
			figures->cpu.waited_ns = nt_u64_of(1800 * NT_NS_PER_MS);
			figures->gc.pause_ns = nt_u64_of(150 * NT_NS_PER_MS);
			figures->gc.pause_max_ns = nt_u64_of(9 * NT_NS_PER_MS);
			figures->gc.count[2] = nt_u64_of(0);
			figures->host = cases[i].host;
			figures->host.covered_ns = nt_u64_of(NT_NS_PER_S);
			close_second();
		}
		assert_int_equal(the_finding(NT_FINDING_CPU_WAIT) != NULL, cases[i].waits);
		bool lasts_longer = cases[i].waits || cases[i].host.others_pct.v >= 30;
		assert_int_equal(the_finding(NT_FINDING_GC_STORM) != NULL, !lasts_longer);
	}
}

/* One long pause counts for 5 s, and is told against the second in which it was. */
static void a_pause_without_a_cpu_is_not_long_afterwards(void **state)
{
	(void)state;
	for (int second = 0; second < 10; second++)
		second_without_a_cpu(300, 0, 0, 0);
	second_without_a_cpu(60, 900, 250, 0);
	for (int second = 0; second < 10; second++) {
		second_without_a_cpu(300, 0, 0, 0);
		assert_null(the_finding(NT_FINDING_GC_STORM));
	}
}

/* ---- where it sends ---- */

int main(void)
{
	const struct CMUnitTest tests[] = {
		WITH_FINDINGS(who_lacks_a_cpu_does_nothing_else_wrong),
		WITH_FINDINGS(threads_that_wait_for_each_other_lack_no_cpu),
		WITH_FINDINGS(a_pause_without_a_cpu_is_not_long_afterwards),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
