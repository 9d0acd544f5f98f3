// SPDX-License-Identifier: GPL-2.0-only
/* Where in a method the samples were. */
#include "sampled_world.h"

#include "model/code/annotate.h"
#include "nettop/source.h"

static void begin_with_code(struct world *world)
{
	begin(world);
	map_image(&world->perf, 1, 0x7000, 0x100000, "/memfd:doublemapper", NT_MAP_JIT);
}

static void samples_at(struct world *w, double at_ms, uint64_t address, int count)
{
	for (int i = 0; i < count; i++)
		sample_at(&w->perf, at_ms + i, 5, address);
}

static uint64_t id_of(struct nt_snapshot *s, const char *name)
{
	assert_non_null(row_named(s, name));
	return row_named(s, name)->id;
}

/* Instructions of 4 bytes each. */
static void answer(struct world *w, uint64_t start, unsigned count, const char *reason)
{
	static const char texts[] = "nopret";
	struct nt_batch_line lines[64];
	assert_true(count <= 64);
	nt_str why = reason ? text(&w->codemap, reason) : 0;
	struct nt_event *e = event(&w->codemap, NT_EV_ASSEMBLY, 0, 0);
	e->u.assembly.start = start;
	e->u.assembly.reason = why;
	for (unsigned i = 0; i < count; i++)
		lines[i] = (struct nt_batch_line){ .start = start + 4 * i, .size = 4, .offset = i + 1 == count ? 3 : 0, .length = 3 };
	nt_batch_add_instructions(w->codemap.batch, lines, count, texts);
}

/* The one question for code. */
static const struct nt_question *question(const struct nt_snapshot *s)
{
	const struct nt_process_snapshot *process = &s->processes[0];
	for (size_t i = 0; i < process->question_count; i++)
		if (strcmp(process->questions[i].image, NT_CODE_IMAGE) == 0)
			return &process->questions[i];
	return NULL;
}

/* Samples from before somebody looked count, too; those of other methods do not. */
static void test_instructions(void **state_)
{
	(void)state_;
	struct world w;
	begin_with_code(&w);
	code_line(&w.codemap, 0, 0x7000, 0x20, "Shop.Work()", NT_TIER_1);
	code_line(&w.codemap, 0, 0x7100, 0x20, "Shop.Other()", NT_TIER_1);
	samples_at(&w, 10, 0x7004, 30);
	samples_at(&w, 50, 0x7100, 7);
	struct nt_snapshot *s = close_all(&w, 1000);
	assert_int_equal(s->processes[0].annotation.method, 0);
	assert_null(question(s));
	look_at(w.model, id_of(s, "Shop.Work()"));
	nt_snapshot_release(s);

	samples_at(&w, 1010, 0x700a, 9); /* within the instruction at 8 */
	samples_at(&w, 1050, 0x701c, 1);
	samples_at(&w, 1060, 0x7104, 1);
	s = close_all(&w, 2000);
	const struct nt_question *asked = question(s);
	assert_non_null(asked);
	assert_int_equal(asked->map_start, 0x7000);
	assert_int_equal(asked->map_end, 0x7020);
	assert_int_equal(asked->time, ms(39)); /* when the hottest one ran last */
	assert_int_equal(s->processes[0].instruction_count, 0);
	assert_int_equal(s->processes[0].annotation.samples, 40);
	assert_int_equal(s->processes[0].annotation.hottest, 0x7004);
	assert_int_equal(s->processes[0].annotation.tier, NT_TIER_1);
	nt_snapshot_release(s);

	answer(&w, 0x7000, 8, NULL);
	s = close_all(&w, 3000);
	const struct nt_instruction_row *rows = s->processes[0].instructions;
	assert_int_equal(s->processes[0].instruction_count, 8);
	assert_null(question(s));
	assert_int_equal(rows[1].address, 0x7004);
	assert_int_equal(rows[1].offset, 4);
	assert_int_equal(rows[1].samples, 30);
	assert_near(rows[1].pct, 75);
	assert_true(rows[1].marked);
	assert_string_equal(rows[1].text, "nop");
	assert_int_equal(rows[2].samples, 9);
	assert_int_equal(rows[7].samples, 1);
	assert_false(rows[7].marked);
	assert_string_equal(rows[7].text, "ret");
	assert_int_equal(rows[0].samples, 0);

	look_at(w.model, 0);
	nt_snapshot_release(s);
	s = close_all(&w, 4000);
	assert_int_equal(s->processes[0].instruction_count, 0);
	nt_snapshot_release(s);
	end(&w);
}

/* The method is compiled again: the piece with most samples is shown, the others are counted. */
static void test_code_in_two_places(void **state_)
{
	(void)state_;
	struct world w;
	begin_with_code(&w);
	code_line(&w.codemap, 0, 0x7000, 0x20, "Shop.Work()", NT_TIER_0);
	samples_at(&w, 10, 0x7004, 3);
	struct nt_snapshot *s = close_all(&w, 1000);
	look_at(w.model, id_of(s, "Shop.Work()"));
	nt_snapshot_release(s);
	code_line(&w.codemap, 1100, 0x8000, 0x40, "Shop.Work()", NT_TIER_1);
	samples_at(&w, 1200, 0x8010, 5);
	s = close_all(&w, 2000);
	const struct nt_annotation *annotation = &s->processes[0].annotation;
	assert_int_equal(annotation->start, 0x8000);
	assert_int_equal(annotation->end, 0x8040);
	assert_int_equal(annotation->tier, NT_TIER_1);
	assert_int_equal(annotation->samples, 5);
	assert_int_equal(annotation->all_samples, 8);
	assert_int_equal(annotation->code_count, 2);
	assert_int_equal(question(s)->map_start, 0x8000);
	nt_snapshot_release(s);
	/* An answer for the first piece, which nobody asked for. */
	answer(&w, 0x7000, 8, NULL);
	s = close_all(&w, 3000);
	assert_int_equal(s->processes[0].instruction_count, 0);
	nt_snapshot_release(s);
	end(&w);
}

static void test_code_that_cannot_be_had(void **state_)
{
	(void)state_;
	struct world w;
	begin_with_code(&w);
	code_line(&w.codemap, 0, 0x7000, 0x20, "Shop.Work()", NT_TIER_1);
	samples_at(&w, 10, 0x7004, 3);
	struct nt_snapshot *s = close_all(&w, 1000);
	look_at(w.model, id_of(s, "Shop.Work()"));
	nt_snapshot_release(s);
	s = close_all(&w, 2000);
	assert_non_null(question(s));
	nt_snapshot_release(s);
	s = close_all(&w, 3000);
	assert_null(question(s)); /* it is on its way */
	nt_snapshot_release(s);
	s = close_all(&w, 4000);
	assert_non_null(question(s)); /* lost */
	nt_snapshot_release(s);
	answer(&w, 0x7000, 0, "gone");
	s = close_all(&w, 7000);
	assert_null(question(s));
	assert_string_equal(s->processes[0].annotation.reason, "gone");
	assert_int_equal(s->processes[0].annotation.samples, 3);
	nt_snapshot_release(s);
	end(&w);
}

/* Of code that is longer than what is read at once, a part with the hottest instruction, which begins where one was sampled. */
static void test_long_code(void **state_)
{
	(void)state_;
	struct world w;
	begin_with_code(&w);
	code_line(&w.codemap, 0, 0x7000, 0x80000, "Shop.Huge()", NT_TIER_0);
	samples_at(&w, 10, 0x7010, 2);
	samples_at(&w, 20, 0x40000, 2);
	samples_at(&w, 30, 0x48010, 20);
	struct nt_snapshot *s = close_all(&w, 1000);
	look_at(w.model, id_of(s, "Shop.Huge()"));
	nt_snapshot_release(s);
	s = close_all(&w, 2000);
	assert_int_equal(question(s)->map_start, 0x48010);
	assert_int_equal(question(s)->map_end, 0x48010 + NT_CODE_BYTES_MAX);
	nt_snapshot_release(s);
	samples_at(&w, 2100, 0x41000, 1);
	s = close_all(&w, 3000);
	assert_int_equal(question(s)->map_start, 0x41000);
	nt_snapshot_release(s);
	end(&w);
}

/* Lines that lie about where their text is, or do not ascend. */
static void test_damaged_answer(void **state_)
{
	(void)state_;
	struct world w;
	begin_with_code(&w);
	code_line(&w.codemap, 0, 0x7000, 0x20, "Shop.Work()", NT_TIER_1);
	samples_at(&w, 10, 0x7004, 3);
	struct nt_snapshot *s = close_all(&w, 1000);
	look_at(w.model, id_of(s, "Shop.Work()"));
	nt_snapshot_release(s);
	nt_snapshot_release(close_all(&w, 2000));
	answer(&w, 0x7000, 8, NULL);
	w.codemap.batch->lines[1].offset = UINT32_MAX;
	w.codemap.batch->lines[3].start = 0x7000;
	s = close_all(&w, 3000);
	assert_int_equal(s->processes[0].instruction_count, 6);
	assert_int_equal(s->processes[0].instructions[1].address, 0x7008);
	nt_snapshot_release(s);
	end(&w);
}

/* ---- where the code comes from ---- */

static const struct nt_question *question_for(const struct nt_snapshot *s, const char *image)
{
	const struct nt_process_snapshot *process = &s->processes[0];
	for (size_t i = 0; i < process->question_count; i++)
		if (strcmp(process->questions[i].image, image) == 0)
			return &process->questions[i];
	return NULL;
}

/* What is made of the method's IL: nothing of the first instruction, 0 of the next, 8 of the third and fourth, the epilog is of none. */
static void answer_il_map(struct world *w, uint64_t asked)
{
	static const struct nt_batch_place places[] = {
		{ 0x7000, 4, NT_IL_PROLOG }, { 0x7004, 4, 0 }, { 0x7008, 8, 8 }, { 0x7010, 4, 20 }, { 0x7014, 4, NT_IL_EPILOG }
	};
	struct nt_event *e = event(&w->codemap, NT_EV_IL_MAP, 0, 0);
	e->u.il_map.asked = asked;
	nt_batch_add_il_map(w->codemap.batch, places, sizeof(places) / sizeof(*places));
}

/* IL 0 to 7 is line 41, what follows is 42, from 20 on nothing that is in the source. */
static void answer_lines(struct world *w, uint64_t asked, const char *reason)
{
	static const char path[] = "/src/Shop/Work.cs";
	static const struct nt_batch_line lines[] = {
		{ .start = 0, .size = 41, .length = sizeof(path) - 1 },
		{ .start = 8, .size = 42, .length = sizeof(path) - 1 },
		{ .start = 20, .size = 0 },
	};
	nt_str why = reason ? text(&w->codemap, reason) : 0;
	struct nt_event *e = event(&w->codemap, NT_EV_SOURCE_LINES, 0, 0);
	e->u.source_lines.asked = asked;
	e->u.source_lines.reason = why;
	nt_batch_add_source_lines(w->codemap.batch, lines, reason ? 0 : 3, path, sizeof(path) - 1);
}

static struct nt_snapshot *look_at_work(struct world *w)
{
	begin_with_code(w);
	code_line(&w->codemap, 0, 0x7000, 0x20, "Shop.Work()", NT_TIER_1);
	samples_at(w, 10, 0x7004, 3);
	struct nt_snapshot *s = close_all(w, 1000);
	look_at(w->model, id_of(s, "Shop.Work()"));
	nt_snapshot_release(s);
	return close_all(w, 2000);
}

static void test_source_lines(void **state_)
{
	(void)state_;
	struct world w;
	struct nt_snapshot *s = look_at_work(&w);
	const struct nt_question *lines = question_for(s, NT_LINES_IMAGE), *il = question_for(s, NT_IL_MAP_IMAGE);
	assert_non_null(lines);
	assert_int_equal(lines->map_start, 0x7000);
	assert_non_null(strstr(lines->method, "Work"));
	assert_non_null(il);
	assert_int_equal(il->map_start, 0x7000);
	nt_snapshot_release(s);

	answer(&w, 0x7000, 8, NULL);
	answer_il_map(&w, 0x7000);
	answer_lines(&w, 0x7000, NULL);
	s = close_all(&w, 3000);
	const struct nt_instruction_row *rows = s->processes[0].instructions;
	static const struct {
		uint32_t il, line;
	} expected[] = { { NT_IL_NO_MAPPING, 0 }, { 0, 41 }, { 8, 42 }, { 8, 42 }, { 20, 0 }, { NT_IL_NO_MAPPING, 0 },
			 { NT_IL_NO_MAPPING, 0 } };
	for (size_t i = 0; i < sizeof(expected) / sizeof(*expected); i++) {
		assert_int_equal(rows[i].il_offset, expected[i].il);
		assert_int_equal(rows[i].line, expected[i].line);
		assert_true(!rows[i].place == !expected[i].line);
	}
	assert_string_equal(rows[1].place, "Work.cs:41");
	assert_string_equal(rows[3].place, "Work.cs:42");
	assert_string_equal(rows[3].file, "/src/Shop/Work.cs");
	assert_null(question_for(s, NT_LINES_IMAGE));
	assert_null(question_for(s, NT_IL_MAP_IMAGE));
	nt_snapshot_release(s);
	end(&w);
}

/* Without the one or the other: no line, and the reason of whoever has none. */
static void test_no_source_lines(void **state_)
{
	(void)state_;
	struct world w;
	nt_snapshot_release(look_at_work(&w));
	answer(&w, 0x7000, 8, NULL);
	answer_il_map(&w, 0x7fff); /* of other code */
	answer_lines(&w, 0x7000, "Shop.dll was compiled without a portable PDB");
	struct nt_snapshot *s = close_all(&w, 3000);
	assert_int_equal(s->processes[0].instructions[1].il_offset, NT_IL_NO_MAPPING);
	assert_string_equal(s->processes[0].annotation.lines_reason, "Shop.dll was compiled without a portable PDB");
	nt_snapshot_release(s);
	answer_il_map(&w, 0x7000);
	s = close_all(&w, 4000);
	assert_int_equal(s->processes[0].instructions[1].il_offset, 0);
	assert_int_equal(s->processes[0].instructions[1].line, 0);
	assert_null(question_for(s, NT_LINES_IMAGE)); /* it was answered */
	nt_snapshot_release(s);
	end(&w);
}

/* Who did not get an answer in time asks again, but not at once. */
static void test_il_map_that_could_not_be_had(void **state_)
{
	(void)state_;
	struct world w;
	nt_snapshot_release(look_at_work(&w));
	answer(&w, 0x7000, 8, NULL);
	answer_il_map(&w, 0x7000);
	struct nt_batch *batch = w.codemap.batch;
	batch->events[batch->event_count - 1].u.il_map.failed = true;
	batch->events[batch->event_count - 1].u.il_map.count = 0;
	struct nt_snapshot *s = close_all(&w, 3000);
	assert_null(question_for(s, NT_IL_MAP_IMAGE));
	nt_snapshot_release(s);
	s = close_all(&w, 20000);
	assert_non_null(question_for(s, NT_IL_MAP_IMAGE));
	nt_snapshot_release(s);
	end(&w);
}

static void reader_says(struct world *w, bool reads)
{
	struct feed runtime;
	feed_init(&runtime, w->model, NT_SOURCE_RUNTIME);
	event(&runtime, NT_EV_SOURCE_STATE, 0, 0)->u.source_state =
		(struct nt_ev_source_state){ .state = NT_STATE_DELIVERING, .brings = reads ? NT_WANT_METHOD_NAMES : 0 };
	feed_send(&runtime);
	feed_fini(&runtime);
}

/* To read the runtime's data costs the target nothing: the runtime is asked for what is not there, or does not come. */
static void test_il_that_is_read(void **state_)
{
	(void)state_;
	struct world w;
	begin_with_code(&w);
	reader_says(&w, true);
	code_line(&w.codemap, 0, 0x7000, 0x20, "Shop.Work()", NT_TIER_1);
	samples_at(&w, 10, 0x7004, 3);
	struct nt_snapshot *s = close_all(&w, 1000);
	look_at(w.model, id_of(s, "Shop.Work()"));
	nt_snapshot_release(s);
	s = close_all(&w, 2000);
	const struct nt_question *read = question_for(s, NT_RUNTIME_IL_IMAGE);
	assert_non_null(read);
	assert_int_equal(read->offset, 0x7000);
	assert_null(question_for(s, NT_IL_MAP_IMAGE));
	nt_snapshot_release(s);
	s = close_all(&w, 3000); /* it is waited for */
	assert_null(question_for(s, NT_RUNTIME_IL_IMAGE));
	assert_null(question_for(s, NT_IL_MAP_IMAGE));
	nt_snapshot_release(s);
	s = close_all(&w, 5000); /* not for ever */
	assert_non_null(question_for(s, NT_IL_MAP_IMAGE));
	nt_snapshot_release(s);
	answer_il_map(&w, 0x7000); /* whoever comes first */
	s = close_all(&w, 20000);
	assert_null(question_for(s, NT_RUNTIME_IL_IMAGE));
	assert_null(question_for(s, NT_IL_MAP_IMAGE));
	nt_snapshot_release(s);
	end(&w);
}

static void test_il_that_is_not_there_to_be_read(void **state_)
{
	(void)state_;
	struct world w;
	begin_with_code(&w);
	reader_says(&w, true);
	code_line(&w.codemap, 0, 0x7000, 0x20, "Shop.Work()", NT_TIER_1);
	samples_at(&w, 10, 0x7004, 3);
	struct nt_snapshot *s = close_all(&w, 1000);
	look_at(w.model, id_of(s, "Shop.Work()"));
	nt_snapshot_release(s);
	nt_snapshot_release(close_all(&w, 2000));
	event(&w.codemap, NT_EV_IL_MAP, 0, 0)->u.il_map = (struct nt_ev_il_map){ .asked = 0x7000, .failed = true };
	s = close_all(&w, 3000);
	assert_non_null(question_for(s, NT_IL_MAP_IMAGE));
	assert_null(question_for(s, NT_RUNTIME_IL_IMAGE));
	nt_snapshot_release(s);
	end(&w);
}

/* Beyond the batch, and out of order. */
static void test_damaged_source_lines(void **state_)
{
	(void)state_;
	struct world w;
	nt_snapshot_release(look_at_work(&w));
	answer(&w, 0x7000, 8, NULL);
	answer_il_map(&w, 0x7000);
	answer_lines(&w, 0x7000, NULL);
	struct nt_batch *batch = w.codemap.batch;
	batch->lines[batch->line_count - 3].offset = UINT32_MAX;
	batch->lines[batch->line_count - 1].start = 8;
	batch->lines[batch->line_count - 1].size = 99;
	answer_il_map(&w, 0x7000);
	batch->events[batch->event_count - 1].u.il_map.count = UINT32_MAX;
	struct nt_snapshot *s = close_all(&w, 3000);
	const struct nt_instruction_row *rows = s->processes[0].instructions;
	assert_int_equal(rows[1].il_offset, 0);
	assert_int_equal(rows[1].line, 0); /* whose file is not told */
	assert_int_equal(rows[2].line, 42);
	assert_int_equal(rows[4].line, 42);
	nt_snapshot_release(s);
	end(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_instructions),
		cmocka_unit_test(test_code_in_two_places),
		cmocka_unit_test(test_code_that_cannot_be_had),
		cmocka_unit_test(test_long_code),
		cmocka_unit_test(test_damaged_answer),
		cmocka_unit_test(test_source_lines),
		cmocka_unit_test(test_no_source_lines),
		cmocka_unit_test(test_il_map_that_could_not_be_had),
		cmocka_unit_test(test_il_that_is_read),
		cmocka_unit_test(test_il_that_is_not_there_to_be_read),
		cmocka_unit_test(test_damaged_source_lines),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
