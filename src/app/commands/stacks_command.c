// SPDX-License-Identifier: GPL-2.0-only
#include "app/commands/stacks_command.h"

#include "app/commands/core_command.h"
#include "app/commands/replay_through.h"
#include "app/commands/stacks_files.h"
#include "app/commands/stacks_list.h"
#include "app/common/exit.h"
#include "app/common/print.h"
#include "app/show/headless.h"
#include "app/show/watch.h"
#include "decode/kernel/perf_record.h"
#include "output/stacks/stacks_side.h"
#include "source/perf/perf_attr.h"
#include "target/needs/readonly.h"

#include <inttypes.h>
#include <string.h>

struct work {
	const struct nt_options *options;
	bool refused;          /* there will be no samples */
	bool written;          /* or it was tried */
	enum nt_status status; /* of either, its sentence in err */
	struct nt_error err;
};

/* Is what is wanted this source's? */
static bool is_needed(const struct nt_options *options, enum nt_source_id id)
{
	for (size_t i = 0; i < options->moment_count; i++)
		if (nt_moment_source(&options->moments[i]) == id)
			return true;
	return !options->moment_count && id == NT_SOURCE_PERF;
}

/* Does the kernel tell all that is wanted, whose chains begin where the thread does? The others tell managed frames alone. */
static bool is_whole(const struct nt_options *options)
{
	return !is_needed(options, NT_SOURCE_EVENTPIPE) && !is_needed(options, NT_SOURCE_RUNTIME);
}

static bool is_refused_to_us(const struct nt_source_row *row)
{
	return row->state == NT_STATE_ABSENT || row->state == NT_STATE_FORBIDDEN ||
	       (row->state == NT_STATE_UNUSED && row->reason); /* what would do harm is not asked for */
}

/* Blocked time may be told by either: by switches, or by looks. */
static bool is_told_otherwise(const struct nt_options *options, const struct nt_snapshot *snapshot)
{
	const struct nt_source_row *perf = nt_snapshot_source(snapshot, NT_SOURCE_PERF);
	return nt_moments_are_waits(options->moments, options->moment_count) && perf && !is_refused_to_us(perf);
}

/* Either could tell when the program is paused; why neither does, by the one that needs least. */
static const struct nt_source_row *who_tells_no_pauses(const struct nt_snapshot *snapshot)
{
	const struct nt_source_row *port = nt_snapshot_source(snapshot, NT_SOURCE_EVENTPIPE),
				   *lttng = nt_snapshot_source(snapshot, NT_SOURCE_LTTNG);
	return port && is_refused_to_us(port) && (!lttng || is_refused_to_us(lttng)) ? port : NULL;
}

static void refuse(struct work *work, const char *what, const struct nt_source_row *row, const char *reason)
{
	work->refused = true;
	work->status = nt_error_set(&work->err, NT_ERR_FORBIDDEN, "%s%s", what, row->reason ? row->reason : reason);
	if (row->fix)
		nt_error_set_fix(&work->err, row->fix);
}

/* What was refused never comes by itself: nobody has to wait for the end to hear that. */
static void note_refusal(struct work *work, const struct nt_snapshot *snapshot)
{
	const struct nt_source_row *no_pauses = work->options->during != NT_SIDE_NOT_TOLD ? who_tells_no_pauses(snapshot) : NULL;
	if (no_pauses) {
		refuse(work, "when the program is paused is not told: ", no_pauses, "its diagnostics port is not to be had");
		return;
	}
	const char *what = work->options->all_time ? "not all time can be told: " : work->options->moment_count ? "" : "no CPU samples: ";
	for (size_t i = 0; i < snapshot->source_count; i++) {
		const struct nt_source_row *row = &snapshot->sources[i];
		if (!is_needed(work->options, row->id) || !is_refused_to_us(row) || is_told_otherwise(work->options, snapshot))
			continue;
		refuse(work, what, row, "the kernel has none");
		return;
	}
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

/* That something was not watched all the time, or not each was told. */
static void say_parts(const struct nt_snapshot *snapshot, const struct nt_options *options)
{
	for (size_t i = 0; options->moment_count && i < snapshot->source_count; i++) {
		const struct nt_source_row *row = &snapshot->sources[i];
		if (is_needed(options, row->id) && row->reason)
			fprintf(stderr, "nettop: %s%s%s\n", row->reason, row->fix ? "; " : "", row->fix ? row->fix : "");
	}
}

/* Why each wait is not told to the ns. */
static void say_exactness(const struct nt_snapshot *snapshot, const struct nt_options *options)
{
	const struct nt_source_row *perf = nt_snapshot_source(snapshot, NT_SOURCE_PERF);
	if (nt_moments_are_waits(options->moments, options->moment_count) && perf && perf->reason)
		fprintf(stderr, "nettop: by looks at the threads, not by each switch: %s%s%s\n", perf->reason, perf->fix ? "; " : "",
			perf->fix ? perf->fix : "");
}

/* "waits" where each is told; else what they are seen by. */
static const char *word_of_waits(const struct nt_process_snapshot *process)
{
	const char *method = process->total.waits.method;
	return !method || strcmp(method, "polled") == 0 ? "looks at threads that wait"
	       : strcmp(method, "exact") == 0           ? "waits"
							: "waits, and looks at threads that wait";
}

/* Looks begin late, and may be refused in between: what was not looked at is in no stack. */
static void say_looked_at(const struct nt_snapshot *snapshot)
{
	const struct nt_u64 *covered_ns = &snapshot->processes[0].total.waits.covered_ns;
	nt_time looked_ns = covered_ns->known ? covered_ns->v : 0, watched_ns = snapshot->t1 - snapshot->start;
	if (looked_ns + watched_ns / 10 < watched_ns)
		fprintf(stderr, "; threads were looked at for %.1f s of that", (double)looked_ns / (double)NT_NS_PER_S);
}

static void say_uncounted(const struct nt_wait_figures *waits)
{
	if (waits->uncounted_count.known && waits->uncounted_count.v)
		fprintf(stderr, "; %s%" PRIu64 " threads at a time were too many, and what they waited is not in the file",
			waits->uncounted_at_least ? "at least " : "", waits->uncounted_count.v);
}

static const struct nt_stack_frame *thread_of(const struct nt_stack_tree *tree, uint32_t node)
{
	while (tree->nodes[node].parent != NT_STACK_ROOT)
		node = tree->nodes[node].parent;
	return &tree->frames[tree->nodes[node].frame];
}

/* How long all threads did what. */
static void say_times(const struct nt_stack_tree *tree)
{
	double ns[NT_TIME_PARTS] = { 0 };
	for (uint32_t n = 0; n < tree->node_count; n++) {
		const struct nt_stack_frame *thread = thread_of(tree, n);
		if (thread->sort == NT_FRAME_THREAD && thread->what < NT_TIME_PARTS)
			ns[thread->what] += tree->nodes[n].self;
	}
	const double s = (double)NT_NS_PER_S;
	fprintf(stderr, "threads ran for %.1f s, were blocked for %.1f s and waited for a CPU for %.1f s", ns[NT_TIME_RUNS] / s,
		ns[NT_TIME_BLOCKED] / s, ns[NT_TIME_READY] / s);
}

/* What of all time is not in the file: who never ran is seen by looks alone, and switches may have become too dear. */
static void say_what_all_lacks(const struct nt_snapshot *snapshot)
{
	const struct nt_source_row *perf = nt_snapshot_source(snapshot, NT_SOURCE_PERF),
				   *looks = nt_snapshot_source(snapshot, NT_SOURCE_RUNTIME);
	if (perf && perf->reason)
		fprintf(stderr, "nettop: %s%s%s\n", perf->reason, perf->fix ? "; " : "", perf->fix ? perf->fix : "");
	if (looks && is_refused_to_us(looks) && looks->reason)
		fprintf(stderr, "nettop: threads that did not run in all that time are not in the file: %s%s%s\n", looks->reason,
			looks->fix ? "; " : "", looks->fix ? looks->fix : "");
}

/* How many were on which side, whichever is in the file. */
static void say_sides(const struct nt_stack_tree *tree)
{
	fprintf(stderr, ", %.0f in pauses for collections, %.0f outside", tree->side_samples[NT_IN_PAUSES],
		tree->side_samples[NT_OUTSIDE_PAUSES]);
	if (tree->side_samples[NT_SIDE_NOT_TOLD] > 0)
		fprintf(stderr, ", of %.0f it is not told, and they are not in the file", tree->side_samples[NT_SIDE_NOT_TOLD]);
}

/* On standard error: the file may be standard output. */
static void say(const struct nt_snapshot *snapshot, const struct nt_options *options)
{
	const struct nt_process_snapshot *process = &snapshot->processes[0];
	const struct nt_u64 *lost = &process->total.cpu.lost_samples;
	fputs("nettop: ", stderr);
	if (options->all_time)
		say_times(&process->stacks);
	else if (!options->moment_count)
		fprintf(stderr, "%.0f samples", process->stacks.samples);
	for (size_t i = 0; i < options->moment_count; i++) {
		bool looks = options->moments[i].sort == NT_MOMENT_WAIT;
		fprintf(stderr, "%s%" PRIu64 " %s%s", i ? ", " : "", process->stacks.happened[i], looks ? word_of_waits(process) : "of ",
			looks ? "" : options->moments[i].word);
	}
	fprintf(stderr, " in %.1f s", (double)(snapshot->t1 - snapshot->start) / (double)NT_NS_PER_S);
	if (options->during != NT_SIDE_NOT_TOLD)
		say_sides(&process->stacks);
	if (is_needed(options, NT_SOURCE_RUNTIME))
		say_looked_at(snapshot);
	if (is_needed(options, NT_SOURCE_RUNTIME) || options->all_time)
		say_uncounted(&process->total.waits);
	if (process->all_complete_pct.known && is_whole(options))
		fprintf(stderr, ", %.1f %% of %s with the whole call chain", process->all_complete_pct.v,
			options->all_time ? "the samples" : "them");
	if (process->stacks.evicted > 0)
		fprintf(stderr, "; of %.0f the innermost calls were too many to keep, and are one (evicted)", process->stacks.evicted);
	if (process->stacks.untimed)
		fprintf(stderr, "; %" PRIu64 " came when no more times could be kept, and are not in the file", process->stacks.untimed);
	if (lost->known && lost->v)
		fprintf(stderr, "; the kernel lost %" PRIu64 " more", lost->v);
	if (process->target.ended)
		fputs("; the process ended", stderr);
	fputc('\n', stderr);
	if (options->all_time)
		say_what_all_lacks(snapshot);
	say_parts(snapshot, options);
	say_exactness(snapshot, options);
	if (is_whole(options))
		say_what_is_missing(process, options->moment_count ? NT_CALL_GRAPH_HYBRID : options->call_graph);
}

static void take(void *context, struct nt_snapshot *snapshot)
{
	struct work *work = context;
	note_refusal(work, snapshot);
	if (!snapshot->final || work->refused)
		return;
	const struct nt_process_snapshot *process = &snapshot->processes[0];
	const struct nt_options *options = work->options;
	static const char *const units[] = { [NT_MOMENT_COUNT] = "count", [NT_MOMENT_NS] = "nanoseconds", [NT_MOMENT_BYTES] = "bytes" };
	struct nt_stacks_event events[NT_MOMENTS_ASKED_MAX];
	for (size_t i = 0; i < options->moment_count; i++)
		events[i] = (struct nt_stacks_event){ .name = options->moments[i].word, .unit = units[options->moments[i].unit] };
	static const struct nt_stacks_event parts[NT_TIME_PARTS] = { [NT_TIME_RUNS] = { "running", "nanoseconds" },
								     [NT_TIME_BLOCKED] = { "blocked", "nanoseconds" },
								     [NT_TIME_READY] = { "run-queue", "nanoseconds" } };
	bool weighs = options->moment_count || options->all_time, cut = options->during != NT_SIDE_NOT_TOLD;
	struct nt_stacks_side side = { 0 };
	if (cut)
		nt_stacks_side_init(&side, &process->stacks, options->during);
	const struct nt_stacks stacks = {
		.tree = cut ? &side.tree : &process->stacks,
		.pid = process->target.pid,
		.process_name = process->target.name,
		.t0 = snapshot->start,
		.t1 = snapshot->t1,
		.period_ns = weighs                 ? 0
			     : options->replay_path ? nt_replay_sample_ns(snapshot)
						    : NT_NS_PER_S / options->perf_hz,
		.events = options->all_time ? parts
			  : weighs          ? events
					    : NULL,
		.event_count = options->all_time ? NT_TIME_PARTS : (uint32_t)options->moment_count,
	};
	work->written = true;
	work->status = nt_stacks_files_write(options, &stacks, &work->err);
	nt_stacks_side_fini(&side);
	if (work->status == NT_OK)
		say(snapshot, options);
}

static bool is_refused(const void *context)
{
	return ((const struct work *)context)->refused;
}

/* Does this runtime have all that it is asked for? */
static enum nt_status check_runtime(const struct nt_options *options, const struct nt_target *target, struct nt_error *err)
{
	unsigned major = nt_target_runtime_major(target);
	for (size_t i = 0; i < options->moment_count; i++) {
		const struct nt_moment_runtime *event = options->moments[i].runtime;
		if (event && major && (major < event->first_major || major > event->last_major))
			return nt_error_set(err, NT_ERR_UNSUPPORTED, "%s: .NET %u does not tell it%s", options->moments[i].word, major,
					    major > event->last_major ? "; clr:AllocationSampled tells the same" : "");
	}
	return NT_OK;
}

static enum nt_stacks_wanted kept_of(const struct nt_options *options, bool timed)
{
	if (options->all_time)
		return timed ? NT_STACKS_WALL_TIMED : NT_STACKS_WALL;
	if (options->during != NT_SIDE_NOT_TOLD)
		return timed ? NT_STACKS_SIDES_TIMED : NT_STACKS_SIDES;
	return timed ? NT_STACKS_TIMED : NT_STACKS_ALL;
}

/* Which sample was when costs memory for each, and one format says it. */
static bool is_timed(const struct nt_options *options)
{
	bool timed = false;
	for (size_t i = 0; i < options->stacks_format_count; i++)
		timed |= options->stacks_formats[i] == NT_STACKS_AS_PERF_SCRIPT;
	return timed;
}

static bool take_recorded(void *context, const struct nt_replayed *replayed, struct nt_snapshot *snapshot)
{
	struct work *work = context;
	(void)replayed;
	take(work, snapshot);
	return !work->refused;
}

static int replay(struct work *work, struct nt_error *err)
{
	const struct nt_options *options = work->options;
	const struct nt_replayed_wish wish = { .summary = true,
					       .open = nt_replay_opening(options),
					       .from = &options->from,
					       .to = &options->to,
					       .stacks = kept_of(options, is_timed(options)),
					       .without = options->all_time       ? NT_WITHOUT_NOTHING
							  : options->moment_count ? NT_WITHOUT_SAMPLES
										  : NT_WITHOUT_WAITS };
	return nt_exit_of(nt_replay_through(options->replay_path, &wish, take_recorded, work, err));
}

static int watch(void *context, struct nt_session_setup *setup, struct nt_error *err)
{
	enum nt_status status = check_runtime(((const struct work *)context)->options, setup->target, err);
	if (status != NT_OK)
		return nt_exit_of(status);
	const struct nt_options *options = ((const struct work *)context)->options;
	setup->stacks = kept_of(options, is_timed(options));
	setup->sink = take;
	setup->sink_context = context;
	return nt_headless_run(setup, is_refused, context, err);
}

/* A box is as wide as what is in it: bytes beside times have no width. */
static enum nt_status check_flamegraph(const struct nt_options *options, struct nt_error *err)
{
	bool drawn = false;
	for (size_t i = 0; i < options->stacks_format_count; i++)
		drawn |= options->stacks_formats[i] == NT_STACKS_AS_FLAMEGRAPH;
	for (size_t i = 1; drawn && i < options->moment_count; i++)
		if (options->moments[i].unit != options->moments[0].unit)
			return nt_error_set(err, NT_ERR_USAGE,
					    "a flame graph cannot add %s of %s to %s of %s: ask for each alone, or -f pprof",
					    nt_moment_unit_name(options->moments[i].unit), options->moments[i].word,
					    nt_moment_unit_name(options->moments[0].unit), options->moments[0].word);
	return NT_OK;
}

/* What does not go together with -e. */
static enum nt_status check_moments(const struct nt_options *options, struct nt_error *err)
{
	if (options->all_time && options->moment_count)
		return nt_error_set(err, NT_ERR_USAGE,
				    "--wall has blocked time beside what runs; -e and --off-cpu are asked for without it");
	if (options->during != NT_SIDE_NOT_TOLD && (options->moment_count || options->all_time))
		return nt_error_set(err, NT_ERR_USAGE, "--during is for samples of CPU time: not with -e, --off-cpu or --wall");
	if (options->moment_count && options->call_graph != NT_CALL_GRAPH_FP)
		return nt_error_set(err, NT_ERR_USAGE, "--call-graph is for samples of CPU time; -e has call chains by frame pointers");
	for (size_t i = 0; options->readonly && i < options->moment_count; i++)
		if (options->moments[i].sort == NT_MOMENT_CALL || options->moments[i].sort == NT_MOMENT_RETURN)
			return nt_error_set(err, NT_ERR_USAGE, "%s: not -e %s", nt_readonly_reason(NT_CHANGE_PROBE),
					    options->moments[i].word);
	return check_flamegraph(options, err);
}

static enum nt_status check(const struct nt_options *options, struct nt_error *err)
{
	if (!options->target && !options->replay_path)
		return nt_error_set(err, NT_ERR_USAGE, "which process? Give its pid or name: nettop stacks -p PID");
	enum nt_status status = check_moments(options, err);
	return status == NT_OK ? nt_stacks_files_check(options, err) : status;
}

int nt_stacks(struct nt_options *options, struct nt_error *err)
{
	struct work work = { .options = options, .status = NT_OK };
	const struct nt_show show = { .run = watch, .context = &work };
	if (options->list_moments) {
		nt_stacks_list(stdout);
		return NT_EXIT_OK;
	}
	if (!options->output_path && nt_stacks_format_is_binary(options->stacks_formats[0]))
		nt_print_bytes();
	if (options->core_path)
		return nt_core_command(options, err);
	enum nt_status status = check(options, err);
	if (status != NT_OK)
		return nt_exit_of(status);
	/* Nothing else is looked at, and nothing else should cost. */
	options->source_mask = 1u << NT_SOURCE_PROCFS | 1u << NT_SOURCE_APP | 1u << NT_SOURCE_CODEMAP | 1u << NT_SOURCE_RUNTIME;
	/* Each switch tells blocked time exactly; where they are not to be had, looks do it. */
	options->source_mask |= nt_moments_are_waits(options->moments, options->moment_count) ? 1u << NT_SOURCE_PERF : 0;
	options->source_mask |= options->during != NT_SIDE_NOT_TOLD ? 1u << NT_SOURCE_EVENTPIPE | 1u << NT_SOURCE_LTTNG : 0;
	for (enum nt_source_id id = 0; id < NT_SOURCE_COUNT; id++)
		options->source_mask |= is_needed(options, id) ? 1u << id : 0;
	options->output = NT_OUTPUT_TEXT;
	int exit_status = options->replay_path ? replay(&work, err) : nt_watch_with(options, &show, err);
	if (work.status != NT_OK) {
		*err = work.err;
		return nt_exit_of(work.status);
	}
	if (options->replay_path)
		return exit_status;
	/* Until the end of the process, or that of the duration: either is what was asked for. */
	return work.written ? NT_EXIT_OK : exit_status;
}
