// SPDX-License-Identifier: GPL-2.0-only
#include "app/commands/stacks_command.h"

#include "app/common/exit.h"
#include "app/common/new_file.h"
#include "app/common/print.h"
#include "app/show/headless.h"
#include "app/show/watch.h"
#include "decode/kernel/perf_record.h"
#include "source/perf/perf_attr.h"

#include <inttypes.h>
#include <unistd.h>

struct work {
	const struct nt_options *options;
	bool refused;          /* there will be no samples */
	bool written;          /* or it was tried */
	enum nt_status status; /* of either, its sentence in err */
	struct nt_error err;
};

/* Samples that were refused never come by themselves: nobody has to wait for the end to hear that. */
static void note_refusal(struct work *work, const struct nt_snapshot *snapshot)
{
	for (size_t i = 0; i < snapshot->source_count; i++) {
		const struct nt_source_row *row = &snapshot->sources[i];
		if (row->id != NT_SOURCE_PERF || (row->state != NT_STATE_ABSENT && row->state != NT_STATE_FORBIDDEN))
			continue;
		work->refused = true;
		work->status =
			nt_error_set(&work->err, NT_ERR_FORBIDDEN, "no CPU samples: %s", row->reason ? row->reason : "the kernel has none");
		if (row->fix)
			nt_error_set_fix(&work->err, row->fix);
	}
}

/* What is to be written, and how. */
struct job {
	struct nt_stacks stacks;
	enum nt_stacks_format format;
};

static void write_job(FILE *out, const void *context)
{
	const struct job *job = context;
	nt_stacks_write(out, job->format, &job->stacks);
}

/* Why chains lack their outer frames, and what would bring them. */
static void say_what_is_missing(const struct nt_process_snapshot *process, enum nt_call_graph call_graph)
{
	static const double worth_it_pct = 10, seen_pct = 1;
	double cut = process->all_cut_pct.known ? process->all_cut_pct.v : 0;
	double broken = process->all_complete_pct.known ? 100 - process->all_complete_pct.v - cut : 0;
	if (cut >= seen_pct)
		fprintf(stderr,
			"nettop: %.1f %% of the call chains are deeper than the kernel hands out, and lack their outer frames; more: "
			"sysctl "
			"kernel.perf_event_max_stack=%d, while nobody else samples call chains\n",
			cut, NT_PERF_STACK_MAX);
	if (broken >= worth_it_pct && call_graph != NT_CALL_GRAPH_HYBRID && nt_perf_dump_bytes(NT_CALL_GRAPH_HYBRID))
		fprintf(stderr,
			"nettop: %.1f %% of the call chains break off in code without frame pointers; --call-graph hybrid follows them "
			"through a "
			"copy of the stack\n",
			broken);
}

/* On standard error: the file may be standard output. */
static void say(const struct nt_snapshot *snapshot, enum nt_call_graph call_graph)
{
	const struct nt_process_snapshot *process = &snapshot->processes[0];
	const struct nt_u64 *lost = &process->total.cpu.lost_samples;
	fprintf(stderr, "nettop: %.0f samples in %.1f s", process->stacks.samples,
		(double)(snapshot->t1 - snapshot->start) / (double)NT_NS_PER_S);
	if (process->all_complete_pct.known)
		fprintf(stderr, ", %.1f %% of them with the whole call chain", process->all_complete_pct.v);
	if (process->stacks.evicted > 0)
		fprintf(stderr, "; of %.0f the innermost calls were too many to keep, and are one (evicted)", process->stacks.evicted);
	if (process->stacks.untimed)
		fprintf(stderr, "; %" PRIu64 " came when no more times could be kept, and are not in the file", process->stacks.untimed);
	if (lost->known && lost->v)
		fprintf(stderr, "; the kernel lost %" PRIu64 " more", lost->v);
	if (process->target.ended)
		fputs("; the process ended", stderr);
	fputc('\n', stderr);
	say_what_is_missing(process, call_graph);
}

static void take(void *context, struct nt_snapshot *snapshot)
{
	struct work *work = context;
	note_refusal(work, snapshot);
	if (!snapshot->final || work->refused)
		return;
	const struct nt_process_snapshot *process = &snapshot->processes[0];
	const struct job job = {
		.stacks = { .tree = &process->stacks,
			    .pid = process->target.pid,
			    .process_name = process->target.name,
			    .t0 = snapshot->start,
			    .t1 = snapshot->t1,
			    .period_ns = NT_NS_PER_S / work->options->perf_hz },
		.format = work->options->stacks_format,
	};
	work->written = true;
	work->status = nt_new_file_write(work->options->output_path, write_job, &job, &work->err);
	if (work->status == NT_OK)
		say(snapshot, work->options->call_graph);
}

static bool is_refused(const void *context)
{
	return ((const struct work *)context)->refused;
}

static int watch(void *context, struct nt_session_setup *setup, struct nt_error *err)
{
	/* Which sample was when costs memory for each, and one format says it. */
	bool timed = ((const struct work *)context)->options->stacks_format == NT_STACKS_AS_PERF_SCRIPT;
	setup->stacks = timed ? NT_STACKS_TIMED : NT_STACKS_ALL;
	setup->sink = take;
	setup->sink_context = context;
	return nt_headless_run(setup, is_refused, context, err);
}

static enum nt_status check(const struct nt_options *options, struct nt_error *err)
{
	if (!options->target)
		return nt_error_set(err, NT_ERR_USAGE, "which process? Give its pid or name: nettop stacks -p PID");
	if (!options->output_path && nt_stacks_format_is_binary(options->stacks_format) && isatty(STDOUT_FILENO))
		return nt_error_set(err, NT_ERR_USAGE, "%s is nothing for a terminal; give a file: -o FILE",
				    nt_stacks_format_name(options->stacks_format));
	return nt_new_file_check(options->output_path, err);
}

int nt_stacks(struct nt_options *options, struct nt_error *err)
{
	struct work work = { .options = options, .status = NT_OK };
	const struct nt_show show = { .run = watch, .context = &work };
	enum nt_status status = check(options, err);
	if (status != NT_OK)
		return nt_exit_of(status);
	/* Nothing else is looked at, and nothing else should cost. */
	options->source_mask = 1u << NT_SOURCE_PROCFS | 1u << NT_SOURCE_APP | 1u << NT_SOURCE_PERF | 1u << NT_SOURCE_CODEMAP;
	options->output = NT_OUTPUT_TEXT;
	if (!options->output_path && nt_stacks_format_is_binary(options->stacks_format))
		nt_print_bytes();
	int exit_status = nt_watch_with(options, &show, err);
	if (work.status != NT_OK) {
		*err = work.err;
		return nt_exit_of(work.status);
	}
	/* Until the end of the process, or that of the duration: either is what was asked for. */
	return work.written ? NT_EXIT_OK : exit_status;
}
