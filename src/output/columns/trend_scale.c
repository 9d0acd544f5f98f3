// SPDX-License-Identifier: GPL-2.0-only
/* One scale for the trends of a table, so that its rows can be compared. */
#include "nettop/column.h"

#include <math.h>
#include <stdio.h>

enum { DECADE = 3, UNITS = 6, STEPS_END = 1000 };

static double base_of(enum nt_scale scale)
{
	return scale == NT_SCALE_BYTES ? 1024 : 1000;
}

/* The power of the base below it: 0 for what is less than that. */
static int unit_of(enum nt_scale scale, double value)
{
	int unit = 0;
	for (; unit < UNITS && value >= base_of(scale); unit++)
		value /= base_of(scale);
	return unit;
}

double nt_scale_end(enum nt_scale scale, double most)
{
	static const double steps[DECADE] = { 1, 2, 5 };
	if (scale == NT_SCALE_OWN || !(most > 0) || !isfinite(most))
		return 0;
	int unit = unit_of(scale, most);
	double of_unit = pow(base_of(scale), unit), value = most / of_unit, decade = pow(10, floor(log10(value)));
	for (int i = 0; i < DECADE && steps[i] * decade < STEPS_END; i++)
		if (steps[i] * decade >= value * (1 - 1e-9)) /* decimal fractions have no exact form */
			return steps[i] * decade * of_unit;
	/* Of bytes 1000 K are not yet 1 M. */
	return 10 * decade < STEPS_END ? 10 * decade * of_unit : of_unit * base_of(scale);
}

const char *nt_scale_text(enum nt_scale scale, double end, char *buf, size_t size)
{
	static const char *const suffixes[UNITS + 1] = { "", "k", "M", "G", "T", "P", "E" };
	double shown = scale == NT_SCALE_MS && end >= 1000 ? end / 1000 : end;
	int unit = unit_of(scale, shown);
	const char *suffix = scale == NT_SCALE_BYTES && unit == 1 ? "K" : suffixes[unit];
	const char *of = scale == NT_SCALE_PCT ? "%" : scale != NT_SCALE_MS ? "" : shown < end ? "s" : "ms";
	snprintf(buf, size, "0..%.3g%s%s", shown / pow(base_of(scale), unit), suffix, of);
	return buf;
}
