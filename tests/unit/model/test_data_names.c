// SPDX-License-Identifier: GPL-2.0-only
/* Generated code that neither the perf map nor an event names, and that whoever reads the runtime's data is asked about. */
#include "build.h"

enum { MEMORY = 0x70000, MEMORY_BYTES = 0x10000, METHOD = MEMORY + 0x1000, METHOD_BYTES = 0x100 };

struct world {
	struct nt_model *model;
	struct feed perf, codemap, runtime;
};

static void reader_says(struct world *w, double at, bool reads)
{
	event(&w->runtime, NT_EV_SOURCE_STATE, at, 0)->u.source_state =
		(struct nt_ev_source_state){ .state = NT_STATE_DELIVERING, .brings = NT_WANT_LOOKS | (reads ? NT_WANT_METHOD_NAMES : 0) };
	feed_send(&w->runtime);
}

/* Memory of the JIT with a sample in it, of a process without a perf map. */
static void begin(struct world *w)
{
	w->model = new_model();
	feed_init(&w->perf, w->model, NT_SOURCE_PERF);
	feed_init(&w->codemap, w->model, NT_SOURCE_CODEMAP);
	feed_init(&w->runtime, w->model, NT_SOURCE_RUNTIME);
	delivering(&w->perf);
	delivering(&w->codemap);
	reader_says(w, 0, true);
	map_image(&w->perf, 1, MEMORY, MEMORY_BYTES, "/memfd:doublemapper", NT_MAP_JIT);
	sample_at(&w->perf, 10, 1, METHOD + 0x10);
	feed_send(&w->perf);
	feed_send(&w->codemap);
}

static void end(struct world *w)
{
	feed_fini(&w->perf);
	feed_fini(&w->codemap);
	feed_fini(&w->runtime);
	nt_model_free(w->model);
}

static struct nt_ev_name *answer(struct world *w, double at, uint64_t start, uint64_t length, const char *name)
{
	nt_str image = text(&w->runtime, NT_RUNTIME_IMAGE), id = text(&w->runtime, name);
	struct nt_ev_name *said = &event(&w->runtime, NT_EV_NAME, at, 0)->u.name;
	*said = (struct nt_ev_name){ .start = start,
				     .end = start + length,
				     .image = image,
				     .name = id,
				     .kind = NT_CODE_JIT,
				     .naming = name ? NT_NAMING_NAMED : NT_NAMING_CODE_UNNAMED };
	return said;
}

/* What a look has found in memory whose code may be freed. */
static void look(struct world *w, const char *name, double from, double until)
{
	answer(w, until, MEMORY, MEMORY_BYTES, NULL)->naming = NT_NAMING_PASSING;
	if (name) {
		struct nt_ev_name *said = answer(w, until, METHOD, METHOD_BYTES, name);
		said->from = ms(from);
		said->until = ms(until);
	}
	feed_send(&w->runtime);
}

/* None is needed, so nobody waits for its lines. */
static void no_map(struct world *w)
{
	event(&w->codemap, NT_EV_SOURCE_STATE, 0, 0)->u.source_state = (struct nt_ev_source_state){ .state = NT_STATE_DELIVERING };
	feed_send(&w->codemap);
}

/* Samples at these times, then the end of the interval. */
static struct nt_snapshot *sampled(struct world *w, double one, double other, double end)
{
	sample_at(&w->perf, one, 1, METHOD + 0x10);
	sample_at(&w->perf, other, 1, METHOD + 0x20);
	feed_send(&w->perf);
	return close_at(w->model, end);
}

static size_t questions_for(const struct nt_snapshot *s, const char *image)
{
	size_t count = 0;
	for (size_t i = 0; i < s->processes[0].question_count; i++)
		count += strcmp(s->processes[0].questions[i].image, image) == 0;
	return count;
}

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

/* A line of the perf map goes before: nothing is read of what it names. */
static void test_a_line_goes_before(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	code_line(&w.codemap, 0, METHOD, METHOD_BYTES, "Shop.Cart.Sum(int[])", NT_TIER_1);
	feed_send(&w.codemap);
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

#define FIRST  "void [shop] dynamicClass::first()[Optimized]"
#define SECOND "void [shop] dynamicClass::second()[Optimized]"

static uint64_t samples_of(const struct nt_snapshot *s, const char *name)
{
	uint64_t count = 0;
	for (size_t i = 0; i < s->processes[0].method_count; i++)
		if (strcmp(s->processes[0].methods[i].name, name) == 0)
			count += s->processes[0].methods[i].self_samples_all;
	return count;
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
		cmocka_unit_test(test_code_is_asked_for_and_named), cmocka_unit_test(test_the_list_is_asked_for_the_rest),
		cmocka_unit_test(test_a_stub_is_no_method),         cmocka_unit_test(test_nobody_is_asked_who_does_not_read),
		cmocka_unit_test(test_a_line_goes_before),          cmocka_unit_test(test_a_line_without_its_instance),
		cmocka_unit_test(test_code_that_may_be_freed),      cmocka_unit_test(test_what_waits_for_a_look_does_not_wait_for_ever),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
