// SPDX-License-Identifier: GPL-2.0-only
/* Collections and compilations that are many, and a finding by what they cost. */
#include "finding_seconds.h"

/* Full collections that cost hardly anything are none: neither that of a small heap, nor that of a program that does much else. */
static void full_collections_count_by_what_they_cost(void **state)
{
	static const struct {
		unsigned pause_ms;
		struct nt_u64 gc_samples;
		bool storm;
	} cases[] = {
		{ 4, { 0 }, false }, /* no samples: by the pauses alone */
		{ 4, { .v = 30, .known = true }, false },
		{ 4, { .v = 200, .known = true }, true },
		{ 30, { .v = 30, .known = true }, true },
		{ 30, { 0 }, true },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		set_up(state);
		for (int second = 0; second < 12; second++) {
			struct nt_figures *figures = &next_second()->interval;
			figures->gc.pause_ns = nt_u64_of(cases[i].pause_ms * NT_NS_PER_MS);
			figures->gc.pause_max_ns = nt_u64_of(NT_NS_PER_MS);
			figures->gc.count[2] = nt_u64_of(2);
			figures->cpu.samples = (struct nt_u64){ .v = 1000, .known = cases[i].gc_samples.known };
			figures->cpu.covered_ns = nt_u64_of(NT_NS_PER_S);
			figures->cpu.purposes.samples[NT_PURPOSE_GC] = cases[i].gc_samples;
			close_second();
		}
		assert_int_equal(the_finding(NT_FINDING_GC_STORM) != NULL, cases[i].storm);
	}
}

/* Large objects are collected in the background: hardly a pause, and much CPU time. */
static void churn_of_large_objects_is_a_storm(void **state)
{
	(void)state;
	for (int second = 0; second < 12; second++) {
		struct nt_figures *figures = &next_second()->interval;
		figures->gc.pause_ns = nt_u64_of(4 * NT_NS_PER_MS);
		figures->gc.pause_max_ns = nt_u64_of(NT_NS_PER_MS);
		figures->gc.count[2] = figures->gc.background_count = nt_u64_of(3);
		figures->cpu.samples = nt_u64_of(1000);
		figures->cpu.covered_ns = nt_u64_of(NT_NS_PER_S);
		figures->cpu.purposes.samples[NT_PURPOSE_GC] = nt_u64_of(340);
		close_second();
	}
	assert_non_null(
		strstr(the_finding(NT_FINDING_GC_STORM)->text, "GC storm: 3.0 collections of gen2/s in the last 10s, 34% of its CPU time"));
}

/* That large objects are dropped is the cause, how often gen2 is collected for them the symptom: it comes first, and names who allocates them. */
static void large_objects_that_are_dropped(void **state)
{
	static const struct {
		uint64_t collections, freed_mb;
		bool freed_known;
		uint64_t allocated_mb;
		bool churn;
	} cases[] = {
		{ 2, 50, true, 60, true }, { 0, 50, true, 100, false }, /* they die in collections that come anyway */
		{ 2, 1, true, 2, false },  { 2, 0, false, 50, true },   { 2, 0, false, 10, false },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		set_up(state);
		for (int second = 0; second < 12; second++) {
			struct nt_gc_figures *gc = &next_second()->interval.gc;
			gc->pause_ns = nt_u64_of(NT_NS_PER_MS);
			gc->pause_max_ns = nt_u64_of(NT_NS_PER_MS);
			gc->count[2] = gc->background_count = nt_u64_of(2);
			gc->loh_count = nt_u64_of(cases[i].collections);
			gc->loh_freed_bytes = (struct nt_u64){ .v = cases[i].freed_mb << 20, .known = cases[i].freed_known };
			gc->alloc_bytes = nt_u64_of(cases[i].allocated_mb << 20);
			gc->alloc_covered_ns = nt_u64_of(NT_NS_PER_S);
			close_second();
		}
		const struct nt_finding *finding = the_finding(NT_FINDING_LOH_CHURN);
		assert_int_equal(finding != NULL, cases[i].churn);
		if (!finding)
			continue;
		assert_string_equal(
			finding->text,
			cases[i].freed_known
				? "LOH churn: 2.0 collections of gen2/s for large objects in the last 10s, which free 50.0M/s of them"
				: "LOH churn: 2.0 collections of gen2/s for large objects in the last 10s");
	}
}

/* So many are one whatever they cost, and what they cost may not be known. */
static void five_of_gen2_a_second_are_a_storm(void **state)
{
	(void)state;
	for (int second = 0; second < 12; second++) {
		struct nt_gc_figures *gc = &next_second()->interval.gc;
		gc->pause_ns = nt_u64_of(14 * NT_NS_PER_MS);
		gc->pause_max_ns = nt_u64_of(NT_NS_PER_MS);
		gc->count[2] = gc->background_count = nt_u64_of(47);
		close_second();
	}
	assert_string_equal(the_finding(NT_FINDING_GC_STORM)->text, "GC storm: 47.0 collections of gen2/s in the last 10s");
}

/* Of a process of that age, for 12 s. */
static const struct nt_finding *compiling(nt_time uptime_ns, unsigned ms_per_s, unsigned dynamic_count)
{
	void *state = NULL;
	set_up(&state);
	for (int second = 0; second < 12; second++) {
		struct nt_process_snapshot *process = next_second();
		process->target.uptime_ns = nt_u64_of(uptime_ns);
		process->interval.jit.time_ns = nt_u64_of(ms_per_s * NT_NS_PER_MS);
		process->interval.jit.dynamic_count = nt_u64_of(dynamic_count);
		close_second();
	}
	return the_finding(NT_FINDING_JIT_STORM);
}

/* Little is compiled a second, and it never ends: by each request. A start, and the last of a warm-up, are none. */
static void methods_made_at_run_time_for_ever_are_a_storm(void **state)
{
	(void)state;
	const struct nt_finding *finding = compiling(90 * NT_NS_PER_S, 45, 30);
	assert_non_null(finding);
	assert_non_null(strstr(finding->text, "JIT storm: 30 methods/s made at run time, 45ms/s"));
	assert_null(compiling(40 * NT_NS_PER_S, 45, 30));
	assert_null(compiling(90 * NT_NS_PER_S, 45, 1));
	assert_null(compiling(90 * NT_NS_PER_S, 5, 30));
	assert_null(compiling(90 * NT_NS_PER_S, 8, 200)); /* many that are small: less than a hundredth of a CPU */
}

/* What is compiled is asked for where an old process does not stop, and for a minute after it has. */
static void who_compiles_for_long_is_asked_what(void **state)
{
	static const struct {
		unsigned uptime_s, first, count, seconds;
		bool wanted;
	} cases[] = {
		{ 90, 0, 0, 12, false },  { 90, 30, 30, 12, true }, { 20, 30, 30, 12, false },
		{ 90, 30, 0, 12, false }, { 90, 30, 30, 3, false },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		set_up(state);
		for (unsigned second = 0; second < cases[i].seconds; second++) {
			struct nt_process_snapshot *process = next_second();
			process->target.uptime_ns = nt_u64_of(cases[i].uptime_s * NT_NS_PER_S);
			process->interval.jit.method_count = nt_u64_of(second ? cases[i].count : cases[i].first);
			close_second();
		}
		assert_int_equal(snapshot->processes[0].wants_compilations, cases[i].wanted);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		WITH_FINDINGS(full_collections_count_by_what_they_cost),
		WITH_FINDINGS(churn_of_large_objects_is_a_storm),
		WITH_FINDINGS(large_objects_that_are_dropped),
		WITH_FINDINGS(five_of_gen2_a_second_are_a_storm),
		WITH_FINDINGS(methods_made_at_run_time_for_ever_are_a_storm),
		WITH_FINDINGS(who_compiles_for_long_is_asked_what),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
