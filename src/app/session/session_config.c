// SPDX-License-Identifier: GPL-2.0-only
/* What the options mean for the sources. */
#include "app/session/session.h"

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
		.interval_ns = setup->options->delay_ns,
		.undo_note = nt_keeper_note,
		.undo_hold = nt_keeper_hold,
		.stream_note = nt_keeper_stream,
		.stream_read = nt_keeper_stream_read,
		.stream_done = nt_keeper_stream_done,
		.undo_context = setup->keeper,
	};
}
