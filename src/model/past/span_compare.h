/* SPDX-License-Identifier: GPL-2.0-only */
/* Which names differ between the two sides of pairs by more than their scatter. */
#ifndef NT_MODEL_PAST_SPAN_COMPARE_H
#define NT_MODEL_PAST_SPAN_COMPARE_H

#include "model/past/span_lists.h"
#include "model/past/span_pair.h"

/* What two spans are compared by: a list, and its rows in both. Borrowed. */
struct nt_span_pair_of {
	const struct nt_span_compared *compared;
	struct nt_span_pair *pair;
};

/*
 * Fill `out`; rows and their texts lie in `arena`. `pairs`: that of the methods first. `rate_hz`: samples in a second of a CPU's time, 0 = not known.
 *
 * What is sampled is told when its share of all samples differs, and when there is more of it in each second, or less, than if it had changed as most rows have: where one method has become slower the shares
 * of all others fall, and where there is more to do all take more. What is counted is told when it differs in each second, or of each. Many rows of several kinds are looked at: each kind has a part of the
 * chance that all together may have, most of it the methods' own CPU time, and of that each row one by its weight, which does not depend on whether it differs.
 */
void nt_span_compare(const struct nt_span_pair_of *pairs, size_t pair_count, uint64_t rate_hz, struct nt_arena *arena,
		     struct nt_difference *out);

#endif
