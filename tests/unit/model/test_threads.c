// SPDX-License-Identifier: GPL-2.0-only
/* The process and its threads as /proc and perf tell of them, and nettop's own cost. */
#include "build.h"

struct world {
	struct nt_model *model;
	struct feed procfs, perf, app;
};

static void begin(struct world *world)
{
	world->model = new_model();
	feed_init(&world->procfs, world->model, NT_SOURCE_PROCFS);
	feed_init(&world->perf, world->model, NT_SOURCE_PERF);
	feed_init(&world->app, world->model, NT_SOURCE_APP);
	delivering(&world->procfs);
	delivering(&world->perf);
}

static void end(struct world *world)
{
	feed_fini(&world->procfs);
	feed_fini(&world->perf);
	feed_fini(&world->app);
	nt_model_free(world->model);
}

static struct nt_snapshot *close_all(struct world *world, double at_ms)
{
	feed_send(&world->procfs);
	feed_send(&world->perf);
	feed_send(&world->app);
	return close_at(world->model, at_ms);
}

static void reading(struct feed *feed, double at, uint32_t tid, uint64_t start_ticks, double user_ms, double kernel_ms, char letter)
{
	nt_str name = text(feed, tid == 1 ? "main" : "worker");
	struct nt_ev_thread_stat *stat = &event(feed, NT_EV_THREAD_STAT, at, tid)->u.thread_stat;
	*stat = (struct nt_ev_thread_stat){ .user_ns = (uint64_t)(user_ms * 1e6),
					    .kernel_ns = (uint64_t)(kernel_ms * 1e6),
					    .start_ticks = start_ticks,
					    .name = name,
					    .state = (unsigned char)letter };
}

static void thread_event(struct feed *feed, double at, uint32_t tid, uint64_t start_ticks, enum nt_thread_op op)
{
	struct nt_ev_thread *thread = &event(feed, NT_EV_THREAD, at, tid)->u.thread;
	thread->start_ticks = start_ticks;
	thread->op = op;
}

static const struct nt_thread_row *row(const struct nt_snapshot *s, uint32_t tid, bool ended)
{
	for (size_t i = 0; i < s->processes[0].thread_count; i++)
		if (s->processes[0].threads[i].tid == tid && s->processes[0].threads[i].ended == ended)
			return &s->processes[0].threads[i];
	return NULL;
}

static void allocated(struct feed *feed, double at, uint32_t tid, uint64_t bytes)
{
	event(feed, NT_EV_THREAD_ALLOCATED, at, tid)->u.thread_allocated.bytes = bytes;
}

static void test_what_a_thread_allocates(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	reading(&w.procfs, 0, 1, 50, 100, 0, 'R');
	reading(&w.procfs, 0, 2, 51, 10, 10, 'S');
	allocated(&w.procfs, 100, 1, 5000);
	allocated(&w.procfs, 100, 9, 5000); /* nobody has told of this one */
	struct nt_snapshot *s = close_all(&w, 500);
	assert_unknown(row(s, 1, false)->allocated_per_s); /* one reading gives no rate */
	assert_int_equal(row(s, 1, false)->allocated_bytes.v, 5000);
	assert_unknown(row(s, 2, false)->allocated_bytes);
	assert_null(row(s, 9, false));
	nt_snapshot_release(s);
	allocated(&w.procfs, 1100, 1, 8000);
	s = close_all(&w, 1500);
	assert_near(row(s, 1, false)->allocated_per_s.v, 3000);
	nt_snapshot_release(s);
	s = close_all(&w, 2500); /* no reading in this one: as it was */
	assert_near(row(s, 1, false)->allocated_per_s.v, 3000);
	nt_snapshot_release(s);
	allocated(&w.procfs, 3100, 1, 8000);
	s = close_all(&w, 3500);
	assert_near(row(s, 1, false)->allocated_per_s.v, 0);
	nt_snapshot_release(s);
	allocated(&w.procfs, 4100, 1, 100); /* another thread, or none of its counters */
	s = close_all(&w, 4500);
	assert_unknown(row(s, 1, false)->allocated_per_s);
	nt_snapshot_release(s);
	s = close_all(&w, 12000); /* nobody has read for long */
	assert_unknown(row(s, 1, false)->allocated_per_s);
	nt_snapshot_release(s);
	end(&w);
}

static void test_rates_and_states(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	reading(&w.procfs, 0, 1, 50, 100, 0, 'R');
	reading(&w.procfs, 0, 2, 51, 10, 10, 'S');
	struct nt_snapshot *s = close_all(&w, 500);
	assert_unknown(row(s, 1, false)->cpu_pct); /* one reading gives no rate */
	assert_true(row(s, 1, false)->fresh);
	nt_snapshot_release(s);
	reading(&w.procfs, 1000, 1, 50, 200, 50, 'R');
	reading(&w.procfs, 1000, 2, 51, 410, 410, 'S');
	s = close_all(&w, 1500);
	assert_near(row(s, 1, false)->user_pct.v, 10);
	assert_near(row(s, 1, false)->kernel_pct.v, 5);
	assert_near(row(s, 2, false)->cpu_pct.v, 80);
	assert_int_equal(row(s, 2, false)->state, 'S');
	assert_int_equal(row(s, 2, false)->state_ns, 1500 * NT_NS_PER_MS);
	assert_false(row(s, 2, false)->fresh);
	assert_string_equal(row(s, 1, false)->name, "main");
	assert_ptr_equal(row(s, 2, false), &s->processes[0].threads[0]); /* hottest first */
	assert_known(s->processes[0].interval.cpu.hottest_tid, 2);
	assert_near(s->processes[0].interval.cpu.hottest_pct.v, 80);
	assert_string_equal(s->processes[0].interval.cpu.hottest_name, "worker");
	nt_snapshot_release(s);
	s = close_all(&w, 2000); /* no reading in this interval: the rate is still shown */
	assert_near(row(s, 2, false)->cpu_pct.v, 80);
	nt_snapshot_release(s);
	s = close_all(&w, 6000); /* too old */
	assert_unknown(row(s, 2, false)->cpu_pct);
	nt_snapshot_release(s);
	end(&w);
}

static void test_tombstones(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	reading(&w.procfs, 0, 1, 50, 1, 1, 'S');
	reading(&w.procfs, 0, 2, 51, 1, 1, 'S');
	thread_event(&w.perf, 500, 2, 0, NT_THREAD_ENDED);
	thread_event(&w.procfs, 600, 2, 51, NT_THREAD_ENDED); /* said twice */
	struct nt_snapshot *s = close_all(&w, 1000);
	uint64_t id = row(s, 2, true)->id;
	assert_unknown(row(s, 2, true)->cpu_pct);
	nt_snapshot_release(s);
	reading(&w.procfs, 1500, 1, 50, 1, 1, 'S');
	s = close_all(&w, 2000);
	assert_int_equal(row(s, 2, true)->id, id);
	nt_snapshot_release(s);
	for (int i = 3; i <= 11; i++) { /* 10 intervals of 1 s are longer than 5 s */
		reading(&w.procfs, i * 1000 - 500, 1, 50, 1, 1, 'S');
		s = close_all(&w, i * 1000);
		if (i <= 10)
			assert_non_null(row(s, 2, true));
		else
			assert_null(row(s, 2, true));
		assert_non_null(row(s, 1, false));
		nt_snapshot_release(s);
	}
	end(&w);
}

static void test_reused_tid_is_another_thread(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	reading(&w.procfs, 0, 7, 50, 900, 0, 'R');
	reading(&w.procfs, 800, 7, 99, 5, 0, 'R'); /* as procfs tells it: first the new one's values, then the old one's end */
	thread_event(&w.procfs, 810, 7, 50, NT_THREAD_ENDED);
	thread_event(&w.procfs, 810, 7, 99, NT_THREAD_SEEN);
	struct nt_snapshot *s = close_all(&w, 1000);
	assert_int_equal(s->processes[0].thread_count, 2);
	assert_non_null(row(s, 7, true));
	assert_non_null(row(s, 7, false));
	assert_int_not_equal(row(s, 7, true)->id, row(s, 7, false)->id);
	nt_snapshot_release(s);
	/* perf knows no start time; procfs tells the end of the one before once more. */
	thread_event(&w.perf, 1100, 7, 0, NT_THREAD_ENDED);
	thread_event(&w.perf, 1200, 7, 0, NT_THREAD_SEEN);
	thread_event(&w.procfs, 1300, 7, 99, NT_THREAD_ENDED);
	s = close_all(&w, 2000);
	assert_non_null(row(s, 7, false));
	assert_int_equal(s->processes[0].thread_count, 3);
	nt_snapshot_release(s);
	end(&w);
}

static void test_unmentioned_thread_has_ended(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	reading(&w.procfs, 0, 1, 50, 1, 1, 'S');
	reading(&w.procfs, 0, 2, 51, 1, 1, 'S');
	reading(&w.procfs, 6000, 1, 50, 1, 1, 'S');
	struct nt_snapshot *s = close_all(&w, 1000);
	assert_non_null(row(s, 2, true));
	assert_non_null(row(s, 1, false));
	nt_snapshot_release(s);
	end(&w);
}

static void test_samples_of_threads(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	reading(&w.procfs, 0, 1, 50, 1, 1, 'S');
	for (int i = 0; i < 250; i++)
		sample_at(&w.perf, 10 + i, 1, 0x1000);
	for (int i = 0; i < 500; i++)
		sample_at(&w.perf, 10 + i, 2, 0x1000);
	thread_event(&w.perf, 600, 2, 0, NT_THREAD_ENDED);
	feed_send(&w.perf);
	sample_at(&w.perf, 590, 2, 0x1000); /* after the news of its end */
	struct nt_snapshot *s = close_all(&w, 1000);
	assert_int_equal(s->processes[0].thread_count, 2);
	assert_int_equal(row(s, 1, false)->samples, 250);
	assert_near(row(s, 1, false)->cpu_pct.v, 25); /* no rate from procfs yet: by samples */
	assert_int_equal(row(s, 2, true)->samples, 501);
	nt_snapshot_release(s);
	s = close_all(&w, 2000);
	assert_int_equal(row(s, 1, false)->samples, 0);
	nt_snapshot_release(s);
	end(&w);
}

/* Ten thousand threads a second, for a while: the table does not grow. */
static void test_churn_is_bounded(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	for (uint32_t second = 0; second < 30; second++) {
		for (uint32_t i = 0; i < 10000; i++) {
			uint32_t tid = 100 + (second * 10000 + i) % 30000;
			thread_event(&w.perf, second * 1000, tid, 0, NT_THREAD_SEEN);
			thread_event(&w.perf, second * 1000 + 1, tid, 0, NT_THREAD_ENDED);
		}
		struct nt_snapshot *s = close_all(&w, second * 1000 + 1000);
		assert_true(s->processes[0].thread_count <= 4096);
		nt_snapshot_release(s);
	}
	end(&w);
}

static void proc(struct feed *feed, double at, double user_ms, double kernel_ms)
{
	struct nt_ev_proc *values = &event(feed, NT_EV_PROC, at, 0)->u.proc;
	*values = (struct nt_ev_proc){ .user_ns = (uint64_t)(user_ms * 1e6),
				       .kernel_ns = (uint64_t)(kernel_ms * 1e6),
				       .rss_bytes = 1 << 20,
				       .thread_count = 12,
				       .running_count = 3 };
}

/* Threads of EventPipe are one row, with the CPU time of all of them. */
static void test_threads_of_sessions_are_one_row(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	for (unsigned at = 0; at <= 1000; at += 1000)
		for (uint32_t tid = 20; tid < 24; tid++) {
			nt_str name = text(&w.procfs, tid < 23 ? ".NET EventPipe" : "worker");
			event(&w.procfs, NT_EV_THREAD_STAT, at, tid)->u.thread_stat = (struct nt_ev_thread_stat){
				.start_ticks = tid, .state = 'S', .user_ns = at * (tid - 19) * 10000, .name = name
			};
		}
	struct nt_snapshot *s = close_all(&w, 1000);
	unsigned shown = 0;
	for (size_t i = 0; i < s->processes[0].thread_count; i++) {
		const struct nt_thread_row *row = &s->processes[0].threads[i];
		shown += !row->folded;
		if (row->folded || row->tid == 23)
			continue;
		assert_int_equal(row->tid, 22);
		assert_int_equal(row->alike.count, 3);
		assert_near(row->alike.cpu_pct.v, 6);
		assert_near(row->cpu_pct.v, 3);
	}
	assert_int_equal(s->processes[0].thread_count, 4);
	assert_int_equal(shown, 2);
	nt_snapshot_release(s);
	end(&w);
}

static void test_process_usage(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	proc(&w.procfs, 0, 5000, 1000);
	struct nt_snapshot *s = close_all(&w, 100);
	assert_unknown(s->processes[0].interval.cpu.usage_pct);
	assert_known(s->processes[0].interval.threads.count, 12);
	assert_known(s->processes[0].interval.threads.running_count, 3);
	assert_unknown(s->processes[0].interval.threads.blocked_count);
	nt_snapshot_release(s);
	proc(&w.procfs, 500, 5900, 1100); /* several readings in an interval: from the last close to the newest */
	proc(&w.procfs, 1000, 6800, 1200);
	s = close_all(&w, 1050);
	assert_near(s->processes[0].interval.cpu.user_pct.v, 180);
	assert_near(s->processes[0].interval.cpu.kernel_pct.v, 20);
	assert_near(s->processes[0].interval.cpu.usage_pct.v, 200);
	nt_snapshot_release(s);
	proc(&w.procfs, 2000, 6800, 1200);
	s = close_all(&w, 2050);
	assert_near(s->processes[0].interval.cpu.usage_pct.v, 0);
	assert_near(s->processes[0].total.cpu.usage_pct.v, 100);
	nt_snapshot_release(s);
	proc(&w.procfs, 3000, 1, 1); /* somebody else's counter */
	proc(&w.procfs, 4000, 501, 1);
	s = close_all(&w, 4050);
	assert_near(s->processes[0].interval.cpu.usage_pct.v, 50);
	nt_snapshot_release(s);
	end(&w);
}

static void test_target_and_own_cost(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	nt_str name = text(&w.procfs, "shop-web"), runtime = text(&w.procfs, "10.0.12");
	struct nt_ev_target *target = &event(&w.procfs, NT_EV_TARGET, 0, 0)->u.target;
	*target = (struct nt_ev_target){
		.name = name, .runtime = runtime, .mode = NT_MODE_F, .uptime_ns = 5 * NT_NS_PER_S, .cpu_count = 8, .server_gc = 2
	};
	struct nt_ev_self *self = &event(&w.app, NT_EV_SELF, 0, 0)->u.self;
	*self = (struct nt_ev_self){ .self_ns = 1000, .rss_bytes = 9, .target_ns = 7, .target_known = 1 };
	self = &event(&w.app, NT_EV_SELF, 1000, 0)->u.self;
	*self = (struct nt_ev_self){
		.self_ns = 1000 + 5 * NT_NS_PER_MS, .rss_bytes = 10, .target_ns = 7 + 10 * NT_NS_PER_MS, .target_known = 1
	};
	struct nt_snapshot *s = close_all(&w, 1000);
	const struct nt_target_info *info = &s->processes[0].target;
	assert_string_equal(info->name, "shop-web");
	assert_string_equal(info->runtime, "10.0.12");
	assert_null(info->command);
	assert_int_equal(info->mode, NT_MODE_F);
	assert_known(info->uptime_ns, 6 * NT_NS_PER_S);
	assert_known(info->cpu_count, 8);
	assert_unknown(info->server_gc);
	assert_near(s->self_pct.v, 0.5);
	assert_unknown(s->daemons_pct);
	assert_known(s->self_rss_bytes, 10);
	nt_snapshot_release(s);

	nt_str text_id = text(&w.procfs, "killed by SIGKILL");
	target = &event(&w.procfs, NT_EV_TARGET, 1500, 0)->u.target;
	*target = (struct nt_ev_target){ .ended = 1, .end_text = text_id, .server_gc = 0 };
	s = close_all(&w, 4000);
	info = &s->processes[0].target;
	assert_true(info->ended);
	assert_int_equal(info->ended_at, ms(1500));
	assert_string_equal(info->end_text, "killed by SIGKILL");
	assert_string_equal(info->name, "shop-web");
	assert_known(info->uptime_ns, 6500 * NT_NS_PER_MS);
	assert_int_equal(info->mode, NT_MODE_F);
	nt_snapshot_release(s);
	end(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rates_and_states),
		cmocka_unit_test(test_what_a_thread_allocates),
		cmocka_unit_test(test_tombstones),
		cmocka_unit_test(test_reused_tid_is_another_thread),
		cmocka_unit_test(test_unmentioned_thread_has_ended),
		cmocka_unit_test(test_samples_of_threads),
		cmocka_unit_test(test_churn_is_bounded),
		cmocka_unit_test(test_threads_of_sessions_are_one_row),
		cmocka_unit_test(test_process_usage),
		cmocka_unit_test(test_target_and_own_cost),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
