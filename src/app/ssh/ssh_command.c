// SPDX-License-Identifier: GPL-2.0-only
#include "app/ssh/ssh_command.h"

#include "app/common/exit.h"
#include "app/common/terminal_reset.h"
#include "app/loop/signals.h"
#include "app/show/confirm.h"
#include "app/ssh/ssh_bundle.h"
#include "app/ssh/ssh_connection.h"
#include "app/ssh/ssh_script.h"
#include "base/alloc.h"
#include "base/plain_rights.h"
#include "decode/common/far_answer.h"

#include <langinfo.h>
#include <signal.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
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

/* `folder`, `loader`: of one that was copied there, else NULL. */
static enum nt_status start(struct nt_ssh *ssh, const struct nt_options *options, const char *program, const char *folder,
			    const char *loader, int *exit_status, struct nt_error *err)
{
	bool terminal = wants_terminal(options);
	char **words = nt_options_for_another(options, program);
	const struct nt_ssh_start setup = { .folder = folder,
					    .loader = loader,
					    .input_is_watch = !terminal,
					    .host = options->ssh_host,
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

static enum nt_status send_copy(struct nt_ssh *ssh, const struct nt_options *options, const struct nt_text_buffer *archive,
				const char *loader, struct nt_far_answer *answer, struct nt_error *err)
{
	char *output = NULL, *line = nt_ssh_copy_line(loader, archive->length);
	size_t length = 0;
	int exit_status = 0;
	const struct nt_ssh_call call = {
		.line = line, .input = archive->bytes, .input_length = archive->length, .output = &output, .output_length = &length
	};
	enum nt_status status = nt_ssh_call(ssh, &call, &exit_status, err);
	if (status == NT_OK && (!nt_far_answer_read(output, length, answer) || !*answer->folder))
		status = nt_error_set(err, NT_ERR_FAILED, "nettop was not copied to %s: %s", options->ssh_host,
				      exit_status == NT_SSH_NO_FOLDER      ? "no folder can be made there (mktemp)"
				      : exit_status == NT_SSH_NOT_UNPACKED ? "its files cannot be unpacked there (tar); is there room?"
				      : exit_status == NT_SSH_DOES_NOT_RUN
					      ? "it does not run there; may files be executed in no folder of yours?"
					      : "the answer is not what it should be");
	free(line);
	free(output);
	return status;
}

static enum nt_status copy_and_start(struct nt_ssh *ssh, const struct nt_options *options, const struct nt_far_answer *there,
				     int *exit_status, struct nt_error *err)
{
	struct nt_text_buffer archive = { 0 };
	char loader[NT_SSH_LOADER_NAME];
	struct nt_far_answer answer;
	enum nt_status status = nt_ssh_bundle_make(&archive, loader, err);
	if (status == NT_OK) {
		char *price = nt_format(
			"there is no nettop on %s. This one can be copied there, %.1f MB with its libraries, into a folder "
			"of its own in %s (in /var/tmp, the home or /dev/shm, where there is no room or files may not be executed there), "
			"which is removed at the end; "
			"it does without LTTng, machine code and debug information then",
			options->ssh_host, (double)archive.length / 1e6, there->folder);
		status = nt_confirm(price, options->yes, err);
		free(price);
	}
	if (status == NT_OK)
		status = send_copy(ssh, options, &archive, loader, &answer, err);
	nt_text_buffer_fini(&archive);
	if (status != NT_OK)
		return status;
	char *program = nt_format("%s/nettop", answer.folder);
	status = start(ssh, options, program, answer.folder, loader, exit_status, err);
	free(program);
	return status;
}

static enum nt_status run(struct nt_ssh *ssh, const struct nt_options *options, int *exit_status, struct nt_error *err)
{
	struct nt_far_answer answer;
	struct utsname here;
	char machine[NT_FAR_TEXT];
	enum nt_status status = look(ssh, options, &answer, err);
	if (status != NT_OK)
		return status;
	if (*answer.program)
		return start(ssh, options, answer.program, NULL, NULL, exit_status, err);
	nt_assert(uname(&here) == 0);
	snprintf(machine, sizeof(machine), "%s %s", here.sysname, here.machine);
	if (strcmp(machine, answer.machine) != 0)
		return nt_error_set(err, NT_ERR_UNSUPPORTED,
				    "there is no nettop on %s, and this one cannot be copied there: that is %s, this is %s",
				    options->ssh_host, *answer.machine ? answer.machine : "an unknown machine", machine);
	return copy_and_start(ssh, options, &answer, exit_status, err);
}

int nt_ssh_command(struct nt_options *options, struct nt_error *err)
{
	struct nt_ssh *ssh;
	int exit_status = NT_EXIT_FAILURE;
	nt_plain_rights_stay(); /* no process is looked at here */
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
