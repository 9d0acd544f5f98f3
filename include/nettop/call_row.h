/* SPDX-License-Identifier: GPL-2.0-only */
/* A row of the call tree of one method, as the screen makes it from struct nt_stack_tree. */
#ifndef NETTOP_CALL_ROW_H
#define NETTOP_CALL_ROW_H

#include "nettop/snapshot.h"

struct nt_call_row {
	uint64_t id;                        /* of its path from the method: the same in each snapshot */
	const struct nt_stack_frame *frame; /* in one of its tiers */
	enum nt_tier tier;                  /* of most of its samples */
	bool known;                         /* false: no stack of the method is known yet, and its shares are not */
	double self, total;                 /* samples of the window, weighted */
	double self_pct, total_pct;         /* of all samples; of those of a thread, or of one side of the pauses, under that restriction */
	uint32_t depth;                     /* below the method, which is 0 */
	uint64_t rails;                     /* bit i: the row i levels above it has another one after it; bit 0 is its own */
	bool has_children, open;
};

#endif
