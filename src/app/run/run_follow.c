// SPDX-License-Identifier: GPL-2.0-only
/* From the start of the command until it is, or has become, a .NET program. */
#include "app/run/run_parts.h"

#include "base/alloc.h"
#include "source/common/sources.h"
#include "target/launch/dotnet_command.h"
#include "target/process/started.h"

#include <poll.h>
#include <stdlib.h>

enum {
	LOOK_MS = 5, /* between two looks for the program: what runs shortly should not be over before it is seen */
	LOOK_SLOW_MS = 50,
	LOOK_SLOW_AFTER_MS = 2000, /* from then on it is a launcher that takes its time */
	TELL_AFTER_MS = 3000,      /* what nettop waits for */
	LEFT_EVENTS_MS = 500,      /* several live periods of LTTng */
};

static void tell_waiting(struct nt_run *run)
{
	char *sentence = nt_format("waiting for '%s' (process %d) to start a .NET program", run->options->run_argv[0],
				   (int)nt_child_pid(run->child));
	nt_run_say(run, sentence);
	free(sentence);
}

/* NT_END: the command has ended, or nettop is to end. */
static enum nt_status look_for_program(struct nt_run *run, struct nt_target **out, struct nt_error *err)
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
		if (!nt_run_wait(run, waited < LOOK_SLOW_AFTER_MS * NT_NS_PER_MS ? LOOK_MS : LOOK_SLOW_MS))
			return NT_END;
	}
}

/*
 * The command was over before anybody could look at it. Are there events of it? They come a little later. The SDK's own, of a `dotnet run` that failed,
 * are of no interest.
 */
static bool has_left_events(const struct nt_run *run)
{
	nt_time deadline = nt_clock_now() + LEFT_EVENTS_MS * NT_NS_PER_MS;
	uint32_t pid = run->command->pid;
	bool is_program = nt_dotnet_is_program(run->options->run_argv);
	if (!run->early[NT_SOURCE_LTTNG])
		return false;
	for (;;) {
		struct nt_source_stats stats;
		nt_source_lttng.stats(run->early[NT_SOURCE_LTTNG], &stats);
		if (stats.event_count)
			return is_program || nt_follow_chosen(run->follow) == pid;
		if (nt_clock_now() > deadline)
			return false;
		poll(NULL, 0, LOOK_MS);
	}
}

static void say_never_was(struct nt_run *run)
{
	char how[64];
	char *sentence = nt_format("'%s' ended before there was a .NET program to watch: %s", run->options->run_argv[0],
				   nt_child_end_text(run->child, how, sizeof(how)));
	nt_run_say(run, sentence);
	free(sentence);
}

enum nt_status nt_run_await_program(struct nt_run *run, struct nt_target **out, struct nt_error *err)
{
	enum nt_status status = look_for_program(run, out, err);
	if (status == NT_OK || !nt_child_has_ended(run->child))
		return status;
	if (!has_left_events(run)) {
		if (status == NT_END)
			say_never_was(run);
		return status;
	}
	*out = run->command;
	run->command = NULL;
	nt_target_was_started(*out, run->options->run_argv, run->environment);
	nt_error_clear(err);
	return NT_OK;
}
