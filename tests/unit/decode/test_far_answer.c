// SPDX-License-Identifier: GPL-2.0-only
/* What a machine over ssh says of itself. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "decode/common/far_answer.h"

#include <stdbool.h>
#include <string.h>

static const struct example {
	const char *text;
	bool whole;
	const char *machine, *program, *folder;
} examples[] = {
	{ "nettop-far machine Linux x86_64\nnettop-far program /usr/bin/nettop\nnettop-far end\n", true, "Linux x86_64", "/usr/bin/nettop",
	  "" },
	{ "Last login: today\nnettop-far folder /tmp/nettop.8kQ\nnettop-far end\nnettop-far program /late\n", true, "", "",
	  "/tmp/nettop.8kQ" },
	{ "nettop-far machine\nnettop-far machine \nnettop-far end\n", true, "", "", "" },
	{ "nettop-far program /first\nnettop-far program /second\nnettop-far end\n", true, "", "/first", "" },
	{ "nettop-far program bin/nettop\nnettop-far folder ~/x\nnettop-far end\n", true, "", "", "" },
	{ "nettop-far program /x\033[2J\nnettop-far program /y\x7f\nnettop-far end\n", true, "", "", "" },
	{ "echo nettop-far end\n nettop-far end\nnettop-far ended\n", false, "", "", "" },
	{ "nettop-far machine Linux x86_64\nnettop-far end", false, "Linux x86_64", "", "" }, /* the last line is not whole */
	{ "", false, "", "", "" },
};

static void test_examples(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(examples) / sizeof(examples[0]); i++) {
		struct nt_far_answer answer;
		assert_int_equal(nt_far_answer_read(examples[i].text, strlen(examples[i].text), &answer), examples[i].whole);
		assert_string_equal(answer.machine, examples[i].machine);
		assert_string_equal(answer.program, examples[i].program);
		assert_string_equal(answer.folder, examples[i].folder);
	}
}

static void test_texts_have_an_end(void **state)
{
	(void)state;
	char line[NT_FAR_TEXT * 2] = "nettop-far program /";
	struct nt_far_answer answer;
	memset(line + strlen(line), 'a', NT_FAR_TEXT);
	strcat(line, "\nnettop-far end\n");
	assert_true(nt_far_answer_read(line, strlen(line), &answer));
	assert_string_equal(answer.program, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_examples), cmocka_unit_test(test_texts_have_an_end) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
