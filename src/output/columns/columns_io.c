// SPDX-License-Identifier: GPL-2.0-only
/* What a process has open, by name. */
#include "output/columns/cell.h"

static const struct nt_io_row *of(const void *row)
{
	return row;
}

static struct nt_cell open_count(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_u(of(row)->open_count);
}

static struct nt_cell opened_count(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_u(of(row)->opened_count);
}

static struct nt_cell opened_all(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_u(of(row)->opened_all);
}

static struct nt_cell blocked_count(const void *row, const struct nt_column_context *context)
{
	bool known = !context->process->io_threads_hidden || of(row)->blocked_count;
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

static const struct nt_column columns[] = {
	{ .key = "open_count",
	  .title = "OPEN",
	  .unit = NT_UNIT_COUNT,
	  .align = NT_ALIGN_RIGHT,
	  .width = 5,
	  .default_sort = true,
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
	{ .key = "kind",
	  .title = "KIND",
	  .unit = NT_UNIT_TEXT,
	  .align = NT_ALIGN_LEFT,
	  .width = 6,
	  .ascending = true,
	  .screen = true,
	  .help = "file: whatever has a path; socket, pipe; other: what the kernel makes, as eventpoll",
	  .read = kind },
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
