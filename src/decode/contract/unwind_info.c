// SPDX-License-Identifier: GPL-2.0-only
#include "decode/contract/unwind_info.h"

enum { CODES_MAX = 255, CHAIN_MAX = 8, FLAG_CHAINED = 4, CODE_BYTES = 2, HEAD_BYTES = 4, SAVED_FAR_UNIT = 8 };

enum operation {
	PUSH = 0,
	ALLOC_LARGE = 1,
	ALLOC_SMALL = 2,
	SET_FRAME = 3,
	SAVE = 4,
	SAVE_FAR = 5,
	SAVE_XMM = 8,
	SAVE_XMM_FAR = 9,
	SET_FRAME_LARGE = 11, /* the runtime's, on Unix */
};

/* The numbers of Windows. -1: a register that no caller needs of its callee. */
static int register_of(unsigned number)
{
	static const int8_t registers[16] = {
		[0] = -1, [1] = -1, [2] = -1,  [3] = NT_REG_BX, [4] = -1,          [5] = NT_REG_BP,   [6] = -1,          [7] = -1,
		[8] = -1, [9] = -1, [10] = -1, [11] = -1,       [12] = NT_REG_R12, [13] = NT_REG_R13, [14] = NT_REG_R14, [15] = NT_REG_R15
	};
	return registers[number & 15];
}

static void set(struct nt_frame_regs *regs, int number, uint64_t value)
{
	if (number < 0)
		return;
	regs->value[number] = value;
	regs->known |= (uint8_t)(1 << number);
}

/* What one UNWIND_INFO says. */
struct info {
	unsigned count; /* of codes */
	unsigned frame_register, frame_offset;
	bool chained;
	uint16_t codes[CODES_MAX + 1]; /* an even number of them is there */
	uint32_t next;                 /* of a chained one: where the UNWIND_INFO is that goes on */
};

static bool read_info(struct nt_memory *memory, uint64_t address, struct info *out)
{
	uint8_t head[HEAD_BYTES];
	if (!nt_memory_read(memory, address, head, sizeof(head)) || (head[0] & 7) > 2)
		return false;
	out->chained = head[0] >> 3 & FLAG_CHAINED;
	out->count = head[2];
	out->frame_register = head[3] & 15;
	out->frame_offset = head[3] >> 4;
	unsigned even = (out->count + 1) & ~1U;
	if (!nt_memory_read(memory, address + HEAD_BYTES, out->codes, (size_t)even * CODE_BYTES))
		return false;
	uint32_t entry[3]; /* a RUNTIME_FUNCTION: begin, end, unwind information */
	if (!out->chained)
		return true;
	if (!nt_memory_read(memory, address + HEAD_BYTES + (uint64_t)even * CODE_BYTES, entry, sizeof(entry)))
		return false;
	out->next = entry[2];
	return true;
}

/* How many codes the operation takes, itself with it; 0: there is no such one. */
static unsigned slots(unsigned operation, unsigned argument)
{
	switch (operation) {
	case PUSH:
	case ALLOC_SMALL:
	case SET_FRAME:
		return 1;
	case ALLOC_LARGE:
		return argument ? 3 : 2;
	case SAVE:
	case SAVE_XMM:
		return 2;
	case SAVE_FAR:
	case SAVE_XMM_FAR:
	case SET_FRAME_LARGE:
		return 3;
	default:
		return 0;
	}
}

static uint32_t two(const uint16_t *codes)
{
	return codes[0] | (uint32_t)codes[1] << 16;
}

/* The frame register back to what rsp was when it was set. */
static bool unset_frame(const struct info *info, uint32_t offset, struct nt_frame_regs *regs)
{
	int number = register_of(info->frame_register);
	if (number < 0 || !(regs->known & 1 << number))
		return false;
	regs->value[NT_REG_SP] = regs->value[number] - offset;
	return true;
}

/* Undo one operation; `codes` has as many as slots() says. */
static enum nt_frame_step undo(const struct info *info, const uint16_t *codes, const struct nt_stack_dump *dump, struct nt_frame_regs *regs)
{
	unsigned operation = codes[0] >> 8 & 15, argument = codes[0] >> 12;
	uint64_t *sp = &regs->value[NT_REG_SP], word, from;
	switch (operation) {
	case PUSH:
		if (!nt_stack_word(dump, *sp, &word))
			return NT_STEP_OUTSIDE;
		set(regs, register_of(argument), word);
		*sp += 8;
		break;
	case ALLOC_SMALL:
		*sp += (uint64_t)argument * 8 + 8;
		break;
	case ALLOC_LARGE:
		*sp += argument ? two(codes + 1) : (uint64_t)codes[1] * 8;
		break;
	case SET_FRAME:
		return unset_frame(info, info->frame_offset * 16, regs) ? NT_STEP_DONE : NT_STEP_BROKEN;
	case SET_FRAME_LARGE:
		return unset_frame(info, two(codes + 1) * 16, regs) ? NT_STEP_DONE : NT_STEP_BROKEN;
	case SAVE:
	case SAVE_FAR:
		from = *sp + (operation == SAVE ? (uint64_t)codes[1] * SAVED_FAR_UNIT : two(codes + 1));
		if (!nt_stack_word(dump, from, &word))
			return NT_STEP_OUTSIDE;
		set(regs, register_of(argument), word);
		break;
	default: /* vector registers */
		break;
	}
	return NT_STEP_DONE;
}

static enum nt_frame_step undo_all(const struct info *info, const struct nt_stack_dump *dump, struct nt_frame_regs *regs)
{
	for (unsigned i = 0; i < info->count;) {
		unsigned taken = slots(info->codes[i] >> 8 & 15, info->codes[i] >> 12);
		if (!taken || taken > info->count - i)
			return NT_STEP_BROKEN;
		enum nt_frame_step step = undo(info, info->codes + i, dump, regs);
		if (step != NT_STEP_DONE)
			return step;
		i += taken;
	}
	return NT_STEP_DONE;
}

enum nt_frame_step nt_unwind_info_step(struct nt_memory *memory, uint64_t info, uint64_t image, const struct nt_stack_dump *dump,
				       struct nt_frame_regs *regs)
{
	struct nt_frame_regs caller = *regs;
	struct info said;
	for (unsigned i = 0;; i++) {
		if (i == CHAIN_MAX || !read_info(memory, info, &said))
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
