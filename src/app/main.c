// SPDX-License-Identifier: GPL-2.0-only
/* Arguments, wiring, exit status; nothing else. */
#include "app/batch.h"
#include "app/doctor.h"
#include "app/env.h"
#include "app/exit.h"
#include "app/loop.h"
#include "app/runtime_dir.h"
#include "app/screen.h"
#include "base/file.h"
#include "ui/term.h"

#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NT_VERSION "0.1"

static int report(const struct nt_error *err, int exit_status)
{
	char text[NT_ERROR_CAUSES * NT_ERROR_TEXT];
	if (err->cause_count)
		fprintf(stderr, "nettop: %s\n", nt_error_text(err, text, sizeof(text)));
	return exit_status;
}

static void print_version(void)
{
	puts("nettop " NT_VERSION "\nLicence GPL-2.0-only. No warranty.");
}

/* A full screen needs a terminal that can move its cursor; anything else gets text frames, and is told. */
static void choose_output(struct nt_options *options)
{
	char buf[NT_ERROR_TEXT];
	if (options->output != NT_OUTPUT_SCREEN)
		return;
	bool terminal = isatty(STDOUT_FILENO) && isatty(STDIN_FILENO);
	const char *why = terminal ? nt_term_refusal(NULL, buf, sizeof(buf)) : "no terminal";
	if (!why)
		return;
	options->output = NT_OUTPUT_TEXT;
	fprintf(stderr, "nettop: %s: text frames instead of the screen (-b)\n", why);
}

static int watch(struct nt_session_setup *setup, struct nt_error *err)
{
	char *dir = NULL;
	if (nt_runtime_dir_make(&dir, err) != NT_OK)
		return NT_EXIT_FAILURE;
	setup->runtime_dir = dir;
	nt_keeper_note(setup->keeper, "remove-dir", dir);
	int status = setup->options->output == NT_OUTPUT_SCREEN ? nt_screen_run(setup, err) : nt_batch_run(setup, err);
	nt_file_remove_tree(dir);
	nt_keeper_note(setup->keeper, "-remove-dir", dir);
	free(dir);
	return status;
}

static int find_and_watch(const struct nt_options *options, struct nt_error *err)
{
	struct nt_target *target = NULL;
	enum nt_status status = nt_target_find("/proc", options->target, &target, err);
	if (status != NT_OK)
		return nt_exit_of(status);
	struct nt_keeper *keeper = NULL;
	status = nt_keeper_start(options->output == NT_OUTPUT_SCREEN ? STDIN_FILENO : -1, &keeper, err);
	if (status != NT_OK) {
		nt_target_free(target);
		return nt_exit_of(status);
	}
	struct nt_session_setup setup = { .options = options, .target = target, .keeper = keeper };
	int exit_status = watch(&setup, err);
	nt_keeper_end(keeper);
	nt_target_free(target);
	return exit_status;
}

static int run_watch(struct nt_options *options, struct nt_error *err)
{
	choose_output(options);
	nt_loop_block_signals();
	return find_and_watch(options, err);
}

static int run_doctor(struct nt_options *options, struct nt_error *err)
{
	return nt_doctor_run(options, err);
}

static int run_env(struct nt_options *options, struct nt_error *err)
{
	return nt_env_run(options, err);
}

/* Each returns the exit status, and what is to be said on standard error in *err. */
static int (*const commands[NT_COMMAND_COUNT])(struct nt_options *options, struct nt_error *err) = {
	[NT_COMMAND_WATCH] = run_watch,
	[NT_COMMAND_DOCTOR] = run_doctor,
	[NT_COMMAND_ENV] = run_env,
};

int main(int argc, char **argv)
{
	struct nt_options options;
	struct nt_error err = { 0 };
	setlocale(LC_CTYPE, "");
	enum nt_status status = nt_options_parse(&options, argc, argv, &err);
	if (status != NT_OK)
		return report(&err, nt_exit_of(status));
	if (options.show_help) {
		nt_options_help(options.command, stdout);
		return NT_EXIT_OK;
	}
	if (options.show_version) {
		print_version();
		return NT_EXIT_OK;
	}
	return report(&err, commands[options.command](&options, &err));
}
