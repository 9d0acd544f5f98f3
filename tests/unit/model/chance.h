/* SPDX-License-Identifier: GPL-2.0-only */
/* Chance that is the same in every run: made-up programs are as uneven as real ones by it. */
#ifndef NT_TEST_CHANCE_H
#define NT_TEST_CHANCE_H

#include <math.h>
#include <stdint.h>

static uint64_t dice; /* what it begins with */

/* splitmix64, public domain */
static inline double roll(void)
{
	uint64_t z = dice += 0x9e3779b97f4a7c15;
	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return (double)((z ^ z >> 31) >> 11) * 0x1p-53;
}

static inline double between(double low, double high)
{
	return low + (high - low) * roll();
}

static inline double normal(void)
{
	return sqrt(-2 * log(1 - roll())) * cos(2 * M_PI * roll());
}

/* How many of events that do not know of each other come, when so many are usual. */
static inline unsigned events(double mean)
{
	double product = 1, limit = exp(-mean);
	if (mean > 60) {
		double value = round(mean + sqrt(mean) * normal());
		return value > 0 ? (unsigned)value : 0;
	}
	unsigned count = 0;
	while ((product *= roll()) > limit)
		count++;
	return count;
}

#endif
