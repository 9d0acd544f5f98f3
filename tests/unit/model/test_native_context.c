// SPDX-License-Identifier: GPL-2.0-only
/* Native code that has its bounds only is told with the thread and the managed method that most often lead to it. */
#include "build.h"

#define IMAGE "/usr/lib/libcoreclr.so"

enum { LIBRARY = 0x400000, FUNCTION = LIBRARY + 0x1010, CODE = 0x7000, COLLECTING = 7, WORKING = 8 };

static void test_thread_and_caller_of_most_samples(void **state_)
{
	(void)state_;
	struct nt_model *model = new_model();
	struct feed perf, codemap, procfs;
	feed_init(&perf, model, NT_SOURCE_PERF);
	feed_init(&codemap, model, NT_SOURCE_CODEMAP);
	feed_init(&procfs, model, NT_SOURCE_PROCFS);
	delivering(&perf);
	delivering(&codemap);
	nt_str collector = text(&procfs, ".NET Server GC"), worker = text(&procfs, ".NET TP Worker");
	event(&procfs, NT_EV_THREAD_STAT, 1, COLLECTING)->u.thread_stat = (struct nt_ev_thread_stat){ .start_ticks = 1, .name = collector };
	event(&procfs, NT_EV_THREAD_STAT, 1, WORKING)->u.thread_stat = (struct nt_ev_thread_stat){ .start_ticks = 1, .name = worker };
	feed_send(&procfs);
	map_image(&perf, 1, LIBRARY, 0x10000, IMAGE, NT_MAP_FILE);
	code_line(&codemap, 0, CODE, 0x100, "Shop.Often()", NT_TIER_1);
	code_line(&codemap, 0, CODE + 0x100, 0x100, "Shop.Seldom()", NT_TIER_1);
	nt_str image = text(&codemap, IMAGE), name = text(&codemap, "libcoreclr.so!0x1000");
	event(&codemap, NT_EV_NAME, 1, 0)->u.name = (struct nt_ev_name){ .inode = 7,
									 .start = 0x1000,
									 .end = 0x1100,
									 .image = image,
									 .name = name,
									 .kind = NT_CODE_RUNTIME,
									 .naming = NT_NAMING_BOUNDED };
	feed_send(&codemap);
	const uint64_t often[] = { FUNCTION, LIBRARY + 0x1020, CODE + 0x10, CODE + 0x110 }, seldom[] = { FUNCTION, CODE + 0x110 };
	for (int i = 0; i < 9; i++)
		sample_chain(&perf, 10 + i, i % 3 ? COLLECTING : WORKING, i % 3 ? often : seldom, 0, i % 3 ? 4 : 2);
	feed_send(&perf);
	struct nt_snapshot *s = close_at(model, 1000);
	const struct nt_method_row *row = row_named(s, "libcoreclr.so!0x1000");
	assert_non_null(row);
	assert_int_equal(row->self_samples, 9);
	assert_string_equal(row->thread, ".NET Server GC");
	assert_string_equal(row->caller, "Shop.Often()");
	assert_null(row_named(s, "Shop.Often()")->thread); /* it has its name */
	nt_snapshot_release(s);
	feed_fini(&perf);
	feed_fini(&codemap);
	feed_fini(&procfs);
	nt_model_free(model);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_thread_and_caller_of_most_samples) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
