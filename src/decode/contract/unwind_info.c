// SPDX-License-Identifier: GPL-2.0-only
#include "decode/contract/unwind_info.h"

#include "decode/unwind/unwind_codes.h"
#include "decode/unwind/unwind_ops.h"

static void set(struct nt_frame_regs *regs, unsigned reg, uint64_t value)
{
	if (reg == NT_REG_COUNT)
		return;
	regs->value[reg] = value;
	regs->known |= (uint8_t)(1U << reg);
}

/* `bytes` has room for NT_UNWIND_INFO_MAX; *out borrows from it. */
static bool read_info(struct nt_memory *memory, uint64_t address, uint8_t *bytes, struct nt_unwind_ops *out)
{
	if (!nt_memory_read(memory, address, bytes, NT_UNWIND_INFO_HEAD))
		return false;
	size_t size = nt_unwind_ops_size(bytes);
	return size && nt_memory_read(memory, address + NT_UNWIND_INFO_HEAD, bytes + NT_UNWIND_INFO_HEAD, size - NT_UNWIND_INFO_HEAD) &&
	       nt_unwind_ops_read(bytes, size, out);
}

static enum nt_frame_step undo(const struct nt_unwind_op *op, const struct nt_stack_dump *dump, struct nt_frame_regs *regs)
{
	uint64_t *sp = &regs->value[NT_REG_SP], word;
	switch (op->kind) {
	case NT_UNWIND_PUSH:
		if (!nt_stack_word(dump, *sp, &word))
			return NT_STEP_OUTSIDE;
		set(regs, op->reg, word);
		*sp += sizeof(word);
		break;
	case NT_UNWIND_ALLOC:
		*sp += op->bytes;
		break;
	case NT_UNWIND_SET_FRAME: /* the frame register back to what rsp was when it was set */
		if (op->reg == NT_REG_COUNT || !(regs->known & 1U << op->reg))
			return NT_STEP_BROKEN;
		*sp = regs->value[op->reg] - op->bytes;
		break;
	case NT_UNWIND_SAVE:
		if (!nt_stack_word(dump, *sp + op->bytes, &word))
			return NT_STEP_OUTSIDE;
		set(regs, op->reg, word);
		break;
	case NT_UNWIND_VECTOR:
		break;
	}
	return NT_STEP_DONE;
}

static enum nt_frame_step undo_all(const struct nt_unwind_ops *ops, const struct nt_stack_dump *dump, struct nt_frame_regs *regs)
{
	for (unsigned place = 0; place < ops->count;) {
		struct nt_unwind_op op;
		if (!nt_unwind_ops_next(ops, &place, &op))
			return NT_STEP_BROKEN;
		enum nt_frame_step step = undo(&op, dump, regs);
		if (step != NT_STEP_DONE)
			return step;
	}
	return NT_STEP_DONE;
}

enum nt_frame_step nt_unwind_info_step(struct nt_memory *memory, uint64_t info, uint64_t image, const struct nt_stack_dump *dump,
				       struct nt_frame_regs *regs)
{
	struct nt_frame_regs caller = *regs;
	uint8_t bytes[NT_UNWIND_INFO_MAX];
	struct nt_unwind_ops said;
	for (unsigned i = 0;; i++) {
		if (i == NT_UNWIND_INFO_CHAIN_MAX || !read_info(memory, info, bytes, &said))
			return NT_STEP_BROKEN;
		enum nt_frame_step step = undo_all(&said, dump, &caller);
		if (step != NT_STEP_DONE)
			return step;
		if (!said.chained)
			break;
		info = image + said.next;
	}
	uint64_t *sp = &caller.value[NT_REG_SP];
	if (*sp < regs->value[NT_REG_SP])
		return NT_STEP_BROKEN;
	if (!nt_stack_word(dump, *sp, &caller.value[NT_REG_PC]))
		return NT_STEP_OUTSIDE;
	*sp += 8;
	*regs = caller;
	return NT_STEP_DONE;
}

static bool undo_for_rule(struct nt_memory *memory, const struct nt_contract_code *code, uint32_t offset, struct nt_unwind_codes *codes)
{
	uint64_t info = code->unwind;
	for (unsigned i = 0; i < NT_UNWIND_INFO_CHAIN_MAX; i++) {
		uint8_t bytes[NT_UNWIND_INFO_MAX];
		uint32_t chained;
		size_t size = nt_memory_copy(memory, info, bytes, sizeof(bytes));
		if (!size || !nt_unwind_codes_undo(codes, bytes, size, offset, &chained))
			return false;
		if (!chained)
			return true;
		info = code->image + chained;
		offset = UINT32_MAX;
	}
	return false;
}

bool nt_unwind_info_rule(struct nt_memory *memory, const struct nt_contract_code *code, uint64_t address, uint64_t *start, uint64_t *end,
			 struct nt_frame_rule *rule)
{
	struct nt_unwind_codes codes = nt_unwind_codes_begin();
	uint64_t bytes = code->function_end - code->function_start;
	if (address < code->function_start || address >= code->function_end || bytes > UINT32_MAX ||
	    !undo_for_rule(memory, code, (uint32_t)(address - code->function_start), &codes) || !nt_unwind_codes_rule(&codes, rule))
		return false;
	*start = code->function_start + codes.holds_from;
	*end = code->function_start + (codes.holds_to < bytes ? codes.holds_to : bytes);
	return true;
}
