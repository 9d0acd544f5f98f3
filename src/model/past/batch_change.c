// SPDX-License-Identifier: GPL-2.0-only
#include "model/past/batch_change.h"

#include <math.h>

/* Neighbours that are so far apart have something in common: a phase of some seconds. Of few batches a smaller part of them. */
enum { LAGS_MOST = 12, LAGS_PART = 6 };

/* What is counted in stretches of its own length scatters less than single events do, by the batches; so much less is believed. */
#define LEAST_OF_UNIT 0.5

/* Of the scatter of two minutes. */
#define USUAL_FREEDOM 25.0

/* Of 20 changes 19 are seen: that many standard errors beyond what is asked for. */
#define SEEN_IN_MOST 1.645

/* One of the two times, looked at. */
struct side {
	double amount, base, ratio;
	double batches; /* that have so much of the base: less than there are where some have most of it */
	double alone;   /* variance of the ratio, if batches have nothing in common */
	double common;  /* likewise, if neighbours have */
	double freedom; /* degrees of freedom of the one; */
	double common_freedom;
};

static double residual(const struct nt_batches *batches, const struct side *side, size_t i)
{
	return batches->amounts[i] - side->ratio * batches->bases[i];
}

static double products(const struct nt_batches *batches, const struct side *side, size_t lag)
{
	double sum = 0;
	for (size_t i = lag; i < batches->count; i++)
		sum += residual(batches, side, i) * residual(batches, side, i - lag);
	return sum;
}

/* The window is Bartlett's, which leaves one and a half batches by lag. */
static void find_variance(const struct nt_batches *batches, struct side *side)
{
	size_t lags = batches->count / LAGS_PART;
	double count = side->batches, base = side->base * side->base, alone = products(batches, side, 0), common = alone;
	lags = lags > LAGS_MOST ? LAGS_MOST : lags;
	for (size_t lag = 1; lag <= lags; lag++)
		common += 2 * (1 - (double)lag / (double)(lags + 1)) * products(batches, side, lag);
	side->alone = alone / base * count / (count - 1);
	side->freedom = count - 1;
	side->common = common / base * count / fmax(1, count - (double)lags - 1); /* the mean is taken from the same batches */
	side->common_freedom = 1.5 * count / (double)(lags + 1);
}

static bool look(const struct nt_batches *batches, struct side *side)
{
	*side = (struct side){ 0 };
	if (batches->count < NT_BATCHES_LEAST)
		return false;
	double squares = 0;
	for (size_t i = 0; i < batches->count; i++) {
		side->amount += batches->amounts[i];
		side->base += batches->bases[i];
		squares += batches->bases[i] * batches->bases[i];
	}
	if (side->base <= 0)
		return false;
	side->batches = side->base * side->base / squares;
	if (side->batches < NT_BATCHES_LEAST / 2)
		return false;
	side->ratio = side->amount / side->base;
	find_variance(batches, side);
	return true;
}

/* Student's t as a normal deviate (Wallace 1959): right to a hundredth where it matters here. */
static double normal_of(double t, double freedom)
{
	return (8 * freedom + 1) / (8 * freedom + 3) * sqrt(freedom * log1p(t * t / freedom));
}

bool nt_change_between(const struct nt_batches *before, const struct nt_batches *after, double unit, struct nt_change *out)
{
	struct side x, y;
	*out = (struct nt_change){ .chance = 1 };
	if (!look(before, &x) || !look(after, &y))
		return false;
	/* If nothing has changed both have the same quotient, which both together know best, and neighbours have as much in common. */
	double pooled = (x.amount + y.amount) / (x.base + y.base), least = LEAST_OF_UNIT * unit * pooled;
	double vx = fmax(x.alone, least / x.base), vy = fmax(y.alone, least / y.base), variance = vx + vy;
	double freedom = variance > 0 ? variance * variance / (vx * vx / x.freedom + vy * vy / y.freedom) : 1; /* Welch, Satterthwaite */
	double common = x.common + y.common, common_freedom = x.common_freedom + y.common_freedom;
	if (common > variance) { /* the larger one counts, and is known as badly as it is */
		variance = common;
		freedom = common_freedom;
	}
	double difference = fabs(y.ratio - x.ratio);
	out->before = x.ratio;
	out->after = y.ratio;
	out->error = sqrt(variance);
	if (vx + vy > 0) {
		out->before_error = sqrt(variance * vx / (vx + vy));
		out->after_error = sqrt(variance * vy / (vx + vy));
	}
	out->chance = variance > 0 ? erfc(normal_of(difference / out->error, freedom) / sqrt(2)) : difference > 0 ? 0 : 1;
	return true;
}

/* The normal deviate that is exceeded on either side with that chance: by halves, erfc() falls. */
static double deviate_of(double chance)
{
	double low = 0, high = 40;
	for (int i = 0; i < 60; i++) {
		double middle = (low + high) / 2;
		*(erfc(middle / sqrt(2)) > chance ? &low : &high) = middle;
	}
	return high;
}

/* The other way round. */
static double student_of(double normal, double freedom)
{
	double w = normal * (8 * freedom + 3) / (8 * freedom + 1);
	return sqrt(freedom * expm1(w * w / freedom));
}

double nt_change_needs(double difference, double error, double chance)
{
	double wanted = student_of(deviate_of(chance), USUAL_FREEDOM) + SEEN_IN_MOST, seen = fabs(difference) / error;
	return wanted * wanted / (seen * seen);
}
