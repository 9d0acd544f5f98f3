// SPDX-License-Identifier: GPL-2.0-only
/*
 * The decoder from nettop's side: what it says is within bounds, what it may open is decided here, and it is replaced whatever becomes of it. This program is its own decoder:
 * for images below /fake one that misbehaves as the image's name says, else the real one.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/alloc.h"
#include "source/decoder.h"
#include "source/decoder_broker.h"
#include "source/decoder_confined.h"
#include "source/decoder_process.h"

#include <dirent.h>
#include <elf.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- a decoder that misbehaves ---- */

static struct nt_decoder_answer fake_answer_of(uint32_t number, const char *text)
{
	struct nt_decoder_answer answer = {
		.what = NT_DECODER_ANSWER, .number = number, .end = UINT64_MAX, .kind = NT_CODE_NATIVE, .has_name = 1
	};
	snprintf(answer.text, sizeof(answer.text), "%s", text);
	return answer;
}

/* Many in a packet, as the real one does. Number `broken` says that it is another one. */
static void fake_say_together(uint32_t count, uint32_t broken)
{
	static char packet[NT_DECODER_PACKET];
	size_t length = 0;
	for (uint32_t i = 0; i < count; i++) {
		struct nt_decoder_answer answer = fake_answer_of(i == broken ? i + 7 : i, "good");
		memcpy(packet + length, &answer, nt_decoder_answer_length(&answer));
		length += nt_decoder_answer_length(&answer);
	}
	assert_true(write(NT_DECODER_FD, packet, length) > 0);
}

static void fake_say(uint32_t number, const char *text)
{
	struct nt_decoder_answer answer = fake_answer_of(number, text);
	assert_true(write(NT_DECODER_FD, &answer, nt_decoder_answer_length(&answer)) > 0);
}

_Noreturn static void fake_want(uint32_t number)
{
	const struct nt_decoder_open wanted = { .what = NT_DECODER_OPEN, .number = number, .file = NT_DECODER_DEBUG, .next = 1000 };
	struct nt_decoder_opened opened;
	while (write(NT_DECODER_FD, &wanted, sizeof(wanted)) > 0 && recv(NT_DECODER_FD, &opened, sizeof(opened), 0) > 0)
		continue;
	_exit(0);
}

static void fake_answer(uint32_t number, const char *how)
{
	static const char junk[NT_DECODER_PACKET - 1024];
	if (strcmp(how, "/fake/spin") == 0)
		for (volatile unsigned long i = 0;; i++)
			;
	else if (strcmp(how, "/fake/silent") == 0)
		pause();
	else if (strcmp(how, "/fake/crash") == 0)
		__builtin_trap();
	else if (strcmp(how, "/fake/junk") == 0)
		assert_true(write(NT_DECODER_FD, junk, sizeof(junk)) > 0);
	else if (strcmp(how, "/fake/other") == 0)
		fake_say(number + 1, "another's");
	else if (strcmp(how, "/fake/wants") == 0)
		fake_want(number);
	else
		fake_say(number, "good");
}

_Noreturn static void fake_serve(void)
{
	static char packet[NT_DECODER_PACKET];
	struct nt_decoder_question questions[NT_DECODER_BATCH];
	bool more;
	signal(SIGILL, SIG_DFL);
	for (ssize_t got; (got = recv(NT_DECODER_FD, packet, sizeof(packet), 0)) > 0;) {
		size_t count = nt_decoder_take_questions(packet, (size_t)got, questions, &more);
		if (count && strcmp(questions[0].path, "/fake/together") == 0)
			fake_say_together((uint32_t)count + 1, UINT32_MAX);
		else if (count && strcmp(questions[0].path, "/fake/half") == 0)
			fake_say_together((uint32_t)count, (uint32_t)count / 2);
		else
			for (size_t i = 0; i < count; i++)
				fake_answer((uint32_t)i, questions[i].path);
	}
	_exit(0);
}

__attribute__((constructor)) static void become_decoder(int argc, char **argv)
{
	static char packet[NT_DECODER_PACKET];
	struct nt_decoder_question questions[NT_DECODER_BATCH];
	bool more;
	if (!nt_decoder_is_meant(argc, argv))
		return;
	ssize_t got = recv(NT_DECODER_FD, packet, sizeof(packet), MSG_PEEK);
	if (got > 0 && nt_decoder_take_questions(packet, (size_t)got, questions, &more) && strncmp(questions[0].path, "/fake/", 6) == 0)
		fake_serve();
	_exit(nt_decoder_serve());
}

/* ---- the fixture: a folder as the target's root ---- */

enum { ANSWERS_MAX = 64 };

struct fixture {
	char root[64];
	struct nt_codemap_target target;
	struct nt_hand *hand;
	struct nt_decoder *decoder;
	struct nt_decoder_answer answers[ANSWERS_MAX];
	size_t count;
};

static void shell(const struct fixture *f, const char *command)
{
	char *whole = nt_format("cd %s && %s", f->root, command);
	assert_int_equal(system(whole), 0);
	free(whole);
}

static struct fixture *fixture_new(void)
{
	struct fixture *f = nt_alloc(sizeof(*f));
	strcpy(f->root, "/tmp/nt-test-decoder-XXXXXX");
	assert_non_null(mkdtemp(f->root));
	f->target = (struct nt_codemap_target){ .uid = geteuid(), .image_dir = f->root, .root_dir = f->root, .proc_dir = f->root };
	f->hand = nt_hand_new();
	f->decoder = nt_decoder_new(&f->target, f->hand);
	shell(f, "mkdir -p app etc && cp /proc/$PPID/exe app/program");
	return f;
}

static void fixture_free(struct fixture *f)
{
	nt_decoder_free(f->decoder);
	nt_hand_free(f->hand);
	shell(f, "cd / && rm -rf $OLDPWD");
	free(f);
}

static void keep(void *context, const struct nt_codemap_question *question, const struct nt_decoder_answer *answer)
{
	struct fixture *f = context;
	(void)question;
	assert_true(f->count < ANSWERS_MAX);
	f->answers[f->count++] = *answer;
}

/* A question for a file that need not be there. */
static struct nt_codemap_question question_of(const struct fixture *f, const char *path)
{
	struct stat stat_of;
	char *real = nt_format("%s%s", f->root, path);
	uint64_t inode = stat(real, &stat_of) == 0 ? (uint64_t)stat_of.st_ino : 1;
	free(real);
	return (struct nt_codemap_question){ .inode = inode, .offset = 4096, .image = (char *)(uintptr_t)path };
}

static const struct nt_decoder_answer *ask(struct fixture *f, const char *path)
{
	struct nt_codemap_question question = question_of(f, path);
	f->count = 0;
	nt_decoder_ask(f->decoder, &question, 1, keep, f);
	assert_int_equal(f->count, 1);
	return &f->answers[0];
}

/* Our one child, or 0. */
static pid_t child_of_ours(void)
{
	int pid = 0;
	char *path = nt_format("/proc/self/task/%d/children", (int)gettid());
	FILE *file = fopen(path, "re");
	free(path);
	assert_non_null(file);
	if (fscanf(file, "%d", &pid) != 1)
		pid = 0;
	fclose(file);
	return pid;
}

/* ---- what is said ---- */

static void test_answers_within_bounds(void **state)
{
	(void)state;
	static struct nt_decoder_answer said, out;
	said = (struct nt_decoder_answer){ .what = NT_DECODER_ANSWER,
					   .number = 3,
					   .start = 10,
					   .end = 20,
					   .kind = NT_CODE_R2R,
					   .naming = NT_NAMING_NAMED,
					   .has_name = 1 };
	strcpy(said.text, "name");
	size_t length = nt_decoder_answer_length(&said);
	assert_int_equal(nt_decoder_take_answer(&said, length, 3, 15, &out), length);
	assert_string_equal(out.text, "name");
	assert_int_equal(out.start, 10);
	assert_int_equal(out.end, 20);
	for (size_t cut = 0; cut <= offsetof(struct nt_decoder_answer, text); cut++)
		assert_false(nt_decoder_take_answer(&said, cut, 3, 15, &out));
	assert_int_equal(nt_decoder_take_answer(&said, sizeof(said), 3, 15, &out), length); /* what follows is another one */
	assert_false(nt_decoder_take_answer(&said, length, 2, 15, &out));
	/* A range that the question is not in, an empty one, one that goes backwards: the place alone. */
	const uint64_t ranges[][2] = { { 16, 20 }, { 10, 15 }, { 15, 15 }, { 20, 10 }, { UINT64_MAX, 0 } };
	for (size_t i = 0; i < sizeof(ranges) / sizeof(*ranges); i++) {
		said.start = ranges[i][0];
		said.end = ranges[i][1];
		assert_true(nt_decoder_take_answer(&said, length, 3, 15, &out));
		assert_int_equal(out.start, 15);
		assert_int_equal(out.end, 16);
	}
	said.kind = NT_CODE_KERNEL;
	assert_false(nt_decoder_take_answer(&said, length, 3, 15, &out));
	said.kind = NT_CODE_KIND_COUNT + 5;
	assert_false(nt_decoder_take_answer(&said, length, 3, 15, &out));
	said.kind = NT_CODE_NATIVE;
	said.naming = NT_NAMING_COUNT;
	assert_false(nt_decoder_take_answer(&said, length, 3, 15, &out));
	said.naming = NT_NAMING_NAMED;
	/* A text without end is ended. */
	memset(said.text, 'x', sizeof(said.text));
	assert_int_equal(nt_decoder_take_answer(&said, sizeof(said), 3, 15, &out),
			 offsetof(struct nt_decoder_answer, text) + NT_DECODER_TEXT);
	assert_int_equal(strlen(out.text), sizeof(out.text) - 1);
}

static void test_wishes_within_bounds(void **state)
{
	(void)state;
	struct nt_decoder_open said = { .what = NT_DECODER_OPEN, .number = 1, .file = NT_DECODER_BESIDE, .name = "A.dll" }, out;
	assert_true(nt_decoder_take_open(&said, sizeof(said), 1, &out));
	assert_false(nt_decoder_take_open(&said, sizeof(said) - 1, 1, &out));
	assert_false(nt_decoder_take_open(&said, sizeof(said), 0, &out));
	said.id_length = NT_BUILD_ID_MAX + 1;
	assert_false(nt_decoder_take_open(&said, sizeof(said), 1, &out));
	said.id_length = 0;
	said.file = NT_DECODER_FILE_COUNT;
	assert_false(nt_decoder_take_open(&said, sizeof(said), 1, &out));
	said.file = NT_DECODER_BESIDE;
	memset(said.name, 'x', sizeof(said.name));
	assert_false(nt_decoder_take_open(&said, sizeof(said), 1, &out));
}

static void test_questions(void **state)
{
	(void)state;
	static char packet[NT_DECODER_PACKET];
	struct nt_decoder_question said[NT_DECODER_BATCH], heard[NT_DECODER_BATCH];
	char path[NT_DECODER_PATH];
	memset(path, 'p', sizeof(path) - 1);
	path[sizeof(path) - 1] = '\0';
	for (unsigned i = 0; i < NT_DECODER_BATCH; i++)
		said[i] = (struct nt_decoder_question){ .inode = i, .offset = UINT64_MAX - i, .path = path + i };
	bool more = false;
	size_t length = nt_decoder_put_questions(said, NT_DECODER_BATCH, true, packet);
	assert_true(length <= sizeof(packet));
	assert_int_equal(nt_decoder_take_questions(packet, length, heard, &more), NT_DECODER_BATCH);
	assert_true(more);
	for (unsigned i = 0; i < NT_DECODER_BATCH; i++) {
		assert_int_equal(heard[i].inode, i);
		assert_int_equal(heard[i].offset, UINT64_MAX - i);
		assert_string_equal(heard[i].path, path + i);
	}
	for (size_t cut = 0; cut < length; cut += 97)
		assert_int_equal(nt_decoder_take_questions(packet, cut, heard, &more), 0);
}

/* ---- what is opened ---- */

/* The reason of a refusal; "" = it was opened. */
static const char *open_for(struct fixture *f, const char *image, enum nt_decoder_file file, const char *name,
			    char reason[NT_DECODER_REASON])
{
	struct nt_codemap_question question = question_of(f, image);
	struct nt_decoder_open wanted = { .what = NT_DECODER_OPEN, .file = file, .id_length = 2, .id = { 0xab, 0xcd } };
	struct nt_decoder_opened opened;
	int fd;
	snprintf(wanted.name, sizeof(wanted.name), "%s", name);
	assert_int_equal(nt_decoder_broker_open(&f->target, f->hand, &question, &wanted, &opened, &fd), NT_OK);
	snprintf(reason, NT_DECODER_REASON, "%s", fd >= 0 ? "" : *opened.reason ? opened.reason : "none");
	if (fd >= 0) {
		assert_int_equal(fcntl(fd, F_GETFL) & O_ACCMODE, O_RDONLY);
		close(fd);
	}
	return reason;
}

static void test_broker(void **state)
{
	(void)state;
	struct fixture *f = fixture_new();
	char reason[NT_DECODER_REASON];
	shell(f, "echo secret > etc/shadow && echo secret > app/shadow && cp app/program app/core && printf MZ > app/A.dll && echo no > "
		 "app/B.dll && "
		 "printf MZ > etc/C.dll && cp app/program app/program.so.debug && mkfifo app/F.dll && ln -s A.dll app/L.dll && "
		 "printf '\\004' | dd of=app/core bs=1 seek=16 conv=notrunc 2>/dev/null");
	assert_string_equal(open_for(f, "/app/program", NT_DECODER_IMAGE, "", reason), "");
	assert_string_equal(open_for(f, "/app/A.dll", NT_DECODER_IMAGE, "", reason), "");
	/* It may have such a path, and even be mapped: what does not begin as a program does is not for the decoder. */
	assert_string_equal(open_for(f, "/etc/shadow", NT_DECODER_IMAGE, "", reason), "no ELF image: shadow");
	assert_string_equal(open_for(f, "/app/core", NT_DECODER_IMAGE, "", reason), "no ELF image: core");
	assert_string_equal(open_for(f, "/app/program", NT_DECODER_BESIDE, "A.dll", reason), "");
	assert_string_equal(open_for(f, "/app/program", NT_DECODER_BESIDE, "B.dll", reason), "no ELF image: B.dll");
	assert_string_equal(open_for(f, "/app/program", NT_DECODER_BESIDE, "F.dll", reason), "image not read: it is a FIFO");
	assert_string_equal(open_for(f, "/app/program", NT_DECODER_BESIDE, "L.dll", reason), "image not read: it is a symbolic link");
	assert_string_equal(open_for(f, "/app/program", NT_DECODER_BESIDE, "../etc/C.dll", reason), "it is no assembly");
	assert_string_equal(open_for(f, "/app/program", NT_DECODER_BESIDE, "shadow", reason), "it is no assembly");
	assert_string_equal(open_for(f, "/app/program", NT_DECODER_BESIDE, "", reason), "it is no assembly");
	assert_string_equal(open_for(f, "/app/program", NT_DECODER_DEBUG, "program.so.debug", reason), "");
	assert_string_equal(open_for(f, "/app/program", NT_DECODER_DEBUG, "core", reason), "none");
	assert_string_equal(open_for(f, "/app/program", NT_DECODER_DEBUG, "shadow", reason), "none");
	assert_string_equal(open_for(f, "/app/program", NT_DECODER_DEBUG, "../etc/C.dll", reason), "none");
	fixture_free(f);
}

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

static void check_refused(struct fixture *f, const char *path, const char *reason)
{
	const struct nt_decoder_answer *answer = ask(f, path);
	assert_false(answer->has_name);
	assert_string_equal(answer->text, reason);
	assert_int_equal(answer->naming, NT_NAMING_IMAGE_UNREADABLE);
	assert_int_equal(answer->end, UINT64_MAX);
	/* It is not asked again for that one, but for others. */
	nt_time before = nt_clock_now();
	assert_string_equal(ask(f, path)->text, reason);
	assert_true(nt_clock_now() - before < NT_NS_PER_S);
	assert_string_equal(ask(f, "/fake/good")->text, "good");
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
	struct nt_codemap_question questions[40];
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

/* What is said after the last question is not heard; what was said before something that makes no sense is. */
static void test_answers_together(void **state)
{
	(void)state;
	struct fixture *f = fixture_new();
	struct nt_codemap_question questions[40];
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
		cmocka_unit_test(test_answers_within_bounds),
		cmocka_unit_test(test_wishes_within_bounds),
		cmocka_unit_test(test_questions),
		cmocka_unit_test(test_broker),
		cmocka_unit_test(test_killed),
		cmocka_unit_test(test_bad_images),
		cmocka_unit_test(test_spinning),
		cmocka_unit_test(test_batch),
		cmocka_unit_test(test_answers_together),
		cmocka_unit_test(test_confined),
	};
	signal(SIGPIPE, SIG_IGN);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
