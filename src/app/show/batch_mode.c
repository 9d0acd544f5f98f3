// SPDX-License-Identifier: GPL-2.0-only
#include "app/show/batch_mode.h"

#include "app/common/exit.h"
#include "app/loop/guard.h"
#include "app/show/headless.h"
#include "app/show/trigger_acts.h"
#include "output/frame/counter_lines.h"
#include "output/frame/json.h"
#include "output/frame/plain_frame.h"
#include "output/frame/text_frame.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct batch {
	const struct nt_options *options;
	struct nt_session *session;
	bool wall;              /* wall time of all threads is asked for */
	struct nt_plain *plain; /* owned; NULL = frames */
	uint64_t printed;       /* intervals */
	int write_errno;
	struct nt_counter_lines counters; /* of a file of them */
	struct nt_trigger_acts acts;
	char end_text[NT_ERROR_TEXT]; /* how the target ended; "" = it runs */
	struct nt_tape *tape;         /* borrowed: what is written down besides */
};

static bool enough(const struct batch *batch)
{
	return batch->options->interval_count && batch->printed >= batch->options->interval_count;
}

static void flush(struct batch *batch)
{
	/* Most of a long line is written, or not, before it is flushed. */
	if ((fflush(stdout) == EOF || ferror(stdout)) && !batch->write_errno)
		batch->write_errno = errno ? errno : EIO;
}

static void print_json(struct batch *batch, const struct nt_snapshot *snapshot)
{
	struct nt_json_options options = { .top = batch->options->top, .sorts = batch->options->sorts, .replay_equal = -1 };
	size_t count;
	if (snapshot->final)
		options.replay_equal = nt_session_replay_equal(batch->session, &count);
	char *line = nt_json_line(snapshot, &options);
	nt_guard_line_begins();
	if (line)
		puts(line);
	flush(batch);
	nt_guard_line_ends();
	free(line);
}

static void print_text(struct batch *batch, const struct nt_snapshot *snapshot)
{
	const struct nt_text_options options = {
		.rows = batch->options->rows,
		.sorts = batch->options->sorts,
		.wall = batch->wall,
		.allocations = batch->options->want_alloc,
		.counters = batch->options->counters,
		.first = batch->printed == 0,
		.realtime_offset_ns = nt_clock_realtime_offset(),
	};
	if (batch->plain)
		nt_plain_frame(batch->plain, snapshot, options.realtime_offset_ns, stdout);
	else
		nt_text_frame(stdout, snapshot, &options);
	flush(batch);
}

/* Each time anew: the methods of its stack may have had no names yet. */
static void note_end(struct batch *batch, const struct nt_snapshot *snapshot)
{
	const struct nt_target_info *target = &snapshot->processes[0].target;
	const struct nt_target_end *end = &target->end;
	bool is_said = end->exception || end->overflow || (end->failed_fast && end->message);
	if (target->ended)
		snprintf(batch->end_text, sizeof(batch->end_text), "target %" PRIu32 " %s ended%s%s%s%s%s%s", target->pid,
			 target->name ? target->name : "", target->end_text ? ": " : "", target->end_text ? target->end_text : "",
			 is_said ? ": " : "", is_said ? nt_end_subject(end) : "", end->message ? ": " : "",
			 end->message ? end->message : "");
}

/* What is left after the last whole interval: with it figures add up in JSON, but nobody reads what happened in some milliseconds. */
static bool is_splinter(const struct batch *batch, const struct nt_snapshot *snapshot)
{
	return snapshot->t1 - snapshot->t0 < batch->options->delay_ns / 10;
}

static void say(void *context, const char *line)
{
	(void)context;
	fprintf(stderr, "nettop: %s\n", line);
}

/* What a reader of the file cannot see in it. */
static void say_what_is_missing(const struct batch *batch, const struct nt_snapshot *snapshot)
{
	const struct nt_process_snapshot *process = &snapshot->processes[0];
	for (size_t i = 0; i < snapshot->source_count; i++) {
		const struct nt_source_row *source = &snapshot->sources[i];
		if (source->id == NT_SOURCE_EVENTPIPE && source->reason)
			fprintf(stderr, "nettop: %s%s%s%s\n", batch->counters.any ? "" : "no counters came: ", source->reason,
				source->fix ? "; " : "", source->fix ? source->fix : "");
	}
	if (process->counters_hidden || process->counters_hidden_at_least)
		fprintf(stderr, "nettop: %zu%s more counters are not in the file\n", process->counters_hidden,
			process->counters_hidden_at_least ? " or" : "");
	if (snapshot->lost_count || snapshot->lost_unknown)
		fprintf(stderr, "nettop: %s%" PRIu64 " events were lost; values may be missing\n",
			snapshot->lost_unknown ? "more than " : "", snapshot->lost_count);
}

static void print_counters(struct batch *batch, const struct nt_snapshot *snapshot)
{
	nt_guard_line_begins();
	nt_counter_lines_add(&batch->counters, &snapshot->processes[0]);
	if (snapshot->final)
		nt_counter_lines_end(&batch->counters);
	flush(batch);
	nt_guard_line_ends();
	if (snapshot->final)
		say_what_is_missing(batch, snapshot);
}

static void print(void *context, struct nt_snapshot *snapshot)
{
	struct batch *batch = context;
	note_end(batch, snapshot);
	if (!snapshot->final && enough(batch))
		return;
	if (batch->options->output == NT_OUTPUT_JSON)
		print_json(batch, snapshot);
	else if (nt_options_counters_only(batch->options))
		print_counters(batch, snapshot);
	else if (!snapshot->final && !is_splinter(batch, snapshot))
		print_text(batch, snapshot);
	batch->printed += !snapshot->final;
	nt_trigger_acts_look(&batch->acts, snapshot, say, NULL);
}

/* As dotnet-counters calls it: the file that it runs, without its path. */
static const char *process_name(const struct nt_target *target, char *buf, size_t size)
{
	const char *command = target->command ? target->command : "";
	size_t length = strcspn(command, " "), start = length;
	while (start && command[start - 1] != '/')
		start--;
	snprintf(buf, size, "%.*s", (int)(length - start), command + start);
	return *buf ? buf : target->name;
}

static bool done(const void *context)
{
	const struct batch *batch = context;
	return enough(batch) || batch->write_errno || batch->acts.ends ||
	       (batch->tape->recorder && nt_recorder_is_full(batch->tape->recorder));
}

int nt_batch_run(struct nt_session_setup *setup, struct nt_error *err)
{
	struct nt_loop *loop = NULL;
	char name[NT_ERROR_TEXT];
	if (nt_loop_new(&loop, err) != NT_OK)
		return NT_EXIT_FAILURE;
	struct batch batch = { .options = setup->options,
			       .tape = setup->tape,
			       .wall = setup->options->want_wall && !nt_session_samples_wall(setup),
			       .acts = nt_trigger_acts_of(setup->options, setup->tape) };
	batch.counters = (struct nt_counter_lines){ .out = stdout,
						    .json = setup->options->output == NT_OUTPUT_COUNTERS_JSON,
						    .interval_ns = setup->options->delay_ns,
						    .realtime_offset_ns = nt_clock_realtime_offset() };
	if (setup->options->plain)
		batch.plain = nt_plain_new(setup->options->rows);
	if (nt_options_counters_only(setup->options))
		nt_counter_lines_begin(&batch.counters, process_name(setup->target, name, sizeof(name)), nt_clock_now());
	setup->sink = print;
	setup->sink_context = &batch;
	struct nt_session *session = batch.session = nt_session_new(setup);
	nt_session_open_sources(session);
	nt_headless_follow(session, setup, loop, done, &batch);
	bool ended_early = nt_session_target_ended(session);
	nt_session_finish(session);
	nt_session_free(session);
	nt_tape_tell(setup->tape, true, say, NULL);
	nt_loop_free(loop);
	nt_plain_free(batch.plain);
	if (batch.write_errno && batch.write_errno != EPIPE) {
		nt_error_errno(err, NT_ERR_FAILED, batch.write_errno, "cannot write to standard output");
		return NT_EXIT_FAILURE;
	}
	nt_trigger_acts_end(&batch.acts, say, NULL);
	if (batch.acts.ends)
		return NT_EXIT_CONDITION;
	return ended_early ? nt_exit_of(nt_error_set(err, NT_ERR_GONE, "%s", batch.end_text)) : NT_EXIT_OK;
}
