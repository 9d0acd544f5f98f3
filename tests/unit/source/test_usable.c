// SPDX-License-Identifier: GPL-2.0-only
/* Which sources would deliver, and what is needed for that: from facts, as the verdicts. */
#include "prerequisites_fixture.h"

#include <errno.h>

#include "target/needs/usable.h"

static bool needs(const struct fixture *f, enum nt_prerequisite_id id)
{
	return nt_usable_needs(&f->facts, &nt_prerequisites[id]);
}

/* LTTng is needed where EventPipe cannot bring the runtime's events, the port everywhere. */
static void test_what_is_needed(void **state)
{
	static const enum nt_prerequisite_id of_lttng[] = { NT_NEEDS_LTTNG_DAEMONS, NT_NEEDS_UST, NT_NEEDS_EVENT_LOG,
							    NT_NEEDS_POOL_EVENTS };
	struct fixture *f = *state;
	for (size_t i = 0; i < sizeof(of_lttng) / sizeof(of_lttng[0]); i++)
		assert_false(needs(f, of_lttng[i]));
	assert_true(needs(f, NT_NEEDS_DIAGNOSTICS) && needs(f, NT_NEEDS_SOCKET));
	assert_false(needs(f, NT_NEEDS_TRACEFS) || needs(f, NT_NEEDS_JITDUMP));
	/* LTTng brings what it brings as long as it can. */
	assert_true(needs(f, NT_NEEDS_EVENT_FILTERS));
	f->facts.ust0 = NT_UST0_NONE;
	assert_false(needs(f, NT_NEEDS_EVENT_FILTERS));
	f->facts.readonly = true;
	expect(f, NT_NEEDS_EXCEPTIONS, NT_VERDICT_MISSING, "--readonly forbids", "");
	expect(f, NT_NEEDS_ALLOCATION_SAMPLES, NT_VERDICT_MISSING, "--readonly forbids", "");
	for (size_t i = 0; i < sizeof(of_lttng) / sizeof(of_lttng[0]); i++)
		assert_true(needs(f, of_lttng[i]));
	f->facts.readonly = false;
	f->facts.socket_exists = false;
	assert_true(needs(f, NT_NEEDS_UST) && needs(f, NT_NEEDS_EVENT_FILTERS));
	f->facts.target = NULL;
	assert_false(needs(f, NT_NEEDS_LTTNG_DAEMONS));
	f->facts.target = &f->target;
	f->target.jitdump_only = true;
	assert_true(needs(f, NT_NEEDS_JITDUMP));
}

static void expect_usable(const struct fixture *f, enum nt_source_id source, enum nt_usable_state state, const char *words)
{
	char why[NT_USABLE_BYTES];
	assert_int_equal(nt_usable_judge(&f->facts, source, why), state);
	if (!strstr(why, words) || (!*words && *why))
		fail_msg("%s: \"%s\" does not say \"%s\"", nt_source_name(source), why, words);
}

/* What a list of processes says of each source. */
static void test_usable(void **state)
{
	struct fixture *f = *state;
	for (size_t i = 0; i < NT_LISTED_SOURCES; i++)
		expect_usable(f, nt_listed_sources[i], NT_USABLE_YES, "");
	f->facts.perf_event_paranoid.value = 2;
	expect_usable(f, NT_SOURCE_PERF, NT_USABLE_YES, "");
	f->facts.perf_error = EACCES;
	f->facts.perf_event_paranoid.value = 4;
	expect_usable(f, NT_SOURCE_PERF, NT_USABLE_FORBIDDEN, "kernel.perf_event_paranoid is 4");
	f->facts.perf_error = ENOSYS;
	expect_usable(f, NT_SOURCE_PERF, NT_USABLE_MISSING, "built without perf events");
	ENVIRONMENT(f, "HOME=/");
	expect_usable(f, NT_SOURCE_LTTNG, NT_USABLE_MISSING, "without DOTNET_EnableEventLog=1");
	/* The runtime writes its perf map when it is told to, from .NET 8 on, if it can be told. */
	f->facts.perf_map_error = ENOENT;
	expect_usable(f, NT_SOURCE_CODEMAP, NT_USABLE_YES, "");
	f->target.runtime = (char *)(uintptr_t) "6.0.36";
	expect_usable(f, NT_SOURCE_CODEMAP, NT_USABLE_MISSING, "writes no perf map");
	f->target.runtime = (char *)(uintptr_t) "8.0.1";
	f->facts.socket_exists = false;
	expect_usable(f, NT_SOURCE_CODEMAP, NT_USABLE_MISSING, "writes no perf map");
	expect_usable(f, NT_SOURCE_EVENTPIPE, NT_USABLE_MISSING, "dotnet-diagnostic-4711-");
}

static void test_usable_native_aot(void **state)
{
	struct fixture *f = *state;
	f->target.is_dotnet = false;
	f->target.deployment = NT_DEPLOYED_NATIVE_AOT;
	expect_usable(f, NT_SOURCE_LTTNG, NT_USABLE_MISSING, "compiled with Native AOT");
	expect_usable(f, NT_SOURCE_CODEMAP, NT_USABLE_MISSING, "compiled with Native AOT");
	expect_usable(f, NT_SOURCE_PERF, NT_USABLE_YES, "");
	expect_usable(f, NT_SOURCE_EVENTPIPE, NT_USABLE_YES, "");
	f->facts.socket_exists = false;
	expect_usable(f, NT_SOURCE_EVENTPIPE, NT_USABLE_MISSING, "without EventSourceSupport");
}

/* Whatever there is: what would change the target is left out. */
static void test_readonly(void **state)
{
	struct fixture *f = *state;
	f->facts.readonly = true;
	expect_usable(f, NT_SOURCE_LTTNG, NT_USABLE_FORBIDDEN, "--readonly: an LTTng session");
	expect_usable(f, NT_SOURCE_EVENTPIPE, NT_USABLE_FORBIDDEN, "--readonly: an EventPipe session");
	expect_usable(f, NT_SOURCE_PERF, NT_USABLE_YES, "");
	expect_usable(f, NT_SOURCE_CODEMAP, NT_USABLE_YES, "");
	f->facts.perf_map_error = ENOENT;
	expect_usable(f, NT_SOURCE_CODEMAP, NT_USABLE_MISSING, "perf map");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
		TEST(test_what_is_needed),
		TEST(test_usable),
		TEST(test_usable_native_aot),
		TEST(test_readonly),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
