// SPDX-License-Identifier: GPL-2.0-only
/* Streams that the keeper holds for nettop: which it shuts down, and which it leaves alone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "app/keeper/keeper_streams.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

enum { NETTOP, TARGET, ENDS };

struct fixture {
	_Atomic uint64_t progress;
	struct nt_keeper_streams streams;
	int ends[2][ENDS]; /* of two streams */
};

static int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));
	assert_non_null(f);
	f->streams.progress = &f->progress;
	for (int i = 0; i < 2; i++) {
		assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, f->ends[i]), 0);
		nt_keeper_streams_add(&f->streams, 100 + i, dup(f->ends[i][NETTOP]));
	}
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;
	nt_keeper_streams_end(&f->streams);
	for (int i = 0; i < 2; i++) {
		close(f->ends[i][NETTOP]);
		close(f->ends[i][TARGET]);
	}
	free(f);
	return 0;
}

/* The target writes an event. False: its connection is shut down. */
static int target_writes(const struct fixture *f, int stream)
{
	return send(f->ends[stream][TARGET], "event", 5, MSG_NOSIGNAL) == 5;
}

static void look(struct fixture *f, int times)
{
	for (int i = 0; i < times; i++)
		nt_keeper_streams_look(&f->streams);
}

static void test_unread(void **state)
{
	struct fixture *f = *state;
	assert_true(target_writes(f, 0));
	look(f, NT_KEEPER_LOOKS - 1);
	assert_true(target_writes(f, 0));
	look(f, 1);
	assert_false(target_writes(f, 0));
	assert_true(target_writes(f, 1)); /* nothing waited in that one */
	assert_int_equal(f->streams.count, 1);
}

static void test_read_meanwhile(void **state)
{
	struct fixture *f = *state;
	for (int i = 0; i < 5 * NT_KEEPER_LOOKS; i++) {
		assert_true(target_writes(f, 0)); /* there is always something */
		f->progress += i % 3 == 0;
		look(f, 1);
	}
	assert_int_equal(f->streams.count, 2);
	/* And then no more. */
	look(f, NT_KEEPER_LOOKS);
	assert_false(target_writes(f, 0));
}

static void test_silent(void **state)
{
	struct fixture *f = *state;
	look(f, 10 * NT_KEEPER_LOOKS);
	assert_int_equal(f->streams.count, 2);
	assert_true(target_writes(f, 0));
}

static void test_dropped(void **state)
{
	struct fixture *f = *state;
	assert_true(target_writes(f, 0));
	nt_keeper_streams_drop(&f->streams, 100);
	nt_keeper_streams_drop(&f->streams, 4711);
	look(f, 2 * NT_KEEPER_LOOKS);
	assert_true(target_writes(f, 0));
	assert_int_equal(f->streams.count, 1);
	assert_int_equal(f->streams.items[0].number, 101);
}

static void test_end(void **state)
{
	struct fixture *f = *state;
	nt_keeper_streams_end(&f->streams);
	assert_false(target_writes(f, 0));
	assert_false(target_writes(f, 1));
}

static void test_too_many(void **state)
{
	struct fixture *f = *state;
	int ends[ENDS];
	while (f->streams.count < NT_KEEPER_STREAMS_MAX)
		nt_keeper_streams_add(&f->streams, 200, dup(f->ends[0][NETTOP]));
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
	nt_keeper_streams_add(&f->streams, 300, dup(ends[NETTOP]));
	assert_int_equal(f->streams.count, NT_KEEPER_STREAMS_MAX);
	assert_int_equal(send(ends[TARGET], "event", 5, MSG_NOSIGNAL), -1);
	assert_int_equal(errno, EPIPE);
	close(ends[NETTOP]);
	close(ends[TARGET]);
}

/* More than may be open at first: each is held all the same. */
static void test_many(void **state)
{
	struct fixture *f = *state;
	struct rlimit before, few = { .rlim_cur = 64 };
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
	few.rlim_max = before.rlim_max;
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
	for (int i = 0; i < 500; i++) {
		int fd = dup(f->ends[0][NETTOP]);
		assert_true(fd >= 0);
		nt_keeper_streams_add(&f->streams, 1000 + i, fd);
	}
	for (int i = 0; i < 500; i++)
		nt_keeper_streams_drop(&f->streams, 1000 + i);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_unread, setup, teardown),
		cmocka_unit_test_setup_teardown(test_read_meanwhile, setup, teardown),
		cmocka_unit_test_setup_teardown(test_silent, setup, teardown),
		cmocka_unit_test_setup_teardown(test_many, setup, teardown),
		cmocka_unit_test_setup_teardown(test_dropped, setup, teardown),
		cmocka_unit_test_setup_teardown(test_end, setup, teardown),
		cmocka_unit_test_setup_teardown(test_too_many, setup, teardown),
	};
	return cmocka_run_group_tests_name("app/keeper_streams", tests, NULL, NULL);
}
