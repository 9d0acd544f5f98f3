// SPDX-License-Identifier: GPL-2.0-only
#include "model/past/span_compare.h"

#include "base/alloc.h"
#include "base/arena.h"
#include "model/past/batch_change.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* In both spans together; fewer say nothing, and looking at them would cost the others chance. */
enum { SAMPLES_LEAST = 20 };

/* What nobody looks for, however sure it is: less than a twentieth of itself, or than so much of the CPU time. */
#define CHANGE_LEAST    0.05
#define SHARE_LEAST_PCT 0.2

/* That it takes more of each second, or less, than the other methods do need not be as sure: it keeps out shares that have changed by another method's change. */
#define SAME_WAY_CHANCE 0.05

struct comparing {
	const struct nt_span_pair *pair;
	uint64_t rate_hz;
	struct nt_arena *arena;
	const double *none; /* so many zeros as there are batches at most */
	uint64_t pooled;    /* samples of all rows that are looked at */
	double load;        /* as in struct nt_difference */
	double *expected;   /* owned: the seconds of the side before, in which that much load would have been done */
	struct nt_difference_row *rows;
	size_t count, capacity;
};

static uint64_t samples_of(const struct nt_pair_row *row)
{
	return row->sums[NT_PAIR_BEFORE] + row->sums[NT_PAIR_AFTER];
}

static bool is_looked_at(const struct nt_pair_row *row)
{
	return samples_of(row) >= SAMPLES_LEAST;
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

/* The median of what methods take in a second, of what they took: most have not changed. Large ones count for more, for less than they are larger: one that has most of the samples is not the measure of itself. */
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

static void find_load(struct comparing *comparing)
{
	const struct nt_span_pair *pair = comparing->pair;
	const struct nt_pair_span *before = &pair->spans[NT_PAIR_BEFORE], *after = &pair->spans[NT_PAIR_AFTER];
	struct quotient *quotients = nt_alloc((pair->count + 1) * sizeof(*quotients));
	double longer = seconds_of(before) / seconds_of(after);
	size_t count = 0;
	for (size_t i = 0; i < pair->count; i++) {
		const struct nt_pair_row *row = &pair->rows[i];
		if (is_looked_at(row))
			quotients[count++] =
				(struct quotient){ .value = longer * (double)row->sums[NT_PAIR_AFTER] / (double)row->sums[NT_PAIR_BEFORE],
						   .weight = sqrt((double)samples_of(row)) };
	}
	double found = median(quotients, count);
	free(quotients);
	comparing->load = isfinite(found) && found > 0 ? found : 1;
	comparing->expected = nt_alloc(before->count * sizeof(*comparing->expected));
	for (size_t i = 0; i < before->count; i++)
		comparing->expected[i] = before->seconds[i] / comparing->load;
}

/* ---- one method ---- */

static struct nt_batches batches_of(const struct comparing *comparing, const struct nt_pair_row *row, enum nt_pair_side side, bool by_time)
{
	const struct nt_pair_span *span = &comparing->pair->spans[side];
	const double *seconds = side == NT_PAIR_BEFORE ? comparing->expected : span->seconds;
	return (struct nt_batches){ .amounts = row->self[side] ? row->self[side] : comparing->none,
				    .bases = by_time ? seconds : span->samples,
				    .count = span->count };
}

static bool change_of(const struct comparing *comparing, const struct nt_pair_row *row, bool by_time, struct nt_change *out)
{
	struct nt_batches before = batches_of(comparing, row, NT_PAIR_BEFORE, by_time);
	struct nt_batches after = batches_of(comparing, row, NT_PAIR_AFTER, by_time);
	return nt_change_between(&before, &after, 1, out);
}

static bool is_large(const struct nt_change *change, double least)
{
	double difference = fabs(change->after - change->before), smaller = fmin(change->before, change->after);
	return difference >= CHANGE_LEAST * smaller && difference >= least;
}

static void add(struct comparing *comparing, const struct nt_pair_row *row, const struct nt_change *share, const struct nt_change *rate,
		double chance)
{
	double ns = comparing->rate_hz ? (double)NT_NS_PER_S / (double)comparing->rate_hz : 0, percent = 100 / rate->before;
	double quotient = rate->after / rate->before;
	comparing->rows = nt_grow(comparing->rows, &comparing->capacity, comparing->count + 1, sizeof(*comparing->rows));
	comparing->rows[comparing->count++] = (struct nt_difference_row){
		.name = nt_arena_copy(comparing->arena, row->name),
		.module = nt_arena_copy(comparing->arena, row->module),
		.before_ns = { .known = ns > 0, .v = rate->before / comparing->load * ns },
		.after_ns = { .known = ns > 0, .v = rate->after * ns },
		.before_pct = 100 * share->before,
		.after_pct = 100 * share->after,
		.change_pct = (rate->after - rate->before) * percent,
		.error_pct = percent *
			     sqrt(rate->after_error * rate->after_error + quotient * quotient * rate->before_error * rate->before_error),
		.chance = chance,
		.before_samples = row->sums[NT_PAIR_BEFORE],
		.after_samples = row->sums[NT_PAIR_AFTER],
	};
}

static void look(struct comparing *comparing, const struct nt_pair_row *row)
{
	struct nt_change share, rate;
	double weight = (double)samples_of(row) / (double)comparing->pooled;
	if (!change_of(comparing, row, false, &share) || !change_of(comparing, row, true, &rate))
		return;
	bool same_way = (share.after > share.before) == (rate.after > rate.before) && rate.chance <= SAME_WAY_CHANCE * weight;
	if (share.chance <= NT_DIFFERENCE_CHANCE * weight && same_way && is_large(&share, SHARE_LEAST_PCT / 100) && is_large(&rate, 0))
		add(comparing, row, &share, &rate, share.chance / weight);
}

/* What falls is as often what another method has gained, where there is no more CPU: so what grew is before it, unless it is clearly less. */
#define FALL_BY 0.8

static double matters(const struct nt_difference_row *row)
{
	double difference = row->after_pct - row->before_pct;
	return difference > 0 ? difference : -FALL_BY * difference;
}

static int compare(const void *a, const void *b)
{
	const struct nt_difference_row *x = a, *y = b;
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
	return (struct nt_difference_side){
		.t0 = span->from, .t1 = span->to, .told_ns = span->told_ns, .samples = span->sampled, .batches = span->count
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
	return nt_f64_of(nt_change_needs(after - before, sqrt(variance), NT_DIFFERENCE_CHANCE * weight));
}

static const char *reason_of(const struct nt_difference *difference)
{
	return difference->before.batches < NT_BATCHES_LEAST || difference->after.batches < NT_BATCHES_LEAST
		       ? "CPU samples are told of too small a part of one of both spans, or to 10 s of one that is shorter than 80 s"
	       : !difference->before.samples || !difference->after.samples ? "one of both spans has no CPU samples"
									   : NULL;
}

void nt_span_compare(const struct nt_span_pair *pair, uint64_t rate_hz, struct nt_arena *arena, struct nt_difference *out)
{
	static const double zeros[NT_PAIR_BATCHES_MOST];
	struct comparing comparing = { .pair = pair, .rate_hz = rate_hz, .arena = arena, .none = zeros };
	*out = (struct nt_difference){ .before = side_of(&pair->spans[NT_PAIR_BEFORE]), .after = side_of(&pair->spans[NT_PAIR_AFTER]) };
	out->needs = needs(out);
	out->reason = reason_of(out);
	for (size_t i = 0; i < pair->count && !out->reason; i++)
		if (is_looked_at(&pair->rows[i])) {
			comparing.pooled += samples_of(&pair->rows[i]);
			out->method_count++;
		}
	if (!out->reason) {
		find_load(&comparing);
		out->load = comparing.load;
	}
	for (size_t i = 0; i < pair->count && !out->reason; i++)
		if (is_looked_at(&pair->rows[i]))
			look(&comparing, &pair->rows[i]);
	fill_rows(&comparing, out);
	free(comparing.expected);
	free(comparing.rows);
}
