// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/file.h"
#include "source/common/inner_tids.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A copy of /proc/PID with a task folder that the test changes. */
struct fixture {
	char dir[64];
	struct nt_inner_tids *tids;
	nt_time now;
};

static void set_thread(const struct fixture *f, unsigned tid, const char *ns_pids)
{
	char path[128];
	snprintf(path, sizeof(path), "%s/task/%u", f->dir, tid);
	mkdir(path, 0700);
	strcat(path, "/status");
	FILE *file = fopen(path, "w");
	assert_non_null(file);
	fprintf(file, "Name:\tdotnet\nNgid:\t0\nPid:\t%u\nNSpid:\t%s\n", tid, ns_pids);
	fclose(file);
}

static void end_thread(const struct fixture *f, unsigned tid)
{
	char path[128];
	snprintf(path, sizeof(path), "%s/task/%u/status", f->dir, tid);
	assert_int_equal(unlink(path), 0);
	*strrchr(path, '/') = '\0';
	assert_int_equal(rmdir(path), 0);
}

static void set_up(struct fixture *f)
{
	strcpy(f->dir, "/tmp/nt-tids.XXXXXX");
	assert_non_null(mkdtemp(f->dir));
	char path[128];
	snprintf(path, sizeof(path), "%s/task", f->dir);
	assert_int_equal(mkdir(path, 0700), 0);
	f->tids = nt_inner_tids_new(f->dir, false);
	f->now = 1000 * NT_NS_PER_S;
}

static void tear_down(struct fixture *f)
{
	nt_inner_tids_free(f->tids);
	nt_file_remove_tree(f->dir);
}

static uint32_t after_ms(struct fixture *f, unsigned ms, uint32_t vtid)
{
	f->now += ms * NT_NS_PER_MS;
	return nt_inner_tids_outer(f->tids, vtid, f->now);
}

static void test_same_namespace_reads_nothing(void **state)
{
	(void)state;
	struct nt_inner_tids *tids = nt_inner_tids_new("/nonexistent", true);
	assert_int_equal(nt_inner_tids_outer(tids, 4733, 1), 4733);
	nt_inner_tids_free(tids);
}

static void test_inner_ids_become_ours(void **state)
{
	(void)state;
	struct fixture f;
	set_up(&f);
	set_thread(&f, 25744, "25744\t1");
	set_thread(&f, 25750, "25750\t400\t7"); /* a container in a container: the innermost counts */
	assert_int_equal(after_ms(&f, 0, 1), 25744);
	assert_int_equal(after_ms(&f, 0, 7), 25750);
	set_thread(&f, 25800, "25800\t12");
	assert_int_equal(after_ms(&f, 60, 12), 25800);
	tear_down(&f);
}

static void test_thread_that_nobody_saw_keeps_a_number_of_its_own(void **state)
{
	(void)state;
	struct fixture f;
	set_up(&f);
	set_thread(&f, 25744, "25744\t1");
	uint32_t unknown = after_ms(&f, 0, 99);
	assert_int_equal(unknown, NT_INNER_TID_UNKNOWN | 99);
	/* Its events come in floods; they must not make us list all threads each time. */
	set_thread(&f, 25799, "25799\t99");
	assert_int_equal(after_ms(&f, 1, 99), unknown);
	assert_int_equal(after_ms(&f, 60, 99), 25799);
	tear_down(&f);
}

static void test_events_of_an_ended_thread_still_find_it(void **state)
{
	(void)state;
	struct fixture f;
	set_up(&f);
	set_thread(&f, 25744, "25744\t1");
	set_thread(&f, 25750, "25750\t7");
	assert_int_equal(after_ms(&f, 0, 7), 25750);
	end_thread(&f, 25750);
	assert_int_equal(after_ms(&f, 2100, 1), 25744); /* reads all again */
	assert_int_equal(after_ms(&f, 100, 7), 25750);
	/* The number is given away again: the new thread is meant. */
	set_thread(&f, 26000, "26000\t7");
	assert_int_equal(after_ms(&f, 2100, 7), 26000);
	/* And in the end nobody remembers. */
	end_thread(&f, 26000);
	for (int i = 0; i < 4; i++)
		after_ms(&f, 2100, 1);
	assert_int_equal(after_ms(&f, 100, 7), NT_INNER_TID_UNKNOWN | 7);
	tear_down(&f);
}

static void test_process_that_ended_keeps_its_threads(void **state)
{
	(void)state;
	struct fixture f;
	set_up(&f);
	set_thread(&f, 25744, "25744\t1");
	assert_int_equal(after_ms(&f, 0, 1), 25744);
	nt_file_remove_tree(f.dir);
	assert_int_equal(after_ms(&f, 5000, 1), 25744);
	tear_down(&f);
}

/* Who has the lock that a thread waits for is a thread of the target as well. */
static void test_who_an_event_names_is_ours(void **state)
{
	(void)state;
	struct fixture f;
	set_up(&f);
	set_thread(&f, 25750, "25750\t7");
	struct nt_event event = { .kind = NT_EV_CONTENTION_START, .time = f.now, .u.contention = { .lock_id = 7, .owner_id = 7 } };
	nt_inner_tids_translate(f.tids, &event);
	assert_int_equal(event.u.contention.owner_id, 25750);
	assert_int_equal(event.u.contention.lock_id, 7);
	event.u.contention.owner_id = 0; /* not said */
	nt_inner_tids_translate(f.tids, &event);
	assert_int_equal(event.u.contention.owner_id, 0);
	event.kind = NT_EV_CONTENTION_STOP;
	event.u.contention.owner_id = 7;
	nt_inner_tids_translate(f.tids, &event);
	assert_int_equal(event.u.contention.owner_id, 7);
	tear_down(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_same_namespace_reads_nothing),
		cmocka_unit_test(test_inner_ids_become_ours),
		cmocka_unit_test(test_thread_that_nobody_saw_keeps_a_number_of_its_own),
		cmocka_unit_test(test_events_of_an_ended_thread_still_find_it),
		cmocka_unit_test(test_process_that_ended_keeps_its_threads),
		cmocka_unit_test(test_who_an_event_names_is_ours),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
