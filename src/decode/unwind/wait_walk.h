/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The whole call stack of a thread that waits in a system call: of its registers the kernel tells where it is and its stack pointer (proc(5), /proc/PID/syscall), the others are not known. So it begins with
 * call frame information, and a frame pointer is known as soon as a function has saved it; or from managed code, whose registers the runtime has put on the stack.
 */
#ifndef NT_DECODE_WAIT_WALK_H
#define NT_DECODE_WAIT_WALK_H

#include "decode/unwind/frame_rules.h"

enum { NT_WAIT_WALK_MAX = 384 };

/*
 * The innermost frame of managed code, whose registers are known; all 0 = there is none. Its `pc` is the one that the code has put there before a call out of managed code: a few instructions before the one that the
 * call returns to.
 */
struct nt_wait_anchor {
	uint64_t pc, sp, bp;
};

struct nt_wait_walk {
	uint64_t frames[NT_WAIT_WALK_MAX]; /* innermost first: where the thread is, then where each frame's callee returns to */
	unsigned count;
	unsigned anchored; /* which of them is the anchor (by its stack pointer); `count` = it was not come to */
	bool whole;        /* up to where the thread began */
	uint64_t missing;  /* the address that no rule is known for; 0 = none was missing */
};

/*
 * `dump`: from the stack pointer `sp` up. Frames inside the anchor are told as far as they are certain. They end where a function is counted from a frame pointer that is not known: the one case in which it
 * is known for lack of another is that of a function that managed code has called itself.
 */
void nt_wait_walk(const struct nt_frame_rules *rules, uint64_t pc, uint64_t sp, const struct nt_stack_dump *dump,
		  const struct nt_wait_anchor *anchor, struct nt_wait_walk *out);

/*
 * What was walked and what the runtime says, managed[0..count), together: native and managed frames in `out`, innermost first, at most `max`. Returns how many. Where the walk lost its way, what the runtime says
 * stands alone. *whole: no frame is missing.
 */
unsigned nt_wait_walk_merge(const struct nt_wait_walk *walk, const uint64_t *managed, unsigned count, uint64_t *out, unsigned max,
			    bool *whole);

#endif
