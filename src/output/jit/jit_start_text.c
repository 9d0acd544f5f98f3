// SPDX-License-Identifier: GPL-2.0-only
/* The start of a process in the table of a report: what it compiled by cause, what would have spared that, and the first of it in order. */
#include "output/jit/jit_text.h"

#include "base/text.h"
#include "output/columns/cell.h"

#include <inttypes.h>

static const struct nt_jit_line *of(const void *row)
{
	return row;
}

static const struct nt_jit_start_line *started(const void *row)
{
	return row;
}

NT_CELL_OF_ROW(sum_cpu_ns, of(row)->sums.cpu_count == of(row)->sums.count ? nt_cell_u(of(row)->sums.cpu_ns) : nt_cell_unknown())
NT_CELL_OF_ROW(sum_ns, nt_cell_u(of(row)->sums.time_ns))
NT_CELL_OF_ROW(count, nt_cell_u(of(row)->sums.count))
NT_CELL_OF_ROW(sum_cause, nt_cell_text(of(row)->cause))
NT_CELL_OF_ROW(remedy, nt_cell_text(of(row)->remedy))
NT_CELL_OF_ROW(sum_module, nt_cell_text(of(row)->module))
NT_CELL_OF_ROW(at_ns, nt_cell_u(started(row)->at_ns))
NT_CELL_OF_ROW(cpu_ns, nt_cell_of_u64(started(row)->cpu_ns))
NT_CELL_OF_ROW(time_ns, nt_cell_u(started(row)->time_ns))
NT_CELL_OF_ROW(cause, nt_cell_text(started(row)->cause))
NT_CELL_OF_ROW(tier, nt_cell_text(started(row)->tier))
NT_CELL_OF_ROW(module, nt_cell_text(started(row)->module))
NT_CELL_OF_ROW(name, nt_cell_text(started(row)->name))

static const struct nt_column cause_columns[] = {
	NT_JIT_RIGHT("CPU ms", NT_UNIT_NS_AS_MS, 9, sum_cpu_ns),
	NT_JIT_RIGHT("CLOCK ms", NT_UNIT_NS_AS_MS, 9, sum_ns),
	NT_JIT_RIGHT("N", NT_UNIT_INTEGER, 7, count),
	NT_JIT_LEFT("WHY", 10, sum_cause),
	NT_JIT_LEFT("AT MOST SPARED BY", 17, remedy),
	NT_JIT_LEFT("", 0, sum_module),
};
static const struct nt_column start_columns[] = {
	NT_JIT_RIGHT("AT ms", NT_UNIT_NS_AS_MS, 9, at_ns),
	NT_JIT_RIGHT("CPU ms", NT_UNIT_NS_AS_MS, 9, cpu_ns),
	NT_JIT_RIGHT("CLOCK ms", NT_UNIT_NS_AS_MS, 9, time_ns),
	NT_JIT_LEFT("WHY", 10, cause),
	NT_JIT_LEFT("TIER", 5, tier),
	NT_JIT_LEFT("MODULE", 6, module),
	NT_JIT_LEFT("", 0, name),
};
enum { CAUSE_COLUMNS = sizeof(cause_columns) / sizeof(cause_columns[0]), START_COLUMNS = sizeof(start_columns) / sizeof(start_columns[0]) };

static const char not_by_cause[] =
	"not told by cause: whether modules have precompiled code comes over EventPipe only (--source eventpipe,perf)";
static const char ran_before[] = "not seen, the process ran before; nettop jit -- COMMAND sees it";

static void write_causes(const struct nt_jit_report *report, bool with_cpu, FILE *out)
{
	fputs("\nAT THE START (first 10 s), by cause: what is spared by something is at most so much\n", out);
	nt_jit_write_rows(cause_columns + !with_cpu, CAUSE_COLUMNS - !with_cpu, "MODULE", report->lines[NT_JIT_CAUSES],
			  report->counts[NT_JIT_CAUSES], sizeof(struct nt_jit_line), out);
}

static void write_setting(const struct nt_jit_report *report, bool with_cpu, FILE *out)
{
	char text[NT_JIT_SETTING_TEXT];
	fprintf(out, "\nAT THE START, by settings: %s\n", nt_jit_setting_sentence(&report->start_setting, with_cpu, text));
}

void nt_jit_write_start(const struct nt_jit_report *report, bool with_cpu, FILE *out)
{
	if (report->counts[NT_JIT_CAUSES])
		write_causes(report, with_cpu, out);
	else if (!report->start_seen)
		fprintf(out, "\nAT THE START: %s\n", report->from_start ? not_by_cause : ran_before);
	if (report->start_seen)
		write_setting(report, with_cpu, out);
	if (!report->start_count)
		return;
	size_t shown = report->start_count < NT_JIT_SHOWN_METHODS ? report->start_count : NT_JIT_SHOWN_METHODS;
	fprintf(out, "\nAT THE START, IN ORDER: the first %zu of %" PRIu64 " (--json: %zu)\n", shown,
		report->start_count + report->start_beyond_count, report->start_count);
	const struct nt_column *columns = start_columns;
	nt_jit_write_rows(columns, START_COLUMNS, nt_jit_section_title(NT_JIT_METHODS), report->start, shown, sizeof(*report->start), out);
}
