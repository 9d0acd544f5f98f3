// SPDX-License-Identifier: GPL-2.0-only
#include "nettop/snapshot.h"

/* Newton's method: without libm, so that every machine computes the same bits. */
static double square_root(double x)
{
	double root = x > 1 ? x : 1;
	for (int i = 0; i < 64; i++)
		root = (root + x / root) / 2;
	return root;
}

struct nt_f64 nt_alloc_sums_error_pct(const struct nt_alloc_sums *sums)
{
	if (!(sums->bytes > 0) || !(sums->samples > 0))
		return (struct nt_f64){ 0 };
	/* Relative first: its square stays where the root is exact. */
	return nt_f64_of(100 * square_root(sums->variance / sums->bytes / sums->bytes));
}
