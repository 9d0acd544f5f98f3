// SPDX-License-Identifier: GPL-2.0-only
/* The start of a process: its compilations in order, and what they come to by cause. */
#include "output/columns/cell.h"

static const struct nt_jit_startup_row *of(const void *row)
{
	return row;
}

static const struct nt_jit_cause_row *cause_row(const void *row)
{
	return row;
}

NT_CELL_OF_ROW(at_ns, nt_cell_u(of(row)->at_ns))
NT_CELL_OF_ROW(time_ns, nt_cell_u(of(row)->time_ns))
NT_CELL_OF_ROW(self_ns, nt_cell_u(of(row)->self_ns))
NT_CELL_OF_ROW(cpu_ns, nt_cell_of_u64(of(row)->cpu_ns))
NT_CELL_OF_ROW(cause, nt_cell_text(nt_jit_cause_name(of(row)->cause)))
NT_CELL_OF_ROW(tier, nt_cell_text(nt_tier_name(of(row)->tier)))
NT_CELL_OF_ROW(tid, nt_cell_u(of(row)->tid))
NT_CELL_OF_ROW(module, nt_cell_text(of(row)->module))
NT_CELL_OF_ROW(name, nt_cell_text(of(row)->name))

#define CAUSES_HELP                                                                                                                        \
	"r2r off (a setting forbids precompiled code), no r2r (its module has none), generic (none for these type arguments), not in r2r " \
	"(none of this method), r2r reject (not taken), dynamic (made at run time), instr (in the background, to count for TieredPGO), "   \
	"again (it runs often, or for long); null: the runtime has not said it of the module"

static const struct nt_column columns[] = {
	{ .key = "at_ns",
	  .title = "AT ms",
	  .unit = NT_UNIT_NS_AS_MS,
	  .align = NT_ALIGN_RIGHT,
	  .width = 8,
	  .default_sort = true,
	  .ascending = true,
	  .screen = true,
	  .help = "when it began, since the runtime loaded its core library (eventpipe, of a process whose start was seen)",
	  .read = at_ns },
	{ .key = "time_ns",
	  .title = "MS",
	  .unit = NT_UNIT_NS_AS_MS,
	  .align = NT_ALIGN_RIGHT,
	  .width = 7,
	  .screen = true,
	  .sort_key = NT_SORT_BY_TIME,
	  .help = "how long it took by the clock, with what was compiled within it (likewise)",
	  .read = time_ns },
	{ .key = "self_ns",
	  .title = "SELF ms",
	  .unit = NT_UNIT_NS_AS_MS,
	  .align = NT_ALIGN_RIGHT,
	  .width = 7,
	  .help = "likewise, without what was compiled within it",
	  .read = self_ns },
	{ .key = "cpu_ns",
	  .title = "CPU ms",
	  .unit = NT_UNIT_NS_AS_MS,
	  .align = NT_ALIGN_RIGHT,
	  .width = 7,
	  .help = "CPU time of it alone; blank: only nettop jit asks for it (perf)",
	  .read = cpu_ns },
	{ .key = "cause",
	  .title = "WHY",
	  .unit = NT_UNIT_TEXT,
	  .align = NT_ALIGN_LEFT,
	  .width = 10,
	  .ascending = true,
	  .screen = true,
	  .help = "why it was compiled: " CAUSES_HELP,
	  .read = cause },
	{ .key = "tier",
	  .title = "TIER",
	  .unit = NT_UNIT_TEXT,
	  .align = NT_ALIGN_LEFT,
	  .width = 5,
	  .drop = 2,
	  .ascending = true,
	  .screen = true,
	  .help = "tier of the code that was made: tier0 instr inst1 osr tier1 opt minopt",
	  .read = tier },
	{ .key = "tid",
	  .title = "TID",
	  .unit = NT_UNIT_INTEGER,
	  .align = NT_ALIGN_RIGHT,
	  .width = 7,
	  .ascending = true,
	  .help = "the thread that compiled it",
	  .read = tid },
	{ .key = "module",
	  .title = "MODULE",
	  .unit = NT_UNIT_TEXT,
	  .align = NT_ALIGN_LEFT,
	  .width = 18,
	  .drop = 1,
	  .ascending = true,
	  .screen = true,
	  .help = "its assembly, (dynamic) for what was made at run time",
	  .read = module },
	{ .key = "name",
	  .title = "METHOD",
	  .unit = NT_UNIT_TEXT,
	  .align = NT_ALIGN_LEFT,
	  .ascending = true,
	  .screen = true,
	  .help = "the method that was compiled; null: its name is not said",
	  .read = name },
};

static uint64_t row_id(const void *row)
{
	return of(row)->id;
}

static const char *row_name(const void *row)
{
	return of(row)->name ? of(row)->name : "";
}

static bool in_interval(const void *row, const struct nt_column_context *context)
{
	(void)context;
	return of(row)->fresh;
}

const struct nt_table nt_table_jit_startup = {
	.key = "jit_startup",
	.columns = columns,
	.column_count = sizeof(columns) / sizeof(columns[0]),
	.rows = NT_ROWS_OF_PROCESS(jit_startup.items, jit_startup.count),
	.row_in_interval = in_interval,
	.row_id = row_id,
	.row_name = row_name,
};

/* ---- by cause ---- */

NT_CELL_OF_ROW(sum_count, nt_cell_u(cause_row(row)->count))
NT_CELL_OF_ROW(sum_self_ns, nt_cell_u(cause_row(row)->self_ns))

static struct nt_cell sum_cpu_ns(const void *row, const struct nt_column_context *context)
{
	(void)context;
	const struct nt_jit_cause_row *sum = cause_row(row);
	return sum->cpu_count == sum->count ? nt_cell_u(sum->cpu_ns) : nt_cell_unknown();
}

NT_CELL_OF_ROW(sum_cause, nt_cell_text(nt_jit_cause_name(cause_row(row)->cause)))
NT_CELL_OF_ROW(remedy, nt_cell_text(cause_row(row)->remedy))
NT_CELL_OF_ROW(sum_module, nt_cell_text(cause_row(row)->module))

static const struct nt_column cause_columns[] = {
	{ .key = "self_ns",
	  .title = "MS",
	  .unit = NT_UNIT_NS_AS_MS,
	  .align = NT_ALIGN_RIGHT,
	  .width = 8,
	  .default_sort = true,
	  .screen = true,
	  .sort_key = NT_SORT_BY_TIME,
	  .help = "time spent compiling them by the clock; one within another counts once, in the inner one (eventpipe, of a process whose "
		  "start was seen)",
	  .read = sum_self_ns },
	{ .key = "cpu_ns",
	  .title = "CPU ms",
	  .unit = NT_UNIT_NS_AS_MS,
	  .align = NT_ALIGN_RIGHT,
	  .width = 8,
	  .screen = true,
	  .help = "CPU time of it; blank where it is not known of each: only nettop jit asks for it (perf)",
	  .read = sum_cpu_ns },
	{ .key = "count",
	  .title = "N",
	  .unit = NT_UNIT_COUNT,
	  .align = NT_ALIGN_RIGHT,
	  .width = 6,
	  .screen = true,
	  .help = "compilations in the first 10 s",
	  .read = sum_count },
	{ .key = "cause",
	  .title = "WHY",
	  .unit = NT_UNIT_TEXT,
	  .align = NT_ALIGN_LEFT,
	  .width = 10,
	  .ascending = true,
	  .screen = true,
	  .help = "why they were compiled: " CAUSES_HELP,
	  .read = sum_cause },
	{ .key = "remedy",
	  .title = "SPARED BY",
	  .unit = NT_UNIT_TEXT,
	  .align = NT_ALIGN_LEFT,
	  .width = 11,
	  .ascending = true,
	  .screen = true,
	  .help = "what would have spared at most that: ReadyToRun (PublishReadyToRun of the module), ReadyToRun=1 "
		  "and TieredPGO=0 (settings); null: nothing "
		  "that nettop knows of",
	  .read = remedy },
	{ .key = "module",
	  .title = "MODULE",
	  .unit = NT_UNIT_TEXT,
	  .align = NT_ALIGN_LEFT,
	  .ascending = true,
	  .screen = true,
	  .help = "assembly of the methods; null: of all, where the cause is none of a module's",
	  .read = sum_module },
};

static uint64_t cause_id(const void *row)
{
	return cause_row(row)->id;
}

static const char *cause_row_name(const void *row)
{
	return cause_row(row)->module ? cause_row(row)->module : "";
}

const struct nt_table nt_table_jit_causes = {
	.key = "jit_causes",
	.columns = cause_columns,
	.column_count = sizeof(cause_columns) / sizeof(cause_columns[0]),
	.rows = NT_ROWS_OF_PROCESS(jit_startup.causes, jit_startup.cause_count),
	.row_id = cause_id,
	.row_name = cause_row_name,
};
