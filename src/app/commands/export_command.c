// SPDX-License-Identifier: GPL-2.0-only
#include "app/commands/export_command.h"

#include "app/commands/export_walk.h"
#include "app/commands/replay_through.h"
#include "app/common/exit.h"
#include "app/common/new_file.h"

#include <inttypes.h>
#include <stdio.h>

struct job {
	const struct nt_export_format *format;
	const struct nt_export_timeline *timeline;
};

static void write_job(FILE *out, const void *context)
{
	const struct job *job = context;
	job->format->write(out, job->timeline);
}

static void say_what_it_is(const struct nt_export_timeline *timeline, const struct nt_options *options)
{
	const struct nt_stacks *stacks = &timeline->stacks;
	const struct nt_export_format *format = options->export_format;
	fputs("nettop: ", stderr);
	if (!format->intervals_alone)
		fprintf(stderr, "%" PRIu32 " samples", stacks->tree->moment_count);
	if (format->markers || format->runtime_events)
		fprintf(stderr, " and %zu events", format->markers ? timeline->marker_count : timeline->runtime_events->count);
	fprintf(stderr, "%s%zu intervals of %.1f s, written to %s\n", format->intervals_alone ? "" : " in ", timeline->interval_count,
		(double)(stacks->t1 - stacks->t0) / (double)NT_NS_PER_S, options->output_path);
}

static enum nt_status check(struct nt_options *options, struct nt_error *err)
{
	if (!options->target)
		return nt_error_set(err, NT_ERR_USAGE, "which recording? nettop export FILE -o OUT");
	if (!options->output_path)
		return nt_error_set(err, NT_ERR_USAGE, "into which file? nettop export FILE -o OUT");
	if (!options->export_format)
		options->export_format = nt_export_format_of_file(options->output_path);
	if (!options->export_format)
		return nt_error_set(err, NT_ERR_USAGE, "how %s ends says no format: give one with --format (nettop export --help)",
				    options->output_path);
	return nt_new_file_check(options->output_path, err);
}

static enum nt_status write_timeline(void *context, const struct nt_export_timeline *timeline, struct nt_error *err)
{
	const struct nt_options *options = context;
	const struct job job = { .format = options->export_format, .timeline = timeline };
	enum nt_status status = nt_new_file_write(options->output_path, write_job, &job, err);
	if (status == NT_OK)
		say_what_it_is(timeline, options);
	return status;
}

int nt_export_command(struct nt_options *options, struct nt_error *err)
{
	enum nt_status status = check(options, err);
	const struct nt_export_wish wish = { .path = options->target,
					     .from = &options->from,
					     .to = &options->to,
					     .open = nt_replay_opening(options),
					     .intervals_alone = options->export_format && options->export_format->intervals_alone,
					     .markers = options->export_format && options->export_format->markers,
					     .runtime_events = options->export_format && options->export_format->runtime_events,
					     .use = write_timeline,
					     .context = options };
	return nt_exit_of(status == NT_OK ? nt_export_walk(&wish, err) : status);
}
