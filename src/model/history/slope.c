// SPDX-License-Identifier: GPL-2.0-only
#include "model/history/slope.h"

#include <stdlib.h>

static const nt_time bucket_ns = 20 * NT_NS_PER_S;
enum { BUCKETS = 30, PARTS = 6, PAIRS = BUCKETS * (BUCKETS - 1) / 2 };

/* The least of each bucket; 0 is the newest. */
struct buckets {
	struct nt_f64 least[BUCKETS];
	size_t count;
};

static void take_least(struct nt_f64 *least, double value)
{
	if (!least->known || value < least->v)
		*least = nt_f64_of(value);
}

/* How long before the newest moment the oldest known value since `since` lies. */
static nt_time reach(const struct nt_kept_figures *kept, enum nt_kept_series series, nt_time since)
{
	const struct nt_kept_moment *newest = nt_kept_moment(kept, 0), *moment;
	nt_time far_ns = 0;
	for (size_t i = 0; (moment = nt_kept_moment(kept, i)) != NULL && moment->time >= since; i++)
		if (nt_kept_value(moment, series).known)
			far_ns = newest->time - moment->time;
	return far_ns < NT_SLOPE_MOST_NS ? far_ns : NT_SLOPE_MOST_NS;
}

/* Has it risen in each part of the time? */
static bool is_steady(const struct nt_kept_figures *kept, enum nt_kept_series series, nt_time length_ns)
{
	const struct nt_kept_moment *newest = nt_kept_moment(kept, 0), *moment;
	struct nt_f64 least[PARTS] = { 0 };
	for (size_t i = 0; (moment = nt_kept_moment(kept, i)) != NULL && newest->time - moment->time < length_ns; i++) {
		struct nt_f64 value = nt_kept_value(moment, series);
		if (value.known)
			take_least(&least[(newest->time - moment->time) * PARTS / length_ns], value.v);
	}
	for (unsigned i = 0; i < PARTS; i++)
		if (!least[i].known)
			return false;
	double share = (least[0].v - least[PARTS - 1].v) / (PARTS - 1);
	bool steady = share > 0;
	for (unsigned i = 0; i + 1 < PARTS; i++)
		steady &= least[i].v - least[i + 1].v >= share / 2;
	return steady;
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

/* Per second. */
static double median_slope(const struct buckets *buckets)
{
	double slopes[PAIRS];
	size_t count = 0;
	for (size_t later = 0; later < buckets->count; later++)
		for (size_t i = later + 1; i < buckets->count; i++)
			if (buckets->least[later].known && buckets->least[i].known)
				slopes[count++] = (buckets->least[later].v - buckets->least[i].v) * (double)NT_NS_PER_S /
						  (double)((i - later) * bucket_ns);
	if (!count)
		return 0;
	qsort(slopes, count, sizeof(*slopes), compare);
	return slopes[count / 2];
}

bool nt_slope_of(const struct nt_kept_figures *kept, enum nt_kept_series series, nt_time since, struct nt_slope *out)
{
	const struct nt_kept_moment *newest = nt_kept_moment(kept, 0), *moment;
	if (!newest)
		return false;
	struct buckets buckets = { .count = (size_t)(reach(kept, series, since) / bucket_ns) };
	nt_time length_ns = buckets.count * bucket_ns;
	if (length_ns < NT_SLOPE_LEAST_NS)
		return false;
	for (size_t i = 0; (moment = nt_kept_moment(kept, i)) != NULL && newest->time - moment->time < length_ns; i++) {
		struct nt_f64 value = nt_kept_value(moment, series);
		if (value.known)
			take_least(&buckets.least[(newest->time - moment->time) / bucket_ns], value.v);
	}
	size_t known = 0;
	for (size_t i = 0; i < buckets.count; i++)
		known += buckets.least[i].known;
	const struct nt_f64 *from = &buckets.least[buckets.count - 1], *to = &buckets.least[0];
	if (!from->known || !to->known || 4 * known < 3 * buckets.count)
		return false;
	*out = (struct nt_slope){ .steady = is_steady(kept, series, length_ns),
				  .from = from->v,
				  .to = to->v,
				  .over_ns = length_ns - bucket_ns,
				  .per_s = median_slope(&buckets),
				  .length_ns = length_ns };
	return true;
}

struct nt_f64 nt_slope_sum(const struct nt_kept_figures *kept, enum nt_kept_series rate, nt_time length_ns)
{
	const struct nt_kept_moment *newest = nt_kept_moment(kept, 0), *moment;
	double sum = 0;
	nt_time known_ns = 0;
	for (size_t i = 0; (moment = nt_kept_moment(kept, i)) != NULL && newest->time - moment->time < length_ns; i++) {
		const struct nt_kept_moment *before = nt_kept_moment(kept, i + 1);
		struct nt_f64 value = nt_kept_value(moment, rate);
		if (!before || !value.known)
			continue;
		sum += value.v * (double)(moment->time - before->time) / (double)NT_NS_PER_S;
		known_ns += moment->time - before->time;
	}
	return (struct nt_f64){ .known = 4 * known_ns >= 3 * length_ns, .v = sum };
}
