// SPDX-License-Identifier: GPL-2.0-only
#include "decode/unwind/frame_rule.h"

#include <string.h>

enum { WORD = 8 };

/* struct ucontext of Linux on x86-64: where it has these registers (arch/x86/include/uapi/asm/sigcontext.h behind five words). */
static const uint8_t ucontext_offset[NT_REG_COUNT] = {
	[NT_REG_BX] = 0x80,  [NT_REG_BP] = 0x78,  [NT_REG_SP] = 0xa0,  [NT_REG_PC] = 0xa8,
	[NT_REG_R12] = 0x48, [NT_REG_R13] = 0x50, [NT_REG_R14] = 0x58, [NT_REG_R15] = 0x60,
};

bool nt_stack_word(const struct nt_stack_dump *dump, uint64_t address, uint64_t *word)
{
	uint64_t offset = address - dump->start;
	if (address < dump->start || dump->size < WORD || offset > dump->size - WORD)
		return false;
	memcpy(word, dump->bytes + offset, WORD);
	return true;
}

static bool knows(const struct nt_frame_regs *regs, enum nt_frame_reg reg)
{
	return regs->known & 1u << reg;
}

static enum nt_frame_step step_pointer(const struct nt_stack_dump *dump, struct nt_frame_regs *regs)
{
	uint64_t record = regs->value[NT_REG_BP], bp, pc;
	if (!knows(regs, NT_REG_BP) || record < regs->value[NT_REG_SP])
		return NT_STEP_BROKEN;
	if (!nt_stack_word(dump, record, &bp) || !nt_stack_word(dump, record + WORD, &pc))
		return NT_STEP_OUTSIDE;
	/* Where the other registers are is known to the function alone. */
	*regs = (struct nt_frame_regs){ .known = 1 << NT_REG_BP | 1 << NT_REG_SP | 1 << NT_REG_PC };
	regs->value[NT_REG_BP] = bp;
	regs->value[NT_REG_SP] = record + 2 * (uint64_t)WORD;
	regs->value[NT_REG_PC] = pc;
	return NT_STEP_DONE;
}

static enum nt_frame_step step_cfi(const struct nt_frame_rule *rule, const struct nt_stack_dump *dump, struct nt_frame_regs *regs)
{
	if (rule->cfa_reg >= NT_REG_COUNT || !knows(regs, (enum nt_frame_reg)rule->cfa_reg))
		return NT_STEP_BROKEN;
	uint64_t cfa = regs->value[rule->cfa_reg] + (uint64_t)(int64_t)rule->cfa_offset;
	if (rule->cfa_is_word_there && !nt_stack_word(dump, cfa, &cfa))
		return NT_STEP_OUTSIDE;
	if (cfa <= regs->value[NT_REG_SP] || rule->saved[NT_REG_PC] == NT_SAVED_NOT || rule->saved[NT_REG_PC] == NT_SAVED_LOST)
		return NT_STEP_BROKEN;
	struct nt_frame_regs caller = *regs;
	for (unsigned reg = 0; reg < NT_REG_COUNT; reg++) {
		int16_t saved = rule->saved[reg];
		if (saved == NT_SAVED_NOT || reg == NT_REG_SP)
			continue;
		if (saved == NT_SAVED_LOST || !nt_stack_word(dump, cfa + (uint64_t)(saved * (int64_t)WORD), &caller.value[reg]))
			caller.known &= (uint8_t) ~(1u << reg);
		else
			caller.known |= (uint8_t)(1u << reg);
	}
	if (!knows(&caller, NT_REG_PC))
		return NT_STEP_OUTSIDE;
	caller.value[NT_REG_SP] = cfa;
	*regs = caller;
	return NT_STEP_DONE;
}

static enum nt_frame_step step_signal(const struct nt_stack_dump *dump, struct nt_frame_regs *regs)
{
	struct nt_frame_regs caller = { .known = NT_REGS_ALL };
	for (unsigned reg = 0; reg < NT_REG_COUNT; reg++)
		if (!nt_stack_word(dump, regs->value[NT_REG_SP] + ucontext_offset[reg], &caller.value[reg]))
			return NT_STEP_OUTSIDE;
	*regs = caller;
	return NT_STEP_DONE;
}

enum nt_frame_step nt_frame_step(const struct nt_frame_rule *rule, const struct nt_stack_dump *dump, struct nt_frame_regs *regs)
{
	if (!knows(regs, NT_REG_SP))
		return NT_STEP_BROKEN;
	switch ((enum nt_frame_way)rule->way) {
	case NT_FRAME_POINTER:
		return step_pointer(dump, regs);
	case NT_FRAME_CFI:
		return step_cfi(rule, dump, regs);
	case NT_FRAME_SIGNAL:
		return step_signal(dump, regs);
	case NT_FRAME_OUTERMOST:
		return NT_STEP_OUTERMOST;
	case NT_FRAME_NOWHERE:
		break;
	}
	return NT_STEP_BROKEN;
}
