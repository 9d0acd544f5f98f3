// SPDX-License-Identifier: GPL-2.0-only
/* The subject: what the process reads and writes, and what it has open. */
#include "subject/row.h"

static const struct nt_subject_kind kinds[] = { { NT_EV_NONE, 0 } };

static const struct nt_subject_list lists[] = {
	{ .section = "io", .key = "open", .table = "io", .top = true, .top_in_summary = true },
	{ .key = NULL },
};

static const struct nt_figure figures[] = {
	COUNTER("io", "covered_ns", io.covered_ns, "between the two readings that the counts and bytes are of"),
	COUNTER("io", "read_count", io.read_count, "calls of read() and its like (files, pipes, sockets; recv() is not among them)"),
	COUNTER("io", "write_count", io.write_count, "calls of write() and its like (send() is not among them)"),
	COUNTER("io", "read_bytes", io.read_bytes, "bytes that these calls read, from wherever"),
	COUNTER("io", "write_bytes", io.write_bytes, "bytes that these calls wrote"),
	COUNTER("io", "disk_read_bytes", io.disk_read_bytes, "bytes that storage was asked for, for reads and for pages of files"),
	COUNTER("io", "disk_write_bytes", io.disk_write_bytes, "bytes that storage was, or will be, given to write"),
	COUNTER("io", "calls_covered_ns", io.calls_covered_ns, "for how long of the span the kernel counted calls by what they were on"),
	COUNTER("io", "call_count", io.call_count,
		"calls that open, read, write, connect, accept and sync, which came back; those of io_uring, recvmmsg(), sendmmsg(), "
		"copy_file_range() and splice() are not among them"),
	COUNTER("io", "call_error_count", io.call_error_count, "of them, those that failed"),
	COUNTER("io", "call_again_count", io.call_again_count,
		"of them, those that came back with nothing done, which is no error: nothing there, no room, a connection under way, a "
		"signal"),
	COUNTER("io", "call_ns", io.call_ns, "how long they took, all together"),
	COUNTER("io", "call_unnamed_count", io.call_unnamed_count, "of them, those of which it is not known what they were on"),
	COUNTER("io", "call_lost_count", io.call_lost_count, "calls that were made and not counted"),
	STATE_TEXT("io", "calls_reason", io.calls_why.reason, "why calls are not counted now"),
	STATE_TEXT("io", "calls_fix", io.calls_why.fix, "what helps"),
	STATE_TEXT("io", "calls_lack", io.calls_lack.reason,
		   "what the process is able to do that is not among the calls, as far as that is known"),
	STATE("io", "descriptor_count", io.descriptor_count, "descriptors that the process has open, as the kernel counts them"),
	STATE("io", "descriptor_limit_count", io.descriptor_limit, "so many it may have (RLIMIT_NOFILE)"),
	STATE("io", "open_count", io.open_count, "descriptors that the process has open, as the last look found them"),
	STATE("io", "unseen_count", io.unseen_count, "of them, those that were not looked at"),
	STATE("io", "blocked_count", io.blocked_count, "threads that are blocked in a system call on one of them"),
};

const struct nt_subject nt_subject_io = {
	.name = "I/O",
	.kinds = kinds,
	.source = NT_SOURCE_PROCFS,
	FIGURES(figures),
	.why = offsetof(struct nt_figures, io.why),
	.whys = "io.",
	.covered_ns = offsetof(struct nt_figures, io.covered_ns),
	.lists = lists,
	.screen = "i I/O",
	.screen_short = "i",
};
