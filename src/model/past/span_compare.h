/* SPDX-License-Identifier: GPL-2.0-only */
/* Which names differ between the two sides of a pair by more than their scatter. */
#ifndef NT_MODEL_PAST_SPAN_COMPARE_H
#define NT_MODEL_PAST_SPAN_COMPARE_H

#include "model/past/span_pair.h"
#include "nettop/difference.h"

/*
 * Fill `out`; rows and their texts lie in `arena`. `rate_hz`: samples in a second of a CPU's time, 0 = not known.
 *
 * A method is told when its share of the samples differs, and when it takes more of each second, or less, than it would if it had changed as most methods have: where one has become slower the shares of all
 * others fall, and where there is more to do all take more. Many methods are looked at: each has a part of the chance that all together may have, by its weight, which does not depend on whether it differs.
 */
void nt_span_compare(const struct nt_span_pair *pair, uint64_t rate_hz, struct nt_arena *arena, struct nt_difference *out);

#endif
