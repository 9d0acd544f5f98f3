// SPDX-License-Identifier: GPL-2.0-only
#include "output/jit/jit_text.h"
#include "output/jit/jit_setting_words.h"

#include "base/alloc.h"
#include "base/text.h"
#include "output/columns/cell.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBER = 32, TITLE_CELLS = 34, NUMBER_CELLS = 12 };

void nt_jit_write_heading(const struct nt_jit_report *report, const char *label, FILE *out)
{
	char number[NUMBER];
	fprintf(out, "%s: ", label);
	nt_text_print(out, report->program ? report->program : "(no name)");
	fprintf(out, " (%" PRIu64 ")", report->pid);
	if (report->runtime) {
		fputs(", .NET ", out);
		nt_text_print(out, report->runtime);
	}
	if (report->totals.span_ns.known)
		fprintf(out, ", %s", nt_format_duration(report->totals.span_ns.v, number, sizeof(number)));
	fputs(report->from_start ? " from its start on" : " of a process that ran", out);
	if (report->runs > 1)
		fprintf(out, ", medians of %" PRIu64 " runs", report->runs);
	fputs(report->complete ? "" : "; NOT COMPLETE: events were lost or came too late", out);
	if (nt_jit_report_is_cut(report)) {
		fputs("\nIT ENDED: ", out);
		nt_text_print(out, report->end);
		fputs("; below is what was seen until then", out);
	}
	fputc('\n', out);
}

static void write_setting(const struct nt_jit_setting *setting, FILE *out)
{
	const char *said = nt_jit_setting_words(setting);
	if (said)
		fprintf(out, "%s (", said);
	nt_text_print(out, setting->name);
	fputc('=', out);
	nt_text_print(out, setting->value);
	fputs(said ? ")" : setting->overruled ? " (not in force: the variable is)" : "", out);
}

void nt_jit_write_settings(const struct nt_jit_report *report, const char *label, FILE *out)
{
	if (!report->settings_known)
		fprintf(out, "%s: not known\n", label);
	else if (!report->file_settings_known)
		fprintf(out, "%s in its runtimeconfig.json: not known\n", label);
	if (!report->setting_count)
		return;
	fprintf(out, "%s: ", label);
	for (size_t i = 0; i < report->setting_count; i++) {
		fputs(i ? ", " : "", out);
		write_setting(&report->settings[i], out);
	}
	fputc('\n', out);
}

const char *nt_jit_total_text(const struct nt_jit_totals *totals, const struct nt_jit_total *total, char *buf, size_t size)
{
	const struct nt_column column = { .unit = total->unit, .width = NUMBER_CELLS - 1 };
	bool partial = nt_jit_total_is_partial(totals, total);
	buf[0] = '>';
	if (!nt_cell_format(&column, nt_jit_total_cell(totals, total), buf + partial, size - partial))
		snprintf(buf, size, "-");
	return buf;
}

/* ---- the table of one report ---- */

static const struct nt_jit_line *of(const void *row)
{
	return row;
}

NT_CELL_OF_ROW(cpu_ns, of(row)->sums.cpu_count == of(row)->sums.count ? nt_cell_u(of(row)->sums.cpu_ns) : nt_cell_unknown())
NT_CELL_OF_ROW(time_ns, nt_cell_u(of(row)->sums.time_ns))
NT_CELL_OF_ROW(count, nt_cell_u(of(row)->sums.count))
NT_CELL_OF_ROW(il_bytes, of(row)->sums.il_bytes ? nt_cell_u(of(row)->sums.il_bytes) : nt_cell_unknown())
NT_CELL_OF_ROW(native_bytes, nt_cell_u(of(row)->sums.native_bytes))
NT_CELL_OF_ROW(max_ns, nt_cell_u(of(row)->max_ns))
NT_CELL_OF_ROW(tier, nt_cell_text(of(row)->tier))
NT_CELL_OF_ROW(trigger, nt_cell_text(of(row)->trigger))
NT_CELL_OF_ROW(module, nt_cell_text(of(row)->module))
NT_CELL_OF_ROW(name, nt_cell_text(of(row)->name))

#define CPU   NT_JIT_RIGHT("CPU ms", NT_UNIT_NS_AS_MS, 9, cpu_ns)
#define MS    NT_JIT_RIGHT("CLOCK ms", NT_UNIT_NS_AS_MS, 9, time_ns)
#define N     NT_JIT_RIGHT("N", NT_UNIT_INTEGER, 7, count)
#define BYTES NT_JIT_RIGHT("IL", NT_UNIT_BYTES, 6, il_bytes), NT_JIT_RIGHT("NATIVE", NT_UNIT_BYTES, 6, native_bytes)

static const struct nt_column part_columns[] = { CPU, MS, N, BYTES, NT_JIT_LEFT("", 0, name) };
static const struct nt_column method_columns[] = { CPU,
						   MS,
						   N,
						   NT_JIT_RIGHT("MAX ms", NT_UNIT_NS_AS_MS, 7, max_ns),
						   BYTES,
						   NT_JIT_LEFT("TIER", 5, tier),
						   NT_JIT_LEFT("TRIGGER", 10, trigger),
						   NT_JIT_LEFT("MODULE", 6, module),
						   NT_JIT_LEFT("", 0, name) };
enum { PART_COLUMNS = sizeof(part_columns) / sizeof(part_columns[0]), METHOD_COLUMNS = sizeof(method_columns) / sizeof(method_columns[0]) };

static void write_totals(const struct nt_jit_report *report, FILE *out)
{
	char number[NUMBER];
	const struct nt_jit_totals *columns[] = { &report->totals, &report->least, &report->most };
	size_t column_count = report->runs > 1 ? 3 : 1;
	if (report->runs > 1)
		fprintf(out, " %-*s%*s%*s%*s\n", TITLE_CELLS, "", NUMBER_CELLS, "MEDIAN", NUMBER_CELLS, "LEAST", NUMBER_CELLS, "MOST");
	for (size_t i = 0; i < nt_jit_totals_count; i++) {
		const struct nt_jit_total *total = &nt_jit_totals_table[i];
		if (!total->title)
			continue;
		fprintf(out, " %-*s", TITLE_CELLS, total->title);
		for (size_t k = 0; k < column_count; k++)
			fprintf(out, "%*s", NUMBER_CELLS, nt_jit_total_text(columns[k], total, number, sizeof(number)));
		fputc('\n', out);
	}
}

/* There are few tiers and modules; of namespaces those that took longest. */
static void write_part(const struct nt_jit_report *report, enum nt_jit_section section, bool with_cpu, FILE *out)
{
	size_t count = report->counts[section], shown = count;
	fputc('\n', out);
	if (section == NT_JIT_NAMESPACES && count > NT_JIT_SHOWN_METHODS) {
		shown = NT_JIT_SHOWN_METHODS;
		fprintf(out, "LONGEST: %zu of %zu namespaces\n", shown, count);
	}
	nt_jit_write_rows(part_columns + !with_cpu, PART_COLUMNS - !with_cpu, nt_jit_section_title(section), report->lines[section], shown,
			  sizeof(struct nt_jit_line), out);
}

/* Those whose precompiled code the runtime did not take, as far as the rows go: `found` has room for all methods. */
static size_t find_rejected(const struct nt_jit_report *report, struct nt_jit_line *found)
{
	size_t count = 0;
	for (size_t i = 0; i < report->counts[NT_JIT_METHODS]; i++)
		if (report->lines[NT_JIT_METHODS][i].rejected_count)
			found[count++] = report->lines[NT_JIT_METHODS][i];
	return count;
}

static void write_methods(const char *heading, bool with_cpu, const struct nt_jit_line *lines, size_t count, FILE *out)
{
	size_t shown = count < NT_JIT_SHOWN_METHODS ? count : NT_JIT_SHOWN_METHODS;
	if (!count)
		return;
	fprintf(out, "\n%s: %zu of %zu methods\n", heading, shown, count);
	nt_jit_write_rows(method_columns + !with_cpu, METHOD_COLUMNS - !with_cpu, nt_jit_section_title(NT_JIT_METHODS), lines, shown,
			  sizeof(*lines), out);
}

/* What /proc tells all the same. */
static void write_background(const struct nt_jit_totals *totals, FILE *out)
{
	if (totals->jit_background_cpu_ns.known)
		fprintf(out, "; at least %.0f ms of CPU in the background, in the foreground unknown",
			(double)totals->jit_background_cpu_ns.v / (double)NT_NS_PER_MS);
}

static void write_why_no_cpu(const struct nt_jit_report *report, FILE *out)
{
	const struct nt_jit_totals *totals = &report->totals;
	if (nt_jit_totals_are_partial(totals))
		fprintf(out, " (>: the CPU time of %" PRIu64 " of the compilations is not known",
			totals->method_count.v - totals->jit_cpu_count.v);
	else if (!totals->jit_cpu_ns.known)
		fputs(" (the CPU time of compiling is not known", out);
	else
		return;
	if (report->cpu_reason) {
		fputs(": ", out);
		nt_text_print(out, report->cpu_reason);
	}
	if (!totals->jit_cpu_ns.known)
		write_background(totals, out);
	fputs(")\n", out);
}

void nt_jit_report_write(const struct nt_jit_report *report, FILE *out)
{
	bool with_cpu = report->totals.jit_cpu_ns.known;
	nt_jit_write_heading(report, "nettop jit", out);
	nt_jit_write_settings(report, "settings", out);
	write_totals(report, out);
	write_why_no_cpu(report, out);
	nt_jit_write_start(report, with_cpu, out);
	for (enum nt_jit_section section = 0; section < NT_JIT_CAUSES; section++)
		write_part(report, section, with_cpu, out);
	write_methods("SLOWEST", with_cpu, report->lines[NT_JIT_METHODS], report->counts[NT_JIT_METHODS], out);
	struct nt_jit_line *rejected = nt_realloc(NULL, report->counts[NT_JIT_METHODS], sizeof(*rejected));
	write_methods("READYTORUN CODE REJECTED", with_cpu, rejected, find_rejected(report, rejected), out);
	free(rejected);
}
