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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_missed_mapping_is_asked_for),
		cmocka_unit_test(test_what_is_no_mapping_is_seldom_asked_for),
		cmocka_unit_test(test_a_broken_chain_asks_for_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
