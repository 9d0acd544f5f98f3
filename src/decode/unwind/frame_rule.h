/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One step up a call stack of x86-64: from a function's registers to its caller's, over a copy of the stack. The rule says how, for a range of code: by the frame
 * pointer, or by a row of the call frame information (DWARF 5, 6.4) that somebody else has read from the image. Pure: registers, stack and rules
 * are outside input, and every word is looked up within the copy.
 */
#ifndef NT_DECODE_FRAME_RULE_H
#define NT_DECODE_FRAME_RULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a caller needs of its callee: in the order in which perf gives them. */
enum nt_frame_reg {
	NT_REG_BX,
	NT_REG_BP,
	NT_REG_SP,
	NT_REG_PC,
	NT_REG_R12,
	NT_REG_R13,
	NT_REG_R14,
	NT_REG_R15,
	NT_REG_COUNT,
};

struct nt_frame_regs {
	uint64_t value[NT_REG_COUNT];
	uint8_t known; /* 1 << enum nt_frame_reg */
};

enum { NT_REGS_ALL = (1 << NT_REG_COUNT) - 1 };

/* A copy of the stack from an address upwards; borrowed, not aligned. */
struct nt_stack_dump {
	const uint8_t *bytes;
	size_t size;
	uint64_t start; /* address of the first byte */
};

/* The 8 bytes at `address`. False: not in the copy. */
bool nt_stack_word(const struct nt_stack_dump *dump, uint64_t address, uint64_t *word);

enum nt_frame_way {
	NT_FRAME_NOWHERE,   /* no code, or code that nothing tells the caller of */
	NT_FRAME_POINTER,   /* rbp points to the caller's rbp, and the return address is above it */
	NT_FRAME_CFI,       /* by the rest of the rule */
	NT_FRAME_SIGNAL,    /* the kernel's frame of a signal: its registers are in the ucontext at rsp */
	NT_FRAME_OUTERMOST, /* the thread begins here */
};

/* Where the caller's register is, in words (of 8 bytes) from the canonical frame address; or: */
enum { NT_SAVED_NOT = INT16_MIN /* unchanged */, NT_SAVED_LOST = INT16_MIN + 1 };

struct nt_frame_rule {
	uint8_t way;
	/* Of NT_FRAME_CFI. The canonical frame address (the caller's rsp): a register and an offset, or the word that is there. */
	uint8_t cfa_reg;
	bool cfa_is_word_there;
	int32_t cfa_offset;
	int16_t saved[NT_REG_COUNT]; /* that of NT_REG_PC is the return address; that of NT_REG_SP is not looked at */
};

enum nt_frame_step {
	NT_STEP_DONE,
	NT_STEP_OUTERMOST,
	NT_STEP_OUTSIDE, /* what it needs lies beyond the copy of the stack */
	NT_STEP_BROKEN,  /* the rule does not fit these registers */
};

/* Make *regs the caller's; they are unchanged unless this returns DONE. The stack only ever goes up, but for signals. */
enum nt_frame_step nt_frame_step(const struct nt_frame_rule *rule, const struct nt_stack_dump *dump, struct nt_frame_regs *regs);

#endif
