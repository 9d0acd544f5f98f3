/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A decoder and a folder as its target's root. The test program is its own decoder: for images below /fake one that misbehaves as the image's name says, else the real one. Include it
 * after cmocka.h; everything is static, because each test is one program.
 */
#ifndef TEST_DECODER_FIXTURE_H
#define TEST_DECODER_FIXTURE_H

#include "base/alloc.h"
#include "source/decoder/decoder.h"
#include "source/decoder/decoder_broker.h"
#include "source/decoder/decoder_process.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
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

/* Says nothing before it has looked at all of them. */
static void fake_say_later(const struct nt_decoder_question *questions, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		if (strcmp(questions[i].path, "/fake/crash") == 0)
			__builtin_trap();
	fake_say_together(count, UINT32_MAX);
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

static void fake_part(uint32_t number, enum nt_decoder_column column, const void *items, uint32_t size)
{
	static char packet[NT_DECODER_PACKET];
	const struct nt_decoder_part part = { NT_DECODER_TABLE, number, column, size };
	memcpy(packet, &part, sizeof(part));
	memcpy(packet + sizeof(part), items, size);
	if (write(NT_DECODER_FD, packet, sizeof(part) + size) < 0)
		_exit(0);
}

/* One line, whose text begins at `offset` of a thousand letters. */
static void fake_table(uint32_t number, uint32_t offset, uint16_t length)
{
	const struct nt_batch_line line = { .start = 1, .offset = offset, .length = length };
	static const char letters[1000];
	fake_part(number, NT_DECODER_LINES, &line, sizeof(line));
	fake_part(number, NT_DECODER_LETTERS, letters, sizeof(letters));
	fake_say(number, "good");
}

_Noreturn static void fake_flood(uint32_t number, uint32_t size)
{
	static const char letters[NT_DECODER_PART];
	for (;;)
		fake_part(number, NT_DECODER_LETTERS, letters, size);
}

static void *fake_turn(void *unused)
{
	(void)unused;
	for (volatile unsigned long i = 0;; i++)
		;
	return NULL;
}

/* Many threads on one CPU: it takes no more CPU time than time goes by, and has most of that CPU however many others want it. */
_Noreturn static void fake_spin(void)
{
	enum { TURNERS = 64 };
	cpu_set_t one;
	pthread_t turner;
	CPU_ZERO(&one);
	CPU_SET((size_t)sched_getcpu(), &one);
	assert_int_equal(sched_setaffinity(0, sizeof(one), &one), 0);
	for (int i = 0; i < TURNERS; i++)
		assert_int_equal(pthread_create(&turner, NULL, fake_turn, NULL), 0);
	fake_turn(NULL);
	abort();
}

static void fake_answer(uint32_t number, const char *how)
{
	static const char junk[NT_DECODER_PACKET - 1024];
	if (strcmp(how, "/fake/spin") == 0)
		fake_spin();
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
	else if (strcmp(how, "/fake/table") == 0)
		fake_table(number, 990, 10);
	else if (strcmp(how, "/fake/long-table") == 0)
		fake_table(number, 990, 11);
	else if (strcmp(how, "/fake/long-text") == 0)
		fake_table(number, 0, 900);
	else if (strcmp(how, "/fake/flood") == 0)
		fake_flood(number, NT_DECODER_PART);
	else if (strcmp(how, "/fake/drip") == 0)
		fake_flood(number, 1);
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
		else if (count && strcmp(questions[0].path, "/fake/later") == 0)
			fake_say_later(questions, (uint32_t)count);
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
	_exit(nt_decoder_serve(argv[1]));
}

/* ---- the fixture: a folder as the target's root ---- */

enum { ANSWERS_MAX = 64 };

struct fixture {
	char root[64];
	struct nt_files_target target;
	struct nt_hand *hand;
	struct nt_decoder *decoder;
	struct nt_decoder_answer answers[ANSWERS_MAX];
	size_t count;
	bool for_now; /* the last of them, as the next */
	size_t line_count;
};

static inline void shell(const struct fixture *f, const char *command)
{
	char *whole = nt_format("cd %s && %s", f->root, command);
	assert_int_equal(system(whole), 0);
	free(whole);
}

static inline struct fixture *fixture_new(void)
{
	struct fixture *f = nt_alloc(sizeof(*f));
	strcpy(f->root, "/tmp/nt-test-decoder-XXXXXX");
	assert_non_null(mkdtemp(f->root));
	f->target = (struct nt_files_target){ .uid = geteuid(), .image_dir = f->root, .root_dir = f->root, .proc_dir = f->root };
	f->hand = nt_hand_new();
	f->decoder = nt_decoder_new(&f->target, f->hand, NT_DECODER_WORD);
	shell(f, "mkdir -p app etc && cp /proc/$PPID/exe app/program");
	return f;
}

static inline void fixture_free(struct fixture *f)
{
	nt_decoder_free(f->decoder);
	nt_hand_free(f->hand);
	shell(f, "cd / && rm -rf $OLDPWD");
	free(f);
}

static inline void keep(void *context, const struct nt_decoder_request *request, const struct nt_decoder_reply *reply)
{
	struct fixture *f = context;
	(void)request;
	assert_true(f->count < ANSWERS_MAX);
	f->answers[f->count++] = *reply->answer;
	f->for_now = reply->for_now;
	f->line_count = reply->table->line_count;
}

/* A question for a file that need not be there. */
static inline struct nt_decoder_request question_of(const struct fixture *f, const char *path)
{
	struct stat stat_of;
	char *real = nt_format("%s%s", f->root, path);
	uint64_t inode = stat(real, &stat_of) == 0 ? (uint64_t)stat_of.st_ino : 1;
	free(real);
	return (struct nt_decoder_request){ .of = { .inode = inode, .offset = 4096, .image = (char *)(uintptr_t)path } };
}

static inline const struct nt_decoder_answer *ask_as(struct fixture *f, enum nt_decoder_verb verb, const char *path)
{
	struct nt_decoder_request question = question_of(f, path);
	question.verb = verb;
	f->count = 0;
	nt_decoder_ask(f->decoder, &question, 1, keep, f);
	assert_int_equal(f->count, 1);
	return &f->answers[0];
}

static inline const struct nt_decoder_answer *ask(struct fixture *f, const char *path)
{
	return ask_as(f, NT_DECODE_NAME, path);
}

/* Our one child, or 0. */
static inline pid_t child_of_ours(void)
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

#endif
