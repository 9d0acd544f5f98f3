// SPDX-License-Identifier: GPL-2.0-only
/* What --ssh has executed over there, by the shell of this machine. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "app/common/options.h"
#include "app/ssh/ssh_script.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* What the line writes, and its exit status. */
static int execute(const struct nt_ssh_start *start, char *text, size_t size)
{
	char *line = nt_ssh_start_line(start);
	FILE *shell = popen(line, "r");
	assert_non_null(shell);
	text[fread(text, 1, size - 1, shell)] = '\0';
	int status = pclose(shell);
	free(line);
	return WEXITSTATUS(status);
}

static void test_words_and_status_come_through(void **state)
{
	(void)state;
	char sh[] = "sh", c[] = "-c", script[] = "printf '<%s>' \"$@\"; exit 4", zero[] = "x", one[] = "it's", two[] = "",
	     three[] = "a\\ $HOME `id` \"", four[] = "-n";
	char *words[] = { sh, c, script, zero, one, two, three, four, NULL };
	char text[256];
	int input[2]; /* stays open, as the connection does: its end would end what is started */
	assert_int_equal(pipe(input), 0);
	assert_int_equal(dup2(input[0], STDIN_FILENO), STDIN_FILENO);
	for (int watched = 0; watched < 2; watched++) {
		const struct nt_ssh_start start = { .input_is_watch = watched, .host = "far", .ctype = "C.UTF-8", .argv = words };
		assert_int_equal(execute(&start, text, sizeof(text)), 4);
		assert_string_equal(text, "<it's><><a\\ $HOME `id` \"><-n>");
	}
	close(input[0]);
	close(input[1]);
}

static void test_the_folder_is_gone_however_it_ends(void **state)
{
	(void)state;
	char sh[] = "sh", c[] = "-c";
	char ends[][32] = { "exit 0", "kill -KILL $$", "kill -HUP $$", "kill -HUP $PPID; exit 3" };
	const int statuses[] = { 0, 128 + 9, 128 + 1, 3 };
	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		char folder[] = "/tmp/nettop-test-XXXXXX", text[64];
		char *words[] = { sh, c, ends[i], NULL };
		struct stat stat_of;
		assert_non_null(mkdtemp(folder));
		const struct nt_ssh_start start = { .folder = folder, .host = "far", .ctype = "C", .argv = words };
		assert_int_equal(execute(&start, text, sizeof(text)), statuses[i]);
		assert_int_equal(stat(folder, &stat_of), -1);
	}
}

/* Whether somebody still has the other end of this pipe open, after so long. */
static bool is_held(int fd)
{
	for (int i = 0; i < 500; i++) {
		if (write(fd, "\n", 1) < 0)
			return false;
		usleep(2000);
	}
	return true;
}

static void test_nobody_waits_for_an_input_that_does_not_end(void **state)
{
	(void)state;
	char true_[] = "true", text[64];
	char *words[] = { true_, NULL };
	const struct nt_ssh_start start = { .input_is_watch = true, .host = "far", .ctype = "C", .argv = words };
	int before = dup(STDIN_FILENO);
	signal(SIGPIPE, SIG_IGN);
	for (int i = 0; i < 100; i++) { /* what ends it may come before it has begun */
		int input[2];
		assert_int_equal(pipe(input), 0);
		assert_int_equal(dup2(input[0], STDIN_FILENO), STDIN_FILENO);
		close(input[0]);
		fcntl(input[1], F_SETFD, FD_CLOEXEC);
		assert_int_equal(execute(&start, text, sizeof(text)), 0);
		assert_int_equal(dup2(before, STDIN_FILENO), STDIN_FILENO);
		if (is_held(input[1]))
			fail_msg("after start %d somebody waits for its input", i + 1);
		close(input[1]);
	}
	close(before);
}

static void test_the_line_for_another_nettop(void **state)
{
	(void)state;
	char nettop[] = "nettop", ssh[] = "--ssh", host[] = "far", events[] = "events", p[] = "-p", web[] = "web", d[] = "-d3", e[] = "-e",
	     pattern[] = "clr/GC*", json[] = "--json";
	char *line[] = { nettop, ssh, host, events, p, web, d, e, pattern, json, NULL };
	static const char *const expected[] = { "/bin/nettop", "events", "--pid=web", "--duration=3", "--event=clr/GC*", "--json", "--" };
	struct nt_options options;
	struct nt_error err = { 0 };
	assert_int_equal(nt_options_parse(&options, 10, line, &err), NT_OK);
	assert_string_equal(options.ssh_host, "far");
	char **words = nt_options_for_another(&options, "/bin/nettop");
	for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++)
		assert_string_equal(words[i], expected[i]);
	assert_null(words[sizeof(expected) / sizeof(expected[0])]);
	nt_options_for_another_free(words);
}

static void test_a_host_anywhere(void **state)
{
	(void)state;
	char nettop[] = "nettop", all[] = "--all", joined[] = "--ssh=me@far", ps[] = "ps", config[] = "config";
	char *behind[] = { nettop, all, joined, NULL }, *before[] = { nettop, joined, ps, NULL },
	     *refused[] = { nettop, joined, config, NULL };
	struct nt_options options;
	struct nt_error err = { 0 };
	assert_int_equal(nt_options_parse(&options, 3, behind, &err), NT_OK);
	assert_string_equal(options.ssh_host, "me@far");
	char **words = nt_options_for_another(&options, "n");
	assert_string_equal(words[1], "--all");
	assert_string_equal(words[2], "--");
	nt_options_for_another_free(words);
	assert_int_equal(nt_options_parse(&options, 3, before, &err), NT_OK);
	assert_int_equal(options.command, NT_COMMAND_PS);
	assert_string_equal(options.ssh_host, "me@far");
	assert_int_equal(nt_options_parse(&options, 3, refused, &err), NT_ERR_USAGE);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_words_and_status_come_through),
					    cmocka_unit_test(test_the_folder_is_gone_however_it_ends),
					    cmocka_unit_test(test_nobody_waits_for_an_input_that_does_not_end),
					    cmocka_unit_test(test_the_line_for_another_nettop), cmocka_unit_test(test_a_host_anywhere) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
