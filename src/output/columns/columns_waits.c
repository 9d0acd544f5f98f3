// SPDX-License-Identifier: GPL-2.0-only
/* Blocked time, by the place that waits and what it waits for. */
#include "output/columns/wait_cells.h"

static const struct nt_wait_row *of(const void *row)
{
	return row;
}

static struct nt_wait_time spent(const void *row)
{
	return (struct nt_wait_time){ .ns = of(row)->spent_ns, .all_ns = of(row)->spent_all_ns, .window = of(row)->window_spent };
}

static struct nt_wait_counted counted(const void *row)
{
	return (struct nt_wait_counted){
		.count = of(row)->count, .all = of(row)->count_all, .window_per_s = of(row)->window_per_s, .polled = of(row)->polled
	};
}

static struct nt_cell spent_s_per_s(const void *row, const struct nt_column_context *context)
{
	struct nt_wait_time time = spent(row);
	return nt_wait_cell_rate(&time, (double)NT_NS_PER_S, context);
}

static struct nt_cell rate_per_s(const void *row, const struct nt_column_context *context)
{
	struct nt_wait_counted waits = counted(row);
	return nt_wait_cell_per_s(&waits, context);
}

static struct nt_cell count(const void *row, const struct nt_column_context *context)
{
	struct nt_wait_counted waits = counted(row);
	return nt_wait_cell_count(&waits, context);
}

static struct nt_cell wait_ns(const void *row, const struct nt_column_context *context)
{
	struct nt_wait_time time = spent(row);
	return nt_wait_cell_sum(&time, context);
}

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

static struct nt_cell max_ns(const void *row, const struct nt_column_context *context)
{
	return nt_wait_cell_max(of(row)->max_ns, of(row)->polled, context);
}

static struct nt_cell runq_ms_per_s(const void *row, const struct nt_column_context *context)
{
	struct nt_wait_time runq = { .ns = of(row)->runq_ns, .all_ns = of(row)->runq_all_ns, .window = of(row)->window_runq };
	return nt_wait_cell_runq_ms_per_s(&runq, of(row)->polled || of(row)->timed, context);
}

static struct nt_cell waiting_count(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_u(of(row)->waiting_count);
}

static struct nt_cell waits_for(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_wait_cell_for(of(row)->kind);
}

static struct nt_cell site(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_text(of(row)->site);
}

static struct nt_cell means(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_text(of(row)->means);
}

static struct nt_cell what(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_text(of(row)->what);
}

static struct nt_cell waker_tid(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return of(row)->waker_tid ? nt_cell_u(of(row)->waker_tid) : nt_cell_unknown();
}

static struct nt_cell waker(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_text(of(row)->waker_name);
}

static struct nt_cell waker_at(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_text(of(row)->waker_at);
}

static struct nt_cell holder_tid(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return of(row)->holder_tid ? nt_cell_u(of(row)->holder_tid) : nt_cell_unknown();
}

static struct nt_cell holder(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_text(of(row)->holder_name);
}

static const struct nt_column columns[] = {
	{ .key = "spent_s_per_s",
	  .title = "WAIT s/s",
	  .unit = NT_UNIT_PER_S,
	  .align = NT_ALIGN_RIGHT,
	  .width = 9,
	  .default_sort = true,
	  .screen = true,
	  .sort_key = NT_SORT_BY_TIME,
	  .help = "seconds that threads spent waiting here, per second: on average so many waited",
	  .read = spent_s_per_s },
	{ .key = "rate_per_s",
	  .title = "N/s",
	  .unit = NT_UNIT_PER_S,
	  .align = NT_ALIGN_RIGHT,
	  .width = 6,
	  .screen = true,
	  .help = "waits that ended, per second; a lower bound where threads are looked at time and again (polled)",
	  .read = rate_per_s },
	{ .key = "count",
	  .title = "N",
	  .unit = NT_UNIT_COUNT,
	  .align = NT_ALIGN_RIGHT,
	  .width = 6,
	  .help = "waits that ended; polled: a lower bound",
	  .read = count },
	{ .key = "wait_ns",
	  .title = "WAITED ms",
	  .unit = NT_UNIT_NS_AS_MS,
	  .align = NT_ALIGN_RIGHT,
	  .width = 10,
	  .help = "ms that threads spent waiting here",
	  .read = wait_ns },
	{ .key = "p50_ns",
	  .title = "p50 ms",
	  .unit = NT_UNIT_NS_AS_MS,
	  .align = NT_ALIGN_RIGHT,
	  .width = 7,
	  .drop = 3,
	  .screen = true,
	  .help = "ms of the median wait since attach; blank: polled",
	  .read = p50_ns },
	{ .key = "p99_ns",
	  .title = "p99 ms",
	  .unit = NT_UNIT_NS_AS_MS,
	  .align = NT_ALIGN_RIGHT,
	  .width = 7,
	  .drop = 5,
	  .screen = true,
	  .help = "ms that 99 % of the waits since attach did not exceed; blank: polled",
	  .read = p99_ns },
	{ .key = "max_ns",
	  .title = "max ms",
	  .unit = NT_UNIT_NS_AS_MS,
	  .align = NT_ALIGN_RIGHT,
	  .width = 7,
	  .drop = 4,
	  .screen = true,
	  .help = "ms of the longest wait, by threads that still wait, too; polled: a lower bound",
	  .read = max_ns },
	{ .key = "runq_ms_per_s",
	  .title = "RUNQ ms/s",
	  .unit = NT_UNIT_PER_S,
	  .align = NT_ALIGN_RIGHT,
	  .width = 9,
	  .drop = 2,
	  .screen = true,
	  .help = "ms per second after they were woken until they had a CPU; blank: polled, or timed",
	  .read = runq_ms_per_s },
	{ .key = "waiting_count",
	  .title = "NOW",
	  .unit = NT_UNIT_COUNT,
	  .align = NT_ALIGN_RIGHT,
	  .width = 4,
	  .screen = true,
	  .help = "threads that wait here now",
	  .read = waiting_count },
	{ .key = "for",
	  .title = "FOR",
	  .unit = NT_UNIT_TEXT,
	  .align = NT_ALIGN_LEFT,
	  .width = 7,
	  .ascending = true,
	  .screen = true,
	  .help = "what for: monitor lock pulse signal task join process sleep socket file pipe poll gc native fault cpu quota stopped; "
		  "idle: "
		  "for work; waits: not known",
	  .read = waits_for },
	{ .key = "site",
	  .title = "BLOCKED AT",
	  .unit = NT_UNIT_TEXT,
	  .align = NT_ALIGN_LEFT,
	  .width = 30,
	  .ascending = true,
	  .screen = true,
	  .help = "the program's method that waits; blank: not known",
	  .read = site },
	{ .key = "means",
	  .title = "BY",
	  .unit = NT_UNIT_TEXT,
	  .align = NT_ALIGN_LEFT,
	  .width = 20,
	  .ascending = true,
	  .help = "the method by which it waits there",
	  .read = means },
	{ .key = "what",
	  .title = "FOR WHAT",
	  .unit = NT_UNIT_TEXT,
	  .align = NT_ALIGN_LEFT,
	  .width = 20,
	  .ascending = true,
	  .help = "what most of the last waits there were for, by name: a path, who is at the other end of a socket, the type of a lock; "
		  "blank: not known",
	  .read = what },
	{ .key = "waker_tid",
	  .title = "WOKEN BY TID",
	  .unit = NT_UNIT_INTEGER,
	  .align = NT_ALIGN_RIGHT,
	  .width = 12,
	  .help = "thread of the process that ended most of the last waits; blank: not known, as when polled or timed, or it was none",
	  .read = waker_tid },
	{ .key = "waker",
	  .title = "WOKEN BY",
	  .unit = NT_UNIT_TEXT,
	  .align = NT_ALIGN_LEFT,
	  .drop = 1,
	  .ascending = true,
	  .screen = true,
	  .help = "name of the thread of the process that ended most of the last waits; interrupt: it was a timer, a disk, the network; "
		  "blank: not known, as when polled or timed, or when other processes did",
	  .read = waker },
	{ .key = "waker_at",
	  .title = "WOKEN AT",
	  .unit = NT_UNIT_TEXT,
	  .align = NT_ALIGN_LEFT,
	  .width = 20,
	  .ascending = true,
	  .help = "the program's method in which that thread mostly ended them, as often as that was told; blank: not known",
	  .read = waker_at },
	{ .key = "holder_tid",
	  .title = "HELD BY TID",
	  .unit = NT_UNIT_INTEGER,
	  .align = NT_ALIGN_RIGHT,
	  .width = 11,
	  .help = "thread that had the monitor or Lock which most of the last waits there were for, when they were looked at (.NET 10); "
		  "blank: not known, or "
		  "nobody had it then",
	  .read = holder_tid },
	{ .key = "holder",
	  .title = "HELD BY",
	  .unit = NT_UNIT_TEXT,
	  .align = NT_ALIGN_LEFT,
	  .width = 20,
	  .ascending = true,
	  .help = "name of that thread; blank: not known",
	  .read = holder },
};

static uint64_t row_id(const void *row)
{
	return of(row)->id;
}

static const char *row_name(const void *row)
{
	return of(row)->site ? of(row)->site : "";
}

static bool row_idle(const void *row)
{
	return of(row)->idle;
}

const struct nt_table nt_table_waits = {
	.key = "waits",
	.columns = columns,
	.column_count = sizeof(columns) / sizeof(columns[0]),
	.rows = NT_ROWS_OF_PROCESS(waits, wait_count),
	.row_id = row_id,
	.row_name = row_name,
	.row_idle = row_idle,
};
