// SPDX-License-Identifier: GPL-2.0-only
#include "app/commands/report_command.h"

#include "app/commands/replay_through.h"
#include "app/common/exit.h"
#include "app/common/new_file.h"
#include "app/common/version.h"
#include "app/loop/guard.h"
#include "app/show/headless.h"
#include "app/show/report_settings.h"
#include "app/show/watch.h"
#include "output/frame/json.h"
#include "output/report/report_write.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct work {
	const struct nt_options *options;
	bool following;             /* the sources are open */
	struct nt_snapshot *last;   /* the newest whole interval in that time, of a process that lived; owned, NULL = none yet */
	struct nt_snapshot *whole;  /* the final one; owned, NULL = none yet */
	struct nt_jit_report *with; /* what it was started with; owned */
	nt_time interval_ns;
	int64_t realtime_offset_ns;
};

static void keep(struct nt_snapshot **place, struct nt_snapshot *snapshot)
{
	nt_snapshot_release(*place);
	*place = nt_snapshot_retain(snapshot);
}

/* What is left when the target ends or somebody has seen enough: of some milliseconds, in which sources are closed. */
static bool is_splinter(const struct work *work, const struct nt_snapshot *snapshot)
{
	return snapshot->t1 - snapshot->t0 < work->interval_ns / 2 || snapshot->processes[0].target.ended;
}

static void take(void *context, struct nt_snapshot *snapshot)
{
	struct work *work = context;
	if (snapshot->final)
		keep(&work->whole, snapshot);
	else if (!work->last || (work->following && !is_splinter(work, snapshot)))
		keep(&work->last, snapshot);
}

/* ---- writing ---- */

static void write_json(FILE *out, const struct work *work)
{
	const struct nt_json_options options = { .top = work->options->top, .replay_equal = -1 };
	char *line = nt_json_line(work->whole, &options);
	fprintf(out, "%s\n", line);
	free(line);
}

static enum nt_report_form form_of(const struct nt_options *options)
{
	return options->output == NT_OUTPUT_HTML       ? NT_REPORT_HTML
	       : options->output == NT_OUTPUT_MARKDOWN ? NT_REPORT_MARKDOWN
						       : NT_REPORT_TEXT;
}

static void write_it(FILE *out, const void *context)
{
	const struct work *work = context;
	const struct nt_process_snapshot *process = &work->whole->processes[0];
	const struct nt_stacks stacks = {
		.tree = &process->stacks,
		.pid = process->target.pid,
		.process_name = process->target.name,
		.t0 = work->whole->start,
		.t1 = work->whole->t1,
		.period_ns = work->options->replay_path ? nt_replay_sample_ns(work->whole) : NT_NS_PER_S / work->options->perf_hz,
	};
	const struct nt_report report = {
		.whole = work->whole,
		.last = work->last ? work->last : work->whole,
		.started_with = work->with,
		.version = NT_VERSION,
		.stacks = &stacks,
		.rows = work->options->rows,
		.realtime_offset_ns = work->realtime_offset_ns,
	};
	if (work->options->output == NT_OUTPUT_JSON)
		write_json(out, work);
	else
		nt_report_write(out, &report, form_of(work->options));
}

static int write_report(struct work *work, struct nt_error *err)
{
	const struct nt_target_info *target = &work->whole->processes[0].target;
	enum nt_status status = nt_new_file_write(work->options->output_path, write_it, work, err);
	if (status == NT_OK && target->ended)
		status = nt_error_set(err, NT_ERR_GONE, "process %" PRIu32 " ended%s%s; the report is of what was seen until then",
				      target->pid, target->end_text ? ": " : "", target->end_text ? target->end_text : "");
	return nt_exit_of(status);
}

static int watch(void *context, struct nt_session_setup *setup, struct nt_error *err)
{
	struct work *work = context;
	struct nt_loop *loop = NULL;
	nt_guard_unfinished(NT_EXIT_FAILURE);
	if (nt_loop_new(&loop, err) != NT_OK)
		return NT_EXIT_FAILURE;
	work->with = nt_report_settings(setup->target); /* while it lives */
	setup->sink = take;
	setup->sink_context = work;
	if (work->options->output == NT_OUTPUT_HTML)
		setup->stacks = NT_STACKS_ALL;
	struct nt_session *session = nt_session_new(setup);
	nt_session_open_sources(session);
	work->following = true;
	nt_headless_follow(session, setup, loop, NULL, NULL);
	work->following = false;
	nt_session_finish(session);
	nt_session_free(session);
	nt_loop_free(loop);
	return write_report(work, err);
}

static bool take_recorded(void *context, const struct nt_replayed *replayed, struct nt_snapshot *snapshot)
{
	struct work *work = context;
	work->interval_ns = nt_replayed_settings(replayed)->interval_ns;
	work->realtime_offset_ns = nt_replayed_realtime_offset(replayed);
	take(work, snapshot);
	return true;
}

static int replay(struct work *work, struct nt_error *err)
{
	const struct nt_options *options = work->options;
	const struct nt_replayed_wish wish = { .summary = true,
					       .open = nt_replay_opening(options),
					       .from = &options->from,
					       .to = &options->to,
					       .stacks = options->output == NT_OUTPUT_HTML ? NT_STACKS_ALL : NT_STACKS_NONE };
	work->with = nt_report_settings(NULL);
	work->following = true;
	enum nt_status status = nt_replay_through(options->replay_path, &wish, take_recorded, work, err);
	if (status == NT_OK && !work->whole)
		status = nt_error_set(err, NT_ERR_ABSENT, "%s has nothing in it", options->replay_path);
	if (status == NT_OK)
		return write_report(work, err);
	struct nt_error other = { 0 };
	if (work->whole) /* of one that is damaged, what came before */
		write_report(work, &other);
	return nt_exit_of(status);
}

int nt_report(struct nt_options *options, struct nt_error *err)
{
	struct work work = { .options = options, .interval_ns = options->delay_ns, .realtime_offset_ns = nt_clock_realtime_offset() };
	const struct nt_show show = { .run = watch, .context = &work };
	if (!options->target && !options->replay_path)
		return nt_exit_of(nt_error_set(err, NT_ERR_USAGE, "which process? Give its pid or name: nettop report -p PID"));
	enum nt_status status = nt_new_file_check(options->output_path, err);
	if (status != NT_OK)
		return nt_exit_of(status);
	if (options->output == NT_OUTPUT_SCREEN)
		options->output = NT_OUTPUT_TEXT;
	int exit_status = options->replay_path ? replay(&work, err) : nt_watch_with(options, &show, err);
	nt_snapshot_release(work.last);
	nt_snapshot_release(work.whole);
	nt_jit_report_free(work.with);
	return exit_status;
}
