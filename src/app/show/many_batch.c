// SPDX-License-Identifier: GPL-2.0-only
#include "app/show/many_batch.h"

#include "app/common/exit.h"
#include "app/loop/guard.h"
#include "app/show/ps.h"
#include "output/frame/json.h"
#include "output/frame/plain_frame.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

struct batch {
	const struct nt_options *options;
	struct nt_plain *plain; /* owned; NULL = frames */
	uint64_t printed;       /* intervals */
	int write_errno;
};

static void flush(struct batch *batch)
{
	if ((fflush(stdout) == EOF || ferror(stdout)) && !batch->write_errno)
		batch->write_errno = errno ? errno : EIO;
}

/* In the summary those of which more is known than the kernel's numbers of this moment. */
static void print_json(const struct nt_snapshot *snapshot)
{
	for (size_t i = 0; i < snapshot->listed_count; i++) {
		if (snapshot->final && !snapshot->listed[i].process)
			continue;
		char *line = nt_json_process_row(snapshot, &snapshot->listed[i]);
		puts(line);
		free(line);
	}
}

static bool enough(const struct batch *batch)
{
	return batch->write_errno || (batch->options->interval_count && batch->printed >= batch->options->interval_count);
}

/*
 * The first interval is cut short for the screen, and the last one ends with nettop: in JSON the latter makes figures add up, but nobody reads it. While nothing is watched there are rows without figures,
 * shares of CPU from the second look on.
 */
static bool is_worth_a_frame(const struct batch *batch, const struct nt_snapshot *snapshot)
{
	nt_time length = snapshot->t1 - snapshot->t0;
	bool adds_up = batch->options->output == NT_OUTPUT_JSON && batch->printed;
	return snapshot->process_count ? adds_up || length >= batch->options->delay_ns / 2 : length > 0;
}

static void print(void *context, struct nt_snapshot *snapshot)
{
	struct batch *batch = context;
	bool is_wanted = snapshot->final ? batch->options->output == NT_OUTPUT_JSON : !enough(batch) && is_worth_a_frame(batch, snapshot);
	if (batch->write_errno || !is_wanted)
		return;
	nt_guard_line_begins();
	if (batch->options->output == NT_OUTPUT_JSON) {
		print_json(snapshot);
	} else if (batch->plain) {
		nt_plain_list(batch->plain, &nt_table_watched, snapshot, nt_clock_realtime_offset(), stdout);
	} else {
		if (batch->printed)
			putchar('\n');
		nt_ps_print(snapshot, &nt_table_watched, stdout);
	}
	flush(batch);
	nt_guard_line_ends();
	batch->printed += !snapshot->final;
}

/* None of those that were named is there. */
static bool is_nobody(const struct nt_many *many, const struct nt_options *options)
{
	return options->target && !options->all && nt_many_has_looked(many) && !nt_many_count(many);
}

static enum nt_status follow(struct batch *batch, struct nt_many *many, struct nt_loop *loop, struct nt_error *err)
{
	const struct nt_options *options = batch->options;
	nt_time end = options->duration_ns ? nt_clock_now() + options->duration_ns : NT_TIME_UNKNOWN;
	bool begun = false;
	while (!enough(batch) && nt_clock_now() < end) {
		struct nt_error problem = { 0 };
		char text[NT_ERROR_TEXT];
		if (nt_many_pump(many, &problem) != NT_OK)
			fprintf(stderr, "nettop: %s\n", nt_error_text(&problem, text, sizeof(text)));
		if (!begun && is_nobody(many, options))
			return nt_error_set(err, NT_ERR_ABSENT, "there is no .NET process %s; --all waits for one", options->target);
		begun |= nt_many_has_looked(many);
		nt_time next = nt_many_next_pump(many);
		nt_loop_wake_at(loop, next < end ? next : end);
		if (nt_loop_wait(loop) & NT_WAKE_SIGNAL && nt_loop_interrupted(loop, true))
			break;
	}
	return NT_OK;
}

static void tell_replay(const struct nt_many *many)
{
	size_t count;
	int equal = nt_many_replay_equal(many, &count);
	if (equal >= 0)
		fprintf(stderr, "nettop: replay_equal: %s (%zu snapshots)\n", equal ? "true" : "false", count);
}

int nt_many_batch_run(struct nt_many_setup *setup, struct nt_error *err)
{
	struct batch batch = { .options = setup->options, .plain = setup->options->plain ? nt_plain_new(setup->options->rows) : NULL };
	struct nt_loop *loop = NULL;
	struct nt_many *many = NULL;
	setup->sink = print;
	setup->sink_context = &batch;
	enum nt_status status = nt_loop_new(&loop, err);
	if (status == NT_OK)
		status = nt_many_new(setup, &many, err);
	if (status == NT_OK)
		status = nt_many_watch(many, loop, err);
	if (status == NT_OK) {
		nt_many_look(many, NT_WANT_CPU_SAMPLES); /* all columns are read */
		status = follow(&batch, many, loop, err);
	}
	if (status == NT_OK && !batch.write_errno)
		nt_many_finish(many);
	if (many)
		tell_replay(many);
	nt_many_free(many);
	nt_loop_free(loop);
	nt_plain_free(batch.plain);
	if (status == NT_OK && batch.write_errno && batch.write_errno != EPIPE)
		status = nt_error_errno(err, NT_ERR_FAILED, batch.write_errno, "cannot write to standard output");
	return nt_exit_of(status);
}
