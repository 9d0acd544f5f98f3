// SPDX-License-Identifier: GPL-2.0-only
/* When a finding begins and ends, what it says, and where it sends: fed with the figures of processes made by hand, one second after the other. */
#include "finding_seconds.h"

static void compile_second(double ms_per_s)
{
	next_second()->interval.jit.time_ns = nt_u64_of((uint64_t)(ms_per_s * NT_NS_PER_MS));
	close_second();
}

/* Collections: so much paused in the second, the longest pause, and how many full ones. */
static void gc_second(unsigned pause_ms, unsigned longest_ms, unsigned full_count)
{
	struct nt_gc_figures *gc = &next_second()->interval.gc;
	gc->pause_ns = nt_u64_of(pause_ms * NT_NS_PER_MS);
	gc->pause_max_ns = nt_u64_of(longest_ms * NT_NS_PER_MS);
	gc->count[2] = nt_u64_of(full_count);
	close_second();
}

/* ---- begin and end ---- */

static void it_begins_after_three_seconds_of_five(void **state)
{
	(void)state;
	compile_second(900);
	compile_second(10);
	compile_second(900);
	assert_null(the_finding(NT_FINDING_JIT_STORM));
	compile_second(900);
	const struct nt_finding *finding = the_finding(NT_FINDING_JIT_STORM);
	assert_non_null(finding);
	assert_int_equal(finding->since, START);
	assert_int_equal(finding->until, NT_TIME_UNKNOWN);
	assert_int_equal(snapshot->processes[0].quiet_since, NT_TIME_UNKNOWN);
}

static void now_and_then_is_not_enough(void **state)
{
	(void)state;
	for (int i = 0; i < 40; i++) {
		compile_second(i % 3 ? 10 : 900);
		assert_null(the_finding(NT_FINDING_JIT_STORM));
	}
}

static void what_is_not_known_is_no_finding(void **state)
{
	(void)state;
	for (int i = 0; i < 10; i++) {
		next_second();
		close_second();
		assert_int_equal(snapshot->processes[0].finding_count, 0);
	}
}

static void it_ends_after_ten_seconds_below(void **state)
{
	(void)state;
	for (int i = 0; i < 5; i++)
		compile_second(900);
	for (int i = 0; i < 9; i++) {
		compile_second(10);
		assert_non_null(the_finding(NT_FINDING_JIT_STORM));
	}
	compile_second(10);
	assert_null(the_finding(NT_FINDING_JIT_STORM));
	assert_int_equal(snapshot->processes[0].quiet_since, START + 5 * NT_NS_PER_S);
}

/* A second above its limit long after it ended is no finding: the summary has the one that was, with its end. */
static void what_ended_stays_as_it_was(void **state)
{
	(void)state;
	for (int i = 0; i < 5; i++)
		compile_second(900);
	for (int i = 0; i < 20; i++)
		compile_second(10);
	compile_second(300);
	next_second();
	const struct nt_span last = { .t0 = now, .t1 = now, .start = START, .final = true };
	snapshot->t0 = snapshot->t1 = now;
	nt_findings_close(&findings, &last, snapshot, &snapshot->processes[0]);
	const struct nt_finding *finding = the_finding(NT_FINDING_JIT_STORM);
	assert_non_null(finding);
	assert_int_equal(finding->since, START);
	assert_int_equal(finding->until, START + 5 * NT_NS_PER_S);
	assert_int_equal((int)finding->value, 900);
	assert_non_null(strstr(finding->text, "900ms/s"));
}

static bool has(const char *const *names, size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(names[i], name) == 0)
			return true;
	return false;
}

/* That nothing was found says nothing of what nobody could look at. */
static void calm_says_what_was_checked(void **state)
{
	(void)state;
	compile_second(10);
	const struct nt_process_snapshot *process = &snapshot->processes[0];
	assert_true(has(process->checked, process->checked_count, "JIT"));
	assert_true(has(process->unchecked, process->unchecked_count, "pool queue"));
	assert_false(has(process->checked, process->checked_count, "pool queue"));
	struct nt_pool_figures *pool = &next_second()->interval.pool;
	pool->queue_count = pool->worker_count = nt_u64_of(0);
	close_second();
	process = &snapshot->processes[0];
	assert_true(has(process->checked, process->checked_count, "pool queue"));
	assert_true(has(process->unchecked, process->unchecked_count, "JIT"));
}

/* ---- what it says ---- */

/* Each limit with what it was held against; as sure as the least sure of them. */
static void it_says_what_it_rests_on(void **state)
{
	(void)state;
	for (int i = 0; i < 4; i++)
		compile_second(900);
	const struct nt_finding *finding = the_finding(NT_FINDING_JIT_STORM);
	assert_int_equal(finding->evidence_count, 3);
	assert_string_equal(finding->evidence[0].quantity, "compiled_ms_per_s");
	assert_string_equal(finding->evidence[0].unit, finding->unit);
	assert_true(finding->evidence[0].value == finding->value && finding->evidence[0].at_least == finding->threshold);
	assert_string_equal(finding->evidence[2].quantity, "uptime_ns");
	for (size_t i = 0; i < finding->evidence_count; i++)
		assert_true(finding->evidence[i].value >= finding->evidence[i].at_least);
	assert_int_equal(finding->confidence, NT_CONFIDENCE_ESTIMATED); /* what it would have taken with a CPU at hand */
}

/* While its rule lapses it keeps the value by which it was judged, and says how old that is. */
static void a_lapsed_finding_says_its_age(void **state)
{
	(void)state;
	for (int i = 0; i < 5; i++)
		compile_second(900);
	assert_int_equal(the_finding(NT_FINDING_JIT_STORM)->lapsed_ns, 0);
	for (nt_time seconds = 1; seconds < 10; seconds++) {
		compile_second(150); /* under the limit of 200 */
		const struct nt_finding *finding = the_finding(NT_FINDING_JIT_STORM);
		assert_non_null(finding);
		assert_int_equal(finding->lapsed_ns, seconds * NT_NS_PER_S);
		assert_int_equal((int)finding->value, 900);
		assert_non_null(strstr(finding->text, "900ms/s"));
	}
	compile_second(500);
	assert_int_equal(the_finding(NT_FINDING_JIT_STORM)->lapsed_ns, 0);
	assert_non_null(strstr(the_finding(NT_FINDING_JIT_STORM)->text, "500ms/s"));
}

/* Whatever the seconds are like: the value is not under its limit, and no sentence begins with a percentage that is. */
static void no_sentence_contradicts_its_rule(void **state)
{
	(void)state;
	uint32_t lots = 12345;
	unsigned seen = 0;
	for (int i = 0; i < 3000; i++) {
		lots = lots * 1103515245 + 12345;
		unsigned pause_ms = i / 50 % 3 ? lots >> 16 & 127 : (lots >> 16 & 511), longest_ms = pause_ms < 150 ? pause_ms : 150;
		gc_second(pause_ms, i / 300 % 2 ? longest_ms : 1, lots >> 24 & (i / 200 % 2 ? 3 : 0));
		const struct nt_finding *finding = the_finding(NT_FINDING_GC_STORM);
		if (!finding)
			continue;
		const char *const texts[] = { finding->text, finding->short_text, finding->brief_text };
		double paused;
		seen++;
		assert_true(finding->value >= finding->threshold);
		for (size_t form = 0; form < NT_FINDING_FORMS; form++)
			if (sscanf(texts[form], "GC storm: paused %lf", &paused) == 1)
				assert_true(paused >= 9.95); /* as it is rounded */
	}
	assert_true(seen > 100);
}

static void collections_are_named_by_what_is_too_much(void **state)
{
	(void)state;
	for (int i = 0; i < 4; i++)
		gc_second(300, 5, 0);
	assert_non_null(strstr(the_finding(NT_FINDING_GC_STORM)->text, "GC storm: paused 30.0%"));
	for (int i = 0; i < 30; i++)
		gc_second(20, 5, 2);
	assert_non_null(strstr(the_finding(NT_FINDING_GC_STORM)->text, "GC storm: 2.0 full collections/s"));
	assert_string_equal(the_finding(NT_FINDING_GC_STORM)->unit, "per_s");
	for (int i = 0; i < 30; i++)
		gc_second(0, 0, 0);
	assert_null(the_finding(NT_FINDING_GC_STORM));
	gc_second(140, 140, 0);
	gc_second(0, 0, 0);
	gc_second(0, 0, 0);
	assert_non_null(strstr(the_finding(NT_FINDING_GC_STORM)->brief_text, "Long GC pause: 140ms"));
}

/* One collection that somebody asked for, among many short ones that take longer all together. */
static void a_long_pause_names_its_own_collection(void **state)
{
	(void)state;
	enum { YOUNG = 40 };
	static struct nt_gc_row rows[YOUNG + 1];
	for (int second = 0; second < 12; second++)
		gc_second(40, 10, 0);
	for (size_t i = 0; i <= YOUNG; i++)
		rows[i] = (struct nt_gc_row){ .id = 100 - i,
					      .finished = true,
					      .generation = i ? 0 : 2,
					      .reason = nt_u64_of(i ? 0 : 1),
					      .start = now,
					      .end = now,
					      .pause_ns = nt_u64_of((i ? 10 : 200) * NT_NS_PER_MS),
					      .asked_by = i ? "Shop.Cart.Add(int)" : "Shop.Cache.Trim()" };
	for (int second = 0; second < 3; second++) {
		struct nt_process_snapshot *process = next_second();
		process->interval.gc.pause_ns = nt_u64_of((second ? 40 : 240) * NT_NS_PER_MS);
		process->interval.gc.pause_max_ns = nt_u64_of((second ? 10 : 200) * NT_NS_PER_MS);
		process->interval.gc.count[2] = nt_u64_of(second ? 0 : 1);
		process->collections = nt_alloc((YOUNG + 1) * sizeof(*process->collections));
		process->collection_count = YOUNG + 1;
		for (size_t i = 0; i <= YOUNG; i++)
			process->collections[i] = &rows[i];
		close_second();
	}
	const struct nt_finding *finding = the_finding(NT_FINDING_GC_STORM);
	assert_non_null(finding);
	assert_string_equal(finding->text, "Long GC pause: 200ms; in gen2, reason induced, by Cache.Trim");
	assert_string_equal(finding->short_text, "Long GC pause: 200ms, gen2 by induced");
	assert_int_equal(finding->row_id.v, 100);
	assert_true(snapshot->processes[0].generations[2].marked);
	assert_false(snapshot->processes[0].generations[0].marked);
}

static void have_starvation(struct nt_process_snapshot *process)
{
	process->interval.pool.starved_count = nt_u64_of(1);
}

static void have_convoy(struct nt_process_snapshot *process)
{
	process->interval.locks.spent_ns = nt_u64_of(3 * NT_NS_PER_S);
	process->interval.locks.same_lock_count = nt_u64_of(5);
}

static void have_collections(struct nt_process_snapshot *process)
{
	process->interval.gc.pause_ns = nt_u64_of(500 * NT_NS_PER_MS);
	process->interval.gc.count[2] = nt_u64_of(0);
}

static void have_a_wait_for_a_cpu(struct nt_process_snapshot *process)
{
	process->target.cpu_count = nt_u64_of(2);
	process->interval.cpu.time_ns = nt_u64_of(100 * NT_NS_PER_MS);
	process->interval.cpu.waited_ns = nt_u64_of(400 * NT_NS_PER_MS);
}

static void have_compilations(struct nt_process_snapshot *process)
{
	process->interval.jit.time_ns = nt_u64_of(NT_NS_PER_S);
}

static void have_exceptions(struct nt_process_snapshot *process)
{
	static const struct nt_exception_row type = { .id = 9, .type = "System.FormatException", .count = 5000, .count_all = 5000 };
	process->interval.exceptions.count = nt_u64_of(5000);
	process->exceptions = nt_realloc(NULL, 1, sizeof(type));
	process->exceptions[process->exception_count++] = type;
}

/* Much more than in the minute before. */
static void have_allocations(struct nt_process_snapshot *process)
{
	struct nt_history *usual = &findings.evidence.alloc_history;
	for (unsigned second = 60; second > 0 && usual->count < 60; second--)
		nt_history_add(usual, now - second * NT_NS_PER_S, 1e6);
	process->interval.gc.alloc_bytes = nt_u64_of(UINT64_C(2) << 30);
}

static void have_little_memory(struct nt_process_snapshot *process)
{
	process->interval.host.memory_limit_bytes = nt_u64_of(UINT64_C(512) << 20);
	process->interval.host.memory_used_bytes = nt_u64_of(UINT64_C(480) << 20);
}

static const struct nt_hot_method hot = { .method_id = 33, .name = "Shop.Spin()", .samples = 900, .pct = 90 };

static struct nt_thread_row *add_thread(struct nt_process_snapshot *process)
{
	process->threads = nt_alloc(sizeof(*process->threads));
	process->thread_count = 1;
	process->threads[0] = (struct nt_thread_row){ .id = 77, .tid = 7, .role = NT_ROLE_APPLICATION };
	return &process->threads[0];
}

static void have_a_spinning_thread(struct nt_process_snapshot *process)
{
	struct nt_thread_row *thread = add_thread(process);
	process->interval.requests.serves = true;
	thread->busy_ns = 60 * NT_NS_PER_S;
	thread->busy_pct = 99;
	thread->hot = &hot;
	thread->hot_count = 1;
	thread->window_samples = 1000;
}

static const struct nt_call_stack in_a_finalizer;

static void have_held_up_finalizers(struct nt_process_snapshot *process)
{
	struct nt_thread_row *thread = add_thread(process);
	thread->role = NT_ROLE_FINALIZER;
	thread->name = ".NET Finalizer";
	thread->waits = thread->looked_at = true;
	thread->wait = NT_WAIT_SLEEP;
	thread->wait_at = "Shop.Cart.Finalize()";
	thread->wait_from = &in_a_finalizer;
}

/* With nothing to do it waits for that, and has no managed code on its stack; one that is not looked at says nothing. */
static void a_finalizer_thread_without_work_is_idle(void **state)
{
	static const struct {
		bool waits, looked_at, in_a_finalizer;
		enum nt_wait_kind wait;
		nt_time busy_ns;
		bool held_up;
	} cases[] = {
		{ true, true, true, NT_WAIT_SLEEP, 0, true },      { false, true, false, NT_WAIT_UNKNOWN, 20 * NT_NS_PER_S, true },
		{ true, true, false, NT_WAIT_IDLE, 0, false },     { true, true, false, NT_WAIT_UNKNOWN, 0, false },
		{ true, true, true, NT_WAIT_IDLE, 0, false },      { false, false, false, NT_WAIT_UNKNOWN, 0, false },
		{ false, true, false, NT_WAIT_UNKNOWN, 0, false },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		set_up(state);
		for (int second = 0; second < 20; second++) {
			struct nt_process_snapshot *process = next_second();
			have_held_up_finalizers(process);
			process->threads[0].waits = cases[i].waits;
			process->threads[0].looked_at = cases[i].looked_at;
			process->threads[0].wait = cases[i].wait;
			process->threads[0].busy_ns = cases[i].busy_ns;
			process->threads[0].wait_from = cases[i].in_a_finalizer ? &in_a_finalizer : NULL;
			close_second();
		}
		const struct nt_finding *finding = the_finding(NT_FINDING_FINALIZERS);
		assert_int_equal(finding != NULL, cases[i].held_up);
		if (i == 0)
			assert_non_null(strstr(finding->text,
					       "Finalizers held up for 20s: t7 .NET Finalizer, which waits for sleep at Cart.Finalize"));
	}
}

/* A batch job has nobody who waits for its threads. */
static void who_serves_nobody_computes(void **state)
{
	(void)state;
	for (int second = 0; second < 20; second++) {
		struct nt_process_snapshot *process = next_second();
		have_a_spinning_thread(process);
		process->interval.requests.serves = false;
		close_second();
		assert_null(the_finding(NT_FINDING_SPINNING_THREAD));
	}
}

static void have_a_deadlock(struct nt_process_snapshot *process)
{
	process->interval.locks.count = nt_u64_of(0);
	process->threads = nt_alloc(2 * sizeof(*process->threads));
	process->thread_count = 2;
	for (uint32_t i = 0; i < 2; i++)
		process->threads[i] = (struct nt_thread_row){ .id = 71 + i,
							      .tid = 1 + i,
							      .name = i ? "stock" : "orders",
							      .deadlocked = true,
							      .lock_ns = nt_u64_of((31 + i) * NT_NS_PER_S),
							      .wait_what = i ? "object" : "Shop.Ledger",
							      .wait_at = i ? NULL : "Shop.Orders.Ship()",
							      .lock_owner_tid = 2 - i };
}

static void have_a_blocked_thread(struct nt_process_snapshot *process)
{
	add_thread(process)->lock_ns = nt_u64_of(30 * NT_NS_PER_S);
}

/* Of who waits for a lock, or in the kernel. That none waits nobody can know. */
static void blocked_threads_are_counted(void **state)
{
	(void)state;
	struct nt_thread_row rows[] = {
		{ .tid = 1, .lock_ns = { .v = 30 * NT_NS_PER_S, .known = true } },
		{ .tid = 2, .lock_ns = { .v = 9 * NT_NS_PER_S, .known = true } },
		{ .tid = 3, .state = 'D', .state_ns = 12 * NT_NS_PER_S, .idle_ns = { .v = 90 * NT_NS_PER_S, .known = true } },
		{ .tid = 4, .state = 'S', .state_ns = 90 * NT_NS_PER_S, .idle_ns = { .v = 90 * NT_NS_PER_S, .known = true } },
	};
	const struct nt_process_snapshot process = { .threads = rows, .thread_count = 4 },
					 calm = { .threads = &rows[1], .thread_count = 1 };
	struct nt_thread_figures figures = { 0 }, none = { 0 };
	nt_evidence_fill_blocked(&process, &figures);
	assert_true(figures.blocked_count.known && figures.blocked_max_ns.known);
	assert_int_equal(figures.blocked_count.v, 2);
	assert_int_equal(figures.blocked_max_ns.v, 30 * NT_NS_PER_S);
	nt_evidence_fill_blocked(&calm, &none);
	assert_false(none.blocked_count.known || none.blocked_max_ns.known);
}

/* To a screen that there is, and, where that has such rows, to one of them. */
static void each_kind_has_a_screen_and_a_row(void **state)
{
	static const struct {
		enum nt_finding_kind kind;
		void (*have)(struct nt_process_snapshot *process);
		char screen;
		uint64_t row_id; /* 0 = none */
		uint32_t tid;
	} cases[] = {
		{ NT_FINDING_DEADLOCK, have_a_deadlock, '4', 71, 0 },
		{ NT_FINDING_CPU_WAIT, have_a_wait_for_a_cpu, '4', 0, 0 },
		{ NT_FINDING_POOL_STARVATION, have_starvation, '4', 0, 0 },
		{ NT_FINDING_LOCK_CONVOY, have_convoy, '7', 0, 0 },
		{ NT_FINDING_FINALIZERS, have_held_up_finalizers, '4', 77, 0 },
		{ NT_FINDING_GC_STORM, have_collections, '2', 0, 0 },
		{ NT_FINDING_JIT_STORM, have_compilations, '3', 0, 0 },
		{ NT_FINDING_EXCEPTION_FLOOD, have_exceptions, '6', 9, 0 },
		{ NT_FINDING_ALLOC_BURST, have_allocations, '5', 0, 0 },
		{ NT_FINDING_REQUEST_ERRORS, have_errors, 'R', 41, 0 },
		{ NT_FINDING_SLOW_REQUESTS, have_slow_requests, 'R', 51, 0 },
		{ NT_FINDING_MEMORY_LIMIT, have_little_memory, '2', 0, 0 },
		{ NT_FINDING_SPINNING_THREAD, have_a_spinning_thread, '1', 33, 7 },
		{ NT_FINDING_BLOCKED_THREAD, have_a_blocked_thread, '4', 77, 7 },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		set_up(state);
		for (int second = 0; second < 15; second++) {
			cases[i].have(next_second());
			close_second();
		}
		const struct nt_finding *finding = the_finding(cases[i].kind);
		assert_non_null(finding);
		assert_int_equal(finding->screen, cases[i].screen);
		assert_int_equal(finding->row_id.known, cases[i].row_id != 0);
		assert_int_equal(finding->row_id.v, cases[i].row_id);
		assert_int_equal(finding->tid, cases[i].tid);
		assert_true(*finding->text && *finding->short_text && *finding->brief_text);
	}
}

/* ---- the thread pool ---- */

static void the_type_of_a_flood_is_marked(void **state)
{
	(void)state;
	for (int second = 0; second < 5; second++) {
		have_exceptions(next_second());
		close_second();
	}
	assert_true(snapshot->processes[0].exceptions[0].marked);
	assert_null(strstr(the_finding(NT_FINDING_EXCEPTION_FLOOD)->text, "caught")); /* nobody tells of that */
}

/* While allocations are sampled. */
static void the_type_of_a_burst_is_named_and_marked(void **state)
{
	(void)state;
	for (int second = 0; second < 5; second++) {
		struct nt_process_snapshot *process = next_second();
		have_allocations(process);
		process->allocations = nt_alloc(2 * sizeof(*process->allocations));
		process->allocation_count = 2;
		process->allocations[0] = (struct nt_alloc_row){ .id = 55, .type = "System.Byte[]", .figures.window.bytes = 3 };
		process->allocations[1] = (struct nt_alloc_row){ .id = 56, .type = "System.String", .figures.window.bytes = 1 };
		process->alloc_sampling = (struct nt_alloc_sampling){ .on = true, .figures.window.bytes = 4 };
		close_second();
	}
	const struct nt_finding *finding = the_finding(NT_FINDING_ALLOC_BURST);
	assert_int_equal(finding->row_id.v, 55);
	assert_non_null(strstr(finding->text, "75% System.Byte[]"));
	assert_true(snapshot->processes[0].allocations[0].marked);
	assert_false(snapshot->processes[0].allocations[1].marked);
}

/* A server at work: it allocates so much all the time, and nobody knows that it ever was less. */
static void what_is_allocated_all_the_time_is_no_burst(void **state)
{
	(void)state;
	for (int second = 0; second < 90; second++) {
		next_second()->interval.gc.alloc_bytes = nt_u64_of(UINT64_C(2) << 30);
		close_second();
		assert_null(the_finding(NT_FINDING_ALLOC_BURST));
	}
}

/* The place where most time was spent in the interval, not since attach; the threads that wait are marked, too. */
static void a_convoy_points_at_its_place(void **state)
{
	(void)state;
	for (int second = 0; second < 5; second++) {
		struct nt_process_snapshot *process = next_second();
		have_convoy(process);
		process->locks = nt_alloc(2 * sizeof(*process->locks));
		process->lock_count = 2;
		process->locks[0] = (struct nt_lock_row){ .id = 1, .site = "Shop.Cart.Total()", .spent_ns = 10, .spent_all_ns = 900 };
		process->locks[1] = (struct nt_lock_row){ .id = 2, .site = "Shop.Store.Get()", .spent_ns = 500, .spent_all_ns = 500 };
		add_thread(process)->lock_ns = nt_u64_of(1000);
		close_second();
	}
	const struct nt_finding *finding = the_finding(NT_FINDING_LOCK_CONVOY);
	assert_int_equal(finding->row_id.v, 2);
	assert_non_null(strstr(finding->text, "most at Store.Get"));
	assert_true(snapshot->processes[0].locks[1].marked);
	assert_true(snapshot->processes[0].threads[0].marked);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		WITH_FINDINGS(it_begins_after_three_seconds_of_five),
		WITH_FINDINGS(now_and_then_is_not_enough),
		WITH_FINDINGS(what_is_not_known_is_no_finding),
		WITH_FINDINGS(it_ends_after_ten_seconds_below),
		WITH_FINDINGS(what_ended_stays_as_it_was),
		WITH_FINDINGS(calm_says_what_was_checked),
		WITH_FINDINGS(it_says_what_it_rests_on),
		WITH_FINDINGS(a_lapsed_finding_says_its_age),
		WITH_FINDINGS(no_sentence_contradicts_its_rule),
		WITH_FINDINGS(collections_are_named_by_what_is_too_much),
		WITH_FINDINGS(a_long_pause_names_its_own_collection),
		WITH_FINDINGS(a_finalizer_thread_without_work_is_idle),
		WITH_FINDINGS(blocked_threads_are_counted),
		WITH_FINDINGS(who_serves_nobody_computes),
		WITH_FINDINGS(each_kind_has_a_screen_and_a_row),
		WITH_FINDINGS(the_type_of_a_flood_is_marked),
		WITH_FINDINGS(the_type_of_a_burst_is_named_and_marked),
		WITH_FINDINGS(a_convoy_points_at_its_place),
		WITH_FINDINGS(what_is_allocated_all_the_time_is_no_burst),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
