// SPDX-License-Identifier: GPL-2.0-only
/* Several runs of one program, as one report: how much it differs by itself, no comparison may call a change. */
#include "output/jit/jit_report.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

static int compare_numbers(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return x < y ? -1 : x > y;
}

static int compare_shares(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return x < y ? -1 : x > y;
}

/* Sorts. */
static uint64_t median(uint64_t *numbers, size_t count, struct nt_jit_spread *spread)
{
	qsort(numbers, count, sizeof(*numbers), compare_numbers);
	*spread = (struct nt_jit_spread){ numbers[0], numbers[count - 1] };
	uint64_t low = numbers[(count - 1) / 2], high = numbers[count / 2];
	return low + (high - low) / 2;
}

/* ---- totals ---- */

/* Not known of one of them is not known. */
static void merge_number(struct nt_jit_report *out, struct nt_jit_report *const *reports, size_t count, size_t offset)
{
	uint64_t *numbers = nt_realloc(NULL, count, sizeof(*numbers));
	struct nt_jit_spread spread;
	bool known = true;
	for (size_t i = 0; i < count; i++) {
		const struct nt_u64 *number = (const void *)((const char *)&reports[i]->totals + offset);
		known &= number->known;
		numbers[i] = number->v;
	}
	uint64_t middle = median(numbers, count, &spread);
	*(struct nt_u64 *)((char *)&out->totals + offset) = (struct nt_u64){ .known = known, .v = middle };
	*(struct nt_u64 *)((char *)&out->least + offset) = (struct nt_u64){ .known = known, .v = spread.least };
	*(struct nt_u64 *)((char *)&out->most + offset) = (struct nt_u64){ .known = known, .v = spread.most };
	free(numbers);
}

static void merge_share(struct nt_jit_report *out, struct nt_jit_report *const *reports, size_t count, size_t offset)
{
	double *shares = nt_realloc(NULL, count, sizeof(*shares));
	bool known = true;
	for (size_t i = 0; i < count; i++) {
		const struct nt_f64 *share = (const void *)((const char *)&reports[i]->totals + offset);
		known &= share->known;
		shares[i] = share->v;
	}
	qsort(shares, count, sizeof(*shares), compare_shares);
	double middle = (shares[(count - 1) / 2] + shares[count / 2]) / 2;
	*(struct nt_f64 *)((char *)&out->totals + offset) = (struct nt_f64){ .known = known, .v = middle };
	*(struct nt_f64 *)((char *)&out->least + offset) = (struct nt_f64){ .known = known, .v = shares[0] };
	*(struct nt_f64 *)((char *)&out->most + offset) = (struct nt_f64){ .known = known, .v = shares[count - 1] };
	free(shares);
}

/* A run of which not all is known has its part of none of the sums that rest on it. */
static bool any_is_partial(struct nt_jit_report *const *reports, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!nt_jit_report_has_cpu(reports[i]))
			return true;
	return false;
}

static void hide_cpu(struct nt_jit_totals *totals)
{
	totals->jit_cpu_ns.known = totals->jit_cpu_count.known = totals->cpu_pct.known = false;
}

static void merge_totals(struct nt_jit_report *out, struct nt_jit_report *const *reports, size_t count)
{
	for (size_t i = 0; i < nt_jit_totals_count; i++) {
		const struct nt_jit_total *total = &nt_jit_totals_table[i];
		(total->unit == NT_UNIT_PCT ? merge_share : merge_number)(out, reports, count, total->offset);
	}
	for (size_t i = 0; i < count; i++)
		out->totals.cpu_is_partial |= reports[i]->totals.cpu_is_partial;
	out->least.cpu_is_partial = out->most.cpu_is_partial = out->totals.cpu_is_partial;
	out->totals.jit_cpu_count = out->totals.method_count; /* of all, in each run */
	if (!any_is_partial(reports, count))
		return;
	hide_cpu(&out->totals);
	hide_cpu(&out->least);
	hide_cpu(&out->most);
}

/* ---- lines ---- */

/* A line of one of the runs. */
struct part {
	const struct nt_jit_line *line;
	size_t run;
};

static int compare_parts(const void *a, const void *b)
{
	const struct part *x = a, *y = b;
	int order = strcmp(x->line->name, y->line->name);
	return order ? order : x->run < y->run ? -1 : x->run > y->run;
}

/* A figure of the lines of one name; a run that has no such line has 0. */
static uint64_t median_of(const struct part *parts, size_t part_count, size_t count, size_t offset, uint64_t *scratch,
			  struct nt_jit_spread *spread)
{
	memset(scratch, 0, count * sizeof(*scratch));
	for (size_t i = 0; i < part_count; i++)
		scratch[parts[i].run] += *(const uint64_t *)((const char *)&parts[i].line->sums + offset);
	return median(scratch, count, spread);
}

static void merge_line(struct nt_jit_report *out, enum nt_jit_section section, const struct part *parts, size_t part_count, size_t count,
		       uint64_t *scratch)
{
#define AT(member) offsetof(struct nt_jit_sums, member)
	const struct nt_jit_line *first = parts[0].line;
	struct nt_jit_spread n, unused;
	uint64_t middle = median_of(parts, part_count, count, AT(count), scratch, &n);
	bool known = true;
	if (!middle)
		return;
	struct nt_jit_line *line = nt_jit_report_add(out, section, first->name);
	line->count = n;
	line->sums.count = middle;
	line->sums.time_ns = median_of(parts, part_count, count, AT(time_ns), scratch, &line->time_ns);
	line->sums.cpu_ns = median_of(parts, part_count, count, AT(cpu_ns), scratch, &line->cpu_ns);
	line->sums.il_bytes = median_of(parts, part_count, count, AT(il_bytes), scratch, &unused);
	line->sums.native_bytes = median_of(parts, part_count, count, AT(native_bytes), scratch, &unused);
	line->module = nt_jit_report_text(out, first->module);
	line->tier = nt_jit_report_text(out, first->tier);
	line->trigger = nt_jit_report_text(out, first->trigger);
	line->rejected_count = first->rejected_count;
	for (size_t i = 0; i < part_count; i++) {
		known &= parts[i].line->sums.cpu_count == parts[i].line->sums.count;
		if (parts[i].line->max_ns > line->max_ns)
			line->max_ns = parts[i].line->max_ns;
	}
	line->sums.cpu_count = known ? middle : 0;
#undef AT
}

static void merge_section(struct nt_jit_report *out, enum nt_jit_section section, struct nt_jit_report *const *reports, size_t count)
{
	size_t part_count = 0, all = 0;
	for (size_t i = 0; i < count; i++)
		all += reports[i]->counts[section];
	if (!all)
		return;
	struct part *parts = nt_realloc(NULL, all, sizeof(*parts));
	uint64_t *scratch = nt_realloc(NULL, count, sizeof(*scratch));
	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < reports[i]->counts[section]; k++)
			parts[part_count++] = (struct part){ &reports[i]->lines[section][k], i };
	qsort(parts, part_count, sizeof(*parts), compare_parts);
	for (size_t from = 0, to; from < part_count; from = to) {
		for (to = from + 1; to < part_count && strcmp(parts[to].line->name, parts[from].line->name) == 0;)
			to++;
		merge_line(out, section, parts + from, to - from, count, scratch);
	}
	free(scratch);
	free(parts);
}

struct nt_jit_report *nt_jit_report_of_runs(struct nt_jit_report *const *reports, size_t count)
{
	const struct nt_jit_report *last = reports[count - 1];
	struct nt_jit_report *out = nt_jit_report_new();
	out->program = nt_jit_report_text(out, last->program);
	out->runtime = nt_jit_report_text(out, last->runtime);
	out->pid = last->pid;
	out->from_start = last->from_start;
	out->end = nt_jit_report_text(out, last->end);
	out->cpu_reason = nt_jit_report_text(out, last->cpu_reason);
	out->settings_known = last->settings_known;
	out->file_settings_known = last->file_settings_known;
	for (size_t i = 0; i < last->setting_count; i++) {
		nt_jit_report_add_setting(out, last->settings[i].name, last->settings[i].value);
		out->settings[i].overruled = last->settings[i].overruled;
	}
	out->complete = true;
	for (size_t i = 0; i < count; i++) {
		out->complete &= reports[i]->complete;
		out->runs += reports[i]->runs;
	}
	out->runs--; /* a new report is of one */
	merge_totals(out, reports, count);
	for (enum nt_jit_section section = 0; section < NT_JIT_SECTION_COUNT; section++)
		merge_section(out, section, reports, count);
	nt_jit_report_sort(out);
	return out;
}
