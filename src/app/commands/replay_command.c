// SPDX-License-Identifier: GPL-2.0-only
#include "app/commands/replay_command.h"

#include "app/common/exit.h"
#include "app/common/rights.h"
#include "output/frame/json.h"
#include "output/frame/text_frame.h"
#include "output/frame/time_text.h"
#include "record/recording_file.h"

#include <inttypes.h>
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
	struct nt_recording_file *file; /* owned */
	struct nt_model *model;         /* owned; NULL = nothing has been read yet */
	int64_t realtime_offset_ns;
	uint64_t printed; /* intervals */
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
						 .realtime_offset_ns = replay->realtime_offset_ns };
	if (!snapshot->final)
		nt_text_frame(stdout, snapshot, &options);
}

static void tick(struct replay *replay, const struct nt_tick *tick)
{
	struct nt_snapshot *snapshot = nt_model_take_tick(replay->model, tick);
	if (!snapshot)
		return;
	if (replay->options->output == NT_OUTPUT_JSON)
		print_json(replay, snapshot);
	else
		print_text(replay, snapshot);
	replay->printed += !snapshot->final;
	nt_snapshot_release(snapshot);
}

static void take(struct replay *replay, const struct nt_recording_input *input)
{
	switch (input->what) {
	case NT_RECORDED_SETTINGS:
		replay->model = nt_model_new(&input->settings);
		replay->realtime_offset_ns = input->realtime_offset_ns;
		break;
	case NT_RECORDED_BATCH:
		nt_model_apply(replay->model, input->batch);
		break;
	case NT_RECORDED_TICK:
		tick(replay, &input->tick);
		break;
	}
}

/* What somebody who reads the lines cannot see in them. */
static void say_end(const struct replay *replay)
{
	const struct nt_recording_end end = nt_recording_file_end(replay->file);
	if (end.unknown)
		fprintf(stderr, "nettop: a later nettop has recorded this: %" PRIu64 " things that this one does not know are left out\n",
			end.unknown);
	if (end.finished)
		return;
	fputs("nettop: the recording was not ended: it goes up to ", stderr);
	if (end.last)
		nt_time_print(stderr, end.last, replay->realtime_offset_ns);
	else
		fputs("its begin", stderr);
	if (end.rest_bytes)
		fprintf(stderr, ", %" PRIu64 " bytes after it are no whole frame", end.rest_bytes);
	fputc('\n', stderr);
}

static enum nt_status play(struct replay *replay, struct nt_error *err)
{
	struct nt_recording_input input;
	enum nt_status status = NT_OK;
	while (!enough(replay) && (status = nt_recording_file_next(replay->file, &input, err)) == NT_OK)
		take(replay, &input);
	fflush(stdout);
	if (ferror(stdout))
		return nt_error_set(err, NT_ERR_FAILED, "cannot write to standard output");
	if (status == NT_END)
		say_end(replay);
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
	if (!options->target)
		return nt_exit_of(nt_error_set(err, NT_ERR_USAGE, "which recording? nettop replay FILE"));
	nt_rights_drop(NT_RIGHTS_FILES);
	bound_memory();
	enum nt_status status = nt_recording_file_open(options->target, &replay.file, err);
	if (status == NT_OK)
		status = play(&replay, err);
	nt_model_free(replay.model);
	nt_recording_file_free(replay.file);
	return nt_exit_of(status);
}
