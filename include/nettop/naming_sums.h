/* SPDX-License-Identifier: GPL-2.0-only */
/* How many of the samples have a name, how many have not, and why. */
#ifndef NETTOP_NAMING_SUMS_H
#define NETTOP_NAMING_SUMS_H

#include "nettop/column.h"
#include "nettop/snapshot.h"

/* Samples by where their leaf is; those of the exponential window are weighted. */
struct nt_naming_sums {
	double samples;
	double of_naming[NT_NAMING_COUNT];
	double of_class[NT_NAMING_CLASS_COUNT];
};

/* Since attach only of a final snapshot: others have no rows of what was not sampled for long. */
void nt_naming_sum(const struct nt_process_snapshot *process, enum nt_window window, struct nt_naming_sums *out);

/* The reasons that were met, those with most samples first. Returns their number. */
size_t nt_naming_order(const struct nt_naming_sums *sums, enum nt_naming order[NT_NAMING_COUNT]);

#endif
