// SPDX-License-Identifier: GPL-2.0-only
#include "app/run.h"

#include "app/child_output.h"
#include "app/exit.h"
#include "app/loop.h"
#include "app/run_environment.h"
#include "app/watch.h"
#include "base/alloc.h"
#include "source/lttng.h"
#include "source/sources.h"
#include "target/dotnet_command.h"
#include "target/follow.h"
#include "target/launch.h"
#include "target/started.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	TRACING_MS = 10000, /* until LTTng is ready: a session daemon may have to be started */
	TRACING_STEP_MS = 5,
	LOOK_MS = 5,          /* between two looks for the program: what runs shortly should not be over before it is seen */
	LEFT_EVENTS_MS = 500, /* several live periods of LTTng */
	LOOK_SLOW_MS = 50,
	LOOK_SLOW_AFTER_MS = 2000, /* from then on it is a launcher that takes its time */
	TELL_AFTER_MS = 3000,      /* what nettop waits for */
	TERM_MS = 3000,            /* until SIGKILL follows SIGTERM */
};

struct run {
	struct nt_options *options;
	struct nt_keeper *keeper;
	struct nt_loop *loop;
	char *runtime_dir; /* owned */
	struct nt_log *log;
	struct nt_child_output *output; /* NULL: no screen, the program writes to our standard error itself */
	char **environment;
	struct nt_child *child;
	struct nt_target *command; /* the child's process before it executes anything */
	struct nt_follow *follow;
	struct nt_session_setup setup;
	struct nt_source_config config; /* of the early source */
	struct nt_source *lttng;        /* the early source; NULL = none, or the session has it */
	bool released;                  /* the child executes the command */
	bool told_to_end;
};

/* Something that the person should know and that ends nothing. */
static void say(void *context, const char *sentence)
{
	struct run *run = context;
	fprintf(stderr, "nettop: %s\n", sentence);
	nt_log_add(run->log, nt_clock_now(), NT_LOG_NETTOP, sentence, strlen(sentence));
}

static void say_error(struct run *run, const struct nt_error *err)
{
	char text[NT_ERROR_CAUSES * NT_ERROR_TEXT];
	say(run, nt_error_text(err, text, sizeof(text)));
}

/* ---- waiting, while there is no screen and no frame ---- */

static void take_signals(struct run *run)
{
	for (int sig; (sig = nt_loop_signal(run->loop));) {
		if (sig == SIGTSTP)
			nt_child_stop_with_us(run->released ? run->child : NULL);
		else if (nt_loop_signal_ends(sig) && !(run->released && nt_child_interrupt(run->child, sig)))
			run->told_to_end = true;
	}
}

/* At most `ms`; returns earlier when something happens. False: nettop is to end. */
static bool wait(struct run *run, unsigned ms)
{
	nt_loop_wake_at(run->loop, nt_clock_now() + ms * NT_NS_PER_MS);
	unsigned wake = nt_loop_wait(run->loop);
	if (run->output)
		nt_child_output_read(run->output);
	if (wake & NT_WAKE_SIGNAL)
		take_signals(run);
	return !run->told_to_end;
}

/* ---- before the program ---- */

static enum nt_status start_child(struct run *run, struct nt_error *err)
{
	/* The terminal's keys are nettop's; what comes through a pipe may be meant for the program. */
	bool give_input = !run->output && !isatty(STDIN_FILENO);
	int null_fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	const struct nt_child_setup setup = {
		.argv = run->options->run_argv,
		.environment = run->environment,
		.in = give_input ? STDIN_FILENO : null_fd,
		.out = run->output ? nt_child_output_for_out(run->output) : STDERR_FILENO,
		.err = run->output ? nt_child_output_for_err(run->output) : STDERR_FILENO,
		.keeper = run->keeper,
	};
	enum nt_status status = nt_child_start(&setup, &run->child, err);
	close(null_fd);
	if (run->output)
		nt_child_output_given(run->output);
	return status;
}

static enum nt_status have_output(struct run *run, struct nt_error *err)
{
	if (run->options->output != NT_OUTPUT_SCREEN)
		return NT_OK;
	enum nt_status status = nt_child_output_new(run->log, &run->output, err);
	if (status != NT_OK)
		return status;
	nt_child_output_pass_through(run->output, true);
	return nt_loop_watch(run->loop, nt_child_output_fd(run->output), err);
}

/* The process that waits, as a target: what LTTng needs to know of it does not change when it executes the command. */
static enum nt_status find_command(struct run *run, struct nt_error *err)
{
	char pid[16];
	snprintf(pid, sizeof(pid), "%d", (int)nt_child_pid(run->child));
	run->follow = nt_follow_new("/proc", (uint32_t)nt_child_pid(run->child));
	return nt_target_find("/proc", pid, &run->command, err);
}

static enum nt_status prepare(struct run *run, struct nt_error *err)
{
	struct nt_options *options = run->options;
	run->log = nt_log_new();
	enum nt_status status = nt_run_environment(options, say, run, &run->environment, err);
	if (status == NT_OK)
		status = nt_keeper_start(options->output == NT_OUTPUT_SCREEN ? STDIN_FILENO : -1, &run->keeper, err);
	if (status == NT_OK)
		status = nt_loop_new(&run->loop, err);
	if (status == NT_OK)
		status = have_output(run, err);
	if (status == NT_OK)
		status = start_child(run, err);
	if (status == NT_OK && nt_child_fd(run->child) >= 0)
		status = nt_loop_watch(run->loop, nt_child_fd(run->child), err);
	if (status == NT_OK)
		status = find_command(run, err);
	if (status == NT_OK)
		status = nt_watch_make_dir(run->keeper, &run->runtime_dir, err);
	run->setup = (struct nt_session_setup){ .options = options,
						.keeper = run->keeper,
						.runtime_dir = run->runtime_dir,
						.child = run->child,
						.output = run->output,
						.log = run->log,
						.early_lttng = &run->lttng };
	return status;
}

/* Tracing begins before the program does. Without LTTng it starts all the same: the session says what is missing. */
static void await_tracing(struct run *run)
{
	struct nt_error err = { 0 };
	/* Somebody else's session traces already, or does not. */
	if (!(run->options->source_mask & 1u << NT_SOURCE_LTTNG) || run->options->lttng_session)
		return;
	run->config = nt_session_config(&run->setup);
	struct nt_follow *follow = nt_dotnet_is_program(run->options->run_argv) ? NULL : run->follow;
	if (nt_lttng_open_early(&run->config, run->command, follow, &run->lttng, &err) != NT_OK) {
		say_error(run, &err);
		return;
	}
	nt_time deadline = nt_clock_now() + TRACING_MS * NT_NS_PER_MS;
	while (!nt_lttng_is_ready(run->lttng) && nt_clock_now() < deadline)
		if (!wait(run, TRACING_STEP_MS))
			return;
	if (!nt_lttng_is_ready(run->lttng))
		say(run, "LTTng is not ready after 10 s: the program starts without, its first events are missed");
}

/* ---- from its start until it is a .NET program ---- */

static void tell_waiting(struct run *run)
{
	char *sentence = nt_format("waiting for '%s' (process %d) to start a .NET program", run->options->run_argv[0],
				   (int)nt_child_pid(run->child));
	say(run, sentence);
	free(sentence);
}

/* NT_END: the command has ended, or nettop is to end. */
static enum nt_status await_program(struct run *run, struct nt_target **out, struct nt_error *err)
{
	nt_time start = nt_clock_now();
	bool told = false;
	for (;;) {
		enum nt_status status = nt_follow_look(run->follow, out, err);
		if (status != NT_AGAIN)
			return status;
		if (nt_child_has_ended(run->child))
			return NT_END;
		nt_time waited = nt_clock_now() - start;
		if (waited > TELL_AFTER_MS * NT_NS_PER_MS && !told) {
			tell_waiting(run);
			told = true;
		}
		if (!wait(run, waited < LOOK_SLOW_AFTER_MS * NT_NS_PER_MS ? LOOK_MS : LOOK_SLOW_MS))
			return NT_END;
	}
}

/*
 * The command was over before anybody could look at it. Are there events of it? They come a little later. The SDK's own, of a `dotnet run` that failed,
 * are of no interest.
 */
static bool has_left_events(const struct run *run)
{
	nt_time deadline = nt_clock_now() + LEFT_EVENTS_MS * NT_NS_PER_MS;
	uint32_t pid = run->command->pid;
	bool is_program = nt_dotnet_is_program(run->options->run_argv);
	if (!run->lttng || !nt_child_has_ended(run->child))
		return false;
	for (;;) {
		struct nt_source_stats stats;
		nt_source_lttng.stats(run->lttng, &stats);
		if (stats.event_count)
			return is_program || nt_follow_chosen(run->follow) == pid;
		if (nt_clock_now() > deadline)
			return false;
		poll(NULL, 0, LOOK_MS);
	}
}

static void say_never_was(struct run *run)
{
	char how[64];
	if (!nt_child_has_ended(run->child))
		return;
	char *sentence = nt_format("'%s' ended before there was a .NET program to watch: %s", run->options->run_argv[0],
				   nt_child_end_text(run->child, how, sizeof(how)));
	say(run, sentence);
	free(sentence);
}

/* ---- with it ---- */

static int show(struct run *run, struct nt_target *target, nt_time released_at, struct nt_error *err)
{
	run->setup.target = target;
	/* What a launcher did before is not the program's. */
	run->setup.since = target->start > released_at ? target->start : released_at;
	if (run->output) {
		nt_loop_unwatch(run->loop, nt_child_output_fd(run->output));
		nt_child_output_pass_through(run->output, false);
	}
	int exit_status = nt_watch_show(&run->setup, err);
	if (run->output) {
		nt_child_output_pass_through(run->output, true);
		nt_loop_watch(run->loop, nt_child_output_fd(run->output), NULL);
	}
	return exit_status;
}

/* The program itself may go on after the .NET program in it has ended: a script has more to do. */
static void await_end(struct run *run)
{
	while (!run->told_to_end && !nt_child_has_ended(run->child))
		wait(run, LOOK_SLOW_MS);
}

static void end_child(struct run *run)
{
	nt_child_end(run->child);
	nt_time deadline = nt_clock_now() + TERM_MS * NT_NS_PER_MS;
	while (!nt_child_has_ended(run->child) && nt_clock_now() < deadline)
		wait(run, LOOK_SLOW_MS);
	while (!nt_child_has_ended(run->child)) {
		nt_child_signal(run->child, SIGKILL);
		wait(run, LOOK_MS);
	}
}

static int watch_program(struct run *run, nt_time released_at, struct nt_error *err)
{
	struct nt_target *target = NULL;
	enum nt_status status = await_program(run, &target, err);
	if (status != NT_OK && has_left_events(run)) {
		target = run->command;
		run->command = NULL;
		nt_target_was_started(target, run->options->run_argv, run->environment);
		nt_error_clear(err);
		status = NT_OK;
	}
	int exit_status = NT_EXIT_OK;
	if (status == NT_OK)
		exit_status = show(run, target, released_at, err);
	else if (status == NT_END)
		say_never_was(run);
	else
		say_error(run, err);
	nt_target_free(target);
	/* How the target ended is what our exit status will say. */
	bool target_ended = status != NT_OK || exit_status == NT_EXIT_TARGET_ENDED;
	if (target_ended) {
		nt_error_clear(err);
		await_end(run);
	}
	return exit_status;
}

static int release_and_watch(struct run *run, struct nt_error *err)
{
	await_tracing(run);
	if (run->told_to_end)
		return NT_EXIT_OK;
	nt_time released_at = nt_clock_now();
	run->released = true;
	if (nt_child_execute(run->child, err) != NT_OK)
		return nt_child_status(run->child);
	return watch_program(run, released_at, err);
}

static void release(struct run *run)
{
	if (run->lttng)
		nt_source_lttng.close(run->lttng);
	nt_child_free(run->child);
	nt_child_output_free(run->output);
	nt_follow_drop(run->follow);
	nt_target_free(run->command);
	nt_watch_remove_dir(run->keeper, run->runtime_dir);
	nt_launch_environment_free(run->environment);
	nt_loop_free(run->loop);
	nt_keeper_end(run->keeper);
	nt_log_free(run->log);
}

int nt_run(struct nt_options *options, struct nt_error *err)
{
	struct run run = { .options = options };
	nt_watch_choose_output(options);
	nt_loop_block_signals();
	enum nt_status status = prepare(&run, err);
	int exit_status = status == NT_OK ? release_and_watch(&run, err) : nt_exit_of(status);
	if (run.child) {
		bool gated = !run.released;
		end_child(&run);
		if (!gated && nt_child_ended_alone(run.child))
			exit_status = nt_child_status(run.child);
	}
	release(&run);
	return exit_status;
}
