// SPDX-License-Identifier: GPL-2.0-only
/* Time spent waiting within an interval, and how many wait for the same lock. */
#include "build.h"

#include "base/arena.h"
#include "model/locks/lock_groups.h"
#include "model/locks/lock_owners.h"

#include "model/locks/locks.h"

struct world {
	struct nt_model *model;
	struct feed lttng;
};

static void begin(struct world *w)
{
	w->model = new_model();
	feed_init(&w->lttng, w->model, NT_SOURCE_LTTNG);
	target_mode(&w->lttng, NT_MODE_N);
	delivering(&w->lttng);
}

static void end(struct world *w)
{
	feed_fini(&w->lttng);
	nt_model_free(w->model);
}

static void wait_for(struct world *w, double at, uint32_t tid, uint64_t lock)
{
	event(&w->lttng, NT_EV_CONTENTION_START, at, tid)->u.contention.lock_id = lock;
}

static void got(struct world *w, double at, uint32_t tid)
{
	event(&w->lttng, NT_EV_CONTENTION_STOP, at, tid);
}

static struct nt_lock_figures figures(struct world *w, double at_ms)
{
	feed_send(&w->lttng);
	struct nt_snapshot *s = close_at(w->model, at_ms);
	struct nt_lock_figures out = s->processes[0].interval.locks;
	nt_snapshot_release(s);
	return out;
}

/* A wait is spent in the intervals in which it lies, though it counts as a wait only when it has ended. */
static void test_time_is_spent_where_it_lies(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	wait_for(&w, 400, 1, 7);
	wait_for(&w, 500, 2, 8);
	got(&w, 700, 2);
	struct nt_lock_figures f = figures(&w, 1000);
	assert_known(f.spent_ns, 800 * NT_NS_PER_MS);
	assert_known(f.wait_ns, 200 * NT_NS_PER_MS);
	f = figures(&w, 2000);
	assert_known(f.spent_ns, NT_NS_PER_S);
	assert_known(f.wait_ns, 0);
	got(&w, 2250, 1);
	f = figures(&w, 3000);
	assert_known(f.spent_ns, 250 * NT_NS_PER_MS);
	assert_known(f.wait_ns, 1850 * NT_NS_PER_MS);
	assert_known(figures(&w, 4000).spent_ns, 0);
	end(&w);
}

static void test_most_at_one_lock(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	assert_known(figures(&w, 1000).same_lock_count, 0);
	wait_for(&w, 1100, 1, 7);
	wait_for(&w, 1110, 2, 8);
	wait_for(&w, 1120, 3, 7);
	got(&w, 1130, 1);
	wait_for(&w, 1140, 4, 7);
	assert_known(figures(&w, 2000).same_lock_count, 2);
	assert_known(figures(&w, 3000).same_lock_count, 2); /* they wait on */
	got(&w, 3100, 3);
	got(&w, 3110, 4);
	figures(&w, 4000);
	assert_known(figures(&w, 5000).same_lock_count, 1);
	wait_for(&w, 5100, 2, 9); /* the stop was lost */
	assert_known(figures(&w, 6000).same_lock_count, 1);
	got(&w, 6100, 2);
	figures(&w, 7000);
	assert_known(figures(&w, 8000).same_lock_count, 0);
	end(&w);
}

/* Whoever waits when the interval ends: a finding about it tells of the lock that its figure is of. */
static void test_the_lock_of_an_interval_is_kept(void **state_)
{
	(void)state_;
	struct nt_locks locks;
	struct nt_lock_figures out = { 0 };
	nt_locks_init(&locks);
	nt_locks_enter(&locks, 8, 0);
	for (int i = 0; i < 4; i++)
		nt_locks_enter(&locks, 7, 0);
	for (int i = 0; i < 4; i++)
		nt_locks_leave(&locks, 7, 1);
	nt_locks_fill(&locks, locks.interval_most, &out);
	nt_locks_next(&locks);
	assert_known(out.same_lock_count, 4);
	assert_int_equal(locks.closed_most_id, 7);
	assert_int_equal(locks.most_id, 8);
	nt_locks_fini(&locks);
}

static void test_a_runtime_that_does_not_say_the_lock(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	wait_for(&w, 100, 1, 0);
	wait_for(&w, 110, 2, 0);
	wait_for(&w, 110, 3, 5);
	struct nt_lock_figures f = figures(&w, 1000);
	assert_known(f.waiting_count, 3);
	assert_unknown(f.same_lock_count);
	got(&w, 1100, 1);
	got(&w, 1100, 2);
	assert_unknown(figures(&w, 2000).same_lock_count);
	end(&w);
}

/* While stacks are asked for each wait is told twice, once with its stack; one that began before has a row without a place, and counts as one that goes on. */
static void test_a_wait_from_before_the_stacks_is_in_a_row(void **state_)
{
	(void)state_;
	struct world w;
	struct feed pipe;
	w.model = new_model();
	feed_init(&w.lttng, w.model, NT_SOURCE_LTTNG);
	feed_init(&pipe, w.model, NT_SOURCE_EVENTPIPE);
	target_mode(&w.lttng, NT_MODE_N);
	delivering(&w.lttng);
	wait_for(&w, 400, 1, 7);
	feed_send(&w.lttng);
	struct nt_event *e = event(&pipe, NT_EV_SOURCE_STATE, 0, 0);
	e->u.source_state = (struct nt_ev_source_state){ .state = NT_STATE_DELIVERING, .brings = NT_WANT_RUNTIME_EVENTS | NT_WANT_STACKS };
	feed_send(&pipe);
	struct nt_snapshot *s = close_at(w.model, 1000);
	assert_known(s->processes[0].interval.locks.waiting_count, 1);
	assert_int_equal(s->processes[0].lock_count, 1);
	assert_int_equal(s->processes[0].locks[0].waiting_count, 1);
	assert_null(s->processes[0].locks[0].site);
	nt_snapshot_release(s);
	feed_fini(&pipe);
	end(&w);
}

/* Who waited when events were lost may wait no more: nobody tells of him until he waits again. */
static void test_a_wait_whose_end_may_be_lost_is_not_told(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	wait_for(&w, 400, 1, 7);
	assert_known(figures(&w, 1000).waiting_count, 1);
	event(&w.lttng, NT_EV_LOST, 1500, 0)->u.lost = (struct nt_ev_lost){ .what = NT_LOST_GAP };
	wait_for(&w, 1700, 2, 7);
	struct nt_lock_figures f = figures(&w, 2000);
	assert_known(f.waiting_count, 1);
	assert_known(f.spent_ns, 300 * NT_NS_PER_MS);
	got(&w, 2100, 1);
	got(&w, 2200, 2);
	f = figures(&w, 3000);
	assert_known(f.waiting_count, 0);
	assert_known(f.wait_ns, 500 * NT_NS_PER_MS);
	wait_for(&w, 3100, 1, 7);
	assert_known(figures(&w, 4000).waiting_count, 1);
	end(&w);
}

/* So many threads that wait for each other in a circle, 5 s after the waits began; events have been lost since. */
static unsigned deadlocked(const uint32_t owners[4], const uint64_t locks[4])
{
	struct world w;
	begin(&w);
	nt_str name = text(&w.lttng, "order");
	for (uint32_t tid = 1; tid <= 4; tid++) {
		event(&w.lttng, NT_EV_THREAD_STAT, 1, tid)->u.thread_stat =
			(struct nt_ev_thread_stat){ .start_ticks = 1, .name = name, .state = 'S' };
		if (!owners[tid - 1])
			continue;
		struct nt_ev_contention *wait = &event(&w.lttng, NT_EV_CONTENTION_START, 100 + tid, tid)->u.contention;
		wait->lock_id = locks[tid - 1];
		wait->owner_id = owners[tid - 1];
	}
	feed_send(&w.lttng);
	nt_snapshot_release(close_at(w.model, 1000)); /* too early to say */
	event(&w.lttng, NT_EV_LOST, 1500, 0)->u.lost = (struct nt_ev_lost){ .what = NT_LOST_GAP };
	feed_send(&w.lttng);
	struct nt_snapshot *s = close_at(w.model, 5000);
	unsigned count = 0;
	for (size_t i = 0; i < s->processes[0].thread_count; i++)
		count += s->processes[0].threads[i].deadlocked;
	nt_snapshot_release(s);
	end(&w);
	return count;
}

static void test_a_circle_of_waits_is_a_deadlock(void **state_)
{
	(void)state_;
	static const struct {
		uint32_t owners[4]; /* of what threads 1 to 4 wait for; 0 = it does not wait */
		uint64_t locks[4];
		unsigned expected;
	} cases[] = {
		{ { 2, 1, 0, 0 }, { 7, 8, 0, 0 }, 2 }, { { 2, 3, 1, 0 }, { 7, 8, 9, 0 }, 3 },
		{ { 2, 1, 1, 0 }, { 7, 8, 8, 0 }, 2 }, /* the third waits for the circle, but is no part of it */
		{ { 2, 3, 0, 0 }, { 7, 8, 0, 0 }, 0 }, /* the one that has what they need runs */
		{ { 2, 1, 0, 0 }, { 7, 7, 0, 0 }, 0 }, /* one lock that has been passed on since */
		{ { 2, 1, 0, 0 }, { 0, 0, 0, 0 }, 0 }, /* a runtime that does not say which */
		{ { 1, 0, 0, 0 }, { 7, 0, 0, 0 }, 0 },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_int_equal(deadlocked(cases[i].owners, cases[i].locks), cases[i].expected);
}

static void wants(struct world *w, double at, uint32_t tid, uint64_t lock, uint32_t owner)
{
	struct nt_ev_contention *wait = &event(&w->lttng, NT_EV_CONTENTION_START, at, tid)->u.contention;
	wait->lock_id = lock;
	wait->owner_id = owner;
}

/* How many are in a circle; *owner: who has what thread 1 waits for. */
static unsigned in_circle(struct world *w, double at, uint32_t *owner)
{
	feed_send(&w->lttng);
	struct nt_snapshot *s = close_at(w->model, at);
	unsigned count = 0;
	for (size_t i = 0; i < s->processes[0].thread_count; i++) {
		const struct nt_thread_row *row = &s->processes[0].threads[i];
		count += row->deadlocked;
		if (row->tid == 1)
			*owner = row->lock_owner_tid;
	}
	nt_snapshot_release(s);
	return count;
}

/* Threads 1 and `other` want lock 7, and one of them gets it; then 2, which had it or has it, wants what thread 1 has. */
static void test_a_lock_that_is_passed_on_closes_no_circle(void **state_)
{
	(void)state_;
	for (uint32_t other = 2; other <= 3; other++) {
		struct world w;
		uint32_t owner;
		begin(&w);
		nt_str name = text(&w.lttng, "order");
		for (uint32_t tid = 1; tid <= 4; tid++)
			event(&w.lttng, NT_EV_THREAD_STAT, 1, tid)->u.thread_stat =
				(struct nt_ev_thread_stat){ .start_ticks = 1, .name = name, .state = 'S' };
		wants(&w, 100, other, 7, 4);
		wants(&w, 150, 1, 7, 2);
		got(&w, 200, other);
		wants(&w, 300, 2, 8, 1);
		assert_int_equal(in_circle(&w, 1000, &owner), 0);
		/* Where 2 has got it that was seen before it was told; where 3 has, nobody knows whether it has it still. */
		assert_int_equal(in_circle(&w, 5000, &owner), other == 2 ? 2 : 0);
		assert_int_equal(owner, other == 2 ? 2 : 0);
		wants(&w, 5100, 4, 7, 3);
		assert_int_equal(in_circle(&w, 9000, &owner), 0);
		assert_int_equal(owner, 3);
		end(&w);
	}
}

static const struct nt_lock_group_row *of_lock(const struct nt_process_snapshot *process, uint64_t lock)
{
	for (size_t i = 0; i < process->lock_object_count; i++)
		if (process->lock_objects[i].lock_id == lock)
			return &process->lock_objects[i];
	return NULL;
}

static const struct nt_lock_group_row *of_owner(const struct nt_process_snapshot *process, uint32_t tid)
{
	for (size_t i = 0; i < process->lock_owner_count; i++)
		if (process->lock_owners[i].owner_tid == tid)
			return &process->lock_owners[i];
	return NULL;
}

/* A wait counts for its lock, and for the thread that had that when it began. */
static void test_by_lock_and_by_owner(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	event(&w.lttng, NT_EV_THREAD, 10, 9)->u.thread = (struct nt_ev_thread){ .op = NT_THREAD_SEEN, .name = text(&w.lttng, "holder") };
	wants(&w, 100, 1, 7, 9);
	wants(&w, 100, 2, 8, 9);
	wants(&w, 200, 3, 7, 1);
	got(&w, 300, 1);
	got(&w, 400, 2);
	feed_send(&w.lttng);
	struct nt_snapshot *s = close_at(w.model, 1000);
	const struct nt_process_snapshot *process = &s->processes[0];
	assert_int_equal(process->lock_object_count, 2);
	assert_int_equal(process->lock_objects[0].lock_id, 7); /* most waited for first */
	assert_int_equal(of_lock(process, 7)->count, 1);
	assert_int_equal(of_lock(process, 7)->spent_ns, 1000 * NT_NS_PER_MS);
	assert_int_equal(of_lock(process, 7)->max_ns, 200 * NT_NS_PER_MS);
	assert_int_equal(of_lock(process, 7)->waiting_count, 1);
	assert_int_equal(of_lock(process, 8)->count, 1);
	assert_int_equal(of_lock(process, 8)->waiting_count, 0);
	assert_int_equal(of_owner(process, 9)->count, 2);
	assert_int_equal(of_owner(process, 9)->spent_ns, 500 * NT_NS_PER_MS);
	assert_string_equal(of_owner(process, 9)->owner_name, "holder");
	assert_int_equal(of_owner(process, 1)->waiting_count, 1);
	assert_null(of_owner(process, 1)->owner_name); /* nobody has told of that thread */
	nt_snapshot_release(s);
	s = close_at(w.model, 2000);
	assert_int_equal(of_lock(&s->processes[0], 8)->count, 0);
	assert_int_equal(of_lock(&s->processes[0], 8)->count_all, 1);
	assert_int_equal(of_lock(&s->processes[0], 7)->spent_all_ns, 2000 * NT_NS_PER_MS);
	nt_snapshot_release(s);
	end(&w);
}

/* The runtime gives a new lock the number of one that is gone. */
static void test_a_number_that_is_used_again(void **state_)
{
	(void)state_;
	for (int reused = 0; reused < 2; reused++) {
		struct nt_process_snapshot process = { 0 };
		struct nt_snapshot snapshot = { 0 };
		struct nt_lock_waits waits;
		nt_lock_waits_init(&waits);
		nt_lock_groups_spend(&waits.sites.by_lock, 7, 0, &(struct nt_site){ 0 }, 0, 1)->row.type = "Shop.Former";
		const struct nt_event created = { .kind = NT_EV_LOCK_CREATED, .u.lock_created.lock_id = reused ? 7 : 8 };
		struct nt_lock_group_row row = { .id = 1 };
		process.lock_objects = &row;
		process.lock_object_count = 1;
		nt_lock_waits_apply(&waits, NT_SOURCE_EVENTPIPE, &created, 0);
		nt_lock_owners_fill(&waits, 1, &snapshot, &process);
		if (reused)
			assert_null(row.type); /* until it is looked at */
		else
			assert_string_equal(row.type, "Shop.Former");
		nt_lock_waits_fini(&waits);
	}
}

/* What it does with the lock says a managed method; that a function is the kernel's is said. */
static void test_where_an_owner_runs(void **state_)
{
	(void)state_;
	enum { KERNEL = 1, NATIVE, COMPILED, PRECOMPILED, UNLISTED };
	struct nt_method_row methods[] = { { .id = KERNEL, .kind = NT_CODE_KERNEL },
					   { .id = NATIVE, .kind = NT_CODE_NATIVE },
					   { .id = COMPILED, .kind = NT_CODE_JIT },
					   { .id = PRECOMPILED, .kind = NT_CODE_R2R } };
	static const struct nt_hot_method vfs = { .method_id = KERNEL, .name = "vfs_write" },
					  libc = { .method_id = NATIVE, .name = "memcpy" },
					  flush = { .method_id = COMPILED, .name = "Shop.Store.Flush()" },
					  list = { .method_id = PRECOMPILED, .name = "System.Collections.List.Add(T)" },
					  gone = { .method_id = UNLISTED, .name = "gone" };
	const struct {
		struct nt_hot_method hot[3];
		uint32_t count;
		const char *is_at;
	} cases[] = {
		{ { vfs, libc, flush }, 3, flush.name }, { { list, flush }, 2, list.name }, { { vfs, libc }, 2, "kernel: vfs_write" },
		{ { libc, vfs }, 2, libc.name },         { { gone }, 1, gone.name },        { { vfs }, 0, NULL },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct nt_lock_waits waits;
		struct nt_thread_row thread = { .tid = 9, .hot = cases[i].hot, .hot_count = cases[i].count };
		struct nt_lock_group_row row = { .id = 1 };
		struct nt_snapshot snapshot = { .arena = nt_arena_new() };
		struct nt_process_snapshot process = { .threads = &thread,
						       .thread_count = 1,
						       .methods = methods,
						       .method_count = sizeof(methods) / sizeof(methods[0]),
						       .lock_owners = &row,
						       .lock_owner_count = 1 };
		nt_lock_waits_init(&waits);
		nt_lock_groups_spend(&waits.sites.by_owner, thread.tid, 0, &(struct nt_site){ 0 }, 0, 1);
		nt_lock_owners_fill(&waits, 1, &snapshot, &process);
		if (cases[i].is_at)
			assert_string_equal(row.owner_at, cases[i].is_at);
		else
			assert_null(row.owner_at);
		nt_lock_waits_fini(&waits);
		nt_arena_free(snapshot.arena);
	}
}

static void test_locks_beyond_the_rows_are_one_row(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	for (uint32_t i = 1; i <= 500; i++) {
		wait_for(&w, i, i, 1000 + i);
		got(&w, i + 0.5, i);
	}
	feed_send(&w.lttng);
	struct nt_snapshot *s = close_at(w.model, 1000);
	const struct nt_process_snapshot *process = &s->processes[0];
	uint64_t count = 0, others = 0;
	for (size_t i = 0; i < process->lock_object_count; i++) {
		count += process->lock_objects[i].count;
		others += process->lock_objects[i].others;
	}
	assert_int_equal(process->lock_object_count, NT_LOCK_GROUPS);
	assert_int_equal(count, 500);
	assert_int_equal(others, 1);
	nt_snapshot_release(s);
	end(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_the_lock_of_an_interval_is_kept),
		cmocka_unit_test(test_time_is_spent_where_it_lies),
		cmocka_unit_test(test_most_at_one_lock),
		cmocka_unit_test(test_a_runtime_that_does_not_say_the_lock),
		cmocka_unit_test(test_a_wait_from_before_the_stacks_is_in_a_row),
		cmocka_unit_test(test_a_circle_of_waits_is_a_deadlock),
		cmocka_unit_test(test_a_lock_that_is_passed_on_closes_no_circle),
		cmocka_unit_test(test_a_wait_whose_end_may_be_lost_is_not_told),
		cmocka_unit_test(test_by_lock_and_by_owner),
		cmocka_unit_test(test_where_an_owner_runs),
		cmocka_unit_test(test_a_number_that_is_used_again),
		cmocka_unit_test(test_locks_beyond_the_rows_are_one_row),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
