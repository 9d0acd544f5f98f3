/* SPDX-License-Identifier: GPL-2.0-only */
/* The array of GCPerHeapHistory_V3: what a collection found in each generation of one heap and what it left. */
#ifndef NT_DECODE_CLR_GENERATIONS_H
#define NT_DECODE_CLR_GENERATIONS_H

#include "decode/clr/clr.h"

/* Can an array of `length` bytes hold `count` generations? The element's size is not in the payload: length divided by count. */
bool nt_clr_generations_fit(uint64_t count, size_t length);

/*
 * Sum up history->generation_count generations. `net` sums are size - free list - free objects, of which the allocated bytes between two collections
 * follow; gross sums are sizes. An array that does not fit leaves the sums 0.
 */
void nt_clr_generations_sum(const struct nt_clr_value *array, struct nt_ev_gc_heap_history *history);

#endif
