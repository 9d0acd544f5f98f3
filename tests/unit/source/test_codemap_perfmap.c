// SPDX-License-Identifier: GPL-2.0-only
/* The perf map: its tail, and everything that can happen to the file. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "codemap_fixture.h"

#include <pthread.h>
#include <stdatomic.h>

#define NAME_ONE   "void [Shop.Web] Shop.Cart::Add(int32)[QuickJitted]"
#define NAME_TWO   "void [Shop.Web] Shop.Cart::Total()[OptimizedTier1]"
#define NAME_THREE "void [Shop.Web] Shop.Cart::Clear()[QuickJitted]"
#define LINE_ONE   "0x7f0000100000 40 " NAME_ONE "\n"
#define LINE_TWO   "0x7f0000100100 80 " NAME_TWO "\n"

static bool has_state(const struct fixture *f, size_t from, const void *what)
{
	const struct seen *seen = fixture_last(f, from, NT_EV_SOURCE_STATE);
	return seen && seen->event.u.source_state.state == *(const enum nt_source_state *)what;
}

static bool has_code(const struct fixture *f, size_t from, const void *what)
{
	for (size_t i = from; i < f->seen_count; i++)
		if (f->seen[i].event.kind == NT_EV_CODE && strcmp(f->seen[i].text[0], what) == 0)
			return true;
	return false;
}

static bool has_idle_after(const struct fixture *f, size_t from, const void *what)
{
	const struct seen *seen = fixture_last(f, from, NT_EV_IDLE);
	return seen && seen->event.time > *(const nt_time *)what;
}

static bool has_ended(const struct fixture *f, size_t from, const void *what)
{
	(void)from;
	(void)what;
	return f->ended;
}

static size_t wait_state(struct fixture *f, size_t from, enum nt_source_state state)
{
	fixture_wait(f, from, has_state, &state);
	return f->seen_count;
}

/* The map was looked at after this call. */
static void wait_look(struct fixture *f)
{
	nt_time now = nt_clock_now();
	fixture_wait(f, 0, has_idle_after, &now);
}

static const struct seen *code(const struct fixture *f, size_t from, const char *name)
{
	for (size_t i = f->seen_count; i > from; i--)
		if (f->seen[i - 1].event.kind == NT_EV_CODE && strcmp(f->seen[i - 1].text[0], name) == 0)
			return &f->seen[i - 1];
	fail_msg("no code named %s", name);
	return NULL;
}

static bool has_size(const struct fixture *f, size_t from, const void *what)
{
	const struct seen *seen = fixture_last(f, from, NT_EV_FILE);
	return seen && seen->event.u.file.bytes == *(const uint64_t *)what;
}

static void test_size_is_told_when_it_changes(void **state)
{
	(void)state;
	struct fixture *f = fixture_new();
	uint64_t one = strlen(LINE_ONE), two = 2 * one;
	fixture_write(f->map_path, 0, LINE_ONE);
	fixture_start(f);
	fixture_wait(f, 0, has_size, &one);
	wait_look(f);
	assert_int_equal(fixture_count(f, 0, NT_EV_FILE), 1);
	fixture_write(f->map_path, O_APPEND, LINE_ONE);
	fixture_wait(f, 0, has_size, &two);
	fixture_free(f);
}

static void test_lines_become_code(void **state)
{
	(void)state;
	struct fixture *f = fixture_new();
	fixture_write(f->map_path, 0, LINE_ONE "0x7f0000100200 20 stub GenerateResolveStub<VSD_ResolveStub>\n");
	fixture_start(f);
	wait_state(f, 0, NT_STATE_DELIVERING);
	assert_int_equal(f->seen[0].event.kind, NT_EV_SOURCE_STATE); /* the first word of every source */
	assert_int_equal(f->seen[0].event.u.source_state.state, NT_STATE_STARTING);
	const struct seen *one = code(f, 0, NAME_ONE);
	assert_int_equal(one->event.pid, FIXTURE_PID);
	assert_int_equal(one->line.start, 0x7f0000100000);
	assert_int_equal(one->line.size, 0x40);
	assert_int_equal(one->event.u.code.from, 0); /* it was there before us */
	assert_int_equal(fixture_count(f, 0, NT_EV_CODE), 2);
	const struct seen *said = fixture_last(f, 0, NT_EV_SOURCE_STATE);
	assert_string_equal(said->text[0], "");
	assert_int_equal(said->event.u.source_state.open, 1);
	fixture_free(f);
}

static void test_tail_is_followed_and_half_lines_wait(void **state)
{
	(void)state;
	struct fixture *f = fixture_new();
	fixture_write(f->map_path, 0, LINE_ONE);
	fixture_start(f);
	wait_state(f, 0, NT_STATE_DELIVERING);
	wait_look(f);
	nt_time before = nt_clock_now();
	fixture_write(f->map_path, O_APPEND, "0x7f0000100100 80 void [Shop.Web] Shop.Ca");
	wait_look(f);
	assert_int_equal(fixture_count(f, 0, NT_EV_CODE), 1);
	fixture_write(f->map_path, O_APPEND, "rt::Total()[OptimizedTier1]\n");
	fixture_wait(f, 0, has_code, NAME_TWO);
	const struct seen *two = code(f, 0, NAME_TWO);
	/* Written after the look before: from then on the name holds, and not since ever. */
	assert_true(two->event.u.code.from > 0 && two->event.u.code.from < nt_clock_now());
	assert_true(two->event.u.code.from > before - NT_NS_PER_S);
	assert_int_equal(fixture_count(f, 0, NT_EV_CODE), 2);
	fixture_free(f);
}

static void test_truncated_and_rewritten(void **state)
{
	(void)state;
	struct fixture *f = fixture_new();
	fixture_write(f->map_path, 0, LINE_ONE LINE_TWO);
	fixture_start(f);
	size_t seen = wait_state(f, 0, NT_STATE_DELIVERING);
	fixture_write(f->map_path, O_TRUNC, "0x7f0000100000 40 " NAME_THREE "\n");
	fixture_wait(f, seen, has_code, NAME_THREE);
	assert_int_equal(code(f, seen, NAME_THREE)->line.start, 0x7f0000100000);
	wait_state(f, seen, NT_STATE_DELIVERING);
	assert_non_null(strstr(fixture_last(f, 0, NT_EV_SOURCE_STATE)->text[0], "perf map /tmp/perf-7.map was truncated or replaced"));
	fixture_free(f);
}

/* Neither shorter nor another file: only the bytes are different. */
static void test_rewritten_in_place(void **state)
{
	(void)state;
	struct fixture *f = fixture_new();
	fixture_write(f->map_path, 0, LINE_ONE LINE_TWO);
	fixture_start(f);
	size_t seen = wait_state(f, 0, NT_STATE_DELIVERING);
	char other[] = LINE_ONE LINE_TWO LINE_TWO;
	memcpy(strstr(other, "Cart::Add"), "Cart::Sub", 9);
	fixture_write(f->map_path, 0, other);
	fixture_wait(f, seen, has_code, "void [Shop.Web] Shop.Cart::Sub(int32)[QuickJitted]");
	assert_int_equal(fixture_count(f, seen, NT_EV_CODE), 3);
	fixture_free(f);
}

static void test_replaced_by_another_file(void **state)
{
	(void)state;
	struct fixture *f = fixture_new();
	fixture_write(f->map_path, 0, LINE_ONE);
	fixture_start(f);
	size_t seen = wait_state(f, 0, NT_STATE_DELIVERING);
	fixture_shell(f, "cp root/tmp/perf-7.map root/tmp/new && mv root/tmp/new root/tmp/perf-7.map");
	fixture_write(f->map_path, O_APPEND, LINE_TWO);
	fixture_wait(f, seen, has_code, NAME_TWO);
	assert_true(has_code(f, seen, NAME_ONE));
	fixture_free(f);
}

/* It takes memory (a folder for temporary files is often in it), so a person is told; beyond the second limit names are missing, too. */
static void test_large_map_is_said(void **state)
{
	(void)state;
	static const struct {
		off_t bytes;
		const char *reason;
	} sizes[] = {
		{ (256 << 20) - 1, "" },
		{ 256 << 20, "perf map /tmp/perf-7.map is over 256 MB and grows with every method that is compiled" },
		{ ((off_t)1 << 30) + 1, "perf map /tmp/perf-7.map is over 1 GB: methods after that have no names" },
	};
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		struct fixture *f = fixture_new();
		fixture_write(f->map_path, 0, LINE_ONE);
		assert_int_equal(truncate(f->map_path, sizes[i].bytes), 0); /* a hole: no disk is filled */
		fixture_start(f);
		wait_state(f, 0, NT_STATE_DELIVERING);
		const struct seen *said = fixture_last(f, 0, NT_EV_SOURCE_STATE);
		assert_string_equal(said->text[0], sizes[i].reason);
		assert_string_equal(said->text[1], *sizes[i].reason ? "restart the target" : "");
		assert_int_equal(fixture_last(f, 0, NT_EV_FILE)->event.u.file.bytes, sizes[i].bytes);
		assert_true(has_code(f, 0, NAME_ONE));
		fixture_free(f);
	}
}

static void test_no_map_is_said_and_the_rest_goes_on(void **state)
{
	(void)state;
	struct fixture *f = fixture_new();
	fixture_start(f);
	size_t seen = wait_state(f, 0, NT_STATE_ABSENT);
	const struct seen *said = fixture_last(f, 0, NT_EV_SOURCE_STATE);
	assert_string_equal(said->text[0], "no names from a perf map: the target writes no perf map");
	assert_string_equal(said->text[1], "restart the target with DOTNET_PerfMapEnabled=3");
	assert_int_equal(said->event.u.source_state.open, 0);
	assert_int_equal(fixture_count(f, 0, NT_EV_MAP), 2);
	wait_look(f);
	assert_int_equal(fixture_count(f, seen, NT_EV_SOURCE_STATE), 0); /* said once */
	/* It may be switched on while we watch; what is in it then may be older than our last look. */
	fixture_write(f->map_path, 0, LINE_ONE);
	wait_state(f, seen, NT_STATE_DELIVERING);
	assert_int_equal(code(f, seen, NAME_ONE)->event.u.code.from, 0);
	fixture_free(f);
}

static void test_switched_on_but_missing(void **state)
{
	(void)state;
	struct fixture *f = fixture_new();
	f->target.perf_map_enabled = true;
	fixture_start(f);
	wait_state(f, 0, NT_STATE_ABSENT);
	assert_non_null(strstr(fixture_last(f, 0, NT_EV_SOURCE_STATE)->text[0],
			       "no names from a perf map: no perf map at /tmp/perf-7.map, though"));
	fixture_free(f);
}

#define NO_NAMES "no names from a perf map: perf map /tmp/perf-7.map "

/* What becomes of a good map. The last one only root can bring about. */
static const struct {
	const char *command, *sentence;
	enum nt_naming naming;
} faults[] = {
	{ "rm perf-7.map", "perf map /tmp/perf-7.map was removed: methods compiled from now on have no names", NT_NAMING_PERF_MAP_OFF },
	{ "rm perf-7.map && mkfifo perf-7.map", NO_NAMES "is a FIFO: not read", NT_NAMING_PERF_MAP_UNREADABLE },
	{ "mv perf-7.map x && ln -s x perf-7.map", NO_NAMES "is a symbolic link: not read", NT_NAMING_PERF_MAP_UNREADABLE },
	{ "rm perf-7.map && mkdir perf-7.map", NO_NAMES "is a folder: not read", NT_NAMING_PERF_MAP_UNREADABLE },
	{ "chown 54321 perf-7.map", NO_NAMES "belongs to uid 54321, not to the target's user or root: not read", NT_NAMING_PERF_MAP_OWNER },
};
enum { FAULTS = sizeof(faults) / sizeof(*faults) };

static void see_fault(struct fixture *f, size_t which, size_t *seen)
{
	*seen = wait_state(f, *seen, NT_STATE_STALLED);
	const struct seen *said = fixture_last(f, 0, NT_EV_SOURCE_STATE);
	assert_string_equal(said->text[0], faults[which].sentence);
	assert_string_not_equal(said->text[1], "");
	assert_int_equal(said->event.u.source_state.naming, faults[which].naming);
}

/* Replace a good map by something else, see the sentence, put a good one back. All at once: each look is a second after the one before. */
static void test_faults(void **state)
{
	(void)state;
	const size_t count = geteuid() == 0 ? FAULTS : FAULTS - 1;
	struct fixture *f[FAULTS];
	size_t seen[FAULTS];
	for (size_t i = 0; i < count; i++) {
		f[i] = fixture_new();
		fixture_write(f[i]->map_path, 0, LINE_ONE);
		fixture_start(f[i]);
	}
	for (size_t i = 0; i < count; i++) {
		seen[i] = wait_state(f[i], 0, NT_STATE_DELIVERING);
		fixture_shell(f[i], "cd root/tmp && %s", faults[i].command);
	}
	for (size_t i = 0; i < count; i++)
		see_fault(f[i], i, &seen[i]);
	for (size_t i = 0; i < count; i++) {
		wait_look(f[i]); /* goes on looking, does not hang */
		assert_int_equal(fixture_count(f[i], seen[i], NT_EV_CODE), 0);
		fixture_shell(f[i], "cd root/tmp && rm -rf perf-7.map");
		fixture_write(f[i]->map_path, 0, LINE_TWO);
	}
	for (size_t i = 0; i < count; i++) {
		wait_state(f[i], seen[i], NT_STATE_DELIVERING);
		assert_true(has_code(f[i], seen[i], NAME_TWO));
		fixture_free(f[i]);
	}
}

/* Its root folder cannot be entered: here it is none. */
static void test_root_that_cannot_be_entered(void **state)
{
	(void)state;
	struct fixture *f = fixture_new();
	fixture_shell(f, "mv root aside && touch root");
	fixture_start(f);
	wait_state(f, 0, NT_STATE_ABSENT);
	const struct seen *said = fixture_last(f, 0, NT_EV_SOURCE_STATE);
	assert_string_equal(
		said->text[0],
		"no names but the kernel's, no diagnostics port: the root folder of process 4711 cannot be entered: Not a directory");
	assert_int_equal(said->event.u.source_state.naming, NT_NAMING_OTHER_NAMESPACE);
	fixture_free(f);
}

/* What an earlier process with this number has left is not read, until this one writes there. */
static void test_map_of_an_earlier_process(void **state)
{
	(void)state;
	struct fixture *f = fixture_new();
	f->target.start = nt_clock_now();
	fixture_write(f->map_path, 0, LINE_ONE);
	assert_int_equal(utimensat(AT_FDCWD, f->map_path, (const struct timespec[2]){ { 1000, 0 }, { 1000, 0 } }, 0), 0);
	fixture_start(f);
	size_t seen = wait_state(f, 0, NT_STATE_ABSENT);
	const struct seen *said = fixture_last(f, 0, NT_EV_SOURCE_STATE);
	assert_string_equal(said->text[0],
			    "no names from a perf map: the target writes no perf map; /tmp/perf-7.map is older than the process: "
			    "another one that had its number wrote it");
	assert_int_equal(said->event.u.source_state.naming, NT_NAMING_PERF_MAP_STALE);
	wait_look(f);
	assert_int_equal(fixture_count(f, 0, NT_EV_CODE), 0);
	fixture_write(f->map_path, O_TRUNC, LINE_TWO);
	wait_state(f, seen, NT_STATE_DELIVERING);
	assert_true(has_code(f, seen, NAME_TWO));
	assert_false(has_code(f, 0, NAME_ONE));
	fixture_free(f);
}

/* An absolute link in the path must lead into the target's root, not into ours. */
static void test_links_in_the_path_stay_within_the_root(void **state)
{
	(void)state;
	struct fixture *f = fixture_new();
	char path[160];
	snprintf(path, sizeof(path), "%s/root/app/perf-7.map", f->dir);
	fixture_write(path, 0, LINE_ONE);
	fixture_shell(f, "rmdir root/tmp && ln -s /app root/tmp");
	fixture_start(f);
	wait_state(f, 0, NT_STATE_DELIVERING);
	assert_true(has_code(f, 0, NAME_ONE));
	fixture_free(f);
}

static void test_garbage_is_said(void **state)
{
	(void)state;
	struct fixture *f = fixture_new();
	fixture_write(f->map_path, 0,
		      "\x7f"
		      "ELF\nwhat is this\n\n");
	fixture_start(f);
	wait_state(f, 0, NT_STATE_DELIVERING);
	assert_non_null(strstr(fixture_last(f, 0, NT_EV_SOURCE_STATE)->text[0], "has no line of the form"));
	fixture_free(f);
}

static void test_stop_reads_to_the_end(void **state)
{
	(void)state;
	struct fixture *f = fixture_new();
	fixture_write(f->map_path, 0, LINE_ONE);
	fixture_start(f);
	size_t seen = wait_state(f, 0, NT_STATE_DELIVERING);
	fixture_write(f->map_path, O_APPEND, LINE_TWO);
	nt_source_codemap.stop(f->source);
	fixture_wait(f, seen, has_ended, NULL);
	assert_true(has_code(f, seen, NAME_TWO));
	fixture_free(f);
}

/* ---- a writer that does its worst while the map is read ---- */

enum { BIG_LINES = 20000 };

struct vandal {
	const char *path;
	atomic_bool stop;
};

static void write_big(const char *path, int flags)
{
	int fd = open(path, O_WRONLY | O_CREAT | flags, 0644);
	FILE *file = fdopen(fd, "w");
	assert_non_null(file);
	for (unsigned i = 0; i < BIG_LINES; i++)
		fprintf(file, "0x%x 40 void [App] Big.Type%u::Method%u(int32)[QuickJitted]\n", 0x1000000 + i * 64, i / 10, i);
	fclose(file);
}

static void *vandalise(void *argument)
{
	struct vandal *vandal = argument;
	for (unsigned i = 0; !atomic_load(&vandal->stop); i++) {
		if (i % 3 == 0)
			write_big(vandal->path, O_TRUNC);
		else
			assert_int_equal(truncate(vandal->path, i * 7919 % 900000), 0);
	}
	return NULL;
}

static bool has_some_code(const struct fixture *f, size_t from, const void *what)
{
	return fixture_count(f, from, NT_EV_CODE) >= *(const size_t *)what;
}

static void test_truncated_while_it_is_read(void **state)
{
	(void)state;
	struct fixture *f = fixture_new();
	write_big(f->map_path, 0);
	fixture_start(f);
	struct vandal vandal = { .path = f->map_path };
	pthread_t thread;
	assert_int_equal(pthread_create(&thread, NULL, vandalise, &vandal), 0);
	const size_t enough = 2 * BIG_LINES; /* more than one look, also where a look takes long */
	fixture_wait(f, 0, has_some_code, &enough);
	atomic_store(&vandal.stop, true);
	pthread_join(thread, NULL);
	/* Whatever came meanwhile: a file that is left alone is read right. */
	fixture_drain(f);
	size_t seen = f->seen_count;
	fixture_write(f->map_path, O_TRUNC, LINE_ONE);
	fixture_wait(f, seen, has_code, NAME_ONE);
	fixture_write(f->map_path, O_APPEND, LINE_TWO);
	fixture_wait(f, seen, has_code, NAME_TWO);
	fixture_free(f);
}

static void test_large_map_in_small_batches(void **state)
{
	(void)state;
	struct fixture *f = fixture_new();
	write_big(f->map_path, 0);
	fixture_start(f);
	wait_state(f, 0, NT_STATE_DELIVERING);
	assert_int_equal(fixture_count(f, 0, NT_EV_CODE), BIG_LINES);
	assert_int_equal(code(f, 0, "void [App] Big.Type1999::Method19999(int32)[QuickJitted]")->line.size, 0x40);
	for (size_t i = 0; i < f->seen_count; i++)
		if (f->seen[i].event.kind == NT_EV_CODE)
			assert_int_equal(f->seen[i].event.u.code.from, 0); /* all of them were there at the first look */
	fixture_free(f);
}

/* Closed while nobody drains: the worker waits for a batch and must still end. */
static void test_close_while_the_channel_is_full(void **state)
{
	(void)state;
	struct fixture *f = fixture_new();
	write_big(f->map_path, 0);
	fixture_start(f);
	struct pollfd p = { .fd = nt_source_codemap.fd(f->source), .events = POLLIN };
	assert_int_equal(poll(&p, 1, 30000), 1);
	nt_time before = nt_clock_now();
	nt_source_codemap.close(f->source);
	f->source = NULL;
	assert_true(nt_clock_now() - before < 5 * NT_NS_PER_S);
	fixture_free(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lines_become_code),
		cmocka_unit_test(test_size_is_told_when_it_changes),
		cmocka_unit_test(test_tail_is_followed_and_half_lines_wait),
		cmocka_unit_test(test_truncated_and_rewritten),
		cmocka_unit_test(test_rewritten_in_place),
		cmocka_unit_test(test_replaced_by_another_file),
		cmocka_unit_test(test_large_map_is_said),
		cmocka_unit_test(test_no_map_is_said_and_the_rest_goes_on),
		cmocka_unit_test(test_switched_on_but_missing),
		cmocka_unit_test(test_faults),
		cmocka_unit_test(test_root_that_cannot_be_entered),
		cmocka_unit_test(test_map_of_an_earlier_process),
		cmocka_unit_test(test_links_in_the_path_stay_within_the_root),
		cmocka_unit_test(test_garbage_is_said),
		cmocka_unit_test(test_stop_reads_to_the_end),
		cmocka_unit_test(test_truncated_while_it_is_read),
		cmocka_unit_test(test_large_map_in_small_batches),
		cmocka_unit_test(test_close_while_the_channel_is_full),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
