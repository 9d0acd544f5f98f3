/* SPDX-License-Identifier: GPL-2.0-only */
/* The arrays of GCPerHeapHistory_V3, what a collection found in each generation of one heap and what it left, and of GCGlobalHeapHistory_V4, how long its steps took. */
#ifndef NT_DECODE_CLR_GENERATIONS_H
#define NT_DECODE_CLR_GENERATIONS_H

#include "decode/clr/clr.h"

/* Can an array of `length` bytes hold `count` generations? The element's size is not in the payload: length divided by count. */
bool nt_clr_generations_fit(uint64_t count, size_t length);

/*
 * Take what is kept of history->generation_count generations. `net` sums are size - free list - free objects, of which the allocated bytes between two collections
 * follow; gross sums are sizes. An array that does not fit leaves them 0.
 */
void nt_clr_generations_take(const struct nt_clr_value *array, struct nt_ev_gc_heap_history *history);

/* Can an array of `length` bytes hold `count` durations, a u32 each? */
bool nt_clr_steps_fit(uint64_t count, size_t length);

/* Take history->step_count durations, NT_GC_STEPS at most, and say in step_count how many were taken. */
void nt_clr_steps_take(const struct nt_clr_value *array, struct nt_ev_gc_global_history *history);

#endif
