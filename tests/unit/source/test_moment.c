// SPDX-License-Identifier: GPL-2.0-only
/* The words of `nettop stacks -e`. */
#include "source/common/moment.h"

#include <linux/perf_event.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>
#include <string.h>

static struct nt_moment_asked good(const char *word)
{
	struct nt_moment_asked asked;
	struct nt_error err = { 0 };
	assert_int_equal(nt_moment_parse(word, strlen(word), &asked, &err), NT_OK);
	assert_string_equal(asked.word, word);
	return asked;
}

static void every_sort(void **state)
{
	(void)state;
	struct nt_moment_asked asked = good("page-faults");
	assert_int_equal(asked.sort, NT_MOMENT_SOFTWARE);
	assert_int_equal(asked.software, PERF_COUNT_SW_PAGE_FAULTS);
	assert_int_equal(asked.unit, NT_MOMENT_COUNT);
	assert_int_equal(good("cs").software, PERF_COUNT_SW_CONTEXT_SWITCHES);
	assert_int_equal(good("cpu-clock").unit, NT_MOMENT_NS);
	asked = good("sched:sched_switch");
	assert_int_equal(asked.sort, NT_MOMENT_TRACEPOINT);
	assert_string_equal(asked.first, "sched");
	assert_string_equal(asked.second, "sched_switch");
	asked = good("u:libc.so.6:malloc");
	assert_int_equal(asked.sort, NT_MOMENT_CALL);
	assert_string_equal(asked.first, "libc.so.6");
	assert_string_equal(asked.second, "malloc");
	asked = good("ur:/opt/a:b/lib.so:f");
	assert_int_equal(asked.sort, NT_MOMENT_RETURN);
	assert_string_equal(asked.first, "/opt/a:b/lib.so");
	assert_string_equal(asked.second, "f");
	asked = good("clr:ExceptionThrown");
	assert_int_equal(asked.sort, NT_MOMENT_RUNTIME);
	assert_int_equal(asked.runtime->id, 80);
	assert_int_equal(nt_moment_source(&asked), NT_SOURCE_EVENTPIPE);
	asked = good("wait");
	assert_int_equal(asked.unit, NT_MOMENT_NS);
	assert_int_equal(nt_moment_source(&asked), NT_SOURCE_RUNTIME);
}

static void bad_words(void **state)
{
	(void)state;
	static const struct {
		const char *word, *says;
	} cases[] = {
		{ "", "'' is no event that nettop knows" },
		{ "page-fault", "'page-fault' is no event that nettop knows" },
		{ "u:malloc", "'u:malloc' names no function" },
		{ "u::malloc", "'u::malloc' names no function" },
		{ "u:libc.so.6:", "'u:libc.so.6:' names no function" },
		{ "ur:", "'ur:' names no function" },
		{ "clr:GCStart", "'clr:GCStart' is no event of the runtime that has a call stack" },
		{ "clr:", "'clr:' is no event of the runtime that has a call stack" },
		{ "sched:", "'sched:' is no tracepoint" },
		{ ":x", "':x' is no tracepoint" },
		{ "sched:../../id", "'sched:../../id' is no tracepoint" },
		{ "a/b:c", "'a/b:c' is no tracepoint" },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct nt_moment_asked asked;
		struct nt_error err = { 0 };
		char text[2 * NT_ERROR_TEXT];
		assert_int_equal(nt_moment_parse(cases[i].word, strlen(cases[i].word), &asked, &err), NT_ERR_USAGE);
		assert_non_null(strstr(nt_error_text(&err, text, sizeof(text)), cases[i].says));
		assert_non_null(strstr(text, "-e list"));
	}
}

static void long_words(void **state)
{
	(void)state;
	char word[2 * NT_MOMENT_WORD];
	struct nt_moment_asked asked;
	struct nt_error err = { 0 };
	memset(word, 'a', sizeof(word));
	memcpy(word, "u:", 2);
	word[NT_MOMENT_WORD - 3] = ':';
	assert_int_equal(nt_moment_parse(word, NT_MOMENT_WORD - 1, &asked, &err), NT_OK);
	assert_int_equal(strlen(asked.first), NT_MOMENT_WORD - 5);
	assert_int_equal(nt_moment_parse(word, NT_MOMENT_WORD, &asked, &err), NT_ERR_USAGE);
	assert_int_equal(nt_moment_parse("cs,x", 2, &asked, &err), NT_OK); /* no NUL behind it */
}

/* Each of the tables can be asked for by the name that the list has. */
static void tables(void **state)
{
	(void)state;
	const char *name, *about;
	const struct nt_moment_runtime *event;
	size_t count = 0;
	for (; (name = nt_moment_software_name(count, &about)); count++)
		assert_int_equal(good(name).sort, NT_MOMENT_SOFTWARE);
	assert_true(count > 5);
	for (count = 0; (event = nt_moment_runtime_at(count)); count++) {
		char word[NT_MOMENT_WORD] = "clr:";
		assert_ptr_equal(good(strcat(word, event->name)).runtime, event);
		/* GCHeapCollect would make the target collect. */
		assert_false(event->keywords & 0x800000);
	}
	assert_true(count > 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_sort),
		cmocka_unit_test(bad_words),
		cmocka_unit_test(long_words),
		cmocka_unit_test(tables),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
