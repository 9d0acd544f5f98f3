// SPDX-License-Identifier: GPL-2.0-only
/* What `nettop threads` writes of a process: which threads are one group, in which order, and what is said of what is not known. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "output/threads/thread_groups.h"
#include "output/threads/threads_write.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

static const struct nt_call_frame total[] = { { .name = "System.Threading.Tasks.Task.Wait()", .module = "System.Private.CoreLib" },
					      { .name = "Shop.Cart.Total()", .module = "Shop" } },
				  total_again[] = { { .name = "System.Threading.Tasks.Task.Wait()", .module = "System.Private.CoreLib" },
						    { .name = "Shop.Cart.Total()", .module = "Shop" } },
				  enter[] = { { .name = "Shop.Store.Get(\x1b[31m)", .module = NULL } };
/* The second one has other addresses, in code of another tier. */
static const struct nt_call_stack totals[] = { { .frames = total, .count = 2, .site = 1 },
					       { .frames = total_again, .count = 2, .site = 1 } },
				  cut = { .frames = total, .count = 2, .site = 1, .cut = true }, store = { .frames = enter, .count = 1 };

#define ROW(tid_, name_) .tid = (tid_), .managed_id = (tid_)-4800, .name = (name_), .looked_at = true

static struct nt_thread_row rows[] = {
	{ ROW(4803, ".NET TP Worker"), .waits = true, .wait = NT_WAIT_TASK, .wait_from = &totals[0], .wait_means = "Task.Wait()" },
	{ ROW(4802, ".NET TP Worker"), .waits = true, .wait = NT_WAIT_TASK, .wait_from = &totals[1], .wait_means = "Task.Wait()",
	  .wait_ns = { .known = true, .v = 9100 * NT_NS_PER_MS } },
	{ ROW(4804, ".NET TP Worker"), .waits = true, .wait = NT_WAIT_TASK, .wait_from = &cut },
	{ ROW(4805, "orders"), .waits = true, .wait = NT_WAIT_MONITOR, .wait_from = &store, .wait_owner_tid = 4806, .deadlocked = true,
	  .wait_at_least = true, .wait_ns = { .known = true, .v = 60 * NT_NS_PER_S } },
	{ ROW(4806, "stock"), .waits = true, .wait = NT_WAIT_MONITOR, .wait_from = &store, .wait_owner_tid = 4805, .deadlocked = true },
	{ ROW(4807, "busy"), .state = 'R' },
	{ ROW(4808, "lost"), .waits = true, .wait = NT_WAIT_UNKNOWN, .wait_partial = true },
	{ ROW(4809, ".NET Finalizer"), .waits = true, .wait = NT_WAIT_IDLE },
	{ .tid = 4799, .name = ".NET SigHandler", .looked_at = true, .waits = true, .wait = NT_WAIT_IDLE, .wait_partial = true },
	{ .tid = 4798, .name = "unseen" },
	{ .tid = 4797, .name = "gone", .ended = true },
};

static struct nt_process_snapshot process = { .target = { .pid = 4711, .name = "shop-web", .runtime = "10.0.12" },
					      .threads = rows,
					      .thread_count = LENGTH(rows) };
static const struct nt_snapshot snapshot = { .t1 = NT_NS_PER_S, .processes = &process, .process_count = 1 };

typedef void write_threads(FILE *out, const struct nt_snapshot *snapshot, int64_t realtime_offset_ns, const struct nt_threads_core *core);

static char *written(write_threads *write, const struct nt_threads_core *core)
{
	char *text = NULL;
	size_t length;
	FILE *out = open_memstream(&text, &length);
	write(out, &snapshot, 0, core);
	fclose(out);
	return text;
}

static void threads_that_do_the_same_are_one_group(void **state)
{
	(void)state;
	struct nt_thread_groups groups = nt_thread_groups_make(&process, true);
	static const struct {
		enum nt_thread_doing doing;
		size_t count;
		uint32_t first_tid;
	} expected[] = { { NT_THREAD_DEADLOCKED, 2, 4806 }, { NT_THREAD_RUNS, 1, 4807 },     { NT_THREAD_WAITS, 2, 4802 },
			 { NT_THREAD_WAITS, 1, 4804 },      { NT_THREAD_WAITS, 1, 4808 },    { NT_THREAD_IDLES, 1, 4809 },
			 { NT_THREAD_NOT_SEEN, 1, 4798 },   { NT_THREAD_UNMANAGED, 1, 4799 } };
	assert_int_equal(groups.count, LENGTH(expected));
	for (size_t i = 0; i < groups.count; i++) {
		assert_int_equal(groups.items[i].doing, expected[i].doing);
		assert_int_equal(groups.items[i].count, expected[i].count);
		assert_int_equal(groups.items[i].rows[0]->tid, expected[i].first_tid);
	}
	assert_int_equal(groups.row_count, LENGTH(rows) - 1);
	assert_int_equal(nt_thread_groups_managed(&groups), LENGTH(rows) - 2);
	nt_thread_groups_fini(&groups);
}

static void the_text_says_what_is_known_and_what_is_not(void **state)
{
	(void)state;
	static const char *const expected[] = {
		"\n10 threads, up to 9 of them managed: 2 deadlocked, 1 running, 4 waiting, 1 waiting for work, 1 not seen.\n",
		"\n!x2  deadlocked, waits: monitor, one of them for at least 1m00s\n"
		"      held by t4805/5 orders: stock t4806/6\n"
		"      held by t4806/6 stock: orders t4805/5\n"
		"      > Shop.Store.Get(\\x1b[31m)\n",
		"\n x1  running: the stack of a thread that runs cannot be read from outside; nettop stacks samples it\n      busy "
		"t4807/7\n",
		"\n x2  waits: task, Task.Wait(), one of them for 9.1s\n"
		"      .NET TP Worker t4802/2 t4803/3\n"
		"        System.Private.CoreLib!System.Threading.Tasks.Task.Wait()\n"
		"      > Shop!Shop.Cart.Total()\n",
		"        (cut: the callers of these 2 are left out)\n",
		"\n x1  waits, nobody knows for what\n      lost t4808/8\n        (its stack could not be read)\n",
		"\n x1  waits for work\n      .NET Finalizer t4809/9\n        (no managed code is on its stack)\n",
		"\n x1  not looked at\n      unseen t4798\n",
		"\n x1  no managed code: threads of the runtime and of libraries\n      .NET SigHandler t4799\n",
	};
	char *text = written(nt_threads_write_text, NULL), *at = text;
	for (size_t i = 0; i < LENGTH(expected); i++) {
		char *found = strstr(at, expected[i]);
		if (!found)
			fail_msg("not there, or not in this order: %s\nin: %s", expected[i], text);
		at = found;
	}
	assert_null(strchr(text, '\x1b'));
	free(text);
}

static json_t *group_of(json_t *groups, json_int_t tid)
{
	for (size_t i = 0; i < json_array_size(groups); i++) {
		json_t *threads = json_object_get(json_array_get(groups, i), "threads");
		for (size_t k = 0; k < json_array_size(threads); k++)
			if (json_integer_value(json_object_get(json_array_get(threads, k), "tid")) == tid)
				return json_array_get(groups, i);
	}
	return NULL;
}

static void in_json_unknown_is_null(void **state)
{
	(void)state;
	char *text = written(nt_threads_write_json, NULL);
	json_t *object = json_loads(text, 0, NULL), *groups = json_object_get(object, "groups");
	json_t *task = group_of(groups, 4802), *busy = group_of(groups, 4807), *lost = group_of(groups, 4808),
	       *idle = group_of(groups, 4809);
	assert_int_equal(json_integer_value(json_object_get(object, "thread_count")), LENGTH(rows) - 1);
	assert_string_equal(json_string_value(json_object_get(task, "for")), "task");
	assert_int_equal(json_array_size(json_object_get(task, "frames")), 2);
	assert_true(json_is_false(json_object_get(task, "partial")));
	assert_true(json_is_true(json_object_get(group_of(groups, 4804), "partial")));
	assert_string_equal(json_string_value(json_object_get(busy, "doing")), "running");
	assert_true(json_is_null(json_object_get(busy, "frames")));
	assert_true(json_is_null(json_object_get(busy, "for")));
	assert_true(json_is_null(json_object_get(lost, "frames")));
	assert_true(json_is_array(json_object_get(idle, "frames")));
	const json_t *stock = json_array_get(json_object_get(group_of(groups, 4806), "threads"), 0);
	assert_int_equal(json_integer_value(json_object_get(stock, "owner_tid")), 4805);
	json_decref(object);
	free(text);
}

static void a_core_says_what_ended_it(void **state)
{
	(void)state;
	const struct nt_threads_core core = {
		.path = "/tmp/a\x1b.core", .signal = 6, .signal_tid = 4807, .exception = "Shop.Gone", .message = "no more"
	};
	char *text = written(nt_threads_write_text, &core), *json = written(nt_threads_write_json, &core);
	json_t *object = json_loads(json, 0, NULL), *of = json_object_get(object, "core");
	assert_non_null(strstr(text, "\ncore /tmp/a\\x1b.core: ended by signal 6 (SIGABRT) in t4807/7, in which was thrown: Shop.Gone: no "
				     "more\n10 threads, up to 9 of them managed"));
	assert_int_equal(json_integer_value(json_object_get(of, "signal_tid")), 4807);
	assert_string_equal(json_string_value(json_object_get(of, "exception")), "Shop.Gone");
	assert_true(json_is_null(json_object_get(of, "no_managed")));
	json_decref(object);
	free(text);
	free(json);
}

static void who_is_managed_may_be_unknown(void **state)
{
	(void)state;
	const struct nt_threads_core core = { .path = "a.core", .no_managed = "it lacks that" };
	char *text = written(nt_threads_write_text, &core), *json = written(nt_threads_write_json, &core);
	json_t *object = json_loads(json, 0, NULL);
	assert_non_null(strstr(text, "\ncore a.core\n10 threads: 2 deadlocked"));
	assert_null(strstr(text, "of them managed"));
	assert_int_equal(json_integer_value(json_object_get(json_object_get(object, "doing_count"), "unmanaged")), 0);
	json_decref(object);
	free(text);
	free(json);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(threads_that_do_the_same_are_one_group),
		cmocka_unit_test(the_text_says_what_is_known_and_what_is_not),
		cmocka_unit_test(in_json_unknown_is_null),
		cmocka_unit_test(a_core_says_what_ended_it),
		cmocka_unit_test(who_is_managed_may_be_unknown),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
