// SPDX-License-Identifier: GPL-2.0-only
#include "app/commands/record_command.h"

#include "app/common/exit.h"
#include "app/common/print.h"
#include "app/run/run.h"
#include "app/show/batch_mode.h"
#include "app/show/headless.h"
#include "app/show/trigger_acts.h"
#include "app/show/watch.h"
#include "base/numbers.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct work {
	const struct nt_options *options;
	bool with_lines;
	bool on_terminal;
	struct nt_tape *tape;        /* borrowed, while it is watched */
	struct nt_recorder *last;    /* owned: of what is kept, for the end; NULL = all is recorded as it comes */
	struct nt_trigger_acts acts; /* without lines */
	nt_time start;               /* the first interval's begin; 0 = none has been closed yet */
	uint64_t lost_count;         /* events, samples, packets */
	bool lost_unknown;           /* and some that nobody counted */
};

/* What is in the file, or will be: "12.3 s, 1.24M". */
static void put_state(const struct work *work, const struct nt_recorder *recorder, char *text, size_t size)
{
	const struct nt_file_written said = recorder ? nt_recorder_said(recorder) : (struct nt_file_written){ 0 };
	nt_time begin = said.first > work->start ? said.first : work->start, long_ns = said.last > begin ? said.last - begin : 0;
	char bytes[16], events[16];
	if (!recorder)
		long_ns = nt_flight_reach(work->tape->flight);
	nt_number_bytes(recorder ? said.bytes : nt_flight_bytes(work->tape->flight), NT_NUMBER_DIGITS, bytes, sizeof(bytes));
	nt_number_whole(said.event_count, NT_NUMBER_DIGITS, events, sizeof(events));
	int length = snprintf(text, size, "%.1f s, %s", (double)long_ns / (double)NT_NS_PER_S, bytes);
	if (recorder)
		length += snprintf(text + length, size - (size_t)length, ", %s events", events);
	if (work->lost_count || work->lost_unknown)
		snprintf(text + length, size - (size_t)length, ", %s%" PRIu64 " lost before they came here",
			 work->lost_unknown ? "more than " : "", work->lost_count);
}

static void say(void *context, const char *line)
{
	const struct work *work = context;
	if (work->on_terminal)
		nt_print_over("");
	fprintf(stderr, "nettop: %s\n", line);
}

static void take(void *context, struct nt_snapshot *snapshot)
{
	struct work *work = context;
	char state[128], line[160];
	work->start = snapshot->start;
	work->lost_count = snapshot->lost_count;
	work->lost_unknown = snapshot->lost_unknown;
	nt_trigger_acts_look(&work->acts, snapshot, say, work);
	if (!work->on_terminal || snapshot->final)
		return;
	put_state(work, work->tape->recorder, state, sizeof(state));
	snprintf(line, sizeof(line), "%s %s", work->last ? "keeping the last" : "recording", state);
	nt_print_over(line);
}

/* There is nothing to go on for. */
static bool is_over(const void *context)
{
	const struct work *work = context;
	struct nt_recorder *recorder = work->tape->recorder;
	return work->acts.ends || (recorder && (nt_recorder_is_full(recorder) || nt_recorder_problem(recorder)));
}

static void say_end(const struct work *work, const struct nt_recorder *recorder)
{
	char state[128];
	put_state(work, recorder, state, sizeof(state));
	fprintf(stderr, "nettop: recorded %s in %s%s\n", state, work->options->output_path,
		nt_recorder_is_full(recorder) ? ": that is its limit" : "");
}

static int end(struct work *work, int exit_status, struct nt_error *err)
{
	struct nt_recorder *recorder = work->last ? work->last : work->tape->recorder;
	bool was_told = work->tape->told_problem;
	if (work->last)
		nt_flight_put(work->tape->flight, recorder);
	nt_recorder_end(recorder);
	if (work->on_terminal)
		nt_print_over("");
	if (!work->with_lines && work->start)
		say_end(work, recorder);
	const char *problem = nt_recorder_problem(recorder);
	if (problem && !was_told)
		return nt_exit_of(nt_error_set(err, NT_ERR_FAILED, "%s", problem));
	if (problem)
		return NT_EXIT_FAILURE;
	if (work->acts.ends)
		return NT_EXIT_CONDITION;
	return exit_status == NT_EXIT_TARGET_ENDED && !work->with_lines ? NT_EXIT_OK : exit_status;
}

/* The file is there from the beginning: for a refusal before an hour of work, not after. */
static enum nt_status begin(struct work *work, struct nt_error *err)
{
	if (work->options->flight_ns)
		return nt_recorder_open(work->options->output_path, work->options->limit_bytes, &work->last, err);
	return nt_tape_record(work->tape, work->options->output_path, work->options->limit_bytes, err);
}

static int watch(void *context, struct nt_session_setup *setup, struct nt_error *err)
{
	struct work *work = context;
	work->tape = setup->tape;
	enum nt_status status = begin(work, err);
	if (status != NT_OK)
		return nt_exit_of(status);
	setup->sink = take;
	setup->sink_context = work;
	if (!work->with_lines)
		work->acts = nt_trigger_acts_of(work->options, work->tape);
	int exit_status = work->with_lines ? nt_batch_run(setup, err) : nt_headless_run(setup, is_over, work, err);
	nt_tape_tell(work->tape, true, say, work);
	nt_trigger_acts_end(&work->acts, say, work);
	return end(work, exit_status, err);
}

int nt_record_command(struct nt_options *options, struct nt_error *err)
{
	bool with_lines = options->output == NT_OUTPUT_JSON;
	/* A program that nettop starts writes where the line would stand. */
	struct work work = { .options = options,
			     .with_lines = with_lines,
			     .on_terminal = !with_lines && !options->run_argv && nt_print_is_terminal() };
	const struct nt_show show = { .run = watch, .context = &work };
	if (!options->output_path)
		return nt_exit_of(nt_error_set(err, NT_ERR_USAGE, "into which file? nettop record -p PID -o FILE"));
	if (options->target && strchr(options->target, ','))
		return nt_exit_of(nt_error_set(err, NT_ERR_USAGE, "a recording is of one process: start one nettop record for each of %s",
					       options->target));
	/* All that those lines have is asked for, whether they are written or not. */
	options->output = NT_OUTPUT_JSON;
	int exit_status = options->run_argv ? nt_run_with(options, &show, err) : nt_watch_with(options, &show, err);
	nt_recorder_free(work.last);
	return exit_status;
}
