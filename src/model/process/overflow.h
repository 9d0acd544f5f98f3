/* SPDX-License-Identifier: GPL-2.0-only */
/* A stack that was full: which methods called each other until it was, and how often. */
#ifndef NT_MODEL_OVERFLOW_H
#define NT_MODEL_OVERFLOW_H

#include "base/arena.h"
#include "nettop/snapshot.h"

/*
 * stack: the frames that are known, innermost first, those of the runtime, which handles the overflow, before them; where it has less than `frames`, the middle is left
 * out. frames: of all of it; 0 = not known. Sets overflow, frames and stack of `end`, in `arena`: what comes again and again is one group of lines, and its frames are those
 * that are counted, "at least" because a method without a frame pointer has none. Where nothing comes again the count is not known: the chain has missed what filled the
 * stack. stack NULL: nothing is known but that it was full.
 */
void nt_overflow_tell(const struct nt_call_stack *stack, uint32_t frames, struct nt_arena *arena, struct nt_target_end *end);

#endif
