// SPDX-License-Identifier: GPL-2.0-only
/* The subject: threads and memory, as the kernel counts them. */
#include "subject/row.h"

static const struct nt_subject_kind kinds[] = { { NT_EV_CLR_THREAD_CREATED, NT_STREAM_MAIN },
						{ NT_EV_CLR_THREAD_ENDED, NT_STREAM_MAIN },
						{ NT_EV_NONE, 0 } };

static const struct nt_subject_list lists[] = {
	{ .key = "thread_rows", .table = "threads", .top = true },
	{ .key = NULL },
};

static const struct nt_figure figures[] = {
	COUNTER("threads", "covered_ns", threads.covered_ns, "for how long of the span the threads were looked at"),
	STATE("threads", "count", threads.count, "threads of the target (procfs)"),
	STATE("threads", "running_count", threads.running_count, "threads on a CPU or ready to run"),
	STATE("threads", "blocked_count", threads.blocked_count,
	      "threads known to have waited for 10 s or longer for a lock, or in the kernel for a device; null: none is known, and waits "
	      "that began before nettop came are not"),
	STATE("threads", "blocked_max_ns", threads.blocked_max_ns, "longest of these waits"),
	COUNTER("memory", "covered_ns", memory.covered_ns, "for how long of the span that was looked at"),
	STATE("memory", "rss_bytes", memory.rss_bytes, "resident memory of the target (procfs)"),
	STATE("memory", "anon_bytes", memory.anon_bytes,
	      "of it, memory of no file: the GC heap, thread stacks, native memory, data of the runtime"),
	STATE("memory", "file_bytes", memory.file_bytes, "of it, pages of mapped files: libraries, precompiled code"),
	STATE("memory", "shared_bytes", memory.shared_bytes,
	      "of it, memory that can be shared: code that the JIT makes (W^X), memfd, /dev/shm, buffers of LTTng; these three are all of "
	      "it"),
	STATE("memory", "swap_bytes", memory.swap_bytes, "anonymous memory that is swapped out, and not resident"),
};

const struct nt_subject nt_subject_threads = {
	.name = "threads",
	.kinds = kinds,
	.source = NT_SOURCE_PROCFS,
	FIGURES(figures),
	.why = offsetof(struct nt_figures, threads.why),
	.whys = "threads.",
	.covered_ns = offsetof(struct nt_figures, threads.covered_ns),
	.lists = lists,
	.label = "THR",
	.help = "threads blocked for 10 s or longer; threads, and how many run. Source: procfs.",
	.headline = offsetof(struct nt_figures, threads.blocked_count),
	.much = 10, /* one may be too much already, as the finding says; all of a pool is what a full cell is for */
	.screen = "4 Threads",
	.screen_short = "4 Thr",
};
