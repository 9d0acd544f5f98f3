// SPDX-License-Identifier: GPL-2.0-only
/* The target's mappings, read again when somebody misses one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "codemap_fixture.h"

static bool has_maps(const struct fixture *f, size_t from, const void *count)
{
	return fixture_count(f, from, NT_EV_MAP) >= *(const size_t *)count;
}

static bool has_answers(const struct fixture *f, size_t from, const void *count)
{
	return fixture_count(f, from, NT_EV_NAME) >= *(const size_t *)count;
}

/* What is asked before it is told to stop is answered. */
static void test_the_last_question_is_answered(void **state)
{
	(void)state;
	enum { AT_FIRST = 2 };
	struct fixture *f = fixture_new();
	fixture_start(f);
	fixture_wait(f, 0, has_maps, &(size_t){ AT_FIRST });
	fixture_shell(f, "echo '7f0000200000-7f0000208000 r-xs 00100000 00:01 9 /memfd:doublemapper (deleted)' >> proc/maps");
	assert_int_equal(nt_source_codemap.ask(f->source, &(struct nt_question){ .pid = FIXTURE_PID, .image = NT_MAPPINGS_IMAGE }, 1), 1);
	nt_source_codemap.stop(f->source);
	fixture_wait(f, 0, has_maps, &(size_t){ AT_FIRST + 1 });
	fixture_wait(f, 0, has_answers, &(size_t){ 1 });
	fixture_free(f);
}

/* Without being asked it looks after 1, 4, 8 and 8 s: five new mappings, one after the other, would take it 21 s at least. */
static void test_what_is_missed_is_read_at_once(void **state)
{
	(void)state;
	enum { NEW = 5, AT_FIRST = 2, UNASKED_S = 21 };
	struct fixture *f = fixture_new();
	fixture_start(f);
	fixture_wait(f, 0, has_maps, &(size_t){ AT_FIRST });
	struct nt_question question = { .pid = FIXTURE_PID, .image = NT_MAPPINGS_IMAGE };
	nt_time first = fixture_last(f, 0, NT_EV_MAP)->event.time;
	for (size_t i = 0; i < NEW; i++) {
		fixture_shell(f, "echo '7f00002%zu0000-7f00002%zu8000 r-xs 00100000 00:01 9 /memfd:doublemapper (deleted)' >> proc/maps", i,
			      i);
		question.offset = i + 1;
		assert_int_equal(nt_source_codemap.ask(f->source, &question, 1), 1);
		fixture_wait(f, 0, has_maps, &(size_t){ AT_FIRST + i + 1 });
		const struct seen *seen = fixture_last(f, 0, NT_EV_MAP);
		assert_int_equal(seen->event.u.map.start, 0x7f0000200000 + i * 0x10000);
		assert_int_equal(seen->event.u.map.length, 0x8000);
		fixture_wait(f, 0, has_answers, &(size_t){ i + 1 });
		seen = fixture_last(f, 0, NT_EV_NAME);
		assert_int_equal(seen->event.u.name.start, i + 1);
		assert_int_equal(seen->event.u.name.end, i + 1);
	}
	assert_int_equal(fixture_count(f, 0, NT_EV_MAP), AT_FIRST + NEW); /* those that were known are not told again */
	assert_true(fixture_last(f, 0, NT_EV_MAP)->event.time - first < UNASKED_S * NT_NS_PER_S);
	fixture_free(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_what_is_missed_is_read_at_once),
		cmocka_unit_test(test_the_last_question_is_answered),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
