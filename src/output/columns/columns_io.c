// SPDX-License-Identifier: GPL-2.0-only
/* What a process has open, by name. */
#include "output/columns/cell.h"

static const struct nt_io_row *of(const void *row)
{
	return row;
}

static struct nt_cell open_count(const void *row, const struct nt_column_context *context)
{
	return context->process->io_looked ? nt_cell_u(of(row)->open_count) : nt_cell_unknown();
}

static struct nt_cell opened_count(const void *row, const struct nt_column_context *context)
{
	return context->process->io_looked ? nt_cell_u(of(row)->opened_count) : nt_cell_unknown();
}

static struct nt_cell opened_all(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_u(of(row)->opened_all);
}

static struct nt_cell blocked_count(const void *row, const struct nt_column_context *context)
{
	bool known = context->process->io_looked && (!context->process->io_threads_hidden || of(row)->blocked_count);
	struct nt_cell cell = known ? nt_cell_u(of(row)->blocked_count) : nt_cell_unknown();
	cell.at_least = known && context->process->io_threads_hidden;
	return cell;
}

static struct nt_cell blocked_ns(const void *row, const struct nt_column_context *context)
{
	(void)context;
	struct nt_cell cell = nt_cell_of_u64(of(row)->blocked_ns);
	cell.at_least = cell.known;
	return cell;
}

static struct nt_cell blocked_tid(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return of(row)->blocked_tid ? nt_cell_u(of(row)->blocked_tid) : nt_cell_unknown();
}

static struct nt_cell ways(const void *row, const struct nt_column_context *context)
{
	static const char *const names[] = { "", "r", "w", "rw" };
	(void)context;
	return nt_cell_text(names[of(row)->ways & (NT_IO_READS | NT_IO_WRITES)]);
}

static struct nt_cell kind(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_text(nt_io_kind_name(of(row)->kind));
}

static struct nt_cell what(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_text(of(row)->what);
}

/* ---- calls ---- */

static const struct nt_io_figures *interval_of(const struct nt_column_context *context)
{
	return &context->process->interval.io;
}

/* Of the interval: not known where none were counted in it. */
static struct nt_cell counted(const struct nt_column_context *context, uint64_t value)
{
	return interval_of(context)->calls_covered_ns.known ? nt_cell_u(value) : nt_cell_unknown();
}

/* Since the row is there, as far as calls were counted. */
static struct nt_cell counted_all(const struct nt_column_context *context, uint64_t value)
{
	return context->process->total.io.calls_covered_ns.known ? nt_cell_u(value) : nt_cell_unknown();
}

static struct nt_cell calls_per_s(const void *row, const struct nt_column_context *context)
{
	return nt_cell_rate((double)nt_io_calls_count(&of(row)->calls), interval_of(context)->calls_covered_ns);
}

static struct nt_cell bytes_per_s(const void *row, const struct nt_column_context *context)
{
	uint64_t bytes = of(row)->calls.read_bytes + of(row)->calls.written_bytes;
	struct nt_cell rate = nt_cell_rate((double)bytes, interval_of(context)->calls_covered_ns);
	return rate.known ? nt_cell_u((uint64_t)rate.f) : nt_cell_unknown();
}

#define COUNTED(name, member)                                                                                                              \
	static struct nt_cell name(const void *row, const struct nt_column_context *context)                                               \
	{                                                                                                                                  \
		return counted(context, of(row)->calls.member);                                                                            \
	}
#define COUNTED_ALL(name, member)                                                                                                          \
	static struct nt_cell name##_all(const void *row, const struct nt_column_context *context)                                         \
	{                                                                                                                                  \
		return counted_all(context, of(row)->calls_all.member);                                                                    \
	}
COUNTED(read_calls, count[NT_IO_READ])
COUNTED(write_calls, count[NT_IO_WRITE])
COUNTED(read_bytes, read_bytes)
COUNTED(written_bytes, written_bytes)
COUNTED(error_count, error_count)
COUNTED_ALL(open_calls, count[NT_IO_OPEN])
COUNTED_ALL(read_calls, count[NT_IO_READ])
COUNTED_ALL(write_calls, count[NT_IO_WRITE])
COUNTED_ALL(connect_calls, count[NT_IO_CONNECT])
COUNTED_ALL(accept_calls, count[NT_IO_ACCEPT])
COUNTED_ALL(sync_calls, count[NT_IO_SYNC])
COUNTED_ALL(read_bytes, read_bytes)
COUNTED_ALL(written_bytes, written_bytes)
COUNTED_ALL(error_count, error_count)
COUNTED_ALL(again_count, again_count)
COUNTED_ALL(call_ns, ns)
#undef COUNTED_ALL
#undef COUNTED

static struct nt_cell p50_ns(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_of_u64(of(row)->p50_ns);
}

static struct nt_cell p99_ns(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_of_u64(of(row)->p99_ns);
}

static const struct nt_io_caller *first_caller(const void *row)
{
	return of(row)->caller_count ? of(row)->callers : NULL;
}

static struct nt_cell caller(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_text(first_caller(row) ? first_caller(row)->name : NULL);
}

static struct nt_cell caller_pct(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return first_caller(row) ? nt_cell_f(first_caller(row)->pct) : nt_cell_unknown();
}

static struct nt_cell caller_looked(const void *row, const struct nt_column_context *context)
{
	return counted_all(context, of(row)->looked_count);
}

static const struct nt_column columns[] = {
	{ .key = "calls_per_s",
	  .title = "CALLS/s",
	  .unit = NT_UNIT_PER_S,
	  .align = NT_ALIGN_RIGHT,
	  .width = 7,
	  .default_sort = true,
	  .tie = "open_count",
	  .screen = true,
	  .help = "calls that open, read, write, connect, accept and sync, which came back, per second; io_uring, recvmmsg(), sendmmsg(), "
		  "copy_file_range(), splice() and mappings are not seen; blank: calls are not counted",
	  .read = calls_per_s },
	{ .key = "bytes_per_s",
	  .title = "B/s",
	  .unit = NT_UNIT_BYTES,
	  .align = NT_ALIGN_RIGHT,
	  .width = 6,
	  .screen = true,
	  .help = "bytes that they read and wrote, per second",
	  .read = bytes_per_s },
	{ .key = "error_count",
	  .title = "ERR",
	  .unit = NT_UNIT_COUNT,
	  .align = NT_ALIGN_RIGHT,
	  .width = 4,
	  .screen = true,
	  .help = "of them, those that failed; of connect() to a socket that does not wait for it, what becomes of the connection is not "
		  "told",
	  .read = error_count },
	{ .key = "error_all_count",
	  .title = "ERR ALL",
	  .unit = NT_UNIT_COUNT,
	  .align = NT_ALIGN_RIGHT,
	  .width = 7,
	  .help = "the same since the row is there, as far as calls were counted",
	  .read = error_count_all },
	{ .key = "p50_ns",
	  .title = "p50 us",
	  .unit = NT_UNIT_NS_AS_US,
	  .align = NT_ALIGN_RIGHT,
	  .width = 6,
	  .drop = 5,
	  .screen = true,
	  .help = "us of the median call since the row is there, right within an eighth; blank: none was counted",
	  .read = p50_ns },
	{ .key = "p99_ns",
	  .title = "p99 us",
	  .unit = NT_UNIT_NS_AS_US,
	  .align = NT_ALIGN_RIGHT,
	  .width = 6,
	  .drop = 7,
	  .screen = true,
	  .help = "us that 99 % of them did not exceed, right within an eighth",
	  .read = p99_ns },
	{ .key = "open_count",
	  .title = "OPEN",
	  .unit = NT_UNIT_COUNT,
	  .align = NT_ALIGN_RIGHT,
	  .width = 5,
	  .screen = true,
	  .help = "descriptors that the process has open of this name",
	  .read = open_count },
	{ .key = "opened_count",
	  .title = "NEW",
	  .unit = NT_UNIT_COUNT,
	  .align = NT_ALIGN_RIGHT,
	  .width = 5,
	  .drop = 2,
	  .screen = true,
	  .help = "descriptors that a look of the interval found and the look before did not; those opened and closed in between nobody "
		  "has seen",
	  .read = opened_count },
	{ .key = "open_calls_all_count",
	  .title = "OPENS",
	  .unit = NT_UNIT_COUNT,
	  .align = NT_ALIGN_RIGHT,
	  .width = 6,
	  .help = "calls that opened it, or failed to; since the row is there, as far as calls were counted",
	  .read = open_calls_all },
	{ .key = "read_calls_count",
	  .title = "READS",
	  .unit = NT_UNIT_COUNT,
	  .align = NT_ALIGN_RIGHT,
	  .width = 6,
	  .help = "calls of read() and its family, recv() and recvmsg()",
	  .read = read_calls },
	{ .key = "read_calls_all_count",
	  .title = "READS ALL",
	  .unit = NT_UNIT_COUNT,
	  .align = NT_ALIGN_RIGHT,
	  .width = 10,
	  .help = "the same since the row is there, as far as calls were counted",
	  .read = read_calls_all },
	{ .key = "write_calls_count",
	  .title = "WRITES",
	  .unit = NT_UNIT_COUNT,
	  .align = NT_ALIGN_RIGHT,
	  .width = 6,
	  .help = "calls of write() and its family, send(), sendmsg() and sendfile(), whose reading is not told",
	  .read = write_calls },
	{ .key = "write_calls_all_count",
	  .title = "WRITES ALL",
	  .unit = NT_UNIT_COUNT,
	  .align = NT_ALIGN_RIGHT,
	  .width = 10,
	  .help = "the same since the row is there, as far as calls were counted",
	  .read = write_calls_all },
	{ .key = "connect_calls_all_count",
	  .title = "CONNS",
	  .unit = NT_UNIT_COUNT,
	  .align = NT_ALIGN_RIGHT,
	  .width = 6,
	  .help = "calls of connect(); since the row is there, as far as calls were counted",
	  .read = connect_calls_all },
	{ .key = "accept_calls_all_count",
	  .title = "ACCS",
	  .unit = NT_UNIT_COUNT,
	  .align = NT_ALIGN_RIGHT,
	  .width = 6,
	  .help = "calls of accept(), of the listener; since the row is there, as far as calls were counted",
	  .read = accept_calls_all },
	{ .key = "sync_calls_all_count",
	  .title = "SYNCS",
	  .unit = NT_UNIT_COUNT,
	  .align = NT_ALIGN_RIGHT,
	  .width = 6,
	  .help = "calls of fsync() and fdatasync(); since the row is there, as far as calls were counted",
	  .read = sync_calls_all },
	{ .key = "read_bytes",
	  .title = "READ B",
	  .unit = NT_UNIT_BYTES,
	  .align = NT_ALIGN_RIGHT,
	  .width = 7,
	  .help = "bytes read by these calls",
	  .read = read_bytes },
	{ .key = "read_all_bytes",
	  .title = "READ B ALL",
	  .unit = NT_UNIT_BYTES,
	  .align = NT_ALIGN_RIGHT,
	  .width = 11,
	  .help = "the same since the row is there, as far as calls were counted",
	  .read = read_bytes_all },
	{ .key = "written_bytes",
	  .title = "WRITTEN B",
	  .unit = NT_UNIT_BYTES,
	  .align = NT_ALIGN_RIGHT,
	  .width = 9,
	  .help = "bytes written by these calls",
	  .read = written_bytes },
	{ .key = "written_all_bytes",
	  .title = "WRITTEN B ALL",
	  .unit = NT_UNIT_BYTES,
	  .align = NT_ALIGN_RIGHT,
	  .width = 13,
	  .help = "the same since the row is there, as far as calls were counted",
	  .read = written_bytes_all },
	{ .key = "again_all_count",
	  .title = "AGAIN",
	  .unit = NT_UNIT_COUNT,
	  .align = NT_ALIGN_RIGHT,
	  .width = 6,
	  .help = "calls that came back with nothing done: nothing there, no room, a connection under way, or a signal; one that the "
		  "kernel then begins anew counts twice; since the row is there, as far as calls were counted",
	  .read = again_count_all },
	{ .key = "call_all_ns",
	  .title = "TOOK ms",
	  .unit = NT_UNIT_NS_AS_MS,
	  .align = NT_ALIGN_RIGHT,
	  .width = 8,
	  .help = "how long these calls took, all together; waiting is in it; since the row is there, as far as calls were counted",
	  .read = call_ns_all },
	{ .key = "opened_all_count",
	  .title = "NEW ALL",
	  .unit = NT_UNIT_COUNT,
	  .align = NT_ALIGN_RIGHT,
	  .width = 7,
	  .help = "the same since the first look that found this name",
	  .read = opened_all },
	{ .key = "blocked_count",
	  .title = "BLKD",
	  .unit = NT_UNIT_COUNT,
	  .align = NT_ALIGN_RIGHT,
	  .width = 5,
	  .screen = true,
	  .help = "threads that are blocked in a system call on one of them (read, write, recv, accept, fsync, ...; not those that poll)",
	  .read = blocked_count },
	{ .key = "blocked_ns",
	  .title = "FOR ms",
	  .unit = NT_UNIT_NS_AS_MS,
	  .align = NT_ALIGN_RIGHT,
	  .width = 8,
	  .drop = 6,
	  .screen = true,
	  .help = "ms that the thread blocked for longest has not run, since a look first found it there; blank: none is blocked",
	  .read = blocked_ns },
	{ .key = "blocked_tid",
	  .title = "TID",
	  .unit = NT_UNIT_INTEGER,
	  .align = NT_ALIGN_RIGHT,
	  .width = 7,
	  .drop = 3,
	  .screen = true,
	  .help = "that thread",
	  .read = blocked_tid },
	{ .key = "ways",
	  .title = "RW",
	  .unit = NT_UNIT_TEXT,
	  .align = NT_ALIGN_LEFT,
	  .width = 2,
	  .drop = 1,
	  .ascending = true,
	  .screen = true,
	  .help = "for what they were opened: r to read, w to write",
	  .read = ways },
	{ .key = "caller_pct",
	  .title = "BY %",
	  .unit = NT_UNIT_PCT,
	  .align = NT_ALIGN_RIGHT,
	  .width = 5,
	  .help = "part of these calls that it makes, as far as they were looked at: each stands for as many as there are of its sort; "
		  "never "
		  "too much",
	  .read = caller_pct },
	{ .key = "caller_looked_count",
	  .title = "LOOKED AT",
	  .unit = NT_UNIT_COUNT,
	  .align = NT_ALIGN_RIGHT,
	  .width = 9,
	  .help = "calls of which it was looked where they come from: in each second the first few of a sort, then fewer and fewer, by "
		  "chance; "
		  "since the row is there, as far as calls were counted",
	  .read = caller_looked },
	{ .key = "kind",
	  .title = "KIND",
	  .unit = NT_UNIT_TEXT,
	  .align = NT_ALIGN_LEFT,
	  .width = 6,
	  .ascending = true,
	  .screen = true,
	  .help = "file: whatever has a path; socket, pipe; other: what the kernel makes, as eventpoll",
	  .read = kind },
	{ .key = "caller",
	  .title = "MOSTLY BY",
	  .unit = NT_UNIT_TEXT,
	  .align = NT_ALIGN_LEFT,
	  .width = 24,
	  .drop = 4,
	  .ascending = true,
	  .screen = true,
	  .help = "the program's method that makes most of these calls, where none of its own does it one of the framework's, of those "
		  "that "
		  "were looked at since the row is there; blank: none was, or no managed code was found in their stacks",
	  .read = caller },
	{ .key = "what",
	  .title = "PATH",
	  .unit = NT_UNIT_TEXT,
	  .align = NT_ALIGN_LEFT,
	  .ascending = true,
	  .screen = true,
	  .help = "the path, or what the kernel calls it; of a socket whom it is connected to, or where it listens, and its state where "
		  "that is another one; blank: it has no name, or none is known",
	  .read = what },
};

static uint64_t row_id(const void *row)
{
	return of(row)->id;
}

static const char *row_name(const void *row)
{
	return of(row)->what ? of(row)->what : "";
}

static bool in_interval(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return !of(row)->ended;
}

const struct nt_table nt_table_io = {
	.key = "io",
	.columns = columns,
	.column_count = sizeof(columns) / sizeof(columns[0]),
	.rows = NT_ROWS_OF_PROCESS(io, io_count),
	.row_in_interval = in_interval,
	.row_id = row_id,
	.row_name = row_name,
};
