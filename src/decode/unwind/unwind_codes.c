// SPDX-License-Identifier: GPL-2.0-only
#include "decode/unwind/unwind_codes.h"

#include <string.h>

enum { WORD = 8, CODE_BYTES = 2, FRAME_UNIT = 16, FLAG_CHAINED = 4, VERSION_MAX = 2, DEPTH_MAX = 16 << 20 };

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

/* By the numbers of Windows. NT_REG_COUNT: a register that no caller needs of its callee. */
static unsigned register_of(unsigned number)
{
	enum { NONE = NT_REG_COUNT };
	static const uint8_t registers[16] = { NONE, NONE, NONE, NT_REG_BX, NONE,       NT_REG_BP,  NONE,       NONE,
					       NONE, NONE, NONE, NONE,      NT_REG_R12, NT_REG_R13, NT_REG_R14, NT_REG_R15 };
	return registers[number & 15];
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

static void put(struct nt_unwind_codes *codes, unsigned reg, int64_t at)
{
	if (reg == NT_REG_COUNT)
		return;
	codes->saved[reg] = at;
	codes->known |= (uint8_t)(1U << reg);
}

/* The stack pointer was so far below the frame pointer when that was set: from there on it tells where all is, whatever was allocated since. */
static bool set_frame(struct nt_unwind_codes *codes, unsigned reg, uint32_t offset)
{
	if (reg == NT_REG_COUNT || codes->base != NT_REG_SP || codes->known || offset > DEPTH_MAX)
		return false;
	codes->base = (uint8_t)reg;
	codes->depth = -(int64_t)offset;
	return true;
}

/* Undo one operation; `at` has as many codes as slots() says. */
static bool undo(struct nt_unwind_codes *codes, const uint16_t *at, uint8_t frame)
{
	unsigned operation = at[0] >> 8 & 15, argument = at[0] >> 12;
	uint32_t near = at[1], far = at[1] | (uint32_t)at[2] << 16;
	switch (operation) {
	case PUSH:
		put(codes, register_of(argument), codes->depth);
		codes->depth += WORD;
		break;
	case ALLOC_SMALL:
		codes->depth += argument * WORD + WORD;
		break;
	case ALLOC_LARGE:
		codes->depth += argument ? (int64_t)far : (int64_t)near * WORD;
		break;
	case SET_FRAME:
		return set_frame(codes, register_of(frame & 15), (frame >> 4) * FRAME_UNIT);
	case SET_FRAME_LARGE:
		return far <= DEPTH_MAX / FRAME_UNIT && set_frame(codes, register_of(frame & 15), far * FRAME_UNIT);
	case SAVE:
		put(codes, register_of(argument), codes->depth + (int64_t)near * WORD);
		break;
	case SAVE_FAR:
		put(codes, register_of(argument), codes->depth + far);
		break;
	default: /* vector registers */
		break;
	}
	return codes->depth <= DEPTH_MAX;
}

struct nt_unwind_codes nt_unwind_codes_begin(void)
{
	return (struct nt_unwind_codes){ .base = NT_REG_SP, .holds_to = UINT32_MAX };
}

/* Of an operation whose instruction ends at `end`: is it done at `offset`? And up to where that is so. */
static bool is_done(struct nt_unwind_codes *codes, uint32_t end, uint32_t offset)
{
	if (offset == UINT32_MAX)
		return true;
	bool done = end <= offset;
	if (done && end > codes->holds_from)
		codes->holds_from = end;
	if (!done && end < codes->holds_to)
		codes->holds_to = end;
	return done;
}

bool nt_unwind_codes_undo(struct nt_unwind_codes *codes, const uint8_t *bytes, size_t size, uint32_t offset, uint32_t *chained)
{
	*chained = 0;
	if (size < NT_UNWIND_INFO_HEAD || (bytes[0] & 7) > VERSION_MAX)
		return false;
	unsigned count = bytes[2];
	if (size < NT_UNWIND_INFO_HEAD + (size_t)count * CODE_BYTES)
		return false;
	for (unsigned i = 0, taken; i < count; i += taken) {
		uint16_t at[3] = { 0 };
		size_t left = count - i < 3 ? count - i : 3;
		memcpy(at, bytes + NT_UNWIND_INFO_HEAD + (size_t)i * CODE_BYTES, left * CODE_BYTES);
		taken = slots(at[0] >> 8 & 15, at[0] >> 12);
		if (!taken || taken > count - i)
			return false;
		if (is_done(codes, at[0] & 255, offset) && !undo(codes, at, bytes[3]))
			return false;
	}
	if (!(bytes[0] >> 3 & FLAG_CHAINED))
		return true;
	uint32_t entry[3]; /* a RUNTIME_FUNCTION: begin, end, unwind information; behind an even number of codes */
	size_t behind = NT_UNWIND_INFO_HEAD + (size_t)((count + 1) & ~1U) * CODE_BYTES;
	if (size < behind + sizeof(entry))
		return false;
	memcpy(entry, bytes + behind, sizeof(entry));
	*chained = entry[2];
	return true;
}

bool nt_unwind_codes_rule(const struct nt_unwind_codes *codes, struct nt_frame_rule *rule)
{
	int64_t cfa = codes->depth + WORD; /* the return address lies between */
	*rule = (struct nt_frame_rule){ .way = NT_FRAME_CFI, .cfa_reg = codes->base, .cfa_offset = (int32_t)cfa };
	if (cfa <= 0)
		return false;
	for (unsigned reg = 0; reg < NT_REG_COUNT; reg++) {
		rule->saved[reg] = NT_SAVED_NOT;
		if (!(codes->known & 1U << reg))
			continue;
		int64_t distance = codes->saved[reg] - cfa;
		if (distance % WORD || distance / WORD > INT16_MAX || distance / WORD <= NT_SAVED_LOST)
			return false;
		rule->saved[reg] = (int16_t)(distance / WORD);
	}
	rule->saved[NT_REG_PC] = -1;
	if (codes->base == NT_REG_BP && cfa == 2 * WORD && rule->saved[NT_REG_BP] == -2)
		rule->way = NT_FRAME_POINTER;
	return true;
}
