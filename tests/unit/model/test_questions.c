// SPDX-License-Identifier: GPL-2.0-only
/* What the model asks about places in images, and when. */
#include "sampled_world.h"

static void test_questions(void **state_)
{
	(void)state_;
	enum { PLACES = 1100, ASKED_AT_ONCE = 1024 };
	struct world w;
	begin(&w);
	map_image(&w.perf, 1, 0x400000, 0x100000, "/usr/lib/libfoo.so", NT_MAP_FILE);
	for (uint64_t i = 0; i < PLACES; i++)
		sample_at(&w.perf, 10, 1, 0x400000 + i * 16);
	for (int i = 0; i < 5; i++)
		sample_at(&w.perf, 11, 1, 0x400000 + (PLACES - 1) * 16);
	struct nt_snapshot *s = close_all(&w, 1000);
	const struct nt_question *q = s->processes[0].questions;
	assert_int_equal(s->processes[0].question_count, ASKED_AT_ONCE);
	assert_int_equal(q[0].offset, (PLACES - 1) * 16); /* most samples first */
	assert_int_equal(q[1].offset, 0);
	assert_int_equal(q[0].map_start, 0x400000);
	assert_int_equal(q[0].map_end, 0x500000);
	assert_int_equal(q[0].inode, 7);
	assert_int_equal(q[0].pid, PID);
	nt_snapshot_release(s);
	s = close_all(&w, 1100); /* the rest; what was asked is not asked again at once */
	assert_int_equal(s->processes[0].question_count, PLACES - ASKED_AT_ONCE);
	nt_snapshot_release(s);
	s = close_all(&w, 1200);
	assert_int_equal(s->processes[0].question_count, 0);
	nt_snapshot_release(s);
	s = close_all(&w, 3050); /* no answer for 2 s: once more */
	assert_int_equal(s->processes[0].question_count, ASKED_AT_ONCE);
	nt_snapshot_release(s);
	answer_name(&w, 3100, "/usr/lib/libfoo.so", 0, (PLACES - 1) * 16, "foo", NULL);
	s = close_all(&w, 3200);
	assert_int_equal(row_named(s, "foo")->self_samples_all, PLACES - 1);
	assert_int_equal(s->processes[0].question_count, 0);
	nt_snapshot_release(s);
	size_t asked = 0;
	for (int i = 0; i < 100; i++) {
		s = close_all(&w, 4000 + i * 1000);
		asked += s->processes[0].question_count;
		nt_snapshot_release(s);
	}
	assert_int_equal(asked, 1); /* given up in the end */
	s = nt_model_close(w.model, ms(200000), true);
	const struct nt_method_row *row = row_named(s, "libfoo.so");
	assert_int_equal(row->self_samples_all, 6);
	assert_non_null(row->reason);
	nt_snapshot_release(s);
	end(&w);
}

/* What came before the end of the interval has its name when it closes, and is asked about once. */
static void test_questions_in_time(void **state_)
{
	(void)state_;
	struct world w;
	size_t count;
	begin(&w);
	map_image(&w.perf, 1, 0x400000, 0x100000, "/usr/lib/libfoo.so", NT_MAP_FILE);
	sample_at(&w.perf, 10, 1, 0x400010);
	sample_at(&w.perf, 11, 1, 0x400800);
	feed_send(&w.perf);
	const struct nt_question *questions = ask_at(w.model, 900, &count);
	assert_int_equal(count, 2);
	assert_int_equal(questions[0].offset, 0x10);
	assert_int_equal(questions[0].map_start, 0x400000);
	assert_string_equal(questions[1].image, "/usr/lib/libfoo.so");
	answer_name(&w, 920, "/usr/lib/libfoo.so", 0, 0x100, "foo", NULL);
	struct nt_snapshot *s = close_all(&w, 1000);
	assert_int_equal(row_named(s, "foo")->self_samples_all, 1);
	assert_int_equal(row_named(s, "libfoo.so+0x800")->self_samples_all, 1);
	assert_int_equal(s->processes[0].question_count, 0); /* asked, and not answered yet */
	nt_snapshot_release(s);
	answer_name(&w, 1010, "/usr/lib/libfoo.so", 0x800, 0x900, "bar", NULL);
	sample_at(&w.perf, 1100, 1, 0x400804);
	sample_at(&w.perf, 1101, 1, 0x400020);
	feed_send(&w.perf);
	feed_send(&w.codemap);
	assert_null(ask_at(w.model, 1900, &count)); /* nobody asks for what an answer covers */
	assert_int_equal(count, 0);
	s = close_all(&w, 2000);
	assert_int_equal(row_named(s, "foo")->self_samples_all, 2);
	assert_int_equal(row_named(s, "bar")->self_samples_all, 2);
	nt_snapshot_release(s);
	end(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_questions),
		cmocka_unit_test(test_questions_in_time),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
