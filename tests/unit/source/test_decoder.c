// SPDX-License-Identifier: GPL-2.0-only
/* The decoder from nettop's side: it is replaced whatever becomes of it, and may do nothing but read. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "decoder_fixture.h"

#include "source/decoder/decoder_confined.h"
#include "source/image/image_state.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>

/* ---- what becomes of it ---- */

static void test_killed(void **state)
{
	(void)state;
	struct fixture *f = fixture_new();
	assert_int_equal(child_of_ours(), 0); /* none before the first question */
	uint64_t end = ask(f, "/app/program")->end;
	for (int i = 0; i < 20; i++) {
		pid_t child = child_of_ours();
		assert_true(child > 0);
		kill(child, SIGKILL);
		assert_int_equal(ask(f, "/app/program")->end, end);
		assert_true(child_of_ours() != child);
	}
	assert_true(nt_decoder_cpu_ns(f->decoder) > 0);
	fixture_free(f);
	assert_int_equal(child_of_ours(), 0);
}

static void check_refused_as(struct fixture *f, enum nt_decoder_verb verb, const char *path, const char *reason)
{
	const struct nt_decoder_answer *answer = ask_as(f, verb, path);
	assert_false(answer->has_name);
	assert_string_equal(answer->text, reason);
	assert_int_equal(answer->naming, NT_NAMING_IMAGE_UNREADABLE);
	assert_int_equal(answer->end, UINT64_MAX);
	/* It is not asked again for that one, but for others. */
	nt_time before = nt_clock_now();
	assert_string_equal(ask_as(f, verb, path)->text, reason);
	assert_true(nt_clock_now() - before < NT_NS_PER_S);
	assert_int_equal(f->line_count, 0);
	assert_string_equal(ask(f, "/fake/good")->text, "good");
}

static void check_refused(struct fixture *f, const char *path, const char *reason)
{
	check_refused_as(f, NT_DECODE_NAME, path, reason);
}

static void test_bad_images(void **state)
{
	(void)state;
	struct fixture *f = fixture_new();
	check_refused(f, "/fake/crash", "image not read: its decoder ended with SIGILL");
	check_refused(f, "/fake/junk", "image not read: its decoder makes no sense");
	check_refused(f, "/fake/other", "image not read: its decoder makes no sense");
	check_refused(f, "/fake/wants", "image not read: it wants more than 256 other files");
	check_refused(f, "/fake/silent", "image unreadable: timed out");
	fixture_free(f);
}

/* Whatever is asked, whoever is killed by it has a reason in the words of the question, and other questions for that image go on. */
static void test_bad_questions(void **state)
{
	(void)state;
	struct fixture *f = fixture_new();
	check_refused_as(f, NT_DECODE_SOURCE, "/fake/crash", "its lines cannot be read: its decoder ended with SIGILL");
	check_refused_as(f, NT_DECODE_INSTRUCTIONS, "/fake/crash", "its code cannot be read: its decoder ended with SIGILL");
	check_refused_as(f, NT_DECODE_FRAME, "/fake/crash", "image not read: its decoder ended with SIGILL");
	check_refused_as(f, NT_DECODE_STUB, "/fake/crash", "its code cannot be read: its decoder ended with SIGILL");
	check_refused(f, "/fake/crash", "image not read: its decoder ended with SIGILL");
	assert_string_equal(ask_as(f, NT_DECODE_SOURCE, "/fake/good")->text, "good");
	fixture_free(f);
}

static void test_tables(void **state)
{
	(void)state;
	struct fixture *f = fixture_new();
	assert_string_equal(ask_as(f, NT_DECODE_INSTRUCTIONS, "/fake/table")->text, "good");
	assert_int_equal(f->line_count, 1);
	assert_string_equal(ask(f, "/fake/good")->text, "good");
	assert_int_equal(f->line_count, 0);
	check_refused(f, "/fake/table", "image not read: its decoder makes no sense"); /* a name has none */
	check_refused_as(f, NT_DECODE_INSTRUCTIONS, "/fake/long-table", "its code cannot be read: its decoder makes no sense");
	check_refused_as(f, NT_DECODE_INSTRUCTIONS, "/fake/long-text", "its code cannot be read: its decoder makes no sense");
	check_refused_as(f, NT_DECODE_INSTRUCTIONS, "/fake/flood", "its code cannot be read: its decoder makes no sense");
	check_refused_as(f, NT_DECODE_SOURCE, "/fake/flood", "its lines cannot be read: its decoder makes no sense");
	assert_string_equal(ask_as(f, NT_DECODE_METHODS, "/fake/table")->text, "good");
	check_refused_as(f, NT_DECODE_METHODS, "/fake/long-table", "image not read: its decoder makes no sense");
	check_refused_as(f, NT_DECODE_METHODS, "/fake/flood", "image not read: its decoder makes no sense");
	check_refused_as(f, NT_DECODE_STATE, "/fake/table", "image not read: its decoder makes no sense"); /* letters, and few */
	check_refused_as(f, NT_DECODE_STATE, "/fake/flood", "image not read: its decoder makes no sense");
	fixture_free(f);
}

static void check_no_state(const char *bytes, size_t size)
{
	struct nt_image_state state;
	assert_false(nt_image_state_take(bytes, size, &state));
	assert_int_equal(state.build_id.length, 0);
}

/* The letters of a state: three words, the length of the build id, and that. */
static void test_letters_of_a_state(void **state)
{
	(void)state;
	char bytes[NT_IMAGE_STATE_BYTES + 2] = { 1, 1, 0, 2, 'a', 'b' };
	struct nt_image_state taken;
	assert_true(nt_image_state_take(bytes, 6, &taken));
	assert_true(taken.native && taken.symbols && !taken.debug_file);
	assert_memory_equal(taken.build_id.bytes, "ab", taken.build_id.length);
	assert_int_equal(taken.build_id.length, 2);
	check_no_state(bytes, 0);
	check_no_state(bytes, 3);
	check_no_state(bytes, 5);
	check_no_state(bytes, 7);
	bytes[3] = (char)(NT_BUILD_ID_MAX + 1);
	check_no_state(bytes, 4 + NT_BUILD_ID_MAX + 1);
	bytes[3] = (char)0xff;
	check_no_state(bytes, NT_IMAGE_STATE_BYTES);
}

/* Letter by letter it would take hours to say too much. */
static void test_drip(void **state)
{
	(void)state;
	struct fixture *f = fixture_new();
	nt_time before = nt_clock_now();
	const char *text = ask_as(f, NT_DECODE_INSTRUCTIONS, "/fake/drip")->text;
	assert_true(strcmp(text, "its code cannot be read: it takes more than 2 s of CPU") == 0 ||
		    strcmp(text, "its code cannot be read: timed out") == 0);
	assert_true(nt_clock_now() - before < 30 * NT_NS_PER_S);
	assert_string_equal(ask(f, "/fake/good")->text, "good");
	fixture_free(f);
}

static void test_spinning(void **state)
{
	(void)state;
	struct fixture *f = fixture_new();
	nt_time before = nt_clock_now();
	const struct nt_decoder_answer *answer = ask(f, "/fake/spin");
	assert_string_equal(answer->text, "image not read: it takes more than 2 s of CPU");
	assert_true(nt_clock_now() - before > 2 * NT_NS_PER_S);
	assert_true(nt_decoder_cpu_ns(f->decoder) < 3 * NT_NS_PER_S);
	assert_string_equal(ask(f, "/fake/good")->text, "good");
	fixture_free(f);
}

/* One bad image among good ones costs its own answers only. */
static void test_batch(void **state)
{
	(void)state;
	struct fixture *f = fixture_new();
	struct nt_decoder_request questions[40];
	for (size_t i = 0; i < 40; i++)
		questions[i] = question_of(f, i % 10 == 5 ? "/fake/crash" : "/fake/good");
	f->count = 0;
	nt_decoder_ask(f->decoder, questions, 40, keep, f);
	assert_int_equal(f->count, 40);
	for (size_t i = 0; i < 40; i++)
		assert_string_equal(f->answers[i].text, i % 10 == 5 ? "image not read: its decoder ended with SIGILL" : "good");
	nt_decoder_cancel(f->decoder);
	f->count = 0;
	nt_decoder_ask(f->decoder, questions, 1, keep, f);
	assert_int_equal(f->count, 0);
	fixture_free(f);
}

/* Nor is an image blamed whose answers were on their way when the decoder ended of another one. */
static void test_blame(void **state)
{
	(void)state;
	struct fixture *f = fixture_new();
	struct nt_decoder_request questions[9];
	for (size_t i = 0; i < 9; i++)
		questions[i] = question_of(f, i == 5 ? "/fake/crash" : "/fake/later");
	nt_decoder_ask(f->decoder, questions, 9, keep, f);
	assert_int_equal(f->count, 9);
	for (size_t i = 0; i < 9; i++)
		assert_string_equal(f->answers[i].text, i == 5 ? "image not read: its decoder ended with SIGILL" : "good");
	assert_string_equal(ask(f, "/fake/later")->text, "good");
	fixture_free(f);
}

/* What is said after the last question is not heard; what was said before something that makes no sense is. */
static void test_answers_together(void **state)
{
	(void)state;
	struct fixture *f = fixture_new();
	struct nt_decoder_request questions[40];
	for (size_t i = 0; i < 40; i++)
		questions[i] = question_of(f, "/fake/together");
	nt_decoder_ask(f->decoder, questions, 40, keep, f);
	pid_t child = child_of_ours();
	assert_int_equal(f->count, 40);
	for (size_t i = 0; i < 40; i++)
		assert_string_equal(f->answers[i].text, "good");
	f->count = 0;
	for (size_t i = 0; i < 4; i++)
		questions[i] = question_of(f, "/fake/half");
	nt_decoder_ask(f->decoder, questions, 4, keep, f);
	assert_int_equal(f->count, 4);
	for (size_t i = 0; i < 4; i++)
		assert_string_equal(f->answers[i].text, i < 2 ? "good" : "image not read: its decoder makes no sense");
	assert_string_equal(ask(f, "/fake/good")->text, "good");
	assert_true(child > 0 && child_of_ours() != child);
	fixture_free(f);
}

/* ---- what it may do ---- */

static void do_nothing(void)
{
}

static void do_open(void)
{
	open("/etc/passwd", O_RDONLY | O_CLOEXEC);
}

static void do_execute_memory(void)
{
	mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

static void do_socket(void)
{
	socket(AF_INET, SOCK_STREAM, 0);
}

static void do_kill(void)
{
	kill(getppid(), 0);
}

static void do_stat(void)
{
	struct stat stat_of;
	fstatat(AT_FDCWD, "/etc", &stat_of, 0);
}

static void do_much_memory(void)
{
	_exit(mmap(NULL, (size_t)2 << 30, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED ? 7 : 8);
}

static int status_of(void (*act)(void))
{
	int status;
	pid_t child = fork();
	if (child == 0) {
		if (!nt_decoder_confine(3))
			_exit(99);
		act();
		_exit(0);
	}
	assert_true(child > 0);
	assert_int_equal(waitpid(child, &status, 0), child);
	return status;
}

static void test_confined(void **state)
{
	(void)state;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
	skip();
#endif
	void (*const forbidden[])(void) = { do_open, do_execute_memory, do_socket, do_kill, do_stat };
	assert_int_equal(status_of(do_nothing), 0);
	for (size_t i = 0; i < sizeof(forbidden) / sizeof(*forbidden); i++) {
		int status = status_of(forbidden[i]);
		assert_true(WIFSIGNALED(status));
		assert_int_equal(WTERMSIG(status), SIGSYS);
	}
	int status = status_of(do_much_memory);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 7);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_killed),
		cmocka_unit_test(test_bad_images),
		cmocka_unit_test(test_bad_questions),
		cmocka_unit_test(test_tables),
		cmocka_unit_test(test_letters_of_a_state),
		cmocka_unit_test(test_drip),
		cmocka_unit_test(test_spinning),
		cmocka_unit_test(test_batch),
		cmocka_unit_test(test_blame),
		cmocka_unit_test(test_answers_together),
		cmocka_unit_test(test_confined),
	};
	signal(SIGPIPE, SIG_IGN);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
