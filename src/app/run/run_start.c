// SPDX-License-Identifier: GPL-2.0-only
/* Before the program: its environment, its streams, its process, and LTTng. */
#include "app/common/rights.h"
#include "app/loop/guard.h"
#include "app/run/run_environment.h"
#include "app/run/run_parts.h"
#include "base/apart.h"
#include "source/lttng/lttng.h"
#include "target/launch/dotnet_command.h"
#include "target/process/settings.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { TRACING_MS = 10000, /* a session daemon may have to be started */ TRACING_STEP_MS = 5 };

static enum nt_status start_child(struct nt_run *run, struct nt_error *err)
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

static enum nt_status have_output(struct nt_run *run, struct nt_error *err)
{
	if (run->options->output != NT_OUTPUT_SCREEN)
		return NT_OK;
	enum nt_status status = nt_child_output_new(run->log, &run->output, err);
	if (status != NT_OK)
		return status;
	nt_child_output_pass_through(run->output, true);
	return nt_loop_watch(run->loop, nt_child_output_fd(run->output), err);
}

static bool port_is_switched_off(void)
{
	size_t length;
	char *text = nt_environment_join(environ, &length);
	const struct nt_environment environment = { text, length };
	bool off = !nt_environment_number(&environment, "EnableDiagnostics", 16, 1) ||
		   !nt_environment_number(&environment, "EnableDiagnostics_IPC", 16, 1);
	free(text);
	return off;
}

/*
 * Without a word for LTTng `dotnet App.dll` waits for EventPipe in its place: to have a session daemon ready takes as long as half the start of a web
 * application, and costs that CPU time; the port costs some milliseconds. What only LTTng brings is a word for it. What a launcher starts does not come to the
 * port, when the launcher is a .NET program itself (`dotnet run`). Who prefers EventPipe has it, whatever starts the program.
 */
static void choose_sources(struct nt_run *run)
{
	struct nt_options *options = run->options;
	const struct nt_launch_request *launch = &options->launch;
	bool is_asked_for =
		options->source_mask != ~0u || options->lttng_session || launch->full || launch->event_name || launch->bridge_dir;
	bool is_chosen =
		options->prefer_eventpipe || (!is_asked_for && !run->show->compilations_only && nt_dotnet_is_program(options->run_argv));
	if (is_chosen && !port_is_switched_off())
		options->source_mask &= ~(1u << NT_SOURCE_LTTNG);
}

/*
 * Nothing of a program's start is missed over EventPipe when it waits for us. What is told of the whole time only must not miss anything: whether LTTng
 * brings it is known when the runtime is up.
 */
static enum nt_status have_port(struct nt_run *run, struct nt_error *err)
{
	struct nt_options *options = run->options;
	bool lttng = options->source_mask & 1u << NT_SOURCE_LTTNG;
	if (!(options->source_mask & 1u << NT_SOURCE_EVENTPIPE) || (lttng && !run->show->compilations_only))
		return NT_OK;
	/* A folder of its own: the keeper needs it for as long as somebody may come. */
	char *dir = NULL;
	enum nt_status status = nt_watch_make_dir(run->keeper, &dir, err);
	if (status == NT_OK)
		status = nt_startup_port_open(dir, getenv(NT_STARTUP_PORT_VARIABLE), &run->port, err);
	free(dir);
	if (status != NT_OK)
		return status;
	nt_keeper_port(run->keeper, nt_startup_port_path(run->port), nt_startup_port_listener(run->port));
	options->launch.startup_port = nt_startup_port_setting(run->port);
	return nt_loop_watch(run->loop, nt_startup_port_fd(run->port), err);
}

/*
 * Where events tell each method as it is compiled, the perf map has time: to write it from the start on would delay a web application's first answer by a
 * tenth. And by then it is known whether the runtime's own data name all code (.NET 10), so that none is needed. Without a port for commands, or where none may be sent, it
 * is now or never; beside LTTng, which delays more, one that somebody asks for is there from the start.
 */
static bool map_has_time(const struct nt_run *run)
{
	const struct nt_options *options = run->options;
	bool lttng = options->source_mask & 1u << NT_SOURCE_LTTNG;
	return (lttng ? !options->want_map : run->port != NULL) && !run->show->compilations_only && !port_is_switched_off();
}

/* The process that waits, as a target: what LTTng needs to know of it does not change when it executes the command. */
static enum nt_status find_command(struct nt_run *run, struct nt_error *err)
{
	char pid[16];
	snprintf(pid, sizeof(pid), "%d", (int)nt_child_pid(run->child));
	run->follow = nt_follow_new("/proc", (uint32_t)nt_child_pid(run->child));
	return nt_target_find("/proc", pid, &run->command, err);
}

enum nt_status nt_run_prepare(struct nt_run *run, struct nt_error *err)
{
	struct nt_options *options = run->options;
	bool perf_map_set = false;
	run->log = nt_log_new();
	choose_sources(run);
	enum nt_status status = nt_keeper_start(options->output == NT_OUTPUT_SCREEN ? STDIN_FILENO : -1, &run->keeper, err);
	if (status == NT_OK)
		status = nt_loop_new(&run->loop, err);
	if (status == NT_OK)
		status = nt_watch_make_dir(run->keeper, &run->runtime_dir, err);
	if (status == NT_OK)
		status = have_port(run, err);
	bool wants_map = options->source_mask & 1u << NT_SOURCE_CODEMAP, map_later = wants_map && map_has_time(run);
	if (status == NT_OK)
		status = nt_run_environment(options, wants_map && !map_later, nt_run_say, run, &run->environment, &perf_map_set, err);
	if (status == NT_OK)
		status = have_output(run, err);
	if (status == NT_OK)
		status = start_child(run, err);
	/* The program is there, with all that we had. */
	nt_rights_drop(NT_RIGHTS_WATCH);
	nt_apart_start();
	if (status == NT_OK)
		status = nt_guard_start(run->keeper, nt_child_pid(run->child), err);
	if (status == NT_OK && nt_child_fd(run->child) >= 0)
		status = nt_loop_watch(run->loop, nt_child_fd(run->child), err);
	if (status == NT_OK)
		status = find_command(run, err);
	run->setup = (struct nt_session_setup){ .options = options,
						.keeper = run->keeper,
						.runtime_dir = run->runtime_dir,
						.compilations_only = run->show->compilations_only,
						.perf_map_set = perf_map_set,
						.perf_map_later = map_later,
						.child = run->child,
						.output = run->output,
						.log = run->log,
						.early = run->early };
	return status;
}

void nt_run_await_tracing(struct nt_run *run)
{
	struct nt_error err = { 0 };
	/* Somebody else's session traces already, or does not. */
	if (!(run->options->source_mask & 1u << NT_SOURCE_LTTNG) || run->options->lttng_session)
		return;
	run->config = nt_session_config(&run->setup);
	struct nt_follow *follow = nt_dotnet_is_program(run->options->run_argv) ? NULL : run->follow;
	if (nt_lttng_open_early(&run->config, run->command, follow, &run->early[NT_SOURCE_LTTNG], &err) != NT_OK) {
		nt_run_say_error(run, &err);
		return;
	}
	nt_time deadline = nt_clock_now() + TRACING_MS * NT_NS_PER_MS;
	while (!nt_lttng_is_ready(run->early[NT_SOURCE_LTTNG]) && nt_clock_now() < deadline)
		if (!nt_run_wait(run, TRACING_STEP_MS))
			return;
	if (!nt_lttng_is_ready(run->early[NT_SOURCE_LTTNG]))
		nt_run_say(run, run->port ? "LTTng is not ready after 10 s: EventPipe takes its place"
					  : "LTTng is not ready after 10 s: the program starts without, its first events are missed");
}
