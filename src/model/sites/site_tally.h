/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What came from which stack in the open interval, by row. Only when the interval closes it is known which stacks have the same site; then it goes into
 * each row's struct nt_site_counts.
 */
#ifndef NT_MODEL_SITE_TALLY_H
#define NT_MODEL_SITE_TALLY_H

#include "base/index.h"
#include "model/sites/sites.h"

enum { NT_SITE_TALLY_MAX = 4096 }; /* pairs of row and stack; beyond, it is not kept where it came from */

struct nt_site_tally_item {
	uint32_t row; /* the owner's index */
	nt_site_ref stack;
	uint64_t amount;
};

/* All zero is an empty one. */
struct nt_site_tally {
	struct nt_site_tally_item *items; /* owned */
	size_t count, capacity;
	struct nt_index by_pair; /* row and stack -> item */
};

void nt_site_tally_fini(struct nt_site_tally *tally);

/* So much of a row came from `stack`; 0: not known where from. */
void nt_site_tally_add(struct nt_site_tally *tally, uint32_t row, nt_site_ref stack, uint64_t amount);

/* Begin the next interval. */
void nt_site_tally_clear(struct nt_site_tally *tally);

#endif
