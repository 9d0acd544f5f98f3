// SPDX-License-Identifier: GPL-2.0-only
#include "app/commands/replay_command.h"

#include "app/common/exit.h"
#include "app/common/rights.h"
#include "app/session/replayed.h"
#include "app/show/replay_screen.h"
#include "app/show/watch.h"
#include "output/frame/json.h"
#include "output/frame/text_frame.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

/* What a stranger's recording makes of itself in memory ends here. A build with sanitizers has reserved more than that. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define MEMORY_BYTES RLIM_INFINITY
#else
#define MEMORY_BYTES (UINT64_C(4) << 30)
#endif

struct replay {
	const struct nt_options *options;
	struct nt_replayed *replayed; /* owned */
	uint64_t printed;             /* intervals */
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

static void print_text(const struct replay *replay, const struct nt_snapshot *snapshot)
{
	const struct nt_text_options options = { .rows = replay->options->rows,
						 .sorts = replay->options->sorts,
						 .first = replay->printed == 0,
						 .realtime_offset_ns = nt_replayed_realtime_offset(replay->replayed) };
	if (!snapshot->final)
		nt_text_frame(stdout, snapshot, &options);
}

static void print(struct replay *replay, struct nt_snapshot *snapshot)
{
	if (replay->options->output == NT_OUTPUT_JSON)
		print_json(replay, snapshot);
	else
		print_text(replay, snapshot);
	replay->printed += !snapshot->final;
	nt_snapshot_release(snapshot);
}

/* What somebody who reads the lines cannot see in them. */
static void say(void *context, const char *line)
{
	(void)context;
	fprintf(stderr, "nettop: %s\n", line);
}

static enum nt_status play(struct replay *replay, struct nt_error *err)
{
	struct nt_snapshot *snapshot;
	enum nt_status status = NT_OK;
	while (!enough(replay) && (status = nt_replayed_step(replay->replayed, &snapshot, err)) == NT_OK)
		if (snapshot)
			print(replay, snapshot);
	fflush(stdout);
	if (ferror(stdout))
		return nt_error_set(err, NT_ERR_FAILED, "cannot write to standard output");
	if (status == NT_END)
		nt_replayed_tell_end(replay->replayed, say, NULL);
	return status < 0 ? status : NT_OK;
}

static void bound_memory(void)
{
	struct rlimit limit;
	if (getrlimit(RLIMIT_DATA, &limit) == 0 && limit.rlim_cur > MEMORY_BYTES) {
		limit.rlim_cur = MEMORY_BYTES;
		setrlimit(RLIMIT_DATA, &limit);
	}
}

int nt_replay_command(struct nt_options *options, struct nt_error *err)
{
	struct replay replay = { .options = options };
	struct nt_keeper *keeper = NULL;
	if (!options->target)
		return nt_exit_of(nt_error_set(err, NT_ERR_USAGE, "which recording? nettop replay FILE"));
	nt_watch_choose_output(options);
	bool screen = options->output == NT_OUTPUT_SCREEN;
	nt_rights_drop(NT_RIGHTS_FILES);
	bound_memory();
	enum nt_status status = screen ? nt_replay_screen_begin(&keeper, err) : NT_OK;
	if (status == NT_OK)
		status = nt_replayed_open(options->target, screen, &replay.replayed, err);
	if (status == NT_OK && screen && nt_replayed_settings(replay.replayed))
		status = nt_replay_screen_run(options, replay.replayed, keeper, err);
	else if (status == NT_OK)
		status = play(&replay, err);
	nt_replayed_free(replay.replayed);
	nt_replay_screen_end(keeper);
	return nt_exit_of(status);
}
