// SPDX-License-Identifier: GPL-2.0-only
#include "model/past/span_compare.h"

#include "base/alloc.h"
#include "base/arena.h"
#include "model/past/batch_change.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Counted in both spans together; fewer say nothing, and looking at them would cost the others chance. */
enum { COUNT_LEAST = 20 };

/* Of fewer rows nobody knows what became of most of them, but for methods: a program has many. */
enum { ROWS_LEAST = 4 };

/* What nobody looks for, however sure it is: less than a twentieth of itself, or than so much of all that is sampled. */
#define CHANGE_LEAST    0.05
#define SHARE_LEAST_PCT 0.2

/* That it takes more of each second, or less, than the other methods do need not be as sure: it keeps out shares that have changed by another method's change. */
#define SAME_WAY_CHANCE 0.05

/* Of the chance of all kinds together. */
#define OWN_CPU_PART 0.8
#define OTHERS_PART  ((1 - OWN_CPU_PART) / (NT_DIFFER_KINDS - 1))

struct comparing {
	uint64_t rate_hz;
	struct nt_arena *arena;
	const double *none; /* so many zeros as there are batches at most */
	struct nt_difference *out;
	struct nt_difference_row *rows;
	size_t count, capacity;
};

/* One figure of the rows of a pair. */
struct looking {
	struct comparing *comparing;
	const struct nt_span_pair *pair;
	const struct nt_span_figure *how;
	unsigned figure;
	bool by_share;
	double pooled;    /* what was counted of all rows that are looked at */
	double load;      /* most rows have so many times the amount in a second that they had */
	double *expected; /* owned: the seconds of the side before, in which that much load would have been done */
};

static double count_of(const struct nt_pair_row *row, unsigned figure)
{
	return row->figures[figure].counts[NT_PAIR_BEFORE] + row->figures[figure].counts[NT_PAIR_AFTER];
}

/* Of a method with what it calls: if it calls anything. */
static bool is_looked_at(const struct looking *looking, const struct nt_pair_row *row)
{
	double same = looking->how->kind == NT_DIFFER_CPU_CALLS ? count_of(row, 0) : 0;
	return count_of(row, looking->figure) - same >= COUNT_LEAST;
}

/* ---- how much there was to do ---- */

struct quotient {
	double value, weight;
};

static int compare_quotients(const void *a, const void *b)
{
	const struct quotient *x = a, *y = b;
	return x->value < y->value ? -1 : x->value > y->value;
}

static double seconds_of(const struct nt_pair_span *span)
{
	double sum = 0;
	for (size_t i = 0; i < span->count; i++)
		sum += span->seconds[i];
	return sum;
}

/* The median of what rows have in a second, of what they had: most have not changed. Large ones count for more, for less than they are larger: one that has most of the samples is not the measure of itself. */
static double median(struct quotient *quotients, size_t count)
{
	double all = 0, below = 0;
	qsort(quotients, count, sizeof(*quotients), compare_quotients);
	for (size_t i = 0; i < count; i++)
		all += quotients[i].weight;
	for (size_t i = 0; i < count; i++)
		if ((below += quotients[i].weight) >= all / 2)
			return quotients[i].value;
	return 1;
}

/* That of a method with its calls is what methods have alone. */
static double find_load(const struct looking *looking)
{
	const struct nt_span_pair *pair = looking->pair;
	struct quotient *quotients = nt_alloc((pair->count + 1) * sizeof(*quotients));
	double longer = seconds_of(&pair->spans[NT_PAIR_BEFORE]) / seconds_of(&pair->spans[NT_PAIR_AFTER]);
	size_t count = 0;
	for (size_t i = 0; i < pair->count; i++) {
		const struct nt_pair_row *row = &pair->rows[i];
		const double *sums = row->figures[looking->figure].sums;
		if (is_looked_at(looking, row))
			quotients[count++] = (struct quotient){ .value = longer * sums[NT_PAIR_AFTER] / sums[NT_PAIR_BEFORE],
								.weight = sqrt(count_of(row, looking->figure)) };
	}
	double found = median(quotients, count);
	free(quotients);
	return isfinite(found) && found > 0 ? found : 1;
}

static void expect(struct looking *looking)
{
	const struct nt_pair_span *before = &looking->pair->spans[NT_PAIR_BEFORE];
	looking->load = !looking->by_share                          ? 1
			: looking->how->kind == NT_DIFFER_CPU_CALLS ? looking->comparing->out->load
								    : find_load(looking);
	looking->expected = nt_alloc((before->count + 1) * sizeof(*looking->expected));
	for (size_t i = 0; i < before->count; i++)
		looking->expected[i] = before->seconds[i] / looking->load;
}

/* ---- one row ---- */

enum measure { OF_ALL, BY_TIME, BY_NEXT };

static const double *amounts_of(const struct looking *looking, const struct nt_pair_row *row, unsigned figure, enum nt_pair_side side)
{
	const double *amounts = row->figures[figure].amounts[side];
	return amounts ? amounts : looking->comparing->none;
}

static struct nt_batches batches_of(const struct looking *looking, const struct nt_pair_row *row, enum nt_pair_side side,
				    enum measure measure)
{
	const struct nt_pair_span *span = &looking->pair->spans[side];
	const double *bases = measure == OF_ALL        ? span->totals[looking->figure]
			      : measure == BY_NEXT     ? amounts_of(looking, row, looking->figure + 1, side)
			      : side == NT_PAIR_BEFORE ? looking->expected
						       : span->seconds;
	return (struct nt_batches){ .amounts = amounts_of(looking, row, looking->figure, side), .bases = bases, .count = span->count };
}

/* What is counted one by one, or stands for so much each, scatters at least as such things do; how long a request takes is measured. */
static double unit_of(const struct looking *looking, const struct nt_pair_row *row)
{
	const double *sums = row->figures[looking->figure].sums;
	return looking->how->by_next ? 0 : (sums[NT_PAIR_BEFORE] + sums[NT_PAIR_AFTER]) / count_of(row, looking->figure);
}

static bool change_of(const struct looking *looking, const struct nt_pair_row *row, enum measure measure, struct nt_change *out)
{
	struct nt_batches before = batches_of(looking, row, NT_PAIR_BEFORE, measure);
	struct nt_batches after = batches_of(looking, row, NT_PAIR_AFTER, measure);
	return nt_change_between(&before, &after, unit_of(looking, row), out);
}

static bool is_large(const struct nt_change *change, double least)
{
	double difference = fabs(change->after - change->before), smaller = fmin(change->before, change->after);
	return difference >= CHANGE_LEAST * smaller && difference >= least;
}

/* Samples are time where it is known how often they are taken. */
static struct nt_f64 told_of(const struct looking *looking, double value)
{
	uint64_t rate_hz = looking->comparing->rate_hz;
	if (looking->how->kind != NT_DIFFER_CPU && looking->how->kind != NT_DIFFER_CPU_CALLS)
		return nt_f64_of(value);
	return rate_hz ? nt_f64_of(value * (double)NT_NS_PER_S / (double)rate_hz) : (struct nt_f64){ 0 };
}

static struct nt_f64 share_of(const struct looking *looking, double share)
{
	return looking->by_share ? nt_f64_of(100 * share) : (struct nt_f64){ 0 };
}

static void add(const struct looking *looking, struct nt_pair_row *row, const struct nt_change *share, const struct nt_change *rate,
		double chance)
{
	struct comparing *comparing = looking->comparing;
	double percent = 100 / rate->before, quotient = rate->after / rate->before;
	const double *counts = row->figures[looking->figure].counts;
	comparing->rows = nt_grow(comparing->rows, &comparing->capacity, comparing->count + 1, sizeof(*comparing->rows));
	comparing->rows[comparing->count++] = (struct nt_difference_row){
		.name = nt_arena_copy(comparing->arena, row->name),
		.module = nt_arena_copy(comparing->arena, row->module),
		.kind = looking->how->kind,
		.before = told_of(looking, rate->before / looking->load),
		.after = told_of(looking, rate->after),
		.before_pct = share_of(looking, share->before),
		.after_pct = share_of(looking, share->after),
		.change_pct = (rate->after - rate->before) * percent,
		.error_pct = percent *
			     sqrt(rate->after_error * rate->after_error + quotient * quotient * rate->before_error * rate->before_error),
		.chance = chance,
		.before_count = (uint64_t)counts[NT_PAIR_BEFORE],
		.after_count = (uint64_t)counts[NT_PAIR_AFTER],
	};
	row->named = true;
}

/*
 * Does what methods take themselves, and is told, account for a change of a caller? Else it is as likely that the caller was compiled into another method, or is no longer: then it is not in the samples, and
 * nothing takes more or less.
 */
static bool is_accounted_for(const struct comparing *comparing, const struct nt_change *share)
{
	double difference = share->after - share->before, told = 0;
	for (size_t i = 0; i < comparing->count; i++) {
		const struct nt_difference_row *row = &comparing->rows[i];
		double own = (row->after_pct.v - row->before_pct.v) / 100;
		if (row->kind == NT_DIFFER_CPU && (own > 0) == (difference > 0))
			told += fabs(own);
	}
	return told > 0 && fabs(difference) <= told + 2 * share->error;
}

static void look(const struct looking *looking, struct nt_pair_row *row)
{
	struct nt_change share, rate;
	double part = looking->how->kind == NT_DIFFER_CPU ? OWN_CPU_PART : OTHERS_PART;
	double weight = count_of(row, looking->figure) / looking->pooled;
	if (row->named && looking->how->unless_first)
		return;
	if (!change_of(looking, row, looking->how->by_next ? BY_NEXT : BY_TIME, &rate) || !is_large(&rate, 0))
		return;
	share = rate;
	if (looking->by_share && (!change_of(looking, row, OF_ALL, &share) || !is_large(&share, SHARE_LEAST_PCT / 100)))
		return;
	if (looking->how->kind == NT_DIFFER_CPU_CALLS && !is_accounted_for(looking->comparing, &share))
		return;
	bool same_way = (share.after > share.before) == (rate.after > rate.before) && rate.chance <= SAME_WAY_CHANCE * weight;
	if (share.chance <= NT_DIFFERENCE_CHANCE * part * weight && same_way)
		add(looking, row, &share, &rate, share.chance / part / weight);
}

/* ---- all rows ---- */

static bool is_told(const struct nt_span_pair *pair)
{
	return pair->spans[NT_PAIR_BEFORE].count >= NT_BATCHES_LEAST && pair->spans[NT_PAIR_AFTER].count >= NT_BATCHES_LEAST;
}

static void look_at_all(struct comparing *comparing, const struct nt_span_pair_of *of, unsigned figure)
{
	struct looking looking = { .comparing = comparing, .pair = of->pair, .how = &of->compared->figures[figure], .figure = figure };
	size_t *compared = &comparing->out->compared[looking.how->kind];
	for (size_t i = 0; i < of->pair->count; i++) {
		if (!is_looked_at(&looking, &of->pair->rows[i]))
			continue;
		looking.pooled += count_of(&of->pair->rows[i], figure);
		++*compared;
	}
	looking.by_share = looking.how->sampled && (*compared >= ROWS_LEAST || of->compared == &nt_span_methods_compared);
	expect(&looking);
	if (looking.how->kind == NT_DIFFER_CPU)
		comparing->out->load = looking.load;
	for (size_t i = 0; i < of->pair->count; i++)
		if (is_looked_at(&looking, &of->pair->rows[i]))
			look(&looking, &of->pair->rows[i]);
	free(looking.expected);
}

/* What falls is as often what another method has gained, where there is no more CPU: so what grew is before it, unless it is clearly less. */
#define FALL_BY 0.8

static double matters(const struct nt_difference_row *row)
{
	bool shares = row->before_pct.known && row->after_pct.known;
	double difference = shares ? row->after_pct.v - row->before_pct.v : row->change_pct;
	return difference > 0 ? difference : -FALL_BY * difference;
}

static int compare(const void *a, const void *b)
{
	const struct nt_difference_row *x = a, *y = b;
	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	double by = matters(y) - matters(x);
	return by > 0 ? 1 : by < 0 ? -1 : strcmp(x->name, y->name);
}

static void fill_rows(struct comparing *comparing, struct nt_difference *out)
{
	struct nt_difference_row *rows = NULL;
	if (comparing->count) {
		qsort(comparing->rows, comparing->count, sizeof(*comparing->rows), compare);
		rows = nt_arena_alloc(comparing->arena, comparing->count * sizeof(*rows));
		memcpy(rows, comparing->rows, comparing->count * sizeof(*rows));
	}
	for (size_t i = 0; i < comparing->count; i++)
		rows[i].id = i + 1;
	out->rows = rows;
	out->row_count = comparing->count;
}

static struct nt_difference_side side_of(const struct nt_pair_span *span)
{
	double samples = 0;
	for (size_t i = 0; i < span->count; i++)
		samples += span->totals[0][i];
	return (struct nt_difference_side){
		.t0 = span->from, .t1 = span->to, .told_ns = span->told_ns, .samples = (uint64_t)samples, .batches = span->count
	};
}

/* As if samples were independent, which is the least that they scatter. */
static struct nt_f64 needs(const struct nt_difference *difference)
{
	static const double before = 0.1, after = 0.12 / 1.02, weight = 0.1;
	if (!difference->before.samples || !difference->after.samples)
		return (struct nt_f64){ 0 };
	double variance =
		before * (1 - before) / (double)difference->before.samples + after * (1 - after) / (double)difference->after.samples;
	return nt_f64_of(nt_change_needs(after - before, sqrt(variance), NT_DIFFERENCE_CHANCE * OWN_CPU_PART * weight));
}

static const char *reason_of(const struct nt_difference *difference)
{
	return difference->before.batches < NT_BATCHES_LEAST || difference->after.batches < NT_BATCHES_LEAST
		       ? "CPU samples are told of too small a part of one of both spans, or to 10 s of one that is shorter than 80 s"
	       : !difference->before.samples || !difference->after.samples ? "one of both spans has no CPU samples"
									   : NULL;
}

void nt_span_compare(const struct nt_span_pair_of *pairs, size_t pair_count, uint64_t rate_hz, struct nt_arena *arena,
		     struct nt_difference *out)
{
	static const double zeros[NT_PAIR_BATCHES_MOST];
	struct comparing comparing = { .rate_hz = rate_hz, .arena = arena, .none = zeros, .out = out };
	*out = (struct nt_difference){ .before = side_of(&pairs->pair->spans[NT_PAIR_BEFORE]),
				       .after = side_of(&pairs->pair->spans[NT_PAIR_AFTER]) };
	out->needs = needs(out);
	out->reason = reason_of(out);
	for (size_t i = 0; i < pair_count; i++)
		for (unsigned figure = 0; figure < pairs[i].compared->figure_count && is_told(pairs[i].pair); figure++)
			if (i || !out->reason)
				look_at_all(&comparing, &pairs[i], figure);
	fill_rows(&comparing, out);
	free(comparing.rows);
}
