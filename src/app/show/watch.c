// SPDX-License-Identifier: GPL-2.0-only
#include "app/show/watch.h"

#include "app/common/exit.h"
#include "app/common/rights.h"
#include "app/common/runtime_dir.h"
#include "app/loop/guard.h"
#include "app/loop/loop.h"
#include "app/loop/signals.h"
#include "app/settings/settings_file.h"
#include "app/show/batch_mode.h"
#include "app/many/many.h"
#include "app/show/list_screen.h"
#include "app/show/many_batch.h"
#include "app/show/ps.h"
#include "app/show/screen.h"
#include "app/show/succession.h"
#include "base/apart.h"
#include "base/file.h"
#include "ui/terminal/term.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Why there can be no screen, in buf or static; NULL: there can. */
static const char *screen_refusal(char *buf, size_t size)
{
	bool terminal = isatty(STDOUT_FILENO) && isatty(STDIN_FILENO);
	return terminal ? nt_term_refusal(NULL, buf, size) : "no terminal";
}

/* As long as a line of 9600 baud needs for most of a frame, where nobody says otherwise. */
#define SLOW_INTERVAL_NS (3 * NT_NS_PER_S)

/* What the command line says goes before. What was written by hand, and not well, is said where it stays when the screen has gone. */
static void take_settings(struct nt_options *options)
{
	options->settings = nt_settings_file_open(options->no_config);
	struct nt_settings *chosen = nt_settings_file_chosen(options->settings);
	fputs(nt_settings_file_problems(options->settings), stderr);
	bool slow = chosen->slow || options->slow;
	if (options->delay_given)
		chosen->interval_ns = options->delay_ns;
	else if (slow && chosen->interval_ns == NT_NS_PER_S)
		chosen->interval_ns = SLOW_INTERVAL_NS;
	options->delay_ns = chosen->interval_ns;
	options->slow = chosen->slow = slow;
	if (options->theme_given)
		chosen->theme = options->theme;
	options->theme = chosen->theme;
	if (chosen->plain)
		nt_options_speak(options);
	chosen->mouse = options->mouse = chosen->mouse || options->mouse;
	chosen->ascii = options->ascii = chosen->ascii || options->ascii;
}

void nt_watch_choose_output(struct nt_options *options)
{
	char buf[NT_ERROR_TEXT];
	const char *why = options->output == NT_OUTPUT_SCREEN ? screen_refusal(buf, sizeof(buf)) : NULL;
	if (options->output == NT_OUTPUT_SCREEN && !why)
		take_settings(options);
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

static int show_as_asked(void *context, struct nt_session_setup *setup, struct nt_error *err)
{
	(void)context;
	if (setup->options->output != NT_OUTPUT_SCREEN)
		return nt_batch_run(setup, err);
	struct nt_frame frame = { .keeper = setup->keeper, .child = setup->child };
	enum nt_status status = nt_frame_enter(&frame, setup->options, err);
	int exit_status = status == NT_OK ? nt_screen_run(setup, &frame, err) : nt_exit_of(status);
	nt_frame_leave(&frame);
	return exit_status;
}

const struct nt_show nt_show_as_asked = { .run = show_as_asked };

/* In a terminal that is taken already. */
static int show_in_frame(void *context, struct nt_session_setup *setup, struct nt_error *err)
{
	return nt_screen_run(setup, context, err);
}

static int watch(struct nt_session_setup *setup, const struct nt_show *show, struct nt_error *err)
{
	char *dir = NULL;
	struct nt_tape tape;
	enum nt_status status = nt_watch_make_dir(setup->keeper, &dir, err);
	setup->runtime_dir = dir;
	setup->log = nt_log_new();
	nt_tape_init(&tape, setup->target->pid, setup->options->flight_ns);
	setup->tape = &tape;
	int exit_status = status == NT_OK ? show->run(show->context, setup, err) : nt_exit_of(status);
	nt_tape_fini(&tape);
	nt_log_free(setup->log);
	nt_watch_remove_dir(setup->keeper, dir);
	return exit_status;
}

/* The list, from the moment it is wanted; then processes and list in turns. */
struct turns {
	const struct nt_options *options;
	struct nt_keeper *keeper;
	struct nt_frame frame;
	struct nt_list_screen *list; /* owned; NULL = nobody wanted it yet */
	struct nt_succession succession;
	const struct nt_many_setup *many; /* borrowed: the list is of processes that are watched; NULL = of all there are */
};

static enum nt_status choose(struct turns *turns, struct nt_target **target, struct nt_error *err)
{
	enum nt_status status = turns->list ? NT_OK : nt_list_screen_new(turns->options, turns->many, &turns->list, err);
	return status == NT_OK ? nt_list_screen_run(turns->list, &turns->frame, target, err) : status;
}

/* A pid is meant as it is; of a name, and in a list of those that are watched, who begins in its place is as good. */
static bool is_taken_up(const struct turns *turns)
{
	uint32_t pid;
	return turns->many || (turns->options->target && !nt_target_parse_pid(turns->options->target, &pid));
}

/* Takes `target`; NULL: begin with the list. */
static int take_turns(struct turns *turns, struct nt_target *target, struct nt_error *err)
{
	const struct nt_show show = { .run = show_in_frame, .context = &turns->frame };
	enum nt_status status = nt_frame_enter(&turns->frame, turns->options, err);
	int exit_status = nt_exit_of(status);
	for (bool goes_on = status == NT_OK; goes_on;) {
		if (!target)
			status = choose(turns, &target, err);
		exit_status = nt_exit_of(status);
		if (!target)
			break;
		struct nt_session_setup setup = {
			.options = turns->options,
			.target = target,
			.keeper = turns->keeper,
			.succession = is_taken_up(turns) ? &turns->succession : NULL,
			.from_list = turns->list != NULL,
		};
		exit_status = watch(&setup, &show, err);
		bool quits = turns->frame.effects & NT_UI_QUIT, to_list = turns->frame.effects & NT_UI_LIST && !quits;
		nt_target_free(target);
		target = to_list || quits ? NULL : turns->succession.next;
		goes_on = to_list || target;
		if (!target) {
			nt_target_free(turns->succession.next);
			nt_succession_forget(&turns->succession);
		}
		turns->succession.next = NULL;
	}
	nt_frame_leave(&turns->frame);
	nt_list_screen_free(turns->list);
	nt_target_free(target);
	return exit_status;
}

/* Several processes: their list, as a screen or as frames. */
static int watch_many(const struct nt_options *options, struct nt_keeper *keeper, struct nt_error *err)
{
	char *dir = NULL;
	enum nt_status status = nt_watch_make_dir(keeper, &dir, err);
	struct nt_many_setup setup = { .options = options, .keeper = keeper, .runtime_dir = dir };
	struct turns turns = { .options = options, .keeper = keeper, .frame = { .keeper = keeper }, .many = &setup };
	int exit_status = nt_exit_of(status);
	if (status == NT_OK)
		exit_status = options->output == NT_OUTPUT_SCREEN ? take_turns(&turns, NULL, err) : nt_many_batch_run(&setup, err);
	nt_watch_remove_dir(keeper, dir);
	return exit_status;
}

/* Takes `target`. */
static int watch_without_screen(const struct nt_options *options, const struct nt_show *show, struct nt_keeper *keeper,
				struct nt_target *target, struct nt_error *err)
{
	struct nt_session_setup setup = {
		.options = options, .target = target, .keeper = keeper, .compilations_only = show->compilations_only
	};
	int exit_status = watch(&setup, show, err);
	nt_target_free(target);
	return exit_status;
}

/* From here on signals are answered, wherever the main thread is, and nettop has the rights that it needs and no others. *keeper is the caller's also when the guard cannot be had. */
static enum nt_status begin(int terminal_fd, struct nt_keeper **keeper, struct nt_error *err)
{
	nt_signals_block();
	enum nt_status status = nt_keeper_start(terminal_fd, keeper, err);
	if (status != NT_OK)
		return status;
	nt_rights_drop(NT_RIGHTS_WATCH);
	nt_apart_start();
	return nt_guard_start(*keeper, 0, err);
}

int nt_watch_with(const struct nt_options *options, const struct nt_show *show, struct nt_error *err)
{
	struct nt_target *target = NULL;
	struct nt_keeper *keeper = NULL;
	enum nt_status status = begin(-1, &keeper, err);
	if (status == NT_OK)
		status = nt_target_find("/proc", options->target, &target, err);
	int exit_status = nt_exit_of(status);
	if (status == NT_OK)
		exit_status = watch_without_screen(options, show, keeper, target, err);
	else
		nt_target_free(target);
	nt_guard_stop();
	nt_keeper_end(keeper);
	return exit_status;
}

int nt_watch_several(const struct nt_options *options, int (*run)(struct nt_many_setup *setup, struct nt_error *err), struct nt_error *err)
{
	struct nt_keeper *keeper = NULL;
	char *dir = NULL;
	enum nt_status status = begin(-1, &keeper, err);
	if (status == NT_OK)
		status = nt_watch_make_dir(keeper, &dir, err);
	struct nt_many_setup setup = { .options = options, .keeper = keeper, .runtime_dir = dir };
	int exit_status = status == NT_OK ? run(&setup, err) : nt_exit_of(status);
	nt_watch_remove_dir(keeper, dir);
	nt_guard_stop();
	nt_keeper_end(keeper);
	return exit_status;
}

/* Do several processes bear the name? */
static bool is_several(const char *name, enum nt_status found)
{
	uint32_t pid;
	return found == NT_ERR_USAGE && !nt_target_parse_pid(name, &pid);
}

int nt_watch_run(struct nt_options *options, struct nt_error *err)
{
	char buf[NT_ERROR_TEXT];
	bool many = nt_many_is_asked_for(options);
	bool all = !many && !options->target, screen = options->output == NT_OUTPUT_SCREEN && !screen_refusal(buf, sizeof(buf));
	if (screen || !all)
		nt_watch_choose_output(options);
	if (many && nt_many_check(options, err) != NT_OK)
		return nt_exit_of(NT_ERR_USAGE);
	screen = screen && options->output == NT_OUTPUT_SCREEN;
	if (all && !screen) {
		nt_rights_drop(NT_RIGHTS_WATCH);
		nt_apart_start();
		return nt_ps_run(options, err);
	}
	struct nt_target *target = NULL;
	struct nt_keeper *keeper = NULL;
	enum nt_status status = begin(screen ? STDIN_FILENO : -1, &keeper, err);
	if (status == NT_OK && !many && options->target) {
		status = nt_target_find("/proc", options->target, &target, err);
		many = is_several(options->target, status);
		if (many) {
			*err = (struct nt_error){ 0 };
			status = nt_many_check(options, err);
		}
	}
	struct turns turns = { .options = options, .keeper = keeper, .frame = { .keeper = keeper } };
	int exit_status = nt_exit_of(status);
	if (status == NT_OK && many)
		exit_status = watch_many(options, keeper, err);
	else if (status == NT_OK)
		exit_status =
			screen ? take_turns(&turns, target, err) : watch_without_screen(options, &nt_show_as_asked, keeper, target, err);
	else
		nt_target_free(target);
	nt_guard_stop();
	nt_keeper_end(keeper);
	return exit_status;
}
