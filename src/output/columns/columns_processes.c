// SPDX-License-Identifier: GPL-2.0-only
/* The list of processes: what they are, what they use, and which sources would deliver. */
#include "output/columns/process_cells.h"

NT_CELL_OF_ROW(kind, nt_cell_text(nt_deployment_name(nt_process_of(row)->deployment)))
NT_CELL_OF_ROW(mode, nt_process_of(row)->mode == NT_MODE_UNKNOWN ? nt_cell_unknown()
								 : nt_cell_text(nt_target_mode_name(nt_process_of(row)->mode)))

/* A letter for each source that would deliver: all sixteen texts there can be, by the set of them. */
static struct nt_cell sources(const void *row, const struct nt_column_context *context)
{
	static const char *const texts[1 << NT_LISTED_SOURCES] = {
		"----", "L---", "-E--", "LE--", "--P-", "L-P-", "-EP-", "LEP-",
		"---M", "L--M", "-E-M", "LE-M", "--PM", "L-PM", "-EPM", "LEPM",
	};
	unsigned set = 0, known = 0;
	(void)context;
	for (size_t i = 0; i < NT_LISTED_SOURCES; i++) {
		set |= (nt_process_of(row)->usable[i].state == NT_USABLE_YES) << i;
		known += nt_process_of(row)->usable[i].state != NT_USABLE_UNKNOWN;
	}
	return known ? nt_cell_text(texts[set]) : nt_cell_unknown();
}

static struct nt_cell state_of(const void *row, enum nt_source_id source)
{
	for (size_t i = 0; i < NT_LISTED_SOURCES; i++)
		if (nt_listed_sources[i] == source)
			return nt_cell_text(nt_usable_name(nt_process_of(row)->usable[i].state));
	return nt_cell_unknown();
}

static struct nt_cell reason_of(const void *row, enum nt_source_id source)
{
	for (size_t i = 0; i < NT_LISTED_SOURCES; i++)
		if (nt_listed_sources[i] == source)
			return nt_cell_text(nt_process_of(row)->usable[i].why);
	return nt_cell_unknown();
}

NT_CELL_OF_ROW(lttng, state_of(row, NT_SOURCE_LTTNG))
NT_CELL_OF_ROW(lttng_reason, reason_of(row, NT_SOURCE_LTTNG))
NT_CELL_OF_ROW(eventpipe, state_of(row, NT_SOURCE_EVENTPIPE))
NT_CELL_OF_ROW(eventpipe_reason, reason_of(row, NT_SOURCE_EVENTPIPE))
NT_CELL_OF_ROW(perf, state_of(row, NT_SOURCE_PERF))
NT_CELL_OF_ROW(perf_reason, reason_of(row, NT_SOURCE_PERF))
NT_CELL_OF_ROW(map, state_of(row, NT_SOURCE_CODEMAP))
NT_CELL_OF_ROW(map_reason, reason_of(row, NT_SOURCE_CODEMAP))

static const struct nt_column columns[] = {
	{ .key = "pid",
	  .title = "PID",
	  .unit = NT_UNIT_INTEGER,
	  .align = NT_ALIGN_RIGHT,
	  .width = 7,
	  .ascending = true,
	  .screen = true,
	  .help = "process id, as nettop sees it",
	  .read = pid },
	{ .key = "name",
	  .title = "NAME",
	  .unit = NT_UNIT_TEXT,
	  .align = NT_ALIGN_LEFT,
	  .width = 12,
	  .ascending = true,
	  .screen = true,
	  .help = "the program: entry assembly or executable",
	  .read = name },
	{ .key = "runtime",
	  .title = "RUNTIME",
	  .unit = NT_UNIT_TEXT,
	  .align = NT_ALIGN_LEFT,
	  .width = 8,
	  .ascending = true,
	  .screen = true,
	  .help = "version of the runtime; blank: not known without asking the process",
	  .read = runtime },
	{ .key = "kind",
	  .title = "KIND",
	  .unit = NT_UNIT_TEXT,
	  .align = NT_ALIGN_LEFT,
	  .width = 6,
	  .drop = 3,
	  .ascending = true,
	  .screen = true,
	  .help = "how it carries its runtime: shared (the machine's), self (self-contained), single (in the executable), aot (Native AOT)",
	  .read = kind },
	{ .key = "mode",
	  .title = "MODE",
	  .unit = NT_UNIT_TEXT,
	  .align = NT_ALIGN_LEFT,
	  .width = 4,
	  .drop = 6,
	  .ascending = true,
	  .screen = true,
	  .help = "what its start lets LTTng deliver: none, N, F, all (see TARGET)",
	  .read = mode },
	{ .key = "user",
	  .title = "USER",
	  .unit = NT_UNIT_TEXT,
	  .align = NT_ALIGN_LEFT,
	  .width = 5,
	  .drop = 2,
	  .ascending = true,
	  .screen = true,
	  .help = "whose process it is: name, or number of a user without one",
	  .read = user },
	{ .key = "uptime_ns",
	  .title = "UP",
	  .unit = NT_UNIT_AGE,
	  .align = NT_ALIGN_RIGHT,
	  .width = 5,
	  .drop = 5,
	  .screen = true,
	  .help = "how long ago it was started",
	  .read = uptime_ns },
	{ .key = "cpu_pct",
	  .title = "CPU%",
	  .unit = NT_UNIT_PCT,
	  .align = NT_ALIGN_RIGHT,
	  .width = 6,
	  .default_sort = true,
	  .screen = true,
	  .sort_key = NT_SORT_BY_CPU,
	  .help = "CPU time since the last look, % of one CPU",
	  .read = cpu_pct },
	{ .key = "trend",
	  .title = "TREND",
	  .unit = NT_UNIT_TREND,
	  .scale = NT_SCALE_PCT,
	  .least_full = 100,
	  .align = NT_ALIGN_LEFT,
	  .width = 8,
	  .drop = 1,
	  .screen = true,
	  .help = "CPU% of the last looks",
	  .read = trend },
	{ .key = "rss_bytes",
	  .title = "RSS",
	  .unit = NT_UNIT_BYTES,
	  .align = NT_ALIGN_RIGHT,
	  .width = 5,
	  .screen = true,
	  .sort_key = NT_SORT_BY_MEMORY,
	  .help = "memory in RAM (resident set)",
	  .read = rss_bytes },
	{ .key = "thread_count",
	  .title = "THR",
	  .unit = NT_UNIT_COUNT,
	  .align = NT_ALIGN_RIGHT,
	  .width = 4,
	  .drop = 4,
	  .screen = true,
	  .help = "number of threads",
	  .read = thread_count },
	{ .key = "sources",
	  .title = "SRC",
	  .unit = NT_UNIT_TEXT,
	  .align = NT_ALIGN_LEFT,
	  .width = 4,
	  .ascending = true,
	  .screen = true,
	  .help = "what would deliver: L lttng, E eventpipe, P perf, M perf map; a sign without a letter: it would not",
	  .read = sources },
	{ .key = "command",
	  .title = "COMMAND",
	  .unit = NT_UNIT_TEXT,
	  .align = NT_ALIGN_LEFT,
	  .ascending = true,
	  .screen = true,
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
	{ .key = "lttng",
	  .title = "LTTNG",
	  .unit = NT_UNIT_TEXT,
	  .align = NT_ALIGN_LEFT,
	  .width = 9,
	  .help = "events over LTTng: ok, missing, forbidden",
	  .read = lttng },
	{ .key = "lttng_reason",
	  .title = "LTTNG WHY",
	  .unit = NT_UNIT_TEXT,
	  .align = NT_ALIGN_LEFT,
	  .width = 30,
	  .help = "why not; nettop doctor -p PID says how to get it",
	  .read = lttng_reason },
	{ .key = "eventpipe",
	  .title = "PIPE",
	  .unit = NT_UNIT_TEXT,
	  .align = NT_ALIGN_LEFT,
	  .width = 9,
	  .help = "an EventPipe session: ok, missing, forbidden",
	  .read = eventpipe },
	{ .key = "eventpipe_reason",
	  .title = "PIPE WHY",
	  .unit = NT_UNIT_TEXT,
	  .align = NT_ALIGN_LEFT,
	  .width = 30,
	  .help = "why not; nettop doctor -p PID says how to get it",
	  .read = eventpipe_reason },
	{ .key = "perf",
	  .title = "PERF",
	  .unit = NT_UNIT_TEXT,
	  .align = NT_ALIGN_LEFT,
	  .width = 9,
	  .help = "CPU samples: ok, missing, forbidden",
	  .read = perf },
	{ .key = "perf_reason",
	  .title = "PERF WHY",
	  .unit = NT_UNIT_TEXT,
	  .align = NT_ALIGN_LEFT,
	  .width = 30,
	  .help = "why not; nettop doctor -p PID says how to get it",
	  .read = perf_reason },
	{ .key = "map",
	  .title = "MAP",
	  .unit = NT_UNIT_TEXT,
	  .align = NT_ALIGN_LEFT,
	  .width = 9,
	  .help = "names of JIT methods, from the perf map: ok, missing, forbidden",
	  .read = map },
	{ .key = "map_reason",
	  .title = "MAP WHY",
	  .unit = NT_UNIT_TEXT,
	  .align = NT_ALIGN_LEFT,
	  .width = 30,
	  .help = "why not; nettop doctor -p PID says how to get it",
	  .read = map_reason },
};

const struct nt_table nt_table_processes = {
	.key = "processes",
	.columns = columns,
	.column_count = sizeof(columns) / sizeof(columns[0]),
	.rows = NT_ROWS_OF_SNAPSHOT(listed, listed_count),
	.row_id = nt_process_row_id,
	.row_name = nt_process_row_name,
};
