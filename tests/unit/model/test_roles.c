// SPDX-License-Identifier: GPL-2.0-only
#include "build.h"

#include "model/process/roles.h"

/* As .NET 10 names them; the kernel keeps 15 characters. */
static void test_by_name(void **state_)
{
	static const struct {
		const char *name;
		enum nt_role role;
	} cases[] = {
		{ ".NET TP Worker", NT_ROLE_POOL },
		{ ".NET TP Gate", NT_ROLE_POOL },
		{ ".NET TP Wait", NT_ROLE_POOL },
		{ ".NET Server GC", NT_ROLE_GC },
		{ ".NET BGC", NT_ROLE_GC },
		{ ".NET Tiered Com", NT_ROLE_JIT },
		{ ".NET Finalizer", NT_ROLE_FINALIZER },
		{ ".NET SigHandler", NT_ROLE_RUNTIME },
		{ ".NET EventPipe", NT_ROLE_RUNTIME },
		{ ".NET SynchManag", NT_ROLE_RUNTIME },
		{ ".NET Debugger", NT_ROLE_RUNTIME },
		{ ".NET Sockets", NT_ROLE_RUNTIME },
		{ ".NET Long Runni", NT_ROLE_APPLICATION },
		{ "dotnet", NT_ROLE_APPLICATION },
		{ "compute", NT_ROLE_APPLICATION },
		{ "dotnet-ust", NT_ROLE_RUNTIME },
		{ "", NT_ROLE_APPLICATION },
		{ "ust", NT_ROLE_APPLICATION },
	};
	(void)state_;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		if (nt_role_of(cases[i].name, 0) != cases[i].role)
			fail_msg("%s: %s", cases[i].name, nt_role_name(nt_role_of(cases[i].name, 0)));
	assert_int_equal(nt_role_of(NULL, 0), NT_ROLE_UNKNOWN);
}

static void test_the_runtimes_word_counts_more(void **state_)
{
	(void)state_;
	assert_int_equal(nt_role_of("renamed", NT_CLR_THREAD_POOL), NT_ROLE_POOL);
	assert_int_equal(nt_role_of(NULL, NT_CLR_THREAD_FINALIZER), NT_ROLE_FINALIZER);
	assert_int_equal(nt_role_of("renamed", NT_CLR_THREAD_GC), NT_ROLE_GC);
	assert_int_equal(nt_role_of("renamed", 1 << 20), NT_ROLE_APPLICATION);
}

static void created(struct feed *feed, double at, uint32_t tid, uint32_t flags)
{
	event(feed, NT_EV_CLR_THREAD_CREATED, at, tid)->u.clr_thread.flags = flags;
}

/* The event comes later than what procfs and perf say, and must not make a thread of one that is gone. */
static void test_an_event_makes_no_thread(void **state_)
{
	(void)state_;
	struct nt_model *model = new_model();
	struct feed procfs, lttng;
	feed_init(&procfs, model, NT_SOURCE_PROCFS);
	feed_init(&lttng, model, NT_SOURCE_LTTNG);
	nt_str name = text(&procfs, "mine");
	event(&procfs, NT_EV_THREAD_STAT, 100, 7)->u.thread_stat = (struct nt_ev_thread_stat){ .start_ticks = 1, .name = name };
	event(&procfs, NT_EV_THREAD_STAT, 100, 8)->u.thread_stat = (struct nt_ev_thread_stat){ .start_ticks = 1, .name = name };
	event(&procfs, NT_EV_THREAD, 200, 8)->u.thread = (struct nt_ev_thread){ .start_ticks = 1, .op = NT_THREAD_ENDED };
	feed_send(&procfs);
	created(&lttng, 50, 7, NT_CLR_THREAD_POOL);
	created(&lttng, 60, 8, NT_CLR_THREAD_FINALIZER);
	created(&lttng, 70, 9, NT_CLR_THREAD_POOL);
	feed_send(&lttng);
	struct nt_snapshot *s = close_at(model, 1000);
	assert_int_equal(s->processes[0].thread_count, 2);
	for (size_t i = 0; i < 2; i++) {
		const struct nt_thread_row *row = &s->processes[0].threads[i];
		assert_int_equal(row->role, row->tid == 7 ? NT_ROLE_POOL : NT_ROLE_FINALIZER);
	}
	nt_snapshot_release(s);
	feed_fini(&procfs);
	feed_fini(&lttng);
	nt_model_free(model);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_by_name),
		cmocka_unit_test(test_the_runtimes_word_counts_more),
		cmocka_unit_test(test_an_event_makes_no_thread),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
