// SPDX-License-Identifier: GPL-2.0-only
/* One LTTng source for several processes: what it says where its thread cannot be had, and of whom. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "source/common/sources.h"
#include "target/process/target.h"

#include <pthread.h>
#include <string.h>
#include <unistd.h>

enum { ONE = 4711, OTHER = 4712 };

/* No stack of that size is to be had, so no thread. */
#define TOO_LARGE ((size_t)1 << 46)

static const struct nt_source_config config = { .proc_root = "/proc", .runtime_dir = "/nonexistent", .several = true };

struct fixture {
	struct nt_target targets[2];
	struct nt_source *source;
	size_t usual_stack;
};

static int setup(void **state)
{
	static struct fixture f;
	pthread_attr_t attributes;
	f = (struct fixture){ 0 };
	for (int i = 0; i < 2; i++)
		f.targets[i] = (struct nt_target){ .pid = i ? OTHER : ONE,
						   .ns_pid = i ? OTHER : ONE,
						   .uid = getuid(),
						   .pidfd = -1,
						   .proc_dir = (char *)(uintptr_t) "/proc/self" };
	assert_int_equal(nt_source_lttng.open(&config, &f.source, NULL), NT_OK);
	for (int i = 0; i < 2; i++)
		assert_int_equal(nt_source_lttng.add(f.source, &f.targets[i], NULL), NT_OK);
	assert_int_equal(pthread_getattr_default_np(&attributes), 0);
	pthread_attr_getstacksize(&attributes, &f.usual_stack);
	pthread_attr_setstacksize(&attributes, TOO_LARGE);
	assert_int_equal(pthread_setattr_default_np(&attributes), 0);
	nt_source_lttng.on_tick(f.source, nt_clock_now(), false);
	pthread_attr_setstacksize(&attributes, f.usual_stack);
	pthread_setattr_default_np(&attributes);
	pthread_attr_destroy(&attributes);
	*state = &f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;
	nt_source_lttng.close(f->source);
	return 0;
}

static void expect_absent(const struct nt_event *event, uint32_t pid)
{
	assert_int_equal(event->kind, NT_EV_SOURCE_STATE);
	assert_int_equal(event->pid, pid);
	assert_int_equal(event->u.source_state.state, NT_STATE_ABSENT);
	assert_true(event->u.source_state.reason != 0);
}

/* Each is told why nothing comes; then the source is over. */
static void test_no_thread(void **state)
{
	struct fixture *f = *state;
	struct nt_batch *batch;
	assert_int_equal(nt_source_lttng.drain(f->source, 100, &batch, NULL), NT_OK);
	assert_int_equal(batch->event_count, 2);
	expect_absent(&batch->events[0], ONE);
	expect_absent(&batch->events[1], OTHER);
	assert_true(batch->str_count && memmem(batch->bytes, batch->byte_count, "cannot start the LTTng thread", 29));
	nt_source_lttng.give_back(f->source, batch);
	assert_int_equal(nt_source_lttng.drain(f->source, 100, &batch, NULL), NT_END);
}

/* One is removed while what is told of it is on its way: its pid may be another one's by then. */
static void test_one_that_was_removed(void **state)
{
	struct fixture *f = *state;
	struct nt_batch *batch;
	nt_source_lttng.remove(f->source, ONE);
	assert_int_equal(nt_source_lttng.drain(f->source, 100, &batch, NULL), NT_OK);
	assert_int_equal(batch->event_count, 1);
	assert_int_equal(batch->own_count, 1);
	expect_absent(&batch->events[0], OTHER);
	nt_source_lttng.give_back(f->source, batch);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_no_thread, setup, teardown),
		cmocka_unit_test_setup_teardown(test_one_that_was_removed, setup, teardown),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
