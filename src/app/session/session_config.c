// SPDX-License-Identifier: GPL-2.0-only
/* What the options mean for the sources. */
#include "app/session/session.h"

#include "source/common/sources.h"

struct nt_source_config nt_session_config(const struct nt_session_setup *setup)
{
	return (struct nt_source_config){
		.perf_hz = (unsigned)setup->options->perf_hz,
		.max_target_cost_pct = (unsigned)setup->options->max_target_cost_pct,
		.moments = setup->options->moments,
		.moment_count = setup->options->moment_count,
		.call_graph = setup->options->call_graph,
		.perf_switches = setup->compilations_only,
		.all_time = setup->options->all_time,
		.proc_root = "/proc",
		.lttng_session = setup->options->lttng_session,
		.runtime_dir = setup->runtime_dir,
		.lttng_live_timer_us = 100000,
		.readonly = setup->options->readonly,
		.native_stacks = setup->options->native,
		.exceptions = setup->options->exceptions,
		.no_payload = setup->options->no_payload,
		.rundown = !setup->options->no_rundown,
		.perf_map_set = setup->perf_map_set,
		.starting = setup->child,
		.perf_map_later = setup->perf_map_later,
		.max_map_bytes = setup->options->max_map_bytes,
		.counters = setup->options->counters,
		.counters_paced = nt_options_counters_only(setup->options),
		.interval_ns = setup->options->delay_ns,
		.told_ear = setup->told_ear,
		.undo_note = nt_keeper_note,
		.undo_hold = nt_keeper_hold,
		.stream_note = nt_keeper_stream,
		.stream_read = nt_keeper_stream_read,
		.stream_done = nt_keeper_stream_done,
		.undo_context = setup->keeper,
	};
}

/* Is blocked time asked for by name? */
static bool asks_for_looks(const struct nt_options *options)
{
	for (size_t i = 0; i < options->moment_count; i++)
		if (nt_moment_source(&options->moments[i]) == NT_SOURCE_RUNTIME)
			return true;
	return options->all_time;
}

bool nt_session_samples_wall(const struct nt_session_setup *setup)
{
	const struct nt_options *options = setup->options;
	unsigned major = nt_target_runtime_major(setup->target);
	bool is_read = options->source_mask & 1u << NT_SOURCE_RUNTIME && (!major || major >= NT_RUNTIME_DESCRIBED_MAJOR);
	return options->want_wall && !is_read && setup->target->deployment != NT_DEPLOYED_NATIVE_AOT;
}

unsigned nt_session_always(const struct nt_session_setup *setup)
{
	const struct nt_options *options = setup->options;
	bool waits = options->want_waits || (options->want_wall && !nt_session_samples_wall(setup));
	return (options->want_alloc ? NT_WANT_ALLOC_SAMPLES | NT_WANT_GC_HISTORIES : 0) |
	       (options->want_catches ? NT_WANT_STACKS | NT_WANT_CATCHES : 0) | (options->counters ? NT_WANT_COUNTERS : 0) |
	       (waits ? NT_WANT_LOOKS | NT_WANT_SWITCHES : 0) | (options->all_time ? NT_WANT_SWITCHES : 0) |
	       (asks_for_looks(options) ? NT_WANT_LOOKS : 0) | (options->want_calls ? NT_WANT_CALLS | NT_WANT_DESCRIPTORS : 0) |
	       (options->want_jit_callers ? NT_WANT_JIT_EVENTS | NT_WANT_JIT_CALLERS : 0) |
	       (options->want_pool_items ? NT_WANT_POOL_ITEMS : 0) | (options->want_requests ? NT_WANT_SINGLE_REQUESTS : 0) |
	       (options->want_request_cpu ? NT_WANT_EACH_REQUEST : 0) | (options->command == NT_COMMAND_THREADS ? NT_WANT_LOOKS : 0) |
	       (*options->event_choice && options->output != NT_OUTPUT_SCREEN ? NT_WANT_TOLD : 0) |
	       (options->command == NT_COMMAND_REPORT ? NT_WANT_LOOKS | NT_WANT_DESCRIPTORS : 0);
}
