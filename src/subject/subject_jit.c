// SPDX-License-Identifier: GPL-2.0-only
/* The subject: compilations. */
#include "subject/row.h"

static const struct nt_subject_kind kinds[] = {
	{ NT_EV_JIT_START, NT_STREAM_MAIN },
	{ NT_EV_METHOD_LOAD, NT_STREAM_MAIN },
	{ NT_EV_METHOD_UNLOAD, NT_STREAM_MAIN },
	{ NT_EV_TIERING, NT_STREAM_SECOND },
	{ NT_EV_NONE, 0 },
};

static const struct nt_subject_list lists[] = {
	{ .section = "jit", .key = "methods", .table = "jit", .top = true },
	{ .section = "jit", .key = "modules", .table = "jit_modules", .top = true },
	{ .section = "jit", .key = "namespaces", .table = "jit_namespaces", .top = true },
	{ .section = "jit", .key = "tiers", .table = "jit_tiers" },
	{ .section = "jit", .key = "triggers", .table = "jit_triggers" },
	{ .section = "jit", .key = "callers", .table = "jit_callers", .top = true, .top_in_summary = true },
	{ .section = "jit", .key = "startup", .table = "jit_startup", .top = true },
	{ .section = "jit", .key = "startup_causes", .table = "jit_causes" },
	{ .key = NULL },
};

static const struct nt_figure figures[] = {
	COUNTER("jit", "covered_ns", jit.covered_ns, "for how long of the span that is told; rates are per that time"),
	COUNTER("jit", "method_count", jit.method_count, "methods compiled"),
	COUNTER("jit", "time_ns", jit.time_ns, "time spent compiling, all threads"),
	COUNTER("jit", "il_bytes", jit.il_bytes, "IL compiled"),
	COUNTER("jit", "native_bytes", jit.native_bytes, "code made"),
	COUNTER("jit", "tier0_count", jit.tier_count[NT_TIER_0], "of these at tier-0"),
	COUNTER("jit", "tier1_count", jit.tier_count[NT_TIER_1], "of these at tier-1"),
	COUNTER("jit", "osr_count", jit.tier_count[NT_TIER_OSR], "of these by on-stack replacement"),
	COUNTER("jit", "dynamic_count", jit.dynamic_count, "of these made at run time, that no assembly holds"),
	COUNTER("jit", "rejected_count", jit.rejected_count, "of these with precompiled code that the runtime did not take"),
	COUNTER("jit", "callers_covered_ns", jit.callers_covered_ns, "for how long of the span it was told who causes compilations"),
	STATE("jit", "startup_count", jit.startup_count,
	      "compilations in the first 10 s of a process whose start was seen; null: it was not, and then startup and startup_causes say "
	      "nothing"),
	STATE("jit", "backlog_count", jit.backlog_count, "methods that wait for tier-1"),
};

const struct nt_subject nt_subject_jit = {
	.name = "JIT",
	.kinds = kinds,
	.opens = NT_EV_JIT_START,
	.closes = NT_EV_METHOD_LOAD,
	.source = NT_SOURCE_LTTNG,
	.wanted = NT_WANT_JIT_EVENTS,
	.while_looked_at = true,
	.unlooked = "compilations are asked for from the moment the JIT screen (3) is opened",
	.left_out = offsetof(struct nt_left_out, jit),
	FIGURES(figures),
	.why = offsetof(struct nt_figures, jit.why),
	.whys = "jit.",
	.covered_ns = offsetof(struct nt_figures, jit.covered_ns),
	.lists = lists,
	.label = "JIT",
	.help = "time spent compiling per second; methods compiled; methods that wait for tier-1. Source: lttng or eventpipe.",
	.headline = offsetof(struct nt_figures, jit.time_ns),
	.headline_per_s = NT_NS_PER_MS,
	.much = NT_MUCH_COMPILED_MS,
	.screen = "3 JIT",
	.screen_short = "3 JIT",
};
