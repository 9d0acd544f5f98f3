/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The UNWIND_INFO of a function (decode/unwind/unwind_ops.h) as a rule of call chains: where the caller's registers are, seen from one place in the function. Precompiled code has no
 * call frame information, it has this.
 */
#ifndef NT_DECODE_UNWIND_CODES_H
#define NT_DECODE_UNWIND_CODES_H

#include "decode/unwind/frame_rule.h"

/* What was undone so far, from a place in a function towards its begin. All zero but for the base is where nothing is. */
struct nt_unwind_codes {
	uint8_t base;                  /* the register that all is counted from: rsp, or the frame pointer */
	int64_t depth;                 /* where the stack pointer was, from there: bytes */
	int64_t saved[NT_REG_COUNT];   /* where a register was put, from there */
	uint8_t known;                 /* which were: 1 << enum nt_frame_reg */
	uint32_t holds_from, holds_to; /* the same is so for all places of the function between these: offsets in its code */
};

/* Begin at a place. */
struct nt_unwind_codes nt_unwind_codes_begin(void);

/*
 * Undo what bytes[0..size), an UNWIND_INFO, says was done before `offset` in the function's code; UINT32_MAX: all of it, of one that another one is chained to. *chained: where the one is that goes on (RVA),
 * 0 = none does. False: it is broken, or says what no rule can.
 */
bool nt_unwind_codes_undo(struct nt_unwind_codes *codes, const uint8_t *bytes, size_t size, uint32_t offset, uint32_t *chained);

/* What has become of it. False: no rule can say that. Epilogs are in no UNWIND_INFO: there it is wrong. */
bool nt_unwind_codes_rule(const struct nt_unwind_codes *codes, struct nt_frame_rule *rule);

#endif
