/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One step up a call stack of managed code on x86-64, by the UNWIND_INFO that the JIT writes for each function (decode/unwind/unwind_ops.h).
 */
#ifndef NT_DECODE_CONTRACT_UNWIND_INFO_H
#define NT_DECODE_CONTRACT_UNWIND_INFO_H

#include "decode/contract/code_at.h"
#include "decode/unwind/frame_rule.h"

/*
 * Makes *regs the caller's, of a function that stands behind its prolog, as at a call. `info`: address of its UNWIND_INFO; `image`: what addresses in there are relative to. On anything
 * but NT_STEP_DONE *regs are as they were. The stack only ever goes up.
 */
enum nt_frame_step nt_unwind_info_step(struct nt_memory *memory, uint64_t info, uint64_t image, const struct nt_stack_dump *dump,
				       struct nt_frame_regs *regs);

/* The same as a rule for the code around `address`, which `code` is told of: it holds in [*start, *end), not in epilogs, of which nothing is said. False: it is broken, or no rule can say that. */
bool nt_unwind_info_rule(struct nt_memory *memory, const struct nt_contract_code *code, uint64_t address, uint64_t *start, uint64_t *end,
			 struct nt_frame_rule *rule);

#endif
