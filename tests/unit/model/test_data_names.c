// SPDX-License-Identifier: GPL-2.0-only
/* Generated code that neither the perf map nor an event names, and that whoever reads the runtime's data is asked about. */
#include "read_world.h"

static void test_code_is_asked_for_and_named(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	struct nt_snapshot *s = close_at(w.model, 1000);
	assert_int_equal(questions_for(s, NT_RUNTIME_IMAGE), 1);
	assert_int_equal(s->processes[0].questions[0].offset, METHOD + 0x10);
	nt_snapshot_release(s);
	answer(&w, 1010, METHOD, METHOD_BYTES, "int32 [shop] Shop.Cart::Sum[System.Int32](!!0[])[OptimizedTier1]");
	feed_send(&w.runtime);
	sample_at(&w.perf, 1100, 1, METHOD + 0x40);
	feed_send(&w.perf);
	s = close_at(w.model, 2000);
	const struct nt_method_row *row = row_named(s, "Shop.Cart.Sum<int>(int[])");
	assert_int_equal(row->self_samples_all, 2); /* the first one has moved there */
	assert_int_equal(row->tier, NT_TIER_1);
	assert_string_equal(row->module, "shop");
	assert_false(row->ended);
	assert_int_equal(questions_for(s, NT_RUNTIME_IMAGE), 0);
	nt_snapshot_release(s);
	reader_says(&w, 2010, false); /* the process has ended: what is known of it stays */
	sample_at(&w.perf, 2100, 1, METHOD + 0x48);
	feed_send(&w.perf);
	s = close_at(w.model, 3000);
	assert_int_equal(row_named(s, "Shop.Cart.Sum<int>(int[])")->self_samples_all, 3);
	nt_snapshot_release(s);
	end(&w);
}

/* The list of all methods costs the target something: it is asked for what the data do not name, not for what they may still name. */
static void test_the_list_is_asked_for_the_rest(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	for (int i = 1; i <= 4; i++) {
		struct nt_snapshot *s = close_at(w.model, i * 1000);
		assert_int_equal(questions_for(s, NT_METHODS_IMAGE), 0);
		nt_snapshot_release(s);
	}
	answer(&w, 4100, METHOD + 0x10, 1, NULL);
	feed_send(&w.runtime);
	size_t asked = 0;
	for (int i = 5; i <= 9; i++) {
		sample_at(&w.perf, i * 1000 - 500, 1, METHOD + 0x10);
		feed_send(&w.perf);
		struct nt_snapshot *s = close_at(w.model, i * 1000);
		asked += questions_for(s, NT_METHODS_IMAGE);
		nt_snapshot_release(s);
	}
	assert_int_equal(asked, 1);
	end(&w);
}

/* What is no method's is a stub, whose machine code may tell its kind; neither a missing map nor the list has to do with it. */
static void test_a_stub_is_no_method(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	answer(&w, 500, METHOD + 0x10, 1, NULL)->kind = NT_CODE_STUB;
	feed_send(&w.runtime);
	for (int i = 1; i <= 4; i++) {
		struct nt_snapshot *s = close_at(w.model, i * 1000);
		assert_string_equal(row_named(s, "[runtime stub]")->reason, "stub of an unknown kind");
		assert_int_equal(questions_for(s, NT_STUB_IMAGE), i == 1 || i == 3); /* once more after 2 s */
		assert_int_equal(questions_for(s, NT_METHODS_IMAGE), 0);
		nt_snapshot_release(s);
	}
	end(&w);
}

static void test_nobody_is_asked_who_does_not_read(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	reader_says(&w, 500, false);
	struct nt_snapshot *s = close_at(w.model, 1000);
	assert_int_equal(questions_for(s, NT_RUNTIME_IMAGE), 0);
	nt_snapshot_release(s);
	end(&w);
}

/* It does not tell the instances of a generic method apart. */
static void test_a_line_without_its_instance(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	raw_line(&w.codemap, 0, METHOD, METHOD_BYTES, "int32 [shop] Shop.Cart::Sum(!!0[])[OptimizedTier1]");
	feed_send(&w.codemap);
	struct nt_snapshot *s = close_at(w.model, 1000);
	assert_int_equal(row_named(s, "Shop.Cart.Sum<T0>(T0[])")->self_samples_all, 1);
	assert_int_equal(questions_for(s, NT_RUNTIME_IMAGE), 1);
	nt_snapshot_release(s);
	answer(&w, 1010, METHOD, METHOD_BYTES, "int32 [shop] Shop.Cart::Sum[System.Byte](!!0[])[OptimizedTier1]");
	feed_send(&w.runtime);
	s = close_at(w.model, 2000);
	assert_int_equal(row_named(s, "Shop.Cart.Sum<byte>(byte[])")->self_samples_all, 1);
	nt_snapshot_release(s);
	end(&w);
}

/* What is at an address by now says nothing of the samples before the first look, and of those after the newest one not yet. */
static void test_code_that_may_be_freed(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	no_map(&w);
	look(&w, FIRST, 500, 500);
	struct nt_snapshot *s = sampled(&w, 400, 600, 1000);
	assert_true(s->processes[0].passing_code);
	assert_int_equal(questions_for(s, NT_RUNTIME_IMAGE), 1);
	assert_int_equal(questions_for(s, NT_METHODS_IMAGE), 0);
	assert_int_equal(s->processes[0].questions[0].offset, METHOD); /* once for all of the method */
	assert_int_equal(row_named(s, "[jit code]")->self_samples_all, 2);
	assert_string_equal(row_named(s, "[jit code]")->reason, "sampled before its name was read");
	nt_snapshot_release(s);
	look(&w, FIRST, 500, 1100);
	s = sampled(&w, 1050, 1200, 2000);          /* 1200 waits */
	assert_false(s->processes[0].passing_code); /* it is the one that was there before, as far as anybody knows */
	assert_int_equal(samples_of(s, "first()"), 2);
	nt_snapshot_release(s);
	look(&w, SECOND, 2100, 2100); /* so nobody knows when the first one went */
	s = sampled(&w, 2050, 2200, 3000);
	assert_true(s->processes[0].passing_code);
	assert_int_equal(samples_of(s, "first()"), 2);
	assert_int_equal(row_named(s, "[jit code]")->self_samples_all, 4);
	nt_snapshot_release(s);
	look(&w, SECOND, 2100, 3100);
	s = close_at(w.model, 4000);
	assert_int_equal(samples_of(s, "first()"), 2);
	assert_int_equal(samples_of(s, "second()"), 1);
	assert_string_equal(row_named(s, "second()")->module, "(dynamic)");
	assert_int_equal(row_named(s, "[jit code]")->self_samples_all, 4);
	nt_snapshot_release(s);
	s = close_at(w.model, 5000);
	assert_false(s->processes[0].passing_code);
	nt_snapshot_release(s);
	end(&w);
}

/* Nobody looks any more: what waits for a look is counted all the same. */
static void test_what_waits_for_a_look_does_not_wait_for_ever(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	look(&w, FIRST, 500, 500);
	nt_snapshot_release(sampled(&w, 400, 600, 1000));
	for (int i = 2; i <= 5; i++)
		nt_snapshot_release(close_at(w.model, i * 1000));
	struct nt_snapshot *s = close_at(w.model, 6000);
	assert_int_equal(row_named(s, "[jit code]")->self_samples_all, 3);
	nt_snapshot_release(s);
	end(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_code_is_asked_for_and_named),
		cmocka_unit_test(test_the_list_is_asked_for_the_rest),
		cmocka_unit_test(test_a_stub_is_no_method),
		cmocka_unit_test(test_nobody_is_asked_who_does_not_read),
		cmocka_unit_test(test_a_line_without_its_instance),
		cmocka_unit_test(test_code_that_may_be_freed),
		cmocka_unit_test(test_what_waits_for_a_look_does_not_wait_for_ever),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
