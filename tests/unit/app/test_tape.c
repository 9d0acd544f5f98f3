// SPDX-License-Identifier: GPL-2.0-only
/* What is written down of a session when something is wrong with the disk, or another file is still being written: it is said, and the watching goes on. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "app/session/tape.h"
#include "base/hash_mix.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

struct told {
	char last[NT_TAPE_SAID];
	unsigned count;
};

static char folder[64], before[256];
static struct nt_tape tape;

static int set_up(void **state)
{
	(void)state;
	signal(SIGXFSZ, SIG_IGN);
	snprintf(folder, sizeof(folder), "/tmp/nettop-tape.XXXXXX");
	if (!mkdtemp(folder) || !getcwd(before, sizeof(before)) || chdir(folder) != 0)
		return -1;
	nt_tape_init(&tape, 4711, 60 * NT_NS_PER_S);
	nt_tape_settings(&tape, &(struct nt_model_config){ .pid = 4711, .start = 1, .interval_ns = NT_NS_PER_S, .window_half_life = 5 }, 0);
	return 0;
}

static size_t files(bool removed)
{
	size_t count = 0;
	DIR *dir = opendir(folder);
	for (struct dirent *entry; (entry = readdir(dir));)
		if (entry->d_name[0] != '.') {
			count++;
			if (removed)
				unlink(entry->d_name);
		}
	closedir(dir);
	return count;
}

static int tear_down(void **state)
{
	(void)state;
	nt_tape_fini(&tape);
	files(true);
	return chdir(before) == 0 && rmdir(folder) == 0 ? 0 : -1;
}

static void say(void *context, const char *sentence)
{
	struct told *told = context;
	told->count++;
	snprintf(told->last, sizeof(told->last), "%s", sentence);
}

static void go_on(unsigned from, unsigned to)
{
	struct nt_batch *batch = nt_batch_new(NT_SOURCE_PERF);
	for (unsigned i = from; i < to; i++) {
		nt_batch_reset(batch);
		nt_batch_add(batch, NT_EV_SAMPLE, i * NT_NS_PER_S, 4711, i);
		nt_tape_batch(&tape, batch);
		nt_tape_tick(&tape, &(struct nt_tick){ .now = i * NT_NS_PER_S });
	}
	nt_batch_free(batch);
}

static void may_grow_to(rlim_t bytes)
{
	struct rlimit limit;
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
	limit.rlim_cur = bytes;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

static void a_full_disk_is_said_and_the_next_file_is_whole(void **state)
{
	(void)state;
	struct told told = { .count = 0 };
	go_on(1, 30);
	may_grow_to(50);
	assert_int_equal(nt_tape_write(&tape, "small", NULL), NT_OK);
	nt_tape_tell(&tape, true, say, &told);
	may_grow_to(RLIM_INFINITY);
	assert_string_equal(told.last, "no more is recorded in small: File too large");
	go_on(30, 60);
	assert_int_equal(nt_tape_write(&tape, "large", NULL), NT_OK);
	nt_tape_tell(&tape, true, say, &told);
	assert_non_null(strstr(told.last, "recorded 58.0 s, "));
	assert_int_equal(told.count, 2);
	/* What was told is not told again. */
	nt_tape_tell(&tape, true, say, &told);
	assert_int_equal(told.count, 2);
}

/* While one is being written no other is begun, and what is recorded goes on. Its disk is a pipe that nobody reads: the head of a recording fits into it, a frame of this size does not. */
static void a_slow_disk_is_waited_for_by_nobody(void **state)
{
	(void)state;
	enum { EVENTS = 100000 };
	int ends[2];
	char said[NT_TAPE_SAID];
	struct nt_error err = { 0 };
	struct told told = { .count = 0 };
	assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
	go_on(1, 10);
	tape.ending = nt_recorder_to(ends[1], "slow", 0);
	tape.ending_path = strdup("slow");
	struct nt_batch *batch = nt_batch_new(NT_SOURCE_PERF);
	for (uint64_t i = 0; i < EVENTS; i++)
		nt_batch_add(batch, NT_EV_SAMPLE, i, 4711, (uint32_t)nt_hash_mix(i));
	nt_recorder_batch(tape.ending, batch);
	nt_recorder_finish(tape.ending);
	nt_batch_free(batch);
	nt_tape_tell(&tape, false, say, &told);
	assert_int_equal(told.count, 0);
	assert_int_equal(nt_tape_write(&tape, "other", &err), NT_ERR_USAGE);
	assert_string_equal(err.cause[0], "slow is still being written");
	nt_tape_write_somewhere(&tape, said);
	assert_string_equal(said, "not recorded: slow is still being written");
	assert_int_equal(nt_tape_record(&tape, "recording", 0, NULL), NT_OK);
	assert_int_equal(nt_tape_record(&tape, "twice", 0, &err), NT_ERR_USAGE);
	assert_false(nt_tape_stop(&tape));
	go_on(10, 20);
	close(ends[0]); /* its disk is gone */
	nt_tape_end(&tape, say, &told);
	assert_int_equal(told.count, 2);
	assert_non_null(strstr(told.last, "in recording"));
	assert_int_equal(files(false), 1);
}

/* What is recorded has come to its end by a full disk: it is told once, and another one may begin. */
static void after_a_full_disk_another_recording_may_begin(void **state)
{
	(void)state;
	struct told told = { .count = 0 };
	may_grow_to(40);
	assert_int_equal(nt_tape_record(&tape, "small", 0, NULL), NT_OK);
	go_on(1, 30);
	while (nt_tape_records(&tape))
		usleep(1000);
	nt_tape_tell(&tape, false, say, &told);
	nt_tape_tell(&tape, false, say, &told);
	may_grow_to(RLIM_INFINITY);
	assert_int_equal(told.count, 1);
	assert_false(nt_tape_stop(&tape));
	assert_int_equal(nt_tape_record(&tape, "large", 0, NULL), NT_OK);
	nt_tape_end(&tape, say, &told);
	assert_int_equal(told.count, 2);
	assert_non_null(strstr(told.last, "in large"));
}

static void there_are_not_many_files(void **state)
{
	(void)state;
	char said[NT_TAPE_SAID];
	struct told told = { .count = 0 };
	go_on(1, 3);
	for (unsigned i = 0; i < NT_TAPE_FILES_MAX; i++) {
		nt_tape_write_somewhere(&tape, said);
		assert_non_null(strstr(said, "recording what is kept into nettop-4711-"));
		nt_tape_tell(&tape, true, say, &told);
	}
	nt_tape_write_somewhere(&tape, said);
	assert_string_equal(said, "not recorded: 10 files are enough");
	assert_int_equal(files(false), NT_TAPE_FILES_MAX);
}

static void who_keeps_nothing_says_so(void **state)
{
	(void)state;
	char said[NT_TAPE_SAID];
	struct nt_tape none;
	nt_tape_init(&none, 1, 0);
	nt_tape_write_somewhere(&none, said);
	assert_string_equal(said, "not recorded: nothing is kept of what was: start nettop with --flight MINUTES");
	assert_false(nt_tape_stop(&none));
	nt_tape_fini(&none);
	assert_int_equal(files(false), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_full_disk_is_said_and_the_next_file_is_whole, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_slow_disk_is_waited_for_by_nobody, set_up, tear_down),
		cmocka_unit_test_setup_teardown(after_a_full_disk_another_recording_may_begin, set_up, tear_down),
		cmocka_unit_test_setup_teardown(there_are_not_many_files, set_up, tear_down),
		cmocka_unit_test_setup_teardown(who_keeps_nothing_says_so, set_up, tear_down),
	};
	signal(SIGPIPE, SIG_IGN);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
