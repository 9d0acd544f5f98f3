// SPDX-License-Identifier: GPL-2.0-only
#include "app/commands/export_walk.h"

#include "app/commands/replay_through.h"
#include "base/alloc.h"
#include "output/export/lanes.h"
#include "output/export/markers.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

struct walk {
	const struct nt_export_wish *wish;
	struct nt_markers markers;
	struct nt_runtime_events runtime_events;
	struct nt_figures *figures;           /* owned; of each interval */
	struct nt_export_interval *intervals; /* owned */
	size_t interval_count, figure_capacity, interval_capacity;
	uint64_t weight_ns, sample_count; /* of all samples of CPU time */
	uint64_t period_ns;               /* that a sample stands for; 0 = nobody says it */
	uint32_t pid;                     /* of the events that came; 0 = none yet */
	enum nt_status status;            /* of what was made of it, its sentence in err */
	struct nt_error err;
};

/* The process that the recording is about is the first that anything is told of. */
static void see(void *context, const struct nt_shown_event *shown)
{
	struct walk *walk = context;
	const struct nt_event *event = shown->event;
	walk->pid = walk->pid ? walk->pid : event->pid;
	if (event->pid && event->pid != walk->pid)
		return;
	if (event->kind == NT_EV_SAMPLE) {
		walk->weight_ns += event->u.sample.weight_ns;
		walk->sample_count += (uint64_t)event->u.sample.besides + 1;
	}
	if (walk->wish->markers)
		nt_markers_see(&walk->markers, shown);
	if (walk->wish->runtime_events)
		nt_runtime_events_see(&walk->runtime_events, shown);
}

static void keep_interval(struct walk *walk, const struct nt_snapshot *snapshot)
{
	walk->figures = nt_grow(walk->figures, &walk->figure_capacity, walk->interval_count + 1, sizeof(*walk->figures));
	walk->intervals = nt_grow(walk->intervals, &walk->interval_capacity, walk->interval_count + 1, sizeof(*walk->intervals));
	walk->figures[walk->interval_count] = snapshot->processes[0].interval;
	walk->intervals[walk->interval_count++] = (struct nt_export_interval){ .t0 = snapshot->t0, .t1 = snapshot->t1 };
}

static struct nt_export_timeline lay_out(struct walk *walk, const struct nt_replayed *replayed, const struct nt_snapshot *last)
{
	static const struct nt_stack_tree no_tree = { 0 };
	const struct nt_process_snapshot *process = &last->processes[0];
	bool sampled = walk->sample_count && process->sample_kind == NT_SAMPLES_CPU;
	walk->period_ns = sampled && walk->weight_ns ? walk->weight_ns / walk->sample_count : 0;
	walk->period_ns = walk->period_ns ? walk->period_ns : nt_replay_sample_ns(last);
	for (size_t i = 0; i < walk->interval_count; i++)
		walk->intervals[i].figures = &walk->figures[i];
	nt_markers_end(&walk->markers, last->t1);
	return (struct nt_export_timeline){
		.stacks = { .tree = sampled ? &process->stacks : &no_tree,
			    .pid = process->target.pid,
			    .process_name = process->target.name,
			    .t0 = last->start,
			    .t1 = last->t1,
			    .period_ns = walk->period_ns ? walk->period_ns : NT_NS_PER_MS },
		.markers = walk->markers.items,
		.marker_count = walk->markers.count,
		.intervals = walk->intervals,
		.interval_count = walk->interval_count,
		.runtime_events = walk->wish->runtime_events ? &walk->runtime_events : NULL,
		.compiled = process->jit_methods,
		.compiled_count = process->jit_method_count,
		.command = process->target.command,
		.cpu_count = process->target.cpu_count.known ? (uint32_t)process->target.cpu_count.v : 0,
		.realtime_offset_ns = nt_replayed_realtime_offset(replayed),
	};
}

/* ---- what is missing ---- */

static bool is_part(const struct nt_export_wish *wish)
{
	return wish->from->sort != NT_WHEN_NEVER || wish->to->sort != NT_WHEN_NEVER;
}

static void tell_samples(const struct walk *walk, const struct nt_process_snapshot *process)
{
	if (process->sample_kind != NT_SAMPLES_CPU || !walk->sample_count)
		fprintf(stderr, "nettop: there are no samples of CPU time in %s%s\n",
			is_part(walk->wish) ? "that part of the recording" : "the recording",
			process->samples_all ? ", and those of wall time are left out" : "");
	else if (!walk->period_ns)
		fputs("nettop: the recording does not say how often samples were taken: each stands for 1 ms in the file\n", stderr);
	if (process->stacks.untimed)
		fprintf(stderr, "nettop: %" PRIu64 " samples came when no more times could be kept, and are not in the file\n",
			process->stacks.untimed);
	if (process->stacks.evicted > 0)
		fprintf(stderr, "nettop: of %.0f samples the innermost calls were too many to keep, and are one (evicted)\n",
			process->stacks.evicted);
}

static void tell_markers(const struct walk *walk)
{
	for (enum nt_marker_kind kind = 0; kind < NT_MARKER_KINDS; kind++)
		if (walk->markers.left_out[kind])
			fprintf(stderr, "nettop: %" PRIu64 " more events of the sort '%s' are left out: they are too many\n",
				walk->markers.left_out[kind], nt_marker_kind_name(kind));
}

static void tell_runtime_events(const struct walk *walk)
{
	if (walk->runtime_events.left_out)
		fprintf(stderr, "nettop: %" PRIu64 " more events of the runtime are left out: they are too many\n",
			walk->runtime_events.left_out);
}

static bool take(void *context, const struct nt_replayed *replayed, struct nt_snapshot *snapshot)
{
	struct walk *walk = context;
	if (!snapshot->final) {
		keep_interval(walk, snapshot);
		return true;
	}
	const struct nt_export_timeline timeline = lay_out(walk, replayed, snapshot);
	if (nt_lanes_are_bounded(&timeline))
		walk->status = walk->wish->use(walk->wish->context, &timeline, &walk->err);
	else
		walk->status = nt_error_set(&walk->err, NT_ERR_MALFORMED, "%s says that its samples stand for more time than there can be",
					    walk->wish->path);
	if (walk->status == NT_OK && !walk->wish->intervals_alone) {
		tell_samples(walk, &snapshot->processes[0]);
		tell_markers(walk);
		tell_runtime_events(walk);
	}
	return walk->status == NT_OK;
}

enum nt_status nt_export_walk(const struct nt_export_wish *wish, struct nt_error *err)
{
	struct walk walk = { .wish = wish };
	const struct nt_replayed_wish replayed = {
		.summary = true,
		.from = wish->from,
		.to = wish->to,
		.open = wish->open,
		.stacks = wish->intervals_alone ? NT_STACKS_NONE : NT_STACKS_TIMED,
		.without = wish->intervals_alone ? NT_WITHOUT_NOTHING : NT_WITHOUT_WAITS,
		.see = wish->intervals_alone ? NULL : see,
		.see_context = &walk,
	};
	enum nt_status status = nt_replay_through(wish->path, &replayed, take, &walk, err);
	if (walk.status != NT_OK) {
		*err = walk.err;
		status = walk.status;
	}
	nt_markers_fini(&walk.markers);
	nt_runtime_events_fini(&walk.runtime_events);
	free(walk.figures);
	free(walk.intervals);
	return status;
}
