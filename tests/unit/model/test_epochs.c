// SPDX-License-Identifier: GPL-2.0-only
/* Samples of a source that gives its ids anew. */
#include "sampled_world.h"

/* Ids of an epoch that ended: its chains keep what they counted for. */
static void test_epochs(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	map_image(&w.perf, 1, 0x7000, 0x10000, "/memfd:doublemapper", NT_MAP_JIT);
	code_line(&w.codemap, 0, 0x7000, 0x100, "Shop.A()", NT_TIER_0);
	feed_send(&w.codemap);
	for (int epoch = 0; epoch < 50; epoch++) {
		sample_at(&w.perf, 100 * epoch + 1, 1, 0x7010);
		sample_at(&w.perf, 100 * epoch + 2, 1, 0x8010); /* no name */
		sample_at(&w.perf, 100 * epoch + 90, 1, 0x7020);
		w.perf.batch->epoch = 100 + (uint32_t)epoch;
		feed_send(&w.perf);
		nt_interner_free(w.perf.interner);
		w.perf.interner = nt_interner_new(0);
		nt_interner_begin(w.perf.interner, w.perf.batch);
		if (epoch % 3 == 0)
			nt_snapshot_release(close_at(w.model, 100 * epoch + 50));
	}
	struct nt_snapshot *s = nt_model_close(w.model, ms(10000), true);
	assert_int_equal(row_named(s, "Shop.A()")->self_samples_all, 100);
	assert_int_equal(row_named(s, "[runtime stub]")->self_samples_all, 50);
	nt_snapshot_release(s);
	end(&w);
}

/* Ids are given anew with every batch, as when stacks are deep: what waits for names gets them all the same, of the last few tables. */
static void test_late_name_of_an_ended_epoch(void **state_)
{
	(void)state_;
	enum { ENDED = 6, FORGOTTEN = 12 };
	struct world w;
	begin(&w);
	nt_interner_free(w.perf.interner);
	w.perf.interner = nt_interner_new(1);
	nt_interner_begin(w.perf.interner, w.perf.batch);
	map_image(&w.perf, 1, 0x400000, 0x10000, "/usr/lib/libfoo.so", NT_MAP_FILE);
	map_image(&w.perf, 1, 0x500000, 0x10000, "/usr/lib/libbar.so", NT_MAP_FILE);
	nt_time at = 0;
	sample_at(&w.perf, 10, 5, 0x401010);
	struct nt_snapshot *s = NULL;
	for (int i = 0; i < ENDED; i++) {
		nt_snapshot_release(s);
		feed_send(&w.perf);
		sample_at(&w.perf, (double)(at += 1000) - 10, 5, 0x501010);
		s = close_all(&w, (double)at);
	}
	assert_int_equal(row_named(s, "libfoo.so+0x1010")->self_samples_all, 1);
	assert_true(w.perf.batch->epoch > ENDED);
	answer_name(&w, (double)at + 10, "/usr/lib/libfoo.so", 0x1000, 0x1100, "foo", NULL);
	nt_snapshot_release(s);
	s = close_all(&w, (double)(at += 1000));
	assert_null(row_named(s, "libfoo.so+0x1010"));
	assert_int_equal(row_named(s, "foo")->self_samples_all, 1);
	for (int i = 0; i < FORGOTTEN; i++) {
		nt_snapshot_release(s);
		sample_at(&w.perf, (double)(at += 1000) - 10, 5, 0x501010);
		s = close_all(&w, (double)at);
	}
	answer_name(&w, (double)at + 10, "/usr/lib/libbar.so", 0x1000, 0x1100, "bar", NULL);
	nt_snapshot_release(s);
	s = close_all(&w, (double)(at + 1000));
	const struct nt_method_row *named = row_named(s, "bar"), *open = row_named(s, "libbar.so+0x1010");
	assert_true(named->self_samples_all > 0);
	assert_non_null(open); /* tables that nobody kept: no memory without end */
	assert_int_equal(named->self_samples_all + open->self_samples_all, ENDED + FORGOTTEN);
	nt_snapshot_release(s);
	end(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_epochs),
		cmocka_unit_test(test_late_name_of_an_ended_epoch),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
