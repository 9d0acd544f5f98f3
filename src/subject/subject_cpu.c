// SPDX-License-Identifier: GPL-2.0-only
/* The subject: CPU time and samples. */
#include "subject/row.h"

static const struct nt_subject_kind kinds[] = {
	{ NT_EV_SAMPLE, NT_STREAM_MAIN }, { NT_EV_WALL_SAMPLE, NT_STREAM_SECOND }, { NT_EV_MOMENT, NT_STREAM_MAIN }, { NT_EV_NONE, 0 }
};

static const struct nt_subject_list lists[] = {
	{ .key = "methods", .table = "methods", .top = true },
	{ .key = NULL },
};

/* The samples of a purpose, and their share. */
/* clang-format off */
#define PURPOSE(name, purpose, help)                                                                                                       \
	COUNTER("purposes", name "_samples", cpu.purposes.samples[NT_PURPOSE_##purpose], "CPU samples in " help),                              \
	SHARE("purposes", name "_pct", cpu.purposes.pct[NT_PURPOSE_##purpose], "their share, 100 = all samples; null: there are none")
/* clang-format on */

static const struct nt_figure figures[] = {
	SHARE("cpu", "usage_pct", cpu.usage_pct, "CPU time of the target, 100 = one CPU (procfs)"),
	MEAN("cpu", "user_pct", cpu.user_pct, "of that in user mode"),
	MEAN("cpu", "kernel_pct", cpu.kernel_pct, "of that in the kernel"),
	COUNTER("cpu", "time_ns", cpu.time_ns, "the same as time"),
	COUNTER("cpu", "covered_ns", cpu.covered_ns, "for how long of the span that is told"),
	COUNTER("cpu", "gap_time_ns", cpu.gap_time_ns,
		"CPU time used while nettop stood still, from the reading before to the one after: in time_ns of no interval, but of the "
		"summary. It stands in the interval in which that began; null: there was no such time"),
	GAUGE("cpu", "gap_ns", cpu.gap_ns, "how far apart these readings are"),
	COUNTER("cpu", "samples", cpu.samples, "CPU samples taken"),
	COUNTER("cpu", "pause_samples", cpu.side_samples[NT_IN_PAUSES],
		"of those, taken in pauses for collections; null: the runtime did not tell of all pauses, or events were lost"),
	COUNTER("cpu", "outside_samples", cpu.side_samples[NT_OUTSIDE_PAUSES], "and outside; both of the time in which pauses were told"),
	PURPOSE("program", PROGRAM, "methods of the program and of libraries that do not come with .NET"),
	PURPOSE("framework", FRAMEWORK, "methods that come with .NET: of assemblies called System or Microsoft"),
	PURPOSE("gc", GC, "the runtime's code on the collector's threads, and on all threads in the last 512 pauses for a collection"),
	PURPOSE("jit", JIT, "the compiler, on whatever thread, and what that asks of the runtime and of libc"),
	PURPOSE("runtime", RUNTIME, "the rest of the runtime, its stubs, and what it calls of libc"),
	PURPOSE("kernel", KERNEL, "the kernel, whoever called it, but for what is idle"),
	PURPOSE("native", NATIVE, "libraries that are not the runtime's"),
	PURPOSE("idle", IDLE,
		"workers of the thread pool that have no work: they spin for it, go to sleep, wake; where chains have no callers they are "
		"in kernel and runtime"),
	PURPOSE("unknown", UNKNOWN, "code of which it is not known, or not yet, what it is"),
	COUNTER("cpu", "samples_covered_ns", cpu.samples_covered_ns,
		"for how long of the span the threads were sampled: less where perf came late or was refused; where it samples by turns "
		"(--max-target-cost) samples are scaled up"),
	COUNTER("cpu", "lost_samples", cpu.lost_samples, "CPU samples that the kernel could not deliver"),
	GAUGE("cpu", "hottest_tid", cpu.hottest_tid, "thread with the most CPU time"),
	SHARE("cpu", "hottest_pct", cpu.hottest_pct, "its CPU time, 100 = one CPU"),
	COUNTER("wall", "samples", wall.samples, "samples of the runtime's own sampler in managed code (--wall)"),
	COUNTER("wall", "outside", wall.outside, "its samples of threads that waited or ran native code"),
};

const struct nt_subject nt_subject_cpu = {
	.name = "CPU",
	.kinds = kinds,
	.source = NT_SOURCE_PERF,
	.wanted = NT_WANT_WALL_SAMPLES,
	.while_looked_at = true,
	FIGURES(figures),
	.why = offsetof(struct nt_figures, cpu.why),
	.whys = "cpu.",
	.covered_ns = offsetof(struct nt_figures, cpu.samples_covered_ns),
	.lists = lists,
	.label = "CPU",
	.help = "CPU time of the target, 100% = one CPU; the hottest thread. Source: procfs.",
	.headline = offsetof(struct nt_figures, cpu.usage_pct),
	.headline_is_f64 = true,
	.much = 100,
	.screen = "1 Methods",
	.screen_short = "1 Methods",
};
