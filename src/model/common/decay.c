// SPDX-License-Identifier: GPL-2.0-only
#include "model/common/decay.h"

enum { BISECTIONS = 60, NOTHING_LEFT = 4096 };

double nt_window_power(double decay, uint64_t n)
{
	if (n > NOTHING_LEFT)
		return 0;
	double power = 1;
	for (uint64_t i = 0; i < n; i++)
		power *= decay;
	return power;
}

double nt_window_decay(unsigned half_life)
{
	double low = 0, high = 1;
	for (int i = 0; i < BISECTIONS; i++) {
		double middle = (low + high) / 2;
		if (nt_window_power(middle, half_life) < 0.5)
			low = middle;
		else
			high = middle;
	}
	return high;
}
