// SPDX-License-Identifier: GPL-2.0-only
/* The list of processes that are watched: the headline of every tile, a row a process. */
#include "output/columns/process_cells.h"

/* Of one of which nothing is known, nothing is; of one that has ended nothing but in the summary. */
static const struct nt_figures *figures_of(const void *row, const struct nt_column_context *context)
{
	static const struct nt_figures none = { 0 };
	const struct nt_process_snapshot *process = nt_process_of(row)->process;
	if (process && context->snapshot->final)
		return &process->total;
	return process && nt_process_of(row)->ended_at == NT_TIME_UNKNOWN ? &process->interval : &none;
}

/* What was counted, a second of the time that was told. */
static struct nt_cell rate_of(struct nt_u64 count, struct nt_u64 covered_ns)
{
	return count.known ? nt_cell_rate((double)count.v, covered_ns) : nt_cell_unknown();
}

/* Likewise of what is held as a whole number: bytes, ns. */
static struct nt_cell whole_rate_of(struct nt_u64 count, struct nt_u64 covered_ns)
{
	struct nt_cell rate = rate_of(count, covered_ns);
	return (struct nt_cell){ .known = rate.known, .u = rate.known && rate.f < 1e19 ? (uint64_t)rate.f : 0 };
}

/* As its tile: by the program's own periods, where they are known. */
static struct nt_cell requests_of(const struct nt_request_figures *requests)
{
	return requests->count.known && requests->per_s.known ? nt_cell_f(requests->per_s.v)
							      : rate_of(requests->count, requests->covered_ns);
}

static struct nt_cell finding_of(const struct nt_process_row *row)
{
	bool is_there = row->ended_at == NT_TIME_UNKNOWN;
	if (row->process && is_there && row->process->finding_count)
		return nt_cell_text(row->process->findings[0].short_text);
	return is_there ? nt_cell_unknown() : nt_cell_text(row->last_end_text ? row->last_end_text : "ended");
}

/* Of a process of which nobody names code the hottest address is no method, and its part is not that of one. */
static bool is_unnamed(const struct nt_process_row *row)
{
	return !row->named || row->hottest->naming == NT_NAMING_PENDING;
}

/* NULL: none is known. */
static const struct nt_method_row *hottest_of(const void *row)
{
	const struct nt_process_row *process = nt_process_of(row);
	return process->hottest && !is_unnamed(process) ? process->hottest : NULL;
}

static struct nt_cell hot_method(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return hottest_of(row) ? nt_cell_text(hottest_of(row)->name) : nt_cell_unknown();
}

static struct nt_cell hot_pct(const void *row, const struct nt_column_context *context)
{
	const struct nt_method_row *hottest = hottest_of(row);
	return hottest ? nt_cell_f(context->snapshot->final ? hottest->all_self_pct : hottest->window_self_pct) : nt_cell_unknown();
}

/* One session samples all of them: if it delivers nothing, its reason is everybody's. */
static struct nt_cell hot_why(const void *row, const struct nt_column_context *context)
{
	const struct nt_method_row *hottest = nt_process_of(row)->hottest;
	const struct nt_source_row *perf = nt_snapshot_source(context->snapshot, NT_SOURCE_PERF);
	if (hottest)
		return nt_cell_text(is_unnamed(nt_process_of(row)) ? "not named yet: names are read of the busiest" : hottest->reason);
	bool could = nt_process_of(row)->process && nt_process_of(row)->ended_at == NT_TIME_UNKNOWN;
	return could && perf && perf->state != NT_STATE_DELIVERING ? nt_cell_text(perf->reason) : nt_cell_unknown();
}

NT_CELL_OF_ROW(harm, nt_cell_of_u64(nt_process_row_harm(nt_process_of(row))))
NT_CELL_OF_ROW(pause_pct, nt_cell_of_f64(figures_of(row, context)->gc.pause_pct))
NT_CELL_OF_ROW(alloc_bytes_per_s, whole_rate_of(figures_of(row, context)->gc.alloc_bytes, figures_of(row, context)->gc.alloc_covered_ns))
NT_CELL_OF_ROW(jit_ns_per_s, whole_rate_of(figures_of(row, context)->jit.time_ns, figures_of(row, context)->jit.covered_ns))
NT_CELL_OF_ROW(queue_count, nt_cell_of_u64(figures_of(row, context)->pool.queue_count))
NT_CELL_OF_ROW(exceptions_per_s, rate_of(figures_of(row, context)->exceptions.count, figures_of(row, context)->exceptions.covered_ns))
NT_CELL_OF_ROW(lock_ns_per_s, whole_rate_of(figures_of(row, context)->locks.spent_ns, figures_of(row, context)->locks.covered_ns))
NT_CELL_OF_ROW(requests_per_s, requests_of(&figures_of(row, context)->requests))
NT_CELL_OF_ROW(waited_ns_per_s, whole_rate_of(figures_of(row, context)->cpu.waited_ns, figures_of(row, context)->host.covered_ns))
NT_CELL_OF_ROW(restarts, nt_process_of(row)->kind == NT_PROCESS_ROW ? nt_cell_u(nt_process_of(row)->restarts) : nt_cell_unknown())
NT_CELL_OF_ROW(state, nt_process_of(row)->kind != NT_PROCESS_ROW        ? nt_cell_unknown()
		      : nt_process_of(row)->ended_at != NT_TIME_UNKNOWN ? nt_cell_text("ended")
		      : nt_process_of(row)->closed                      ? nt_cell_text("closed")
		      : nt_process_of(row)->process                     ? nt_cell_text("live")
									: nt_cell_unknown())
NT_CELL_OF_ROW(last_end_text, nt_cell_text(nt_process_of(row)->last_end_text))
NT_CELL_OF_ROW(finding, finding_of(nt_process_of(row)))

static struct nt_cell last_end_ago_ns(const void *row, const struct nt_column_context *context)
{
	nt_time end = nt_process_of(row)->ended_at != NT_TIME_UNKNOWN ? nt_process_of(row)->ended_at : nt_process_of(row)->last_end,
		t1 = context->snapshot->t1;
	return end ? nt_cell_u(t1 > end ? t1 - end : 0) : nt_cell_unknown();
}

/* Of both lists, that of this machine and that of others. */
#define COLUMN_NAME                                                                                                                        \
	{                                                                                                                                  \
		.key = "name", .title = "NAME", .unit = NT_UNIT_TEXT, .align = NT_ALIGN_LEFT, .width = 12, .ascending = true,              \
		.screen = true, .help = "the program: entry assembly or executable", .read = name                                          \
	}
#define COLUMN_GC_PAUSE                                                                                                                    \
	{                                                                                                                                  \
		.key = "gc_pause_pct", .title = "GC%", .unit = NT_UNIT_PCT, .align = NT_ALIGN_RIGHT, .width = 6, .screen = true,           \
		.help = "of the interval it stood still for collections; blank: nobody tells of them, as of processes that were not "      \
			"named "                                                                                                           \
			"(--all)",                                                                                                         \
		.read = pause_pct                                                                                                          \
	}
#define COLUMN_ALLOCATED                                                                                                                   \
	{                                                                                                                                  \
		.key = "alloc_bytes_per_s", .title = "ALLOC/s", .unit = NT_UNIT_BYTES, .align = NT_ALIGN_RIGHT, .width = 7,                \
		.screen = true, .help = "bytes allocated in a second; blank: as GC%", .read = alloc_bytes_per_s                            \
	}
#define COLUMN_COMPILED                                                                                                                    \
	{                                                                                                                                  \
		.key = "jit_ns_per_s", .title = "JIT ms", .unit = NT_UNIT_NS_AS_MS, .align = NT_ALIGN_RIGHT, .width = 6, .drop = 10,       \
		.screen = true, .help = "ms of compiling in a second; blank: as GC%", .read = jit_ns_per_s                                 \
	}
#define COLUMN_QUEUED                                                                                                                      \
	{                                                                                                                                  \
		.key = "queue_count", .title = "QUEUE", .unit = NT_UNIT_COUNT, .align = NT_ALIGN_RIGHT, .width = 5, .drop = 9,             \
		.screen = true, .help = "work items that wait in the thread pool; blank: as GC%", .read = queue_count                      \
	}
#define COLUMN_THROWN                                                                                                                      \
	{                                                                                                                                  \
		.key = "exceptions_per_s", .title = "EXC/s", .unit = NT_UNIT_PER_S, .align = NT_ALIGN_RIGHT, .width = 5, .screen = true,   \
		.help = "exceptions thrown in a second; blank: as GC%", .read = exceptions_per_s                                           \
	}
#define COLUMN_LOCKED                                                                                                                      \
	{                                                                                                                                  \
		.key = "lock_ns_per_s", .title = "LOCK ms", .unit = NT_UNIT_NS_AS_MS, .align = NT_ALIGN_RIGHT, .width = 7, .drop = 11,     \
		.screen = true, .help = "ms that threads waited for locks in a second, all together; blank: as GC%", .read = lock_ns_per_s \
	}
#define COLUMN_FOUND                                                                                                                       \
	{                                                                                                                                  \
		.key = "finding", .title = "FINDING", .unit = NT_UNIT_TEXT, .align = NT_ALIGN_LEFT, .ascending = true, .screen = true,     \
		.help = "the most important finding; of one that has ended, how", .read = finding                                          \
	}
#define COLUMN_STATE                                                                                                                       \
	{                                                                                                                                  \
		.key = "state", .title = "STATE", .unit = NT_UNIT_TEXT, .align = NT_ALIGN_LEFT, .width = 6, .ascending = true,             \
		.help = "live, ended, closed (another user's, which may not be read); blank: it has just come", .read = state              \
	}

static const struct nt_column columns[] = {
	{ .key = "pid",
	  .title = "PID",
	  .unit = NT_UNIT_INTEGER,
	  .align = NT_ALIGN_RIGHT,
	  .width = 7,
	  .ascending = true,
	  .screen = true,
	  .help = "process id, as nettop sees it; blank: no process, but all others, or CPUs without work",
	  .read = pid },
	COLUMN_NAME,
	{ .key = "user",
	  .title = "USER",
	  .unit = NT_UNIT_TEXT,
	  .align = NT_ALIGN_LEFT,
	  .width = 5,
	  .ascending = true,
	  .help = "whose process it is: name, or number of a user without one",
	  .read = user },
	{ .key = "runtime",
	  .title = "RUNTIME",
	  .unit = NT_UNIT_TEXT,
	  .align = NT_ALIGN_LEFT,
	  .width = 8,
	  .ascending = true,
	  .help = "version of the runtime; blank: not known without asking the process",
	  .read = runtime },
	{ .key = "uptime_ns",
	  .title = "UP",
	  .unit = NT_UNIT_AGE,
	  .align = NT_ALIGN_RIGHT,
	  .width = 5,
	  .drop = 3,
	  .screen = true,
	  .help = "how long ago it was started",
	  .read = uptime_ns },
	{ .key = "harm",
	  .title = "HARM",
	  .unit = NT_UNIT_INTEGER,
	  .align = NT_ALIGN_RIGHT,
	  .width = 4,
	  .drop = 5,
	  .default_sort = true,
	  .screen = true,
	  .tie = "cpu_pct",
	  .help = "how bad what is found is: 99 one that has ended by a failure, else by the kind of its worst finding; 0: nothing is "
		  "found; blank: "
		  "nothing was checked",
	  .read = harm },
	{ .key = "cpu_pct",
	  .title = "CPU%",
	  .unit = NT_UNIT_PCT,
	  .align = NT_ALIGN_RIGHT,
	  .width = 7,
	  .screen = true,
	  .sort_key = NT_SORT_BY_CPU,
	  .help = "CPU time of the interval, % of one CPU",
	  .read = cpu_pct },
	{ .key = "trend",
	  .title = "TREND",
	  .unit = NT_UNIT_TREND,
	  .scale = NT_SCALE_PCT,
	  .least_full = 100,
	  .align = NT_ALIGN_LEFT,
	  .width = 8,
	  .drop = 2,
	  .screen = true,
	  .help = "CPU% of the last looks",
	  .read = trend },
	{ .key = "rss_bytes",
	  .title = "RSS",
	  .unit = NT_UNIT_BYTES,
	  .align = NT_ALIGN_RIGHT,
	  .width = 5,
	  .drop = 6,
	  .screen = true,
	  .sort_key = NT_SORT_BY_MEMORY,
	  .help = "memory in RAM (resident set)",
	  .read = rss_bytes },
	{ .key = "thread_count",
	  .title = "THR",
	  .unit = NT_UNIT_COUNT,
	  .align = NT_ALIGN_RIGHT,
	  .width = 4,
	  .drop = 8,
	  .screen = true,
	  .help = "number of threads",
	  .read = thread_count },
	COLUMN_GC_PAUSE,
	COLUMN_ALLOCATED,
	COLUMN_COMPILED,
	COLUMN_QUEUED,
	COLUMN_THROWN,
	COLUMN_LOCKED,
	{ .key = "requests_per_s",
	  .title = "REQ/s",
	  .unit = NT_UNIT_PER_S,
	  .align = NT_ALIGN_RIGHT,
	  .width = 5,
	  .drop = 12,
	  .screen = true,
	  .help = "requests served in a second; blank: it serves none, as far as can be seen, or as GC%",
	  .read = requests_per_s },
	{ .key = "waited_ns_per_s",
	  .title = "WAIT ms",
	  .unit = NT_UNIT_NS_AS_MS,
	  .align = NT_ALIGN_RIGHT,
	  .width = 7,
	  .drop = 7,
	  .screen = true,
	  .help = "ms that threads were ready to run and had no CPU in a second, all together",
	  .read = waited_ns_per_s },
	{ .key = "restarts",
	  .title = "RST",
	  .unit = NT_UNIT_COUNT,
	  .align = NT_ALIGN_RIGHT,
	  .width = 3,
	  .drop = 4,
	  .screen = true,
	  .help = "how often one with its command and user has ended since nettop began, and another has taken its place; at least: who "
		  "lives for "
		  "less than 0.2 s may not be seen",
	  .read = restarts },
	{ .key = "hot_method",
	  .title = "HOT METHOD",
	  .unit = NT_UNIT_TEXT,
	  .align = NT_ALIGN_LEFT,
	  .width = 30,
	  .drop = 1,
	  .ascending = true,
	  .screen = true,
	  .demand = NT_WANT_CPU_SAMPLES,
	  .help = "method with most CPU samples of its own lately, and its part of them; sampled only while this is shown; blank: hot_why "
		  "says why",
	  .read = hot_method },
	{ .key = "hot_pct",
	  .title = "HOT%",
	  .unit = NT_UNIT_PCT,
	  .align = NT_ALIGN_RIGHT,
	  .width = 6,
	  .demand = NT_WANT_CPU_SAMPLES,
	  .help = "part of the CPU samples of the last intervals that were taken in that method itself",
	  .read = hot_pct },
	{ .key = "hot_why",
	  .title = "HOT WHY",
	  .unit = NT_UNIT_TEXT,
	  .align = NT_ALIGN_LEFT,
	  .width = 30,
	  .ascending = true,
	  .demand = NT_WANT_CPU_SAMPLES,
	  .help = "why no method is told, or why it has no name; blank: it is told, or the process has not run",
	  .read = hot_why },
	COLUMN_FOUND,
	COLUMN_STATE,
	{ .key = "last_end_ago_ns",
	  .title = "ENDED",
	  .unit = NT_UNIT_AGE,
	  .align = NT_ALIGN_RIGHT,
	  .width = 6,
	  .help = "how long ago it, or the one before it, has ended",
	  .read = last_end_ago_ns },
	{ .key = "last_end_text",
	  .title = "LAST END",
	  .unit = NT_UNIT_TEXT,
	  .align = NT_ALIGN_LEFT,
	  .width = 24,
	  .ascending = true,
	  .help = "how it, or the one before it, has ended; blank: not known",
	  .read = last_end_text },
	{ .key = "command",
	  .title = "COMMAND",
	  .unit = NT_UNIT_TEXT,
	  .align = NT_ALIGN_LEFT,
	  .width = 24,
	  .ascending = true,
	  .help = "command line",
	  .read = command },
	{ .key = "cpu_ns",
	  .title = "TIME ms",
	  .unit = NT_UNIT_NS_AS_MS,
	  .align = NT_ALIGN_RIGHT,
	  .width = 9,
	  .sort_key = NT_SORT_BY_TIME,
	  .help = "CPU time since its start",
	  .read = cpu_ns },
};

static bool row_rest(const void *row)
{
	return nt_process_of(row)->kind != NT_PROCESS_ROW;
}

const struct nt_table nt_table_watched = {
	.key = "watched",
	.columns = columns,
	.column_count = sizeof(columns) / sizeof(columns[0]),
	.rows = NT_ROWS_OF_SNAPSHOT(listed, listed_count),
	.row_id = nt_process_row_id,
	.row_name = nt_process_row_name,
	.row_rest = row_rest,
};

/* ---- processes of other hosts ---- */

NT_CELL_OF_ROW(host, nt_cell_text(nt_process_of(row)->host))
NT_CELL_OF_ROW(session, nt_cell_text(nt_process_of(row)->session))
NT_CELL_OF_ROW(shown_pid, nt_cell_u(nt_process_of(row)->shown_pid))
NT_CELL_OF_ROW(clock_offset_s, nt_cell_of_f64(nt_process_of(row)->clock_offset_s))

static const struct nt_column relayed_columns[] = {
	{ .key = "host",
	  .title = "HOST",
	  .unit = NT_UNIT_TEXT,
	  .align = NT_ALIGN_LEFT,
	  .width = 12,
	  .ascending = true,
	  .default_sort = true,
	  .screen = true,
	  .tie = "pid",
	  .help = "the host that sends to the relay, as it calls itself",
	  .read = host },
	{ .key = "pid",
	  .title = "PID",
	  .unit = NT_UNIT_INTEGER,
	  .align = NT_ALIGN_RIGHT,
	  .width = 7,
	  .ascending = true,
	  .screen = true,
	  .help = "process id, as the process sees it there",
	  .read = shown_pid },
	COLUMN_NAME,
	{ .key = "session",
	  .title = "SESSION",
	  .unit = NT_UNIT_TEXT,
	  .align = NT_ALIGN_LEFT,
	  .width = 12,
	  .ascending = true,
	  .screen = true,
	  .help = "the LTTng session that tells of it",
	  .read = session },
	{ .key = "clock_offset_s",
	  .title = "CLOCK s",
	  .unit = NT_UNIT_REAL,
	  .align = NT_ALIGN_RIGHT,
	  .width = 7,
	  .screen = true,
	  .help = "by how much the clock of the wall of that host was ahead of this one's, in seconds, when its session began; what its "
		  "fastest "
		  "message was on its way makes it less. Times are compared within a host only",
	  .read = clock_offset_s },
	COLUMN_GC_PAUSE,
	COLUMN_ALLOCATED,
	COLUMN_COMPILED,
	COLUMN_QUEUED,
	COLUMN_THROWN,
	COLUMN_LOCKED,
	COLUMN_FOUND,
	COLUMN_STATE,
};

const struct nt_table nt_table_relayed = {
	.key = "relayed",
	.columns = relayed_columns,
	.column_count = sizeof(relayed_columns) / sizeof(relayed_columns[0]),
	.rows = NT_ROWS_OF_SNAPSHOT(listed, listed_count),
	.row_id = nt_process_row_id,
	.row_name = nt_process_row_name,
};
