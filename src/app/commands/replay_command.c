// SPDX-License-Identifier: GPL-2.0-only
#include "app/commands/replay_command.h"

#include "app/commands/replay_through.h"
#include "app/common/exit.h"
#include "app/show/replay_screen.h"
#include "app/show/watch.h"
#include "output/frame/json.h"
#include "output/frame/plain_frame.h"
#include "output/frame/text_frame.h"

#include <stdio.h>
#include <stdlib.h>

struct replay {
	const struct nt_options *options;
	const struct nt_replayed *replayed; /* borrowed */
	struct nt_plain *plain;             /* what was told as sentences; owned, NULL = they are frames */
	uint64_t printed;                   /* intervals */
	bool is_part;                       /* of it, from: */
	nt_time from, to;
};

static bool enough(const struct replay *replay)
{
	return ferror(stdout) || (replay->options->interval_count && replay->printed >= replay->options->interval_count);
}

static void print_json(const struct replay *replay, const struct nt_snapshot *snapshot)
{
	const struct nt_json_options options = { .top = replay->options->top, .sorts = replay->options->sorts, .replay_equal = -1 };
	char *line = nt_json_line(snapshot, &options);
	if (line)
		puts(line);
	free(line);
}

/* As live, a splinter of an interval is no frame. */
static void print_text(const struct replay *replay, const struct nt_snapshot *snapshot)
{
	nt_time interval_ns = nt_replayed_settings(replay->replayed)->interval_ns;
	const struct nt_text_options options = { .rows = replay->options->rows,
						 .sorts = replay->options->sorts,
						 .first = replay->printed == 0,
						 .realtime_offset_ns = nt_replayed_realtime_offset(replay->replayed) };
	if (snapshot->final || snapshot->t1 - snapshot->t0 < interval_ns / 10)
		return;
	if (replay->plain)
		nt_plain_frame(replay->plain, snapshot, options.realtime_offset_ns, stdout);
	else
		nt_text_frame(stdout, snapshot, &options);
}

/* When the lines begin and end. The model is of all that was before: each is as it is among all of them. */
static void choose_part(struct replay *replay)
{
	const struct nt_options *options = replay->options;
	const struct nt_model_config *settings = nt_replayed_settings(replay->replayed);
	int64_t offset = nt_replayed_realtime_offset(replay->replayed);
	replay->from = options->from.sort == NT_WHEN_NEVER ? 0 : nt_when_in(&options->from, settings->start, offset);
	replay->to = options->to.sort == NT_WHEN_NEVER ? NT_TIME_UNKNOWN : nt_when_in(&options->to, settings->start, offset);
	replay->is_part = replay->from || replay->to != NT_TIME_UNKNOWN;
}

static bool take(void *context, const struct nt_replayed *replayed, struct nt_snapshot *snapshot)
{
	struct replay *replay = context;
	if (!replay->replayed) {
		replay->replayed = replayed;
		choose_part(replay);
	}
	if (snapshot->t0 >= replay->to)
		return false;
	if (snapshot->t1 <= replay->from || (snapshot->final && replay->is_part)) /* the summary is of all the time */
		return true;
	if (replay->options->output == NT_OUTPUT_JSON)
		print_json(replay, snapshot);
	else
		print_text(replay, snapshot);
	replay->printed += !snapshot->final;
	return !enough(replay);
}

static enum nt_status print_all(const struct nt_options *options, struct nt_error *err)
{
	struct replay replay = { .options = options, .plain = options->plain ? nt_plain_new(options->rows) : NULL };
	enum nt_status status =
		nt_replay_through(options->target, &(struct nt_replayed_wish){ .open = nt_replay_opening(options) }, take, &replay, err);
	nt_plain_free(replay.plain);
	fflush(stdout);
	return ferror(stdout) ? nt_error_set(err, NT_ERR_FAILED, "cannot write to standard output") : status;
}

static enum nt_status show(const struct nt_options *options, struct nt_error *err)
{
	struct nt_keeper *keeper = NULL;
	struct nt_replayed *replayed = NULL;
	nt_replay_prepare();
	enum nt_status status = nt_replay_screen_begin(&keeper, err);
	if (status == NT_OK)
		status = nt_replayed_open(options->target,
					  &(struct nt_replayed_wish){ .for_screens = true, .open = nt_replay_opening(options) }, &replayed,
					  err);
	if (status == NT_OK && nt_replayed_settings(replayed))
		status = nt_replay_screen_run(options, &replayed, keeper, err);
	else if (status == NT_OK)
		nt_replayed_tell_end(replayed, nt_replay_say, NULL);
	nt_replayed_free(replayed);
	nt_replay_screen_end(keeper);
	return status;
}

int nt_replay_command(struct nt_options *options, struct nt_error *err)
{
	if (!options->target)
		return nt_exit_of(nt_error_set(err, NT_ERR_USAGE, "which recording? nettop replay FILE"));
	nt_watch_choose_output(options);
	return nt_exit_of(options->output == NT_OUTPUT_SCREEN ? show(options, err) : print_all(options, err));
}
