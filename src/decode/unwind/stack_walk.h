/* SPDX-License-Identifier: GPL-2.0-only */
/* Room decode/unwind: call stacks from copies of stacks. */
/*
 * The call chain of a sample, mended: the kernel follows frame pointers only, so a leaf in code built without them hides its caller, and a chain through such
 * code breaks. From the registers and a copy of the stack the missing frames are found by rules; where the copy ends the kernel's chain goes on.
 */
#ifndef NT_DECODE_STACK_WALK_H
#define NT_DECODE_STACK_WALK_H

#include "decode/kernel/perf_record.h"
#include "decode/unwind/frame_rules.h"

enum { NT_WALK_MAX = NT_PERF_STACK_MAX };

/* What a sample says of its user part. Borrowed. */
struct nt_stack_sample {
	struct nt_frame_regs regs;
	struct nt_stack_dump dump; /* from the stack pointer up */
	const uint8_t *chain;      /* the kernel's: words, not aligned, leaf first */
	unsigned chain_count;
};

struct nt_stack_walk {
	uint64_t frames[NT_WALK_MAX]; /* leaf first */
	unsigned count;
	uint64_t missing; /* the address that no rule is known for; 0: none was missing */
};

/*
 * Walk. far: as far as the copy goes; otherwise only up to the first function with a frame pointer, which is where the kernel's chain is right again. When a rule is
 * missing the result is the kernel's chain, and so it is when the copy ends too early, unless the kernel found no more than the leaf and a word that need not
 * be a return address.
 */
void nt_stack_walk(const struct nt_frame_rules *rules, const struct nt_stack_sample *sample, bool far, struct nt_stack_walk *out);

#endif
