// SPDX-License-Identifier: GPL-2.0-only
#include "output/jit/jit_compare.h"

#include "base/alloc.h"
#include "output/columns/cell.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *name_of(const struct nt_jit_pair *pair)
{
	return pair->before ? pair->before->name : pair->after->name;
}

/* By name; of equal names the one from before comes first. */
static int compare_names(const void *a, const void *b)
{
	const struct nt_jit_pair *x = a, *y = b;
	int order = strcmp(name_of(x), name_of(y));
	return order ? order : !x->before - !y->before;
}

static int64_t difference(uint64_t before, uint64_t after)
{
	return (int64_t)(after - before);
}

int64_t nt_jit_pair_count(const struct nt_jit_pair *pair)
{
	return difference(pair->before ? pair->before->sums.count : 0, pair->after ? pair->after->sums.count : 0);
}

int64_t nt_jit_pair_ns(const struct nt_jit_pair *pair, bool by_cpu)
{
	return difference(pair->before ? nt_jit_line_ns(pair->before, by_cpu) : 0, pair->after ? nt_jit_line_ns(pair->after, by_cpu) : 0);
}

bool nt_jit_compared_by_cpu(const struct nt_jit_report *before, const struct nt_jit_report *after)
{
	return nt_jit_report_has_cpu(before) && nt_jit_report_has_cpu(after);
}

/* ---- spread ---- */

bool nt_jit_spread_is_known(const struct nt_jit_report *before, const struct nt_jit_report *after)
{
	return before->runs > 1 && after->runs > 1;
}

struct nt_cell nt_jit_whole_cell(const struct nt_jit_totals *totals, const struct nt_jit_total *total)
{
	return nt_jit_total_is_partial(totals, total) ? nt_cell_unknown() : nt_jit_total_cell(totals, total);
}

/*
 * Where the runs of both overlap, or the medians are no further apart than the runs of one of them. The second is because two groups of three runs lie apart by
 * chance in one case of ten.
 */
static enum nt_jit_verdict verdict_of(double difference, double old_least, double old_most, double new_least, double new_most)
{
	bool apart = old_most < new_least || new_most < old_least;
	return apart && difference > old_most - old_least && difference > new_most - new_least ? NT_JIT_BEYOND_SPREAD
											       : NT_JIT_WITHIN_SPREAD;
}

enum nt_jit_verdict nt_jit_total_verdict(const struct nt_jit_report *before, const struct nt_jit_report *after,
					 const struct nt_jit_total *total)
{
	struct nt_cell least[] = { nt_jit_total_cell(&before->least, total), nt_jit_total_cell(&after->least, total) };
	struct nt_cell most[] = { nt_jit_total_cell(&before->most, total), nt_jit_total_cell(&after->most, total) };
	if (!nt_jit_spread_is_known(before, after) || !least[0].known || !least[1].known || !most[0].known || !most[1].known)
		return NT_JIT_NOT_KNOWN;
	if (total->unit == NT_UNIT_PCT)
		return verdict_of(fabs(nt_jit_total_cell(&after->totals, total).f - nt_jit_total_cell(&before->totals, total).f),
				  least[0].f, most[0].f, least[1].f, most[1].f);
	return verdict_of(fabs((double)nt_jit_total_cell(&after->totals, total).u - (double)nt_jit_total_cell(&before->totals, total).u),
			  (double)least[0].u, (double)most[0].u, (double)least[1].u, (double)most[1].u);
}

enum nt_jit_verdict nt_jit_pair_verdict(const struct nt_jit_pair *pair, bool by_cpu, bool known)
{
	const struct nt_jit_spread none = { 0, 0 };
	const struct nt_jit_line *x = pair->before, *y = pair->after;
	if (!known)
		return NT_JIT_NOT_KNOWN;
	struct nt_jit_spread old_ns = !x ? none : by_cpu ? x->cpu_ns : x->time_ns, new_ns = !y ? none : by_cpu ? y->cpu_ns : y->time_ns;
	return verdict_of(fabs((double)nt_jit_pair_ns(pair, by_cpu)), (double)old_ns.least, (double)old_ns.most, (double)new_ns.least,
			  (double)new_ns.most);
}

/* ---- pairs ---- */

static uint64_t change(const struct nt_jit_pair *pair, bool by_cpu)
{
	int64_t ns = nt_jit_pair_ns(pair, by_cpu);
	return ns < 0 ? 0 - (uint64_t)ns : (uint64_t)ns;
}

static int compare_changes(const void *a, const void *b, void *context)
{
	const bool *by_cpu = context;
	uint64_t x = change(a, *by_cpu), y = change(b, *by_cpu);
	return x != y ? (x > y ? -1 : 1) : compare_names(a, b);
}

/* Sorted by name: of two neighbours with one name, one is from before and one from after. */
static size_t join(struct nt_jit_pair *pairs, size_t count)
{
	size_t kept = 0;
	for (size_t i = 0; i < count; i++) {
		struct nt_jit_pair *last = kept ? &pairs[kept - 1] : NULL;
		if (last && !last->after && !pairs[i].before && strcmp(name_of(last), name_of(&pairs[i])) == 0)
			last->after = pairs[i].after;
		else
			pairs[kept++] = pairs[i];
	}
	return kept;
}

/* What one has compilations of, and no sums. */
static bool lacks(const struct nt_jit_report *report, enum nt_jit_section section)
{
	return report->counts[NT_JIT_METHODS] && !report->counts[section];
}

bool nt_jit_section_is_compared(const struct nt_jit_report *before, const struct nt_jit_report *after, enum nt_jit_section section)
{
	return !lacks(before, section) && !lacks(after, section);
}

struct nt_jit_pair *nt_jit_pairs(const struct nt_jit_report *before, const struct nt_jit_report *after, enum nt_jit_section section,
				 bool by_cpu, size_t *count)
{
	size_t all = 0;
	struct nt_jit_pair *pairs = nt_realloc(NULL, before->counts[section] + after->counts[section], sizeof(*pairs));
	for (size_t i = 0; i < before->counts[section]; i++)
		pairs[all++] = (struct nt_jit_pair){ .before = &before->lines[section][i] };
	for (size_t i = 0; i < after->counts[section]; i++)
		pairs[all++] = (struct nt_jit_pair){ .after = &after->lines[section][i] };
	*count = 0;
	if (!all)
		return pairs;
	qsort(pairs, all, sizeof(*pairs), compare_names);
	*count = join(pairs, all);
	qsort_r(pairs, *count, sizeof(*pairs), compare_changes, &by_cpu);
	return pairs;
}
