// SPDX-License-Identifier: GPL-2.0-only
#include "app/commands/record_command.h"

#include "app/common/exit.h"
#include "app/common/print.h"
#include "app/show/batch_mode.h"
#include "app/show/headless.h"
#include "app/show/watch.h"
#include "base/numbers.h"

#include <inttypes.h>
#include <stdio.h>

struct work {
	const struct nt_options *options;
	bool with_lines;
	bool on_terminal;
	struct nt_recorder *recorder; /* owned */
	nt_time start;                /* the first interval's begin; 0 = none has been closed yet */
	uint64_t lost_count;          /* events, samples, packets */
	bool lost_unknown;            /* and some that nobody counted */
};

/* What is in the file: "12.3 s, 1.24M, 4.1k events". */
static void put_state(const struct work *work, char *text, size_t size)
{
	const struct nt_recorder_said said = nt_recorder_said(work->recorder);
	char bytes[16], events[16];
	nt_number_bytes(said.bytes, NT_NUMBER_DIGITS, bytes, sizeof(bytes));
	nt_number_whole(said.event_count, NT_NUMBER_DIGITS, events, sizeof(events));
	nt_time long_ns = said.last > work->start ? said.last - work->start : 0;
	int length = snprintf(text, size, "%.1f s, %s, %s events", (double)long_ns / (double)NT_NS_PER_S, bytes, events);
	if (work->lost_count || work->lost_unknown)
		snprintf(text + length, size - (size_t)length, ", %s%" PRIu64 " lost before they came here",
			 work->lost_unknown ? "more than " : "", work->lost_count);
}

static void take(void *context, struct nt_snapshot *snapshot)
{
	struct work *work = context;
	char state[128], line[160];
	work->start = snapshot->start;
	work->lost_count = snapshot->lost_count;
	work->lost_unknown = snapshot->lost_unknown;
	if (!work->on_terminal || snapshot->final)
		return;
	put_state(work, state, sizeof(state));
	snprintf(line, sizeof(line), "recording %s", state);
	nt_print_over(line);
}

/* There is nothing to go on for. */
static bool is_over(const void *context)
{
	const struct work *work = context;
	return nt_recorder_is_full(work->recorder) || nt_recorder_problem(work->recorder);
}

static void say_end(const struct work *work)
{
	char state[128];
	put_state(work, state, sizeof(state));
	fprintf(stderr, "nettop: recorded %s in %s%s\n", state, work->options->output_path,
		nt_recorder_is_full(work->recorder) ? ": that is its limit" : "");
}

/* With lines they have told of the problem when it came. */
static int end(struct work *work, int exit_status, struct nt_error *err)
{
	bool was_told = work->with_lines && nt_recorder_problem(work->recorder);
	nt_recorder_end(work->recorder);
	if (work->on_terminal)
		nt_print_over("");
	if (!work->with_lines && work->start)
		say_end(work);
	const char *problem = nt_recorder_problem(work->recorder);
	if (problem && !was_told)
		return nt_exit_of(nt_error_set(err, NT_ERR_FAILED, "%s", problem));
	if (problem)
		return NT_EXIT_FAILURE;
	return exit_status == NT_EXIT_TARGET_ENDED && !work->with_lines ? NT_EXIT_OK : exit_status;
}

static int watch(void *context, struct nt_session_setup *setup, struct nt_error *err)
{
	struct work *work = context;
	enum nt_status status = nt_recorder_open(work->options->output_path, work->options->limit_bytes, &work->recorder, err);
	if (status != NT_OK)
		return nt_exit_of(status);
	setup->recorder = work->recorder;
	setup->sink = take;
	setup->sink_context = work;
	int exit_status = work->with_lines ? nt_batch_run(setup, err) : nt_headless_run(setup, is_over, work, err);
	return end(work, exit_status, err);
}

int nt_record_command(struct nt_options *options, struct nt_error *err)
{
	struct work work = { .options = options,
			     .with_lines = options->output == NT_OUTPUT_JSON,
			     .on_terminal = options->output != NT_OUTPUT_JSON && nt_print_is_terminal() };
	const struct nt_show show = { .run = watch, .context = &work };
	if (!options->target)
		return nt_exit_of(nt_error_set(err, NT_ERR_USAGE, "which process? Give its pid or name: nettop record -p PID -o FILE"));
	if (!options->output_path)
		return nt_exit_of(nt_error_set(err, NT_ERR_USAGE, "into which file? nettop record -p PID -o FILE"));
	/* All that those lines have is asked for, whether they are written or not. */
	options->output = NT_OUTPUT_JSON;
	int exit_status = nt_watch_with(options, &show, err);
	nt_recorder_free(work.recorder);
	return exit_status;
}
