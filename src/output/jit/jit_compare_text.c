// SPDX-License-Identifier: GPL-2.0-only
#include "output/jit/jit_compare.h"

#include "base/alloc.h"
#include "output/columns/cell.h"
#include "output/jit/jit_setting_words.h"
#include "output/jit/jit_text.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBER = 32, TITLE_CELLS = 34, NUMBER_CELLS = 12 };

/* ---- totals ---- */

/* With a sign, in the unit of the column. */
static const char *difference_text(const struct nt_jit_total *total, struct nt_cell before, struct nt_cell after, char buf[NUMBER])
{
	const struct nt_column column = { .unit = total->unit, .width = NUMBER_CELLS - 1 };
	bool less = total->unit == NT_UNIT_PCT ? after.f < before.f : after.u < before.u;
	struct nt_cell size = { .known = true };
	if (!before.known || !after.known)
		return "-";
	if (total->unit == NT_UNIT_PCT)
		size.f = fabs(after.f - before.f);
	else
		size.u = less ? before.u - after.u : after.u - before.u;
	buf[0] = less ? '-' : '+';
	nt_cell_format(&column, size, buf + 1, NUMBER - 1);
	return buf;
}

static void write_totals(const struct nt_jit_report *before, const struct nt_jit_report *after, FILE *out)
{
	char old_text[NUMBER], new_text[NUMBER], buf[NUMBER];
	fprintf(out, " %-*s%*s%*s%*s\n", TITLE_CELLS, "", NUMBER_CELLS, "OLD", NUMBER_CELLS, "NEW", NUMBER_CELLS, "DIFF");
	for (size_t i = 0; i < nt_jit_totals_count; i++) {
		const struct nt_jit_total *total = &nt_jit_totals_table[i];
		struct nt_cell x = nt_jit_whole_cell(&before->totals, total), y = nt_jit_whole_cell(&after->totals, total);
		if (!total->title)
			continue;
		fprintf(out, " %-*s%*s%*s%*s%s\n", TITLE_CELLS, total->title, NUMBER_CELLS,
			nt_jit_total_text(&before->totals, total, old_text, sizeof(old_text)), NUMBER_CELLS,
			nt_jit_total_text(&after->totals, total, new_text, sizeof(new_text)), NUMBER_CELLS,
			difference_text(total, x, y, buf),
			nt_jit_total_verdict(before, after, total) == NT_JIT_WITHIN_SPREAD ? "  within the spread" : "");
	}
}

/* ---- lines ---- */

struct row {
	const struct nt_jit_pair *pair;
	bool by_cpu;
	char count_difference[NUMBER], ms_difference[NUMBER];
};

static const struct row *of(const void *row)
{
	return row;
}

static const struct nt_jit_line *either(const void *row)
{
	return of(row)->pair->after ? of(row)->pair->after : of(row)->pair->before;
}

/* By CPU time where both know it. */
static struct nt_cell time_of(const void *row, const struct nt_jit_line *line)
{
	return line ? nt_cell_u(nt_jit_line_ns(line, of(row)->by_cpu)) : nt_cell_unknown();
}

#define SUM(side, member) of(row)->pair->side ? nt_cell_u(of(row)->pair->side->sums.member) : nt_cell_unknown()
NT_CELL_OF_ROW(old_ns, time_of(row, of(row)->pair->before))
NT_CELL_OF_ROW(new_ns, time_of(row, of(row)->pair->after))
NT_CELL_OF_ROW(old_count, SUM(before, count))
NT_CELL_OF_ROW(new_count, SUM(after, count))
NT_CELL_OF_ROW(ms_difference, nt_cell_text(of(row)->ms_difference))
NT_CELL_OF_ROW(count_difference, nt_cell_text(of(row)->count_difference))
NT_CELL_OF_ROW(module, nt_cell_text(either(row)->module))
NT_CELL_OF_ROW(name, nt_cell_text(either(row)->name))
#undef SUM

#define NUMBERS                                                                                                                            \
	NT_JIT_RIGHT("OLD MS", NT_UNIT_NS_AS_MS, 9, old_ns), NT_JIT_RIGHT("NEW MS", NT_UNIT_NS_AS_MS, 9, new_ns),                          \
		NT_JIT_RIGHT("DIFF", NT_UNIT_TEXT, 8, ms_difference), NT_JIT_RIGHT("OLD N", NT_UNIT_INTEGER, 6, old_count),                \
		NT_JIT_RIGHT("NEW N", NT_UNIT_INTEGER, 6, new_count), NT_JIT_RIGHT("DIFF", NT_UNIT_TEXT, 6, count_difference)

static const struct nt_column part_columns[] = { NUMBERS, NT_JIT_LEFT("", 0, name) };
static const struct nt_column method_columns[] = { NUMBERS, NT_JIT_LEFT("MODULE", 6, module), NT_JIT_LEFT("", 0, name) };
enum { PART_COLUMNS = sizeof(part_columns) / sizeof(part_columns[0]), METHOD_COLUMNS = sizeof(method_columns) / sizeof(method_columns[0]) };

/* What the rows of a comparison have in common. */
struct measure {
	bool by_cpu, spread_known;
};

static struct row row_of(const struct nt_jit_pair *pair, const struct measure *measure)
{
	struct row row = { .pair = pair, .by_cpu = measure->by_cpu };
	const char *mark = nt_jit_pair_verdict(pair, measure->by_cpu, measure->spread_known) == NT_JIT_WITHIN_SPREAD ? "~" : "";
	snprintf(row.count_difference, sizeof(row.count_difference), "%+" PRId64, nt_jit_pair_count(pair));
	snprintf(row.ms_difference, sizeof(row.ms_difference), "%s%+.1f", mark,
		 (double)nt_jit_pair_ns(pair, measure->by_cpu) / (double)NT_NS_PER_MS);
	return row;
}

static void write_part(const struct nt_jit_report *before, const struct nt_jit_report *after, enum nt_jit_section section,
		       const struct measure *measure, FILE *out)
{
	size_t count;
	struct nt_jit_pair *pairs = nt_jit_pairs(before, after, section, measure->by_cpu, &count);
	struct row *rows = nt_realloc(NULL, count, sizeof(*rows));
	for (size_t i = 0; i < count; i++)
		rows[i] = row_of(&pairs[i], measure);
	fputc('\n', out);
	nt_jit_write_rows(part_columns, PART_COLUMNS, nt_jit_section_title(section), rows, count, sizeof(*rows), out);
	free(rows);
	free(pairs);
}

/* A method is in one of these, by where it is. */
enum group { CHANGED, APPEARED, VANISHED, GROUP_COUNT };

static enum group group_of(const struct nt_jit_pair *pair)
{
	return !pair->before ? APPEARED : !pair->after ? VANISHED : CHANGED;
}

static void write_group(enum group group, const struct nt_jit_pair *pairs, size_t pair_count, const struct measure *measure, FILE *out)
{
	static const char *const headings[GROUP_COUNT] = { "CHANGED MOST", "APPEARED", "VANISHED" };
	struct row rows[NT_JIT_SHOWN_METHODS];
	size_t count = 0, shown = 0;
	int64_t sum_ns = 0;
	for (size_t i = 0; i < pair_count; i++) {
		if (group_of(&pairs[i]) != group)
			continue;
		if (shown < NT_JIT_SHOWN_METHODS)
			rows[shown++] = row_of(&pairs[i], measure);
		sum_ns += nt_jit_pair_ns(&pairs[i], measure->by_cpu);
		count++;
	}
	if (!count)
		return;
	fprintf(out, "\n%s: %zu of %zu methods, all of them %+.1f ms\n", headings[group], shown, count,
		(double)sum_ns / (double)NT_NS_PER_MS);
	nt_jit_write_rows(method_columns, METHOD_COLUMNS, nt_jit_section_title(NT_JIT_METHODS), rows, shown, sizeof(rows[0]), out);
}

/* Then it is not the change of the program alone that is compared. */
static void write_settings_that_differ(const struct nt_jit_report *before, const struct nt_jit_report *after, FILE *out)
{
	if (before->settings_known && after->settings_known && !nt_jit_same_settings(before, after))
		fputs("THE SETTINGS DIFFER: so may what is compiled\n", out);
}

static void write_what_is_compared(const struct measure *measure, FILE *out)
{
	fprintf(out, " (times below: %s; %s)\n", measure->by_cpu ? "CPU time" : "by the clock, CPU time is not known of both",
		measure->spread_known ? "~: within the spread of the runs"
				      : "how much runs differ by themselves is not known, --repeat tells it");
}

void nt_jit_compare_write(const struct nt_jit_report *before, const struct nt_jit_report *after, FILE *out)
{
	size_t count;
	const struct measure measure = { nt_jit_compared_by_cpu(before, after), nt_jit_spread_is_known(before, after) };
	nt_jit_write_heading(before, "old", out);
	nt_jit_write_settings(before, "old settings", out);
	nt_jit_write_heading(after, "new", out);
	nt_jit_write_settings(after, "new settings", out);
	write_settings_that_differ(before, after, out);
	write_totals(before, after, out);
	write_what_is_compared(&measure, out);
	for (enum nt_jit_section section = 0; section < NT_JIT_METHODS; section++)
		if (nt_jit_section_is_compared(before, after, section))
			write_part(before, after, section, &measure, out);
	struct nt_jit_pair *pairs = nt_jit_pairs(before, after, NT_JIT_METHODS, measure.by_cpu, &count);
	for (enum group group = 0; group < GROUP_COUNT; group++)
		write_group(group, pairs, count, &measure, out);
	free(pairs);
}
