// SPDX-License-Identifier: GPL-2.0-only
/* Blocked time by reason, by thread, and beside what ran. */
#include "waits_world.h"

#include "model/waits/waits.h"

#include <string.h>

static const struct nt_wait_sum_row *sum_of(const struct nt_wait_sum_row *rows, size_t count, uint64_t id)
{
	for (size_t i = 0; i < count; i++)
		if (rows[i].id == id)
			return &rows[i];
	return NULL;
}

static const struct nt_wait_sum_row *reason(const struct world *w, enum nt_wait_kind kind)
{
	const struct nt_process_snapshot *p = &w->s->processes[0];
	return sum_of(p->wait_reasons, p->wait_reason_count, (uint64_t)kind + 1);
}

static const struct nt_wait_sum_row *of_thread(const struct world *w, uint32_t tid)
{
	const struct nt_process_snapshot *p = &w->s->processes[0];
	return sum_of(p->wait_threads, p->wait_thread_count, tid);
}

/* One thread waits for a task and then for a CPU, is preempted, and ends; another waits for work. */
static void test_by_reason_and_thread(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	exact(&w, true);
	switched(&w, 100, 1, false, false, TOTAL);
	struct nt_event *e = event(&w.perf, NT_EV_WAKE, 300, 1);
	e->u.wake = (struct nt_ev_wake){ .waker_tid = 2 };
	switched(&w, 350, 1, true, false, 0);
	switched(&w, 400, 1, false, true, MERGE);
	switched(&w, 500, 1, true, false, 0);
	switched(&w, 600, 3, false, false, WORKER);
	feed_send(&w.perf);
	event(&w.procfs, NT_EV_THREAD, 700, 1)->u.thread.op = NT_THREAD_ENDED;
	feed_send(&w.procfs);
	const struct nt_wait_figures *f = close_interval(&w, 1000);
	assert_known(f->spent_ns, 300 * NT_NS_PER_MS); /* the task, and preempted */
	const struct nt_wait_sum_row *task = reason(&w, NT_WAIT_TASK), *cpu = reason(&w, NT_WAIT_CPU), *idle = reason(&w, NT_WAIT_IDLE);
	assert_int_equal(task->wait.ns, 200 * NT_NS_PER_MS);
	assert_int_equal(task->count, 1);
	assert_known(task->max_ns, 200 * NT_NS_PER_MS);
	assert_string_equal(task->site, "Shop.Cart.Total()");
	assert_int_equal(cpu->wait.ns, 150 * NT_NS_PER_MS); /* after it was woken, and preempted */
	assert_int_equal(cpu->count, 2);
	assert_string_equal(cpu->site, "Shop.Cart.Merge()");
	assert_int_equal(idle->wait.ns, 400 * NT_NS_PER_MS);
	assert_true(idle->quiet);
	const struct nt_wait_sum_row *one = of_thread(&w, 1), *three = of_thread(&w, 3);
	assert_int_equal(one->wait.ns, 200 * NT_NS_PER_MS);
	assert_int_equal(one->runq.ns, 150 * NT_NS_PER_MS);
	assert_int_equal(one->count, 1);
	assert_true(one->ended);
	assert_int_equal(three->idle.ns, 400 * NT_NS_PER_MS);
	assert_int_equal(three->wait.ns, 0);
	assert_true(three->quiet);
	/* The number is another thread's: what the first one waited is in the row of the others. */
	switched(&w, 1100, 1, false, false, TOTAL);
	switched(&w, 1110, 1, true, false, 0);
	close_interval(&w, 2000);
	assert_int_equal(of_thread(&w, 1)->wait.all_ns, 10 * NT_NS_PER_MS);
	assert_int_equal(of_thread(&w, UINT32_MAX)->wait.all_ns, 200 * NT_NS_PER_MS);
	assert_int_equal(of_thread(&w, UINT32_MAX)->wait.ns, 0);
	end(&w);
}

/* More waits in an interval than are told apart: none is lost. */
static void test_too_many_waits_to_tell_apart(void **state_)
{
	(void)state_;
	enum { TOLD_APART = NT_WAIT_PIECES_ENDED, WAITS = TOLD_APART + 100 };
	struct world w;
	begin(&w);
	exact(&w, true);
	for (int i = 0; i < WAITS; i++) {
		switched(&w, 100 + i * 0.006, 1, false, false, TOTAL);
		switched(&w, 100 + i * 0.006 + 0.002, 1, true, false, 0);
	}
	const struct nt_wait_figures *f = close_interval(&w, 1000);
	assert_known(f->count, WAITS);
	assert_int_equal(of_thread(&w, 1)->count, WAITS);
	assert_int_equal(reason(&w, NT_WAIT_TASK)->count, TOLD_APART);
	assert_int_equal(reason(&w, NT_WAIT_UNKNOWN)->count, 100);
	assert_int_equal(of_thread(&w, 1)->wait.ns, f->spent_ns.v);
	end(&w);
}

/* A method's running and its waiting are one row; all rows together are all time. */
static void test_where_all_time_went(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	exact(&w, true);
	switched(&w, 100, 1, false, false, TOTAL);
	switched(&w, 300, 1, true, false, 0);
	for (unsigned i = 0; i < 10; i++) {
		const uint64_t addresses[] = { TOTAL + 8, CHECKOUT + 8 };
		nt_stack stack = nt_interner_stack(w.perf.interner, w.perf.batch, addresses, 0, 2);
		struct nt_event *e = event(&w.perf, NT_EV_SAMPLE, 300 + i * 10, 1);
		e->u.sample.stack = stack;
		e->u.sample.weight_ns = 10 * NT_NS_PER_MS;
	}
	switched(&w, 400, 3, false, false, WORKER);
	close_interval(&w, 1000);
	const struct nt_process_snapshot *p = &w.s->processes[0];
	const struct nt_wall_row *total = NULL, *idle = NULL;
	for (size_t i = 0; i < p->wall_count; i++) {
		if (p->wall[i].idle)
			idle = &p->wall[i];
		else if (p->wall[i].site && strcmp(p->wall[i].site, "Shop.Cart.Total()") == 0)
			total = &p->wall[i];
	}
	assert_int_equal(p->wall_count, 2);
	assert_non_null(total);
	assert_int_equal(total->run.ns, 100 * NT_NS_PER_MS);
	assert_int_equal(total->wait.ns, 200 * NT_NS_PER_MS);
	assert_int_equal(total->kind, NT_WAIT_TASK);
	assert_non_null(idle);
	assert_int_equal(idle->wait.ns, 600 * NT_NS_PER_MS);
	close_interval(&w, 2000);
	p = &w.s->processes[0];
	for (size_t i = 0; i < p->wall_count; i++)
		if (!p->wall[i].idle) {
			assert_int_equal(p->wall[i].run.ns, 0);
			assert_int_equal(p->wall[i].run.all_ns, 100 * NT_NS_PER_MS);
		}
	end(&w);
}

/* Stacks of blocked time: each wait at the chain of its switch, over ends of intervals in parts, and no time waited for a CPU. */
static void test_stacks_of_blocked_time(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	exact(&w, true);
	keep_stacks(w.model, NT_STACKS_ALL);
	switched(&w, 100, 1, false, false, TOTAL);
	event(&w.perf, NT_EV_WAKE, 300, 1)->u.wake = (struct nt_ev_wake){ .waker_tid = 2 };
	switched(&w, 350, 1, true, false, 0);
	switched(&w, 400, 1, false, true, MERGE); /* preempted */
	switched(&w, 500, 1, true, false, 0);
	switched(&w, 700, 1, false, false, TOTAL);
	close_interval(&w, 1000);
	close_interval(&w, 2000);
	/* A look at a thread whose switches are told is no second measure of its time. */
	nt_stack stack = stack_of(&w.runtime, TOTAL, CHECKOUT);
	struct nt_event *e = event(&w.runtime, NT_EV_MOMENT, 2100, 1);
	e->stack = stack;
	e->u.moment = (struct nt_ev_moment){ .weight = 1400 * NT_NS_PER_MS, .count = 1 };
	switched(&w, 2200, 1, true, false, 0);
	feed_send(&w.perf);
	feed_send(&w.runtime);
	nt_snapshot_release(w.s);
	w.s = nt_model_close(w.model, ms(3000), true);
	const struct nt_stack_tree *tree = &w.s->processes[0].stacks;
	double sum = 0;
	for (uint32_t i = 0; i < tree->node_count; i++)
		sum += tree->nodes[i].self;
	assert_int_equal((uint64_t)sum, (200 + 1500) * NT_NS_PER_MS);
	assert_int_equal(tree->happened[0], 2);
	end(&w);
}

/* The sum of a tree for one thread by what it did. */
static void sum_by_part(const struct nt_stack_tree *tree, uint32_t tid, uint64_t ns[NT_TIME_PARTS])
{
	memset(ns, 0, NT_TIME_PARTS * sizeof(*ns));
	for (uint32_t i = 0; i < tree->node_count; i++) {
		uint32_t at = i;
		while (tree->nodes[at].parent != NT_STACK_ROOT)
			at = tree->nodes[at].parent;
		const struct nt_stack_frame *thread = &tree->frames[tree->nodes[at].frame];
		assert_int_equal(thread->sort, NT_FRAME_THREAD);
		if (thread->tid != tid)
			continue;
		assert_true(thread->what < NT_TIME_PARTS);
		ns[thread->what] += (uint64_t)tree->nodes[i].self;
	}
}

static void runs(struct world *w, double at, uint32_t tid, uint64_t weight_ms)
{
	const uint64_t addresses[] = { MERGE + 8, CHECKOUT + 8 };
	nt_stack stack = nt_interner_stack(w->perf.interner, w->perf.batch, addresses, 0, 2);
	event(&w->perf, NT_EV_SAMPLE, at, tid)->u.sample = (struct nt_ev_sample){ .weight_ns = weight_ms * NT_NS_PER_MS, .stack = stack };
}

/* A look at a thread that waits and whose switches are not told. */
static void seen_waiting(struct world *w, double at, uint32_t tid, uint64_t weight_ms)
{
	nt_stack stack = stack_of(&w->runtime, TOTAL, CHECKOUT);
	struct nt_event *e = event(&w->runtime, NT_EV_MOMENT, at, tid);
	e->stack = stack;
	e->u.moment = (struct nt_ev_moment){ .weight = weight_ms * NT_NS_PER_MS, .what = NT_TIME_BLOCKED, .count = 1 };
	feed_send(&w->runtime);
}

/* All time of a thread: what it ran by samples, each as long as it stands for; what it was blocked, and what it waited for a CPU, by switches. */
static void all_time(enum nt_stacks_wanted wanted)
{
	struct world w;
	begin(&w);
	exact(&w, true);
	keep_stacks(w.model, NT_STACKS_ALL); /* of another question before */
	runs(&w, 50, 1, 7);
	switched(&w, 60, 1, false, false, TOTAL);
	switched(&w, 70, 1, true, false, 0);
	close_interval(&w, 80);
	keep_stacks(w.model, wanted);
	delivering(&w.runtime);
	seen_waiting(&w, 90, 5, 10);
	runs(&w, 95, 1, 15);
	switched(&w, 100, 1, false, false, TOTAL);
	event(&w.perf, NT_EV_WAKE, 300, 1)->u.wake = (struct nt_ev_wake){ .waker_tid = 2 };
	switched(&w, 350, 1, true, false, 0);
	runs(&w, 380, 1, 50);
	feed_send(&w.perf);
	seen_waiting(&w, 390, 5, 300);
	switched(&w, 400, 1, false, true, MERGE); /* preempted */
	switched(&w, 500, 1, true, false, 0);
	runs(&w, 600, 1, 200);
	switched(&w, 700, 1, false, false, TOTAL); /* over two ends of intervals */
	close_interval(&w, 1000);
	close_interval(&w, 2000);
	event(&w.perf, NT_EV_WAKE, 2100, 1)->u.wake = (struct nt_ev_wake){ .waker_tid = 2 };
	switched(&w, 2200, 1, true, false, 0);
	feed_send(&w.perf);
	nt_snapshot_release(w.s);
	w.s = nt_model_close(w.model, ms(3000), true); /* in which no sample was taken */
	const struct nt_stack_tree *tree = &w.s->processes[0].stacks;
	uint64_t ns[NT_TIME_PARTS];
	sum_by_part(tree, 1, ns);
	assert_int_equal(ns[NT_TIME_RUNS], (15 + 50 + 200) * NT_NS_PER_MS);
	assert_int_equal(ns[NT_TIME_BLOCKED], (200 + 1400) * NT_NS_PER_MS);
	assert_int_equal(ns[NT_TIME_READY], (50 + 100 + 100) * NT_NS_PER_MS);
	assert_int_equal((uint64_t)tree->samples, ns[NT_TIME_RUNS] + ns[NT_TIME_BLOCKED] + ns[NT_TIME_READY] + 310 * NT_NS_PER_MS);
	sum_by_part(tree, 5, ns);
	assert_int_equal(ns[NT_TIME_BLOCKED], 310 * NT_NS_PER_MS);
	uint64_t timed = 0;
	for (uint32_t i = 0; i < tree->moment_count; i++)
		timed += tree->moments[i].samples;
	assert_int_equal(timed, wanted == NT_STACKS_WALL_TIMED ? (uint64_t)tree->samples : 0);
	end(&w);
}

static void test_stacks_of_all_time(void **state_)
{
	(void)state_;
	all_time(NT_STACKS_WALL);
	all_time(NT_STACKS_WALL_TIMED);
}

static void thread_ends(struct world *w, double at, uint32_t tid)
{
	event(&w->procfs, NT_EV_THREAD, at, tid)->u.thread = (struct nt_ev_thread){ .op = NT_THREAD_ENDED };
	feed_send(&w->procfs);
}

/* Of threads that are too many to have their waits counted it is told how many they are, as long as they are. */
static void test_more_threads_than_are_counted(void **state_)
{
	(void)state_;
	enum { BEYOND = 5, AT_ONCE = 1024 };
	struct world w;
	begin(&w);
	exact(&w, true);
	for (uint32_t tid = 1; tid <= NT_WAITS_THREADS + BEYOND; tid++) {
		switched(&w, 100, tid, false, false, TOTAL);
		if (tid % AT_ONCE == 0)
			feed_send(&w.perf);
	}
	const struct nt_wait_figures *f = close_interval(&w, 1000);
	assert_known(f->waiting_count, NT_WAITS_THREADS);
	assert_known(f->uncounted_count, BEYOND);
	assert_false(f->uncounted_at_least);

	/* Who waits on says nothing, and is there. One that ends is not; another takes the place of one that was counted. */
	thread_ends(&w, 1100, NT_WAITS_THREADS + 1);
	f = close_interval(&w, 2000);
	assert_known(f->uncounted_count, BEYOND - 1);
	thread_ends(&w, 2100, 1);
	switched(&w, 2200, NT_WAITS_THREADS + 2, true, false, 0);
	f = close_interval(&w, 3000);
	assert_known(f->uncounted_count, BEYOND - 2);
	assert_known(w.s->processes[0].total.waits.uncounted_count, BEYOND);

	/* Nobody tells of threads any more. */
	exact(&w, false);
	delivering(&w.runtime);
	for (double at = 4000; at <= 9000; at += 1000) {
		look(&w, at - 100, 2, 100, 900, TOTAL);
		f = close_interval(&w, at);
	}
	assert_known(f->uncounted_count, 0);
	assert_known(w.s->processes[0].total.waits.uncounted_count, BEYOND);
	end(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_by_reason_and_thread), cmocka_unit_test(test_too_many_waits_to_tell_apart),
		cmocka_unit_test(test_where_all_time_went),  cmocka_unit_test(test_stacks_of_blocked_time),
		cmocka_unit_test(test_stacks_of_all_time),   cmocka_unit_test(test_more_threads_than_are_counted),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
