// SPDX-License-Identifier: GPL-2.0-only
/* What can stand at the end of a command line. In the shells themselves: tests/pty/test_completion.py. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "app/commands/completion.h"
#include "app/common/option_words.h"

#include <stdlib.h>
#include <string.h>

enum { WORDS_MAX = 16 };

static const struct nt_process_row processes[] = {
	{ .pid = 4711, .name = "shop-web" }, { .pid = 4712, .name = "shop-web" }, { .pid = 99, .name = "$(touch x)" },
	{ .pid = 98, .name = "-rf" },        { .pid = 97, .name = "two words" },  { .pid = 96 },
};

static size_t rows(void *context, const struct nt_process_row **out)
{
	++*(unsigned *)context;
	*out = processes;
	return sizeof(processes) / sizeof(processes[0]);
}

/* Splits `line` at blanks; what is behind the last blank is to be completed. The answer is the caller's. */
static char *complete(const char *line, unsigned *looks)
{
	static char text[512];
	char *words[WORDS_MAX + 1] = { text }, *answer = NULL;
	size_t count = 1, size;
	const struct nt_completion_processes from = { .rows = rows, .context = looks };
	snprintf(text, sizeof(text), "%s", line);
	for (char *at = text; (at = strchr(at, ' ')); count++) {
		assert_true(count < WORDS_MAX);
		*at++ = '\0';
		words[count] = at;
	}
	words[count] = NULL;
	FILE *out = open_memstream(&answer, &size);
	nt_completion_write(words, &from, out);
	fclose(out);
	return answer;
}

/* Is there a line that begins with this, and a tab behind it? */
static bool offers(const char *answer, const char *text)
{
	size_t length = strlen(text);
	for (const char *at = answer; (at = strstr(at, text)); at++)
		if ((at == answer || at[-1] == '\n') && (text[0] == ':' ? at[length] == '\n' : at[length] == '\t'))
			return true;
	return false;
}

static void test_lines(void **state)
{
	static const struct {
		const char *line, *has, *has_not;
	} lines[] = {
		{ "", "doctor", "--json" },
		{ "", "4711", "--json" },
		{ "", "shop-web", "two" },
		{ "ev", "events", "env" },
		{ "e", "env", "doctor" },
		{ "-", "--theme", "doctor" },
		{ "--th", "--theme", "--top" },
		{ "ps -", "--json", "--theme" },
		{ "help st", "stacks", "ps" },
		{ "-p ", "4711", "--json" },
		{ "-p 471", "4712", "99" },
		{ "-p sh", "shop-web", "4711" },
		{ "threads ", "shop-web", "doctor" },
		{ "--theme ", "light", "4711" },
		{ "--theme l", "light", "dark" },
		{ "--theme=l", "--theme=light", "light" },
		{ "--theme =", "light", "--theme" },
		{ "--theme = l", "light", "dark" },
		{ "--pid=sh", "--pid=shop-web", "4711" },
		{ "--source perf,l", "perf,lttng", "lttng" },
		{ "--source=perf,l", "--source=perf,lttng", "perf,lttng" },
		{ "-f ", "counters-csv", "docker" },
		{ "env -f ", "docker", "counters-csv" },
		{ "stacks -f folded,p", "folded,pprof", "folded,folded" },
		{ "--sort gc.p", "gc.pause_ns", "methods.self_pct" },
		{ "dump --type ", "triage", "shop-web" },
		{ "stacks -o ", ":files", "shop-web" },
		{ "map --symfs ", ":folders", ":files" },
		{ "run ", ":commands", "4711" },
		{ "run -", "--theme", "--pid" },
		{ "run --theme ", "light", ":commands" },
		{ "run -- ", ":commands", "4711" },
		{ "run -- dotnet -", ":files", "--theme" },
		{ "run --theme light dotnet -", ":files", "--theme" },
		{ "completion ", "fish", "4711" },
		{ "-d ", "", "4711" },
		{ "config ", "", "doctor" },
	};
	(void)state;
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		unsigned looks = 0;
		char *answer = complete(lines[i].line, &looks);
		if ((*lines[i].has && !offers(answer, lines[i].has)) || offers(answer, lines[i].has_not))
			fail_msg("nettop %s: %s", lines[i].line, answer);
		free(answer);
	}
}

/* The shell puts it on the line as it is. */
static void test_names_that_mean_something_to_a_shell_are_left_out(void **state)
{
	unsigned looks = 0;
	(void)state;
	char *answer = complete("-p ", &looks);
	assert_int_equal(looks, 1);
	assert_true(offers(answer, "97") && offers(answer, "96"));
	assert_false(offers(answer, "two words") || offers(answer, "-rf") || offers(answer, "$(touch x)"));
	char *first = strstr(answer, "\nshop-web\t");
	assert_true(first && !strstr(first + 1, "\nshop-web\t"));
	free(answer);
	answer = complete("--theme ", &looks);
	assert_int_equal(looks, 1);
	free(answer);
}

/* Each word is understood by the option that it is said for. */
static void test_words_are_understood(void **state)
{
	(void)state;
	for (int command = 0; command < NT_COMMAND_COUNT; command++) {
		struct nt_option_info option;
		for (size_t i = 0; nt_option_at((enum nt_command)command, i, &option); i++) {
			const char *words = option.argument ? nt_option_words((enum nt_command)command, option.name) : NULL;
			for (size_t length; words && *words; words += length + (words[length] == ' ')) {
				char name[64], word[64];
				char program[] = "nettop", target[] = "-p4711", name_of[32];
				const char *command_name = nt_command_name((enum nt_command)command);
				snprintf(name_of, sizeof(name_of), "%s", command_name ? command_name : "");
				length = strcspn(words, " ");
				snprintf(name, sizeof(name), "--%s", option.name);
				snprintf(word, sizeof(word), "%.*s", (int)length, words);
				char *with[] = { program, name_of, name, word, target, NULL },
				     *without[] = { program, name, word, target, NULL };
				bool starts = command == NT_COMMAND_RUN || command == NT_COMMAND_ENV || command == NT_COMMAND_REPLAY ||
					      command == NT_COMMAND_EXPORT || command == NT_COMMAND_DIFF;
				struct nt_options options;
				struct nt_error err = { 0 };
				if (starts)
					snprintf(target, sizeof(target), "x");
				enum nt_status status = command_name
								? nt_options_parse(&options, command == NT_COMMAND_ENV ? 4 : 5, with, &err)
								: nt_options_parse(&options, 4, without, &err);
				if (status != NT_OK)
					fail_msg("%s %s %s: %s", name_of, name, word, err.cause[0]);
			}
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lines),
		cmocka_unit_test(test_names_that_mean_something_to_a_shell_are_left_out),
		cmocka_unit_test(test_words_are_understood),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
