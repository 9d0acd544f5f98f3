// SPDX-License-Identifier: GPL-2.0-only
/* Code that runs where no mapping is known. */
#include "build.h"

enum { MAPPED = 0x70000, BYTES = 0x1000, NEW = 0x90000 };

struct world {
	struct nt_model *model;
	struct feed perf, codemap;
};

static void begin(struct world *w)
{
	w->model = new_model();
	feed_init(&w->perf, w->model, NT_SOURCE_PERF);
	feed_init(&w->codemap, w->model, NT_SOURCE_CODEMAP);
	delivering(&w->perf);
	delivering(&w->codemap);
	map_image(&w->codemap, 1, MAPPED, BYTES, "/app/libshop.so", NT_MAP_FILE);
	feed_send(&w->codemap);
}

static void end(struct world *w)
{
	feed_fini(&w->perf);
	feed_fini(&w->codemap);
	nt_model_free(w->model);
}

static size_t asked(const struct nt_snapshot *s)
{
	size_t count = 0;
	for (size_t i = 0; i < s->processes[0].question_count; i++)
		count += strcmp(s->processes[0].questions[i].image, NT_MAPPINGS_IMAGE) == 0;
	return count;
}

/* A mapping that nobody told of is asked for; what was sampled in it before has its name then. */
static void test_a_missed_mapping_is_asked_for(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	sample_at(&w.perf, 10, 1, NEW + 0x10);
	feed_send(&w.perf);
	struct nt_snapshot *s = close_at(w.model, 1000);
	assert_non_null(row_named(s, "[no mapping]"));
	assert_int_equal(asked(s), 1);
	nt_snapshot_release(s);
	map_image(&w.codemap, 1010, NEW, BYTES, "/app/libnew.so", NT_MAP_FILE);
	feed_send(&w.codemap);
	s = close_at(w.model, 2000);
	assert_null(row_named(s, "[no mapping]"));
	assert_int_equal(asked(s), 0);
	nt_snapshot_release(s);
	end(&w);
}

/* Where asking brings nothing it is done less and less often. */
static void test_what_is_no_mapping_is_seldom_asked_for(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	size_t count = 0;
	for (int second = 1; second <= 60; second++) {
		sample_at(&w.perf, second * 1000 - 500, 1, NEW + 0x10 * (uint64_t)second);
		feed_send(&w.perf);
		struct nt_snapshot *s = close_at(w.model, second * 1000);
		count += asked(s);
		nt_snapshot_release(s);
	}
	assert_in_range(count, 2, 8);
	end(&w);
}

/* The callers in a broken chain may be anything; the code that ran was there. */
static void test_a_broken_chain_asks_for_nothing(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	const uint64_t chain[] = { MAPPED + 0x10, NEW + 0x20, 0x1234 };
	sample_chain(&w.perf, 10, 1, chain, 0, 3);
	feed_send(&w.perf);
	struct nt_snapshot *s = close_at(w.model, 1000);
	assert_int_equal(asked(s), 0);
	nt_snapshot_release(s);
	end(&w);
}

static void moment_at(struct feed *feed, double at_ms, uint64_t caller)
{
	const uint64_t chain[] = { MAPPED + 0x10, caller, MAPPED + 0x40 };
	nt_stack stack = nt_interner_stack(feed->interner, feed->batch, chain, 0, 3);
	struct nt_event *e = event(feed, NT_EV_MOMENT, at_ms, 1);
	e->stack = stack;
	e->u.moment = (struct nt_ev_moment){ .weight = 1, .count = 1 };
}

/* Who tells of moments does not tell of mappings: a caller in none that is known may be code that was just made. At the end that is asked for however seldom it was before, and then what lies there. */
static void test_a_caller_in_a_new_mapping_has_its_name_at_the_end(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	size_t count;
	for (int second = 1; second <= 3; second++) {
		moment_at(&w.perf, second * 1000 - 500, NEW + 0x20 * (uint64_t)second);
		feed_send(&w.perf);
		nt_snapshot_release(close_at(w.model, second * 1000));
	}
	assert_true(nt_model_awaits_mappings(w.model));
	end_all(w.model, 3100);
	moment_at(&w.perf, 3050, NEW + 0x10);
	feed_send(&w.perf);
	nt_snapshot_release(nt_model_close(w.model, ms(3101), false));
	assert_true(nt_model_has_ended(w.model));
	const struct nt_question *questions = ask_at(w.model, 3102, &count);
	uint64_t newest = count ? questions[count - 1].offset : 0;
	assert_int_equal(count, 1);
	assert_string_equal(questions[0].image, NT_MAPPINGS_IMAGE);
	/* An answer to one that was asked before, and was read before this code ran, is none. */
	for (uint64_t answered = newest - 1; answered <= newest; answered++) {
		struct nt_event *e = event(&w.codemap, NT_EV_NAME, 3103, 0);
		e->u.name = (struct nt_ev_name){ .start = answered, .end = answered, .image = text(&w.codemap, NT_MAPPINGS_IMAGE) };
		if (answered == newest)
			map_image(&w.codemap, 3103, NEW, BYTES, "/app/libnew.so", NT_MAP_FILE);
		feed_send(&w.codemap);
		assert_int_equal(nt_model_awaits_mappings(w.model), answered != newest);
	}
	questions = ask_at(w.model, 3104, &count);
	bool asked_new = false;
	for (size_t i = 0; i < count; i++)
		asked_new |= strcmp(questions[i].image, "/app/libnew.so") == 0;
	assert_true(asked_new);
	end(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_missed_mapping_is_asked_for),
		cmocka_unit_test(test_what_is_no_mapping_is_seldom_asked_for),
		cmocka_unit_test(test_a_broken_chain_asks_for_nothing),
		cmocka_unit_test(test_a_caller_in_a_new_mapping_has_its_name_at_the_end),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
