// SPDX-License-Identifier: GPL-2.0-only
/* What a thread does: its methods, how long it has been busy or idle; and the trends of rows. */
#include "build.h"

#include "model/common/hot.h"

struct world {
	struct nt_model *model;
	struct feed perf, codemap, procfs;
};

static void begin(struct world *w)
{
	w->model = new_model();
	feed_init(&w->perf, w->model, NT_SOURCE_PERF);
	feed_init(&w->codemap, w->model, NT_SOURCE_CODEMAP);
	feed_init(&w->procfs, w->model, NT_SOURCE_PROCFS);
	delivering(&w->codemap);
	delivering(&w->procfs);
	delivering(&w->perf);
	map_image(&w->perf, 1, 0x7000, 0x10000, "/memfd:doublemapper", NT_MAP_JIT);
	map_image(&w->perf, 1, 0x400000, 0x10000, "/usr/lib/libfoo.so", NT_MAP_FILE);
	code_line(&w->codemap, 0, 0x7000, 0x100, "Shop.Main()", NT_TIER_0);
	code_line(&w->codemap, 0, 0x7100, 0x100, "Shop.Work()", NT_TIER_1);
}

static void end(struct world *w)
{
	feed_fini(&w->perf);
	feed_fini(&w->codemap);
	feed_fini(&w->procfs);
	nt_model_free(w->model);
}

static struct nt_snapshot *close_all(struct world *w, double at_ms)
{
	feed_send(&w->codemap);
	feed_send(&w->perf);
	feed_send(&w->procfs);
	return close_at(w->model, at_ms);
}

static void samples(struct world *w, double at, uint32_t tid, uint64_t address, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		sample_at(&w->perf, at + i * 0.1, tid, address);
}

static const struct nt_thread_row *thread(const struct nt_snapshot *s, uint32_t tid)
{
	for (size_t i = 0; i < s->processes[0].thread_count; i++)
		if (s->processes[0].threads[i].tid == tid)
			return &s->processes[0].threads[i];
	fail_msg("no thread %u", tid);
	return NULL;
}

static void test_methods_of_a_thread(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	samples(&w, 100, 1, 0x7010, 30);
	samples(&w, 200, 1, 0x7110, 70);
	samples(&w, 300, 2, 0x7110, 5);
	struct nt_snapshot *s = close_all(&w, 1000);
	const struct nt_thread_row *row = thread(s, 1);
	assert_int_equal(row->hot_count, 2);
	assert_string_equal(row->hot[0].name, "Shop.Work()");
	assert_int_equal(row->hot[0].method_id, row_named(s, "Shop.Work()")->id);
	assert_near(row->hot[0].samples, 70);
	assert_near(row->hot[0].pct, 70);
	assert_near(row->hot[1].pct, 30);
	assert_near(row->window_samples, 100);
	assert_int_equal(thread(s, 2)->hot_count, 1);
	nt_snapshot_release(s);

	samples(&w, 1100, 1, 0x7010, 10);
	s = close_all(&w, 2000);
	row = thread(s, 1);
	assert_true(row->hot[0].samples > 60 && row->hot[0].samples < 61); /* 70, half of it after five intervals */
	assert_near(row->hot[0].pct + row->hot[1].pct, 100);
	nt_snapshot_release(s);
	for (int i = 2; i < 150; i++)
		nt_snapshot_release(close_all(&w, (i + 1) * 1000));
	s = close_all(&w, 151000);
	assert_int_equal(thread(s, 1)->hot_count, 0);
	assert_null(thread(s, 1)->hot);
	nt_snapshot_release(s);
	end(&w);
}

static void answer(struct world *w, double at, uint64_t start, uint64_t end_, const char *name)
{
	nt_str image = text(&w->codemap, "/usr/lib/libfoo.so"), id = text(&w->codemap, name);
	struct nt_ev_name *e = &event(&w->codemap, NT_EV_NAME, at, 0)->u.name;
	*e = (struct nt_ev_name){ .inode = 7, .start = start, .end = end_, .image = image, .name = id, .kind = NT_CODE_NATIVE };
}

/* A name that comes an interval later, for two places that are one function: methods and trends follow. */
static void test_names_that_come_late(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	samples(&w, 100, 1, 0x401010, 20);
	samples(&w, 200, 1, 0x401020, 10);
	samples(&w, 300, 1, 0x7010, 5);
	struct nt_snapshot *s = close_all(&w, 1000);
	assert_string_equal(thread(s, 1)->hot[0].name, "libfoo.so+0x1010");
	assert_int_equal(thread(s, 1)->hot_count, 3);
	nt_snapshot_release(s);
	answer(&w, 1100, 0x1000, 0x1100, "foo()");
	samples(&w, 1500, 1, 0x401030, 7);
	s = close_all(&w, 2000);
	const struct nt_thread_row *row = thread(s, 1);
	assert_int_equal(row->hot_count, 2);
	assert_string_equal(row->hot[0].name, "foo()");
	assert_int_equal(row->hot[0].method_id, row_named(s, "foo()")->id);
	assert_near(row->hot[0].samples + row->hot[1].samples, row->window_samples);
	const struct nt_trend *trend = row_named(s, "foo()")->trend;
	assert_near((double)trend->cells[NT_TREND_CELLS - 1], 7);
	assert_near((double)trend->cells[NT_TREND_CELLS - 2], 30);
	nt_snapshot_release(s);
	end(&w);
}

/* More methods than are kept: the heavy one is found, and none is shown as heavier than it was. */
static void test_only_the_heaviest_are_kept(void **state_)
{
	(void)state_;
	struct nt_hot *hot = NULL;
	static char names[1000][2];
	struct nt_hot_method out[NT_HOT_METHODS];
	unsigned whole = 0;
	for (unsigned i = 0; i < 1000; i++) {
		hot = nt_hot_count(hot, &(struct nt_key){ .id = 1 + i, .name = names[i] }, 1);
		hot = nt_hot_count(hot, &(struct nt_key){ .id = 5000, .name = "heavy" }, 1);
		whole += 2;
	}
	uint32_t count = nt_hot_fill(hot, whole, out);
	assert_int_equal(count, NT_HOT_METHODS);
	assert_string_equal(out[0].name, "heavy");
	assert_near(out[0].samples, 1000);
	for (uint32_t i = 1; i < count; i++)
		assert_true(out[i].samples <= 1);
	/* Another one takes over: the old ones do not keep it out. */
	for (unsigned i = 0; i < 2000; i++) {
		hot = nt_hot_count(hot, &(struct nt_key){ .id = 6000, .name = "new" }, 1);
		hot = nt_hot_count(hot, &(struct nt_key){ .id = 7000 + i, .name = names[i % 1000] }, 1);
	}
	nt_hot_fill(hot, whole + 4000, out);
	assert_string_equal(out[0].name, "new");
	assert_near(out[0].samples, 2000);
	/* What weighs nothing any more leaves, and its memory with it. */
	hot = nt_hot_decay(hot, 0.00001);
	assert_int_equal(nt_hot_fill(hot, whole, out), 2);
	assert_true(hot->capacity < NT_HOT_METHODS);
	assert_null(nt_hot_decay(hot, 0));
}

static void reading(struct world *w, double at, uint32_t tid, double cpu_ms, char letter)
{
	nt_str name = text(&w->procfs, "worker");
	event(&w->procfs, NT_EV_THREAD_STAT, at, tid)->u.thread_stat = (struct nt_ev_thread_stat){
		.user_ns = (uint64_t)(cpu_ms * 1e6), .start_ticks = tid, .name = name, .state = (unsigned char)letter
	};
}

static void test_busy_and_idle(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	double used = 100;
	for (int second = 0; second <= 12; second++) {
		reading(&w, second * 1000, 1, used, 'R');
		reading(&w, second * 1000, 2, 50, 'S');
		reading(&w, second * 1000, 3, second < 3 ? 10 * second : 20, 'D');
		used += 970;
		nt_snapshot_release(close_all(&w, second * 1000 + 10));
	}
	reading(&w, 13000, 1, used, 'R');
	struct nt_snapshot *s = close_all(&w, 13010);
	assert_int_equal(thread(s, 1)->busy_ns, 13 * NT_NS_PER_S);
	assert_near(thread(s, 1)->busy_pct, 97);
	assert_known(thread(s, 1)->idle_ns, 10 * NT_NS_PER_MS);
	assert_int_equal(thread(s, 2)->busy_ns, 0);
	assert_unknown(thread(s, 2)->idle_ns); /* never seen to run */
	assert_known(thread(s, 3)->idle_ns, 11010 * NT_NS_PER_MS);
	nt_snapshot_release(s);
	reading(&w, 14000, 1, used + 500, 'S'); /* it rests: the count starts anew */
	nt_snapshot_release(close_all(&w, 14010));
	reading(&w, 15000, 1, used + 1490, 'R');
	s = close_all(&w, 15010);
	assert_int_equal(thread(s, 1)->busy_ns, NT_NS_PER_S);
	assert_near(thread(s, 1)->busy_pct, 99);
	nt_snapshot_release(s);
	sample_at(&w.perf, 15500, 2, 0x7010); /* a sample proves that it ran */
	s = close_all(&w, 16000);
	assert_known(thread(s, 2)->idle_ns, 500 * NT_NS_PER_MS);
	nt_snapshot_release(s);
	end(&w);
}

static void assert_cells(const struct nt_trend *trend, const double *expected, size_t count, uint8_t known)
{
	for (size_t i = 0; i < count; i++)
		assert_near((double)trend->cells[NT_TREND_CELLS - count + i], expected[i]);
	assert_int_equal(trend->known, known);
}

static void test_trends(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	reading(&w, 0, 1, 0, 'S');
	nt_snapshot_release(close_all(&w, 1000));
	reading(&w, 1500, 1, 300, 'S');
	samples(&w, 1100, 1, 0x7010, 40);
	nt_snapshot_release(close_all(&w, 1500)); /* half a second: the cells are rates */
	nt_snapshot_release(close_all(&w, 1500)); /* nothing at all: no cell */
	samples(&w, 1600, 1, 0x7110, 1);
	reading(&w, 2500, 1, 1300, 'S');
	struct nt_snapshot *s = close_all(&w, 2500);
	assert_cells(row_named(s, "Shop.Main()")->trend, (const double[]){ 0, 80, 0 }, 3, 0xe0);
	assert_cells(row_named(s, "Shop.Work()")->trend, (const double[]){ 0, 0, 1 }, 3, 0xe0);
	assert_cells(&thread(s, 1)->trend, (const double[]){ 0, 20, 100 }, 3, 0xc0); /* one reading gives no rate */
	nt_snapshot_release(s);
	state(&w.perf, NT_STATE_STALLED);
	nt_snapshot_release(close_all(&w, 3500)); /* until now it delivered */
	s = close_all(&w, 4500);
	assert_cells(row_named(s, "Shop.Main()")->trend, (const double[]){ 0, 80, 0, 0, 0 }, 5, 0x78);
	nt_snapshot_release(s);
	end(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_methods_of_a_thread),
		cmocka_unit_test(test_names_that_come_late),
		cmocka_unit_test(test_only_the_heaviest_are_kept),
		cmocka_unit_test(test_busy_and_idle),
		cmocka_unit_test(test_trends),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
