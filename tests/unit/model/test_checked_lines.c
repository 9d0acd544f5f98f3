// SPDX-License-Identifier: GPL-2.0-only
/* Lines of the perf map, held against what the runtime's own data say of that memory. */
#include "read_world.h"

#define SUM   "int32 [shop] Shop.Cart::Sum(int32[])[OptimizedTier1]"
#define OTHER "void [shop] Shop.Other::Run()[Tier0]"

enum { PLACE = METHOD + 0x10 };

/* A stub by the runtime's data: no method was there at that time. */
static void nothing_there(struct world *w, double at, double looked)
{
	struct nt_ev_name *said = answer(w, at, PLACE, 1, NULL);
	said->kind = NT_CODE_STUB;
	said->from = ms(looked);
	feed_send(&w->runtime);
}

static void line(struct world *w, double from, uint64_t start, uint64_t size, const char *raw)
{
	raw_line(&w->codemap, from, start, size, raw);
	feed_send(&w->codemap);
}

static void expect(struct world *w, double end, const char *name, uint64_t samples, size_t questions)
{
	struct nt_snapshot *s = close_at(w->model, end);
	assert_int_equal(samples_of(s, name), samples);
	assert_int_equal(questions_for(s, NT_RUNTIME_IMAGE), questions);
	nt_snapshot_release(s);
}

static void sample(struct world *w, double at, uint64_t address)
{
	sample_at(&w->perf, at, 1, address);
	feed_send(&w->perf);
}

static void test_a_line_is_asked_about_once(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	line(&w, 0, METHOD, METHOD_BYTES, SUM);
	expect(&w, 1000, "Shop.Cart.Sum(int[])", 1, 1); /* until it is known to be wrong it counts */
	answer(&w, 1010, METHOD, METHOD_BYTES, SUM);
	feed_send(&w.runtime);
	sample(&w, 1100, METHOD + 0x40);
	expect(&w, 2000, "Shop.Cart.Sum(int[])", 2, 0);
	end(&w);
}

/* One that lies in the middle of another method, and hides a part of that one's own. */
static void test_a_line_within_another_method(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	line(&w, 0, METHOD, METHOD_BYTES, SUM);
	line(&w, 0, METHOD + 8, 0x20, OTHER);
	expect(&w, 1000, "Shop.Other.Run()", 1, 1);
	answer(&w, 1010, METHOD, METHOD_BYTES, SUM);
	feed_send(&w.runtime);
	sample(&w, 1100, METHOD + 0x80); /* of the line that is right */
	sample(&w, 1200, METHOD + 0x18);
	struct nt_snapshot *s = close_at(w.model, 2000);
	assert_int_equal(samples_of(s, "Shop.Cart.Sum(int[])"), 3);
	assert_int_equal(samples_of(s, "Shop.Other.Run()"), 0);
	nt_snapshot_release(s);
	end(&w);
}

/* What the data cannot read all of is no word against a line. */
static void test_what_is_half_read_refutes_nothing(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	line(&w, 0, METHOD, METHOD_BYTES, SUM);
	answer(&w, 500, METHOD, METHOD_BYTES, "? [shop] ?::Sum(?)[OptimizedTier1]");
	feed_send(&w.runtime);
	expect(&w, 1000, "Shop.Cart.Sum(int[])", 1, 0);
	end(&w);
}

static void test_a_line_where_nothing_lies(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	line(&w, 0, METHOD, METHOD_BYTES, SUM);
	expect(&w, 1000, "Shop.Cart.Sum(int[])", 1, 1);
	nothing_there(&w, 1010, 1005);
	sample(&w, 1100, PLACE);
	struct nt_snapshot *s = close_at(w.model, 2000);
	assert_int_equal(samples_of(s, "Shop.Cart.Sum(int[])"), 0);
	assert_int_equal(samples_of(s, "[runtime stub]"), 2);
	nt_snapshot_release(s);
	end(&w);
}

/* There was nothing; then a method is compiled, and the line says so. */
static void test_a_line_that_is_newer_than_the_look(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	nothing_there(&w, 500, 400);
	line(&w, 1000, METHOD, METHOD_BYTES, SUM);
	sample(&w, 1500, PLACE);
	idle(&w.codemap, 2000);
	expect(&w, 2000, "Shop.Cart.Sum(int[])", 2, 1); /* the first one was before: the first line that covers it */
	nothing_there(&w, 2010, 2005);                  /* the line is still so new that its code may be newer than that */
	sample(&w, 2500, PLACE);
	idle(&w.codemap, 3000);
	expect(&w, 3000, "Shop.Cart.Sum(int[])", 3, 1);
	answer(&w, 3010, METHOD, METHOD_BYTES, SUM);
	feed_send(&w.runtime);
	sample(&w, 3500, PLACE);
	idle(&w.codemap, 4000);
	expect(&w, 4000, "Shop.Cart.Sum(int[])", 4, 0);
	end(&w);
}

/* It may have gone by the time of the look: its samples before that stay its own. */
static void test_a_dynamic_method_that_has_gone(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	line(&w, 0, METHOD, METHOD_BYTES, FIRST);
	idle(&w.codemap, 1000);
	expect(&w, 1000, "first()", 1, 1);
	nothing_there(&w, 1010, 1005);
	sample(&w, 1100, PLACE);
	idle(&w.codemap, 2000);
	struct nt_snapshot *s = close_at(w.model, 2000);
	assert_int_equal(samples_of(s, "first()"), 1);
	assert_int_equal(samples_of(s, "[runtime stub]"), 1);
	nt_snapshot_release(s);
	end(&w);
}

/* Only the map names them, so nobody is asked. */
static void test_stubs_stay(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	event(&w.codemap, NT_EV_CODE, 0, 0)->u.code = (struct nt_ev_code){ .first = (uint32_t)w.codemap.batch->line_count };
	static const char raw[] = "stub<7> Jump<ResolveStub>";
	const struct nt_batch_line stub = { .start = METHOD, .size = METHOD_BYTES, .length = sizeof(raw) - 1, .kind = NT_CODE_STUB };
	nt_batch_add_lines(w.codemap.batch, &stub, 1, raw);
	feed_send(&w.codemap);
	expect(&w, 1000, "[stub ResolveStub]", 1, 0);
	nothing_there(&w, 1010, 1005);
	expect(&w, 2000, "[stub ResolveStub]", 1, 0);
	end(&w);
}

/* Of code that may be freed: what was there between two looks goes before the line, and a line that was known before them is of what was there before. */
static void test_a_stale_line_of_code_that_may_be_freed(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	line(&w, 0, METHOD, METHOD_BYTES, FIRST);
	look(&w, SECOND, 500, 900);
	sample(&w, 700, PLACE);
	idle(&w.codemap, 1000);
	struct nt_snapshot *s = close_at(w.model, 1000);
	assert_int_equal(samples_of(s, "second()"), 1);
	assert_int_equal(samples_of(s, "first()"), 1); /* that of before the first look */
	nt_snapshot_release(s);
	sample(&w, 1500, PLACE); /* of which nobody knows yet */
	idle(&w.codemap, 2000);
	s = close_at(w.model, 2000);
	assert_int_equal(samples_of(s, "first()"), 1);
	nt_snapshot_release(s);
	look(&w, SECOND, 500, 2100);
	idle(&w.codemap, 3000);
	s = close_at(w.model, 3000);
	assert_int_equal(samples_of(s, "second()"), 2);
	assert_int_equal(samples_of(s, "first()"), 1);
	nt_snapshot_release(s);
	end(&w);
}

/* A line that may be younger than what the looks have found names what came after them. */
static void test_a_new_line_of_code_that_may_be_freed(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	look(&w, FIRST, 100, 900);
	line(&w, 950, METHOD, METHOD_BYTES, SECOND);
	sample(&w, 500, PLACE);
	sample(&w, 980, PLACE);
	idle(&w.codemap, 1000);
	struct nt_snapshot *s = close_at(w.model, 1000);
	assert_int_equal(samples_of(s, "first()"), 1);
	assert_int_equal(samples_of(s, "second()"), 2); /* and the one of before all looks */
	nt_snapshot_release(s);
	end(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_line_is_asked_about_once),
		cmocka_unit_test(test_a_line_within_another_method),
		cmocka_unit_test(test_what_is_half_read_refutes_nothing),
		cmocka_unit_test(test_a_line_where_nothing_lies),
		cmocka_unit_test(test_a_line_that_is_newer_than_the_look),
		cmocka_unit_test(test_a_dynamic_method_that_has_gone),
		cmocka_unit_test(test_stubs_stay),
		cmocka_unit_test(test_a_stale_line_of_code_that_may_be_freed),
		cmocka_unit_test(test_a_new_line_of_code_that_may_be_freed),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
