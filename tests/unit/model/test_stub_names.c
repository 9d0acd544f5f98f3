// SPDX-License-Identifier: GPL-2.0-only
/* Generated code without a line in the perf map: asked for by its address, and named by what its machine code says. */
#include "build.h"

enum { MEMORY = 0x70000, MEMORY_BYTES = 0x10000, STUB = MEMORY + 0x1000 };

struct world {
	struct nt_model *model;
	struct feed perf, codemap;
};

/* Memory of the JIT with a sample at STUB. `map`: there is a perf map. */
static void begin(struct world *w, bool map)
{
	w->model = new_model();
	feed_init(&w->perf, w->model, NT_SOURCE_PERF);
	feed_init(&w->codemap, w->model, NT_SOURCE_CODEMAP);
	delivering(&w->perf);
	delivering(&w->codemap);
	map_image(&w->perf, 1, MEMORY, MEMORY_BYTES, "/memfd:doublemapper", NT_MAP_JIT);
	sample_at(&w->perf, 10, 1, STUB);
	feed_send(&w->perf);
	if (map)
		code_line(&w->codemap, 0, MEMORY, 0x10, "Shop.Other()", NT_TIER_0);
	feed_send(&w->codemap);
}

static void end(struct world *w)
{
	feed_fini(&w->perf);
	feed_fini(&w->codemap);
	nt_model_free(w->model);
}

static void answer(struct world *w, double at_ms, uint64_t start, uint64_t length, const char *name)
{
	nt_str image = text(&w->codemap, NT_STUB_IMAGE), id = text(&w->codemap, name);
	event(&w->codemap, NT_EV_NAME, at_ms, 0)->u.name = (struct nt_ev_name){ .start = start,
										.end = start + length,
										.image = image,
										.name = id,
										.kind = NT_CODE_STUB,
										.naming = name ? NT_NAMING_STUB : NT_NAMING_NO_LINE };
	feed_send(&w->codemap);
}

static void test_a_stub_is_asked_for_and_named(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w, true);
	struct nt_snapshot *s = close_at(w.model, 1000);
	assert_string_equal(row_named(s, "[runtime stub]")->reason, "no line in the perf map");
	assert_int_equal(s->processes[0].question_count, 1);
	const struct nt_question *question = &s->processes[0].questions[0];
	assert_string_equal(question->image, NT_STUB_IMAGE);
	assert_int_equal(question->inode, 0);
	assert_int_equal(question->offset, STUB);
	assert_int_equal(question->map_start, MEMORY);
	assert_int_equal(question->map_end, MEMORY + MEMORY_BYTES);
	nt_snapshot_release(s);
	/* The answer is of all stubs around; those that the map records are the same row. */
	answer(&w, 1010, STUB - 0x100, 0x200, "[stub VSD_DispatchStub]");
	sample_at(&w.perf, 1100, 1, STUB + 0x40);
	sample_at(&w.perf, 1200, 1, STUB + 0x1008);
	feed_send(&w.perf);
	s = close_at(w.model, 2000);
	const struct nt_method_row *row = row_named(s, "[stub VSD_DispatchStub]");
	assert_non_null(row);
	assert_int_equal(row->self_samples_all, 2);
	assert_int_equal(row->kind, NT_CODE_STUB);
	assert_int_equal(row->naming, NT_NAMING_STUB);
	assert_null(row->reason);
	assert_int_equal(row_named(s, "[runtime stub]")->self_samples_all, 1);
	assert_int_equal(s->processes[0].question_count, 1);
	assert_int_equal(s->processes[0].questions[0].offset, STUB + 0x1008);
	nt_snapshot_release(s);
	end(&w);
}

/* Nobody knows what it is: asked once, and it still is whatever a line says later. */
static void test_what_is_no_stub(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w, true);
	nt_snapshot_release(close_at(w.model, 1000));
	answer(&w, 1010, STUB, 1, NULL);
	for (int second = 2; second < 6; second++) {
		struct nt_snapshot *s = close_at(w.model, 1000 * second);
		assert_int_equal(s->processes[0].question_count, 0);
		assert_string_equal(row_named(s, "[runtime stub]")->reason, "no line in the perf map");
		nt_snapshot_release(s);
	}
	code_line(&w.codemap, 0, STUB, 0x100, "Shop.Late()", NT_TIER_0);
	feed_send(&w.codemap);
	struct nt_snapshot *s = close_at(w.model, 7000);
	assert_int_equal(row_named(s, "Shop.Late()")->self_samples_all, 1);
	assert_null(row_named(s, "[runtime stub]"));
	nt_snapshot_release(s);
	end(&w);
}

/* Then most of it is methods. */
static void test_nothing_is_asked_without_a_map(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w, false);
	struct nt_snapshot *s = close_at(w.model, 1000);
	assert_non_null(row_named(s, "[jit code]"));
	assert_int_equal(s->processes[0].question_count, 0);
	nt_snapshot_release(s);
	end(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_stub_is_asked_for_and_named),
		cmocka_unit_test(test_what_is_no_stub),
		cmocka_unit_test(test_nothing_is_asked_without_a_map),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
