// SPDX-License-Identifier: GPL-2.0-only
#include "app/run/run.h"

#include "app/common/exit.h"
#include "app/loop/guard.h"
#include "app/loop/signals.h"
#include "app/run/run_parts.h"
#include "source/common/sources.h"
#include "target/launch/launch.h"

#include <signal.h>

enum {
	TERM_MS = 3000, /* until SIGKILL follows SIGTERM */
	STEP_MS = 50,
};

static int show(struct nt_run *run, struct nt_target *target, nt_time released_at, struct nt_error *err)
{
	nt_run_begin_eventpipe(run, target);
	run->setup.target = target;
	/* What a launcher did before is not the program's. */
	run->setup.since = target->start > released_at ? target->start : released_at;
	if (run->output) {
		nt_loop_unwatch(run->loop, nt_child_output_fd(run->output));
		nt_child_output_pass_through(run->output, false);
	}
	struct nt_tape tape;
	nt_tape_init(&tape, target->pid, run->options->flight_ns);
	run->setup.tape = &tape;
	int exit_status = run->show->run(run->show->context, &run->setup, err);
	nt_tape_fini(&tape);
	if (run->output) {
		nt_child_output_pass_through(run->output, true);
		nt_loop_watch(run->loop, nt_child_output_fd(run->output), NULL);
	}
	return exit_status;
}

/* The program itself may go on after the .NET program in it has ended: a script has more to do. */
static void await_end(struct nt_run *run)
{
	while (!run->told_to_end && !nt_child_has_ended(run->child))
		nt_run_wait(run, STEP_MS);
}

static void end_child(struct nt_run *run)
{
	nt_child_end(run->child);
	nt_time deadline = nt_clock_now() + TERM_MS * NT_NS_PER_MS;
	while (!nt_child_has_ended(run->child) && nt_clock_now() < deadline)
		nt_run_wait(run, STEP_MS);
	while (!nt_child_has_ended(run->child)) {
		nt_child_signal(run->child, SIGKILL);
		nt_run_wait(run, STEP_MS);
	}
}

static int watch_program(struct nt_run *run, nt_time released_at, struct nt_error *err)
{
	struct nt_target *target = NULL;
	enum nt_status status = nt_run_await_program(run, &target, err);
	int exit_status = NT_EXIT_OK;
	if (status == NT_OK)
		exit_status = show(run, target, released_at, err);
	else if (status != NT_END)
		nt_run_say_error(run, err);
	nt_run_leave_port(run);
	nt_target_free(target);
	/* How the target ended is what our exit status will say. */
	bool target_ended = status != NT_OK || exit_status == NT_EXIT_TARGET_ENDED;
	if (target_ended) {
		nt_error_clear(err);
		await_end(run);
	}
	return exit_status;
}

static int release_and_watch(struct nt_run *run, struct nt_error *err)
{
	nt_run_await_tracing(run);
	if (run->told_to_end)
		return NT_EXIT_OK;
	nt_time released_at = nt_clock_now();
	run->released = true;
	if (nt_child_execute(run->child, err) != NT_OK)
		return nt_child_status(run->child);
	return watch_program(run, released_at, err);
}

static void release(struct nt_run *run)
{
	for (size_t i = 0; i < NT_SOURCE_COUNT; i++)
		if (run->early[i])
			run->early[i]->ops->close(run->early[i]);
	nt_child_free(run->child);
	nt_child_output_free(run->output);
	nt_follow_drop(run->follow);
	nt_target_free(run->command);
	nt_startup_port_close(run->port);
	nt_watch_remove_dir(run->keeper, run->runtime_dir);
	nt_launch_environment_free(run->environment);
	nt_loop_free(run->loop);
	nt_guard_stop();
	nt_keeper_end(run->keeper);
	nt_log_free(run->log);
}

int nt_run_with(struct nt_options *options, const struct nt_show *show, struct nt_error *err)
{
	struct nt_run run = { .options = options, .show = show };
	nt_watch_choose_output(options);
	nt_signals_block();
	enum nt_status status = nt_run_prepare(&run, err);
	int exit_status = status == NT_OK ? release_and_watch(&run, err) : nt_exit_of(status);
	if (run.child) {
		bool gated = !run.released;
		end_child(&run);
		if (!gated && nt_child_ended_alone(run.child))
			exit_status = nt_child_status(run.child);
		nt_run_read_output(&run);
	}
	release(&run);
	return exit_status;
}

int nt_run(struct nt_options *options, struct nt_error *err)
{
	return nt_run_with(options, &nt_show_as_asked, err);
}
