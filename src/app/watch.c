// SPDX-License-Identifier: GPL-2.0-only
#include "app/watch.h"

#include "app/batch.h"
#include "app/exit.h"
#include "app/loop.h"
#include "app/runtime_dir.h"
#include "app/screen.h"
#include "base/file.h"
#include "ui/term.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

void nt_watch_choose_output(struct nt_options *options)
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

enum nt_status nt_watch_make_dir(struct nt_keeper *keeper, char **path, struct nt_error *err)
{
	enum nt_status status = nt_runtime_dir_make(path, err);
	if (status == NT_OK)
		nt_keeper_note(keeper, "remove-dir", *path);
	return status;
}

void nt_watch_remove_dir(struct nt_keeper *keeper, char *path)
{
	if (!path)
		return;
	nt_file_remove_tree(path);
	nt_keeper_note(keeper, "-remove-dir", path);
	free(path);
}

int nt_watch_show(struct nt_session_setup *setup, struct nt_error *err)
{
	return setup->options->output == NT_OUTPUT_SCREEN ? nt_screen_run(setup, err) : nt_batch_run(setup, err);
}

static int watch(struct nt_session_setup *setup, struct nt_error *err)
{
	char *dir = NULL;
	enum nt_status status = nt_watch_make_dir(setup->keeper, &dir, err);
	setup->runtime_dir = dir;
	setup->log = nt_log_new();
	int exit_status = status == NT_OK ? nt_watch_show(setup, err) : nt_exit_of(status);
	nt_log_free(setup->log);
	nt_watch_remove_dir(setup->keeper, dir);
	return exit_status;
}

int nt_watch_run(struct nt_options *options, struct nt_error *err)
{
	nt_watch_choose_output(options);
	nt_loop_block_signals();
	struct nt_target *target = NULL;
	struct nt_keeper *keeper = NULL;
	enum nt_status status = nt_target_find("/proc", options->target, &target, err);
	if (status == NT_OK)
		status = nt_keeper_start(options->output == NT_OUTPUT_SCREEN ? STDIN_FILENO : -1, &keeper, err);
	struct nt_session_setup setup = { .options = options, .target = target, .keeper = keeper };
	int exit_status = status == NT_OK ? watch(&setup, err) : nt_exit_of(status);
	nt_keeper_end(keeper);
	nt_target_free(target);
	return exit_status;
}
