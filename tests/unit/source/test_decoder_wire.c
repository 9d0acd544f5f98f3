// SPDX-License-Identifier: GPL-2.0-only
/* What the decoder says is within bounds, and what it may open is decided by nettop. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "decoder_fixture.h"

#include <fcntl.h>

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
	enum { LONG = 12 }; /* paths of that length; a packet has not room for many */
	static char packet[NT_DECODER_PACKET];
	struct nt_decoder_question said[NT_DECODER_BATCH], heard[NT_DECODER_BATCH];
	char path[NT_DECODER_PATH];
	memset(path, 'p', sizeof(path) - 1);
	path[sizeof(path) - 1] = '\0';
	for (unsigned i = 0; i < NT_DECODER_BATCH; i++)
		said[i] = (struct nt_decoder_question){ .verb = i % NT_DECODE_VERB_COUNT,
							.inode = i,
							.offset = UINT64_MAX - i,
							.base = i * 3,
							.path = i < LONG ? path + i : path + sizeof(path) - 1 - i,
							.bytes = path,
							.length = i };
	bool more = false;
	size_t length = nt_decoder_put_questions(said, NT_DECODER_BATCH, true, packet);
	assert_true(length <= sizeof(packet));
	assert_int_equal(nt_decoder_take_questions(packet, length, heard, &more), NT_DECODER_BATCH);
	assert_true(more);
	for (unsigned i = 0; i < NT_DECODER_BATCH; i++) {
		assert_int_equal(heard[i].inode, i);
		assert_int_equal(heard[i].offset, UINT64_MAX - i);
		assert_string_equal(heard[i].path, said[i].path);
		assert_int_equal(heard[i].verb, said[i].verb);
		assert_int_equal(heard[i].base, i * 3);
		assert_int_equal(heard[i].length, i);
		assert_memory_equal(heard[i].bytes, path, i);
		assert_int_equal(((const char *)heard[i].bytes)[i], 0);
	}
	/* Kinds of questions that there are not. */
	uint64_t verb = NT_DECODE_VERB_COUNT;
	memcpy(packet + 3 * sizeof(uint32_t) + 3 * sizeof(uint64_t), &verb, sizeof(verb));
	assert_int_equal(nt_decoder_take_questions(packet, length, heard, &more), 0);
	for (size_t cut = 0; cut < length; cut += 97)
		assert_int_equal(nt_decoder_take_questions(packet, cut, heard, &more), 0);
}

static void test_rules(void **state)
{
	(void)state;
	struct nt_frame_rule rule = { .way = NT_FRAME_CFI, .cfa_reg = NT_REG_SP, .cfa_offset = 16 }, out;
	char letters[sizeof(rule)];
	struct nt_decoder_table table = { .letters = letters, .letter_count = sizeof(rule) };
	memcpy(letters, &rule, sizeof(rule));
	assert_true(nt_decoder_table_rule(&table, &out));
	assert_int_equal(out.cfa_offset, 16);
	table.letter_count--;
	assert_false(nt_decoder_table_rule(&table, &out));
	table.letter_count++;
	letters[offsetof(struct nt_frame_rule, cfa_is_word_there)] = 2;
	assert_false(nt_decoder_table_rule(&table, &out));
	letters[offsetof(struct nt_frame_rule, cfa_is_word_there)] = 0;
	letters[offsetof(struct nt_frame_rule, cfa_reg)] = NT_REG_COUNT;
	assert_false(nt_decoder_table_rule(&table, &out));
	letters[offsetof(struct nt_frame_rule, cfa_reg)] = 0;
	letters[offsetof(struct nt_frame_rule, way)] = NT_FRAME_OUTERMOST + 1;
	assert_false(nt_decoder_table_rule(&table, &out));
}

/* ---- what is opened ---- */

/* The reason of a refusal; "" = it was opened. */
static const char *open_as(struct fixture *f, enum nt_decoder_verb verb, const char *image, enum nt_decoder_file file, const char *name,
			   char reason[NT_DECODER_REASON])
{
	struct nt_decoder_request question = question_of(f, image);
	question.verb = verb;
	struct nt_decoder_open wanted = { .what = NT_DECODER_OPEN, .file = file, .id_length = 2, .id = { 0xab, 0xcd } };
	struct nt_decoder_opened opened;
	struct nt_decoder_debug debug = { .path = "" };
	int fd;
	snprintf(wanted.name, sizeof(wanted.name), "%s", name);
	assert_int_equal(nt_decoder_broker_open(&f->target, f->hand, &question, &wanted, &opened, &fd, &debug), NT_OK);
	assert_true((*debug.path != 0) == (file == NT_DECODER_DEBUG && fd >= 0));
	snprintf(reason, NT_DECODER_REASON, "%s", fd >= 0 ? "" : *opened.reason ? opened.reason : "none");
	if (fd >= 0) {
		assert_int_equal(fcntl(fd, F_GETFL) & O_ACCMODE, O_RDONLY);
		close(fd);
	}
	return reason;
}

static const char *open_for(struct fixture *f, const char *image, enum nt_decoder_file file, const char *name,
			    char reason[NT_DECODER_REASON])
{
	return open_as(f, NT_DECODE_NAME, image, file, name, reason);
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

/* A PDB is handed over to whoever is asked for lines, if it is called as the assembly is, and is one. */
static void test_broker_of_pdbs(void **state)
{
	(void)state;
	struct fixture *f = fixture_new();
	char reason[NT_DECODER_REASON];
	shell(f, "printf MZ > app/A.dll && printf MZ > app/B.dll && printf BSJB > app/A.pdb && printf BSJB > app/C.pdb && echo secret > "
		 "app/B.pdb");
	assert_string_equal(open_as(f, NT_DECODE_SOURCE, "/app/A.dll", NT_DECODER_BESIDE, "A.pdb", reason), "");
	assert_string_equal(open_as(f, NT_DECODE_SOURCE, "/app/A.dll", NT_DECODER_BESIDE, "C.pdb", reason), "it is no assembly");
	assert_string_equal(open_as(f, NT_DECODE_SOURCE, "/app/B.dll", NT_DECODER_BESIDE, "B.pdb", reason), "it is no portable PDB");
	assert_string_equal(open_as(f, NT_DECODE_NAME, "/app/A.dll", NT_DECODER_BESIDE, "A.pdb", reason), "it is no assembly");
	assert_string_equal(open_as(f, NT_DECODE_SOURCE, "/app/A.dll", NT_DECODER_IMAGE, "", reason), "");
	shell(f, "cp app/A.pdb app/D.dll");
	assert_string_equal(open_as(f, NT_DECODE_SOURCE, "/app/D.dll", NT_DECODER_IMAGE, "", reason), "no ELF image: D.dll");
	fixture_free(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_answers_within_bounds),
		cmocka_unit_test(test_wishes_within_bounds),
		cmocka_unit_test(test_questions),
		cmocka_unit_test(test_rules),
		cmocka_unit_test(test_broker),
		cmocka_unit_test(test_broker_of_pdbs),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
