// SPDX-License-Identifier: GPL-2.0-only
#include "app/ssh/ssh_command.h"

#include "app/common/exit.h"
#include "app/common/terminal_reset.h"
#include "app/loop/signals.h"
#include "app/ssh/ssh_connection.h"
#include "app/ssh/ssh_script.h"
#include "decode/common/far_answer.h"

#include <langinfo.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

/* A screen needs one; another command has one for its question, where somebody can answer here, and what it writes is for people. */
static bool wants_terminal(const struct nt_options *options)
{
	if (options->output != NT_OUTPUT_SCREEN)
		return false;
	return options->command == NT_COMMAND_WATCH || (isatty(STDIN_FILENO) && isatty(STDOUT_FILENO));
}

static enum nt_status look(struct nt_ssh *ssh, const struct nt_options *options, struct nt_far_answer *answer, struct nt_error *err)
{
	char *output = NULL;
	size_t length = 0;
	int exit_status = 0;
	const struct nt_ssh_call call = { .line = "sh",
					  .input = nt_ssh_look_script,
					  .input_length = strlen(nt_ssh_look_script),
					  .output = &output,
					  .output_length = &length };
	enum nt_status status = nt_ssh_call(ssh, &call, &exit_status, err);
	if (status == NT_OK && !nt_far_answer_read(output, length, answer))
		status = nt_error_set(err, NT_ERR_FAILED, "%s lets nobody execute sh there (exit status %d)", options->ssh_host,
				      exit_status);
	free(output);
	return status;
}

static enum nt_status start(struct nt_ssh *ssh, const struct nt_options *options, const char *program, int *exit_status,
			    struct nt_error *err)
{
	bool terminal = wants_terminal(options);
	char **words = nt_options_for_another(options, program);
	const struct nt_ssh_start setup = { .input_is_watch = !terminal,
					    .ctype = strcmp(nl_langinfo(CODESET), "UTF-8") == 0 ? "C.UTF-8" : "C",
					    .argv = words };
	char *line = nt_ssh_start_line(&setup);
	struct termios modes;
	bool is_known = terminal && tcgetattr(STDOUT_FILENO, &modes) == 0;
	enum nt_status status = nt_ssh_hand_over(ssh, line, terminal, exit_status, err);
	if (is_known && *exit_status == NT_SSH_LOST) /* who drew on it cannot put it right any more */
		nt_terminal_reset(STDOUT_FILENO, &modes);
	free(line);
	nt_options_for_another_free(words);
	return status;
}

static enum nt_status run(struct nt_ssh *ssh, const struct nt_options *options, int *exit_status, struct nt_error *err)
{
	struct nt_far_answer answer;
	enum nt_status status = look(ssh, options, &answer, err);
	if (status == NT_OK && !*answer.program)
		status = nt_error_set(err, NT_ERR_UNSUPPORTED, "there is no nettop on %s, neither in PATH nor in ~/.local/bin",
				      options->ssh_host);
	return status == NT_OK ? start(ssh, options, answer.program, exit_status, err) : status;
}

int nt_ssh_command(struct nt_options *options, struct nt_error *err)
{
	struct nt_ssh *ssh;
	int exit_status = NT_EXIT_FAILURE;
	nt_signals_block();
	enum nt_status status = nt_ssh_new(options->ssh_host, &ssh, err);
	if (status != NT_OK)
		return nt_exit_of(status);
	if (wants_terminal(options) && !(isatty(STDIN_FILENO) && isatty(STDOUT_FILENO)))
		status = nt_error_set(err, NT_ERR_USAGE, "a screen needs a terminal; otherwise --batch or --json");
	else
		status = run(ssh, options, &exit_status, err);
	nt_ssh_free(ssh);
	return status == NT_OK ? exit_status : status == NT_END ? NT_EXIT_FAILURE : nt_exit_of(status);
}
