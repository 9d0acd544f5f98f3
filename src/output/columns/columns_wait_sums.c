// SPDX-License-Identifier: GPL-2.0-only
/* Blocked time by reason, and by thread. */
#include "output/columns/wait_cells.h"

static const struct nt_wait_sum_row *of(const void *row)
{
	return row;
}

/* By begin and end alone it is not told how long who was woken had no CPU. */
static struct nt_cell at_least_of_cpu(const struct nt_wait_sum_row *row, struct nt_cell cell)
{
	cell.at_least |= cell.known && row->timed && !row->tid && row->kind == NT_WAIT_CPU;
	return cell;
}

static struct nt_cell spent_s_per_s(const void *row, const struct nt_column_context *context)
{
	return at_least_of_cpu(row, nt_wait_cell_rate(&of(row)->wait, (double)NT_NS_PER_S, context));
}

static struct nt_cell runq_ms_per_s(const void *row, const struct nt_column_context *context)
{
	return nt_wait_cell_runq_ms_per_s(&of(row)->runq, of(row)->polled || of(row)->timed, context);
}

static struct nt_cell idle_s_per_s(const void *row, const struct nt_column_context *context)
{
	return nt_wait_cell_rate(&of(row)->idle, (double)NT_NS_PER_S, context);
}

static struct nt_cell wait_ns(const void *row, const struct nt_column_context *context)
{
	return at_least_of_cpu(row, nt_wait_cell_sum(&of(row)->wait, context));
}

static struct nt_cell runq_ns(const void *row, const struct nt_column_context *context)
{
	return nt_wait_cell_runq_ns(&of(row)->runq, of(row)->polled || of(row)->timed, context);
}

static struct nt_cell idle_ns(const void *row, const struct nt_column_context *context)
{
	return nt_wait_cell_sum(&of(row)->idle, context);
}

static struct nt_wait_counted counted(const void *row)
{
	return (struct nt_wait_counted){
		.count = of(row)->count, .all = of(row)->count_all, .window_per_s = of(row)->window_per_s, .polled = of(row)->polled
	};
}

static struct nt_cell count(const void *row, const struct nt_column_context *context)
{
	struct nt_wait_counted waits = counted(row);
	return nt_wait_cell_count(&waits, context);
}

static struct nt_cell rate_per_s(const void *row, const struct nt_column_context *context)
{
	struct nt_wait_counted waits = counted(row);
	return nt_wait_cell_per_s(&waits, context);
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

static struct nt_cell tid(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return of(row)->tid ? nt_cell_u(of(row)->tid) : nt_cell_unknown();
}

static struct nt_cell name(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_text(of(row)->name);
}

static struct nt_cell cpu_pct(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_of_f64(of(row)->cpu_pct);
}

static struct nt_cell strip(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_text(of(row)->strip ? of(row)->strip->cells : NULL);
}

static struct nt_cell strip_method(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return nt_cell_text(of(row)->strip ? nt_wait_strip_method(of(row)->strip) : NULL);
}

static const struct nt_column reasons[] = {
	{ .key = "spent_s_per_s",
	  .title = "WAIT s/s",
	  .unit = NT_UNIT_PER_S,
	  .align = NT_ALIGN_RIGHT,
	  .width = 9,
	  .default_sort = true,
	  .screen = true,
	  .sort_key = NT_SORT_BY_TIME,
	  .help = "seconds that threads spent waiting for this, per second: on average so many waited",
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
	  .help = "ms that threads spent waiting for this; cpu: also after they were woken",
	  .read = wait_ns },
	{ .key = "p50_ns",
	  .title = "p50 ms",
	  .unit = NT_UNIT_NS_AS_MS,
	  .align = NT_ALIGN_RIGHT,
	  .width = 7,
	  .drop = 1,
	  .screen = true,
	  .help = "ms of the median wait since attach; blank: polled",
	  .read = p50_ns },
	{ .key = "p99_ns",
	  .title = "p99 ms",
	  .unit = NT_UNIT_NS_AS_MS,
	  .align = NT_ALIGN_RIGHT,
	  .width = 7,
	  .drop = 3,
	  .screen = true,
	  .help = "ms that 99 % of the waits since attach did not exceed; blank: polled",
	  .read = p99_ns },
	{ .key = "max_ns",
	  .title = "max ms",
	  .unit = NT_UNIT_NS_AS_MS,
	  .align = NT_ALIGN_RIGHT,
	  .width = 7,
	  .drop = 2,
	  .screen = true,
	  .help = "ms of the longest wait, by threads that still wait, too; polled: a lower bound",
	  .read = max_ns },
	{ .key = "waiting_count",
	  .title = "NOW",
	  .unit = NT_UNIT_COUNT,
	  .align = NT_ALIGN_RIGHT,
	  .width = 4,
	  .screen = true,
	  .help = "threads that wait for this now",
	  .read = waiting_count },
	{ .key = "for",
	  .title = "FOR",
	  .unit = NT_UNIT_TEXT,
	  .align = NT_ALIGN_LEFT,
	  .width = 8,
	  .ascending = true,
	  .screen = true,
	  .help = "what for: monitor lock pulse signal task join process sleep socket file pipe poll gc native fault cpu quota stopped; "
		  "idle: for work; waits: not known",
	  .read = waits_for },
	{ .key = "site",
	  .title = "MOSTLY AT",
	  .unit = NT_UNIT_TEXT,
	  .align = NT_ALIGN_LEFT,
	  .ascending = true,
	  .screen = true,
	  .help = "the program's method where most of the last of it was waited; cpu: after waits for something else, too; blank: not "
		  "known",
	  .read = site },
};

static const struct nt_column threads[] = {
	{ .key = "spent_s_per_s",
	  .title = "WAIT s/s",
	  .unit = NT_UNIT_PER_S,
	  .align = NT_ALIGN_RIGHT,
	  .width = 9,
	  .default_sort = true,
	  .screen = true,
	  .sort_key = NT_SORT_BY_TIME,
	  .help = "seconds that the thread spent waiting, per second; for work and for a CPU left out",
	  .read = spent_s_per_s },
	{ .key = "rate_per_s",
	  .title = "N/s",
	  .unit = NT_UNIT_PER_S,
	  .align = NT_ALIGN_RIGHT,
	  .width = 6,
	  .drop = 3,
	  .screen = true,
	  .help = "its waits that ended, per second; a lower bound where it is looked at time and again (polled)",
	  .read = rate_per_s },
	{ .key = "count",
	  .title = "N",
	  .unit = NT_UNIT_COUNT,
	  .align = NT_ALIGN_RIGHT,
	  .width = 6,
	  .help = "its waits that ended; polled: a lower bound",
	  .read = count },
	{ .key = "wait_ns",
	  .title = "WAITED ms",
	  .unit = NT_UNIT_NS_AS_MS,
	  .align = NT_ALIGN_RIGHT,
	  .width = 10,
	  .help = "ms that it spent waiting; for work and for a CPU left out",
	  .read = wait_ns },
	{ .key = "max_ns",
	  .title = "max ms",
	  .unit = NT_UNIT_NS_AS_MS,
	  .align = NT_ALIGN_RIGHT,
	  .width = 7,
	  .drop = 2,
	  .screen = true,
	  .help = "ms of its longest wait, also one that still lasts; polled: a lower bound",
	  .read = max_ns },
	{ .key = "runq_ms_per_s",
	  .title = "RUNQ ms/s",
	  .unit = NT_UNIT_PER_S,
	  .align = NT_ALIGN_RIGHT,
	  .width = 9,
	  .drop = 1,
	  .screen = true,
	  .help = "ms per second in which it could have run and had no CPU; blank: polled, or timed",
	  .read = runq_ms_per_s },
	{ .key = "runq_ns",
	  .title = "RUNQ ms",
	  .unit = NT_UNIT_NS_AS_MS,
	  .align = NT_ALIGN_RIGHT,
	  .width = 9,
	  .help = "the same in ms",
	  .read = runq_ns },
	{ .key = "idle_s_per_s",
	  .title = "IDLE s/s",
	  .unit = NT_UNIT_PER_S,
	  .align = NT_ALIGN_RIGHT,
	  .width = 8,
	  .help = "seconds that it waited for work, per second",
	  .read = idle_s_per_s },
	{ .key = "idle_ns",
	  .title = "IDLE ms",
	  .unit = NT_UNIT_NS_AS_MS,
	  .align = NT_ALIGN_RIGHT,
	  .width = 9,
	  .help = "the same in ms",
	  .read = idle_ns },
	{ .key = "cpu_pct",
	  .title = "CPU%",
	  .unit = NT_UNIT_PCT,
	  .align = NT_ALIGN_RIGHT,
	  .width = 6,
	  .screen = true,
	  .sort_key = NT_SORT_BY_CPU,
	  .help = "of one CPU, in the last interval",
	  .read = cpu_pct },
	{ .key = "tid",
	  .title = "TID",
	  .unit = NT_UNIT_INTEGER,
	  .align = NT_ALIGN_RIGHT,
	  .width = 8,
	  .ascending = true,
	  .screen = true,
	  .help = "thread id; blank: several that have ended, or that are too many",
	  .read = tid },
	{ .key = "name",
	  .title = "NAME",
	  .unit = NT_UNIT_TEXT,
	  .align = NT_ALIGN_LEFT,
	  .width = 16,
	  .ascending = true,
	  .screen = true,
	  .help = "of the thread",
	  .read = name },
	{ .key = "for",
	  .title = "FOR",
	  .unit = NT_UNIT_TEXT,
	  .align = NT_ALIGN_LEFT,
	  .width = 8,
	  .ascending = true,
	  .screen = true,
	  .help = "what it waits for now: monitor lock pulse signal task join process sleep socket file pipe poll gc native fault cpu "
		  "quota stopped; idle: for work; waits: not known; blank: it does not wait",
	  .read = waits_for },
	{ .key = "strip",
	  .title = "LAST 10 s",
	  .unit = NT_UNIT_TEXT,
	  .align = NT_ALIGN_LEFT,
	  .width = NT_STRIP_CELLS,
	  .ascending = true,
	  .help = "its last 10 s, a letter for what most of each 200 ms of the clock was, the last one up to the end of the interval: r "
		  "run . cpu "
		  "M monitor L lock P pulse S signal T task J join x process z sleep s socket f file p pipe e poll g gc n native F fault "
		  "q quota t stopped - idle ? waits; a blank: most of it nobody has told of; nothing at all: nor of the rest, or 256 other "
		  "threads have waited lately",
	  .read = strip },
	{ .key = "strip_method",
	  .title = "KNOWN",
	  .unit = NT_UNIT_TEXT,
	  .align = NT_ALIGN_LEFT,
	  .width = 6,
	  .ascending = true,
	  .help = "how that is known: polled (it was looked at), exact (each of its switches was told), or mixed",
	  .read = strip_method },
	{ .key = "site",
	  .title = "BLOCKED AT",
	  .unit = NT_UNIT_TEXT,
	  .align = NT_ALIGN_LEFT,
	  .ascending = true,
	  .screen = true,
	  .help = "the program's method that waits now; blank: not known",
	  .read = site },
};

static uint64_t row_id(const void *row)
{
	return of(row)->id;
}

static const char *reason_name(const void *row)
{
	return nt_wait_kind_name(of(row)->kind);
}

static const char *thread_name(const void *row)
{
	return of(row)->name ? of(row)->name : "";
}

const struct nt_table nt_table_wait_reasons = {
	.key = "wait_reasons",
	.columns = reasons,
	.column_count = sizeof(reasons) / sizeof(reasons[0]),
	.rows = NT_ROWS_OF_PROCESS(wait_reasons, wait_reason_count),
	.row_id = row_id,
	.row_name = reason_name,
};

const struct nt_table nt_table_wait_threads = {
	.key = "wait_threads",
	.columns = threads,
	.column_count = sizeof(threads) / sizeof(threads[0]),
	.rows = NT_ROWS_OF_PROCESS(wait_threads, wait_thread_count),
	.row_id = row_id,
	.row_name = thread_name,
};
