// SPDX-License-Identifier: GPL-2.0-only
#include "decode/unwind/unwind_ops.h"

#include <string.h>

enum { WORD = 8, CODE_BYTES = 2, FRAME_UNIT = 16, FLAG_CHAINED = 4, VERSION_MAX = 2 };

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
static uint8_t register_of(unsigned number)
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

static bool is_chained(const uint8_t *head)
{
	return head[0] >> 3 & FLAG_CHAINED;
}

/* A RUNTIME_FUNCTION, behind an even number of codes: begin, end, unwind information. */
static size_t chain_at(const uint8_t *head)
{
	return NT_UNWIND_INFO_HEAD + (size_t)((head[2] + 1U) & ~1U) * CODE_BYTES;
}

size_t nt_unwind_ops_size(const uint8_t *head)
{
	if ((head[0] & 7) > VERSION_MAX)
		return 0;
	return is_chained(head) ? chain_at(head) + 3 * sizeof(uint32_t) : NT_UNWIND_INFO_HEAD + (size_t)head[2] * CODE_BYTES;
}

bool nt_unwind_ops_read(const uint8_t *bytes, size_t size, struct nt_unwind_ops *out)
{
	size_t needed = size < NT_UNWIND_INFO_HEAD ? 0 : nt_unwind_ops_size(bytes);
	if (!needed || size < needed)
		return false;
	*out = (struct nt_unwind_ops){ .codes = bytes + NT_UNWIND_INFO_HEAD,
				       .count = bytes[2],
				       .frame = register_of(bytes[3]),
				       .frame_bytes = (uint32_t)(bytes[3] >> 4) * FRAME_UNIT,
				       .chained = is_chained(bytes) };
	if (out->chained)
		memcpy(&out->next, bytes + chain_at(bytes) + 2 * sizeof(uint32_t), sizeof(out->next));
	return true;
}

bool nt_unwind_ops_next(const struct nt_unwind_ops *ops, unsigned *place, struct nt_unwind_op *out)
{
	uint16_t at[3] = { 0 };
	unsigned left = ops->count - *place;
	memcpy(at, ops->codes + (size_t)*place * CODE_BYTES, (left < 3 ? left : 3) * sizeof(at[0]));
	unsigned operation = at[0] >> 8 & 15, argument = at[0] >> 12, taken = slots(operation, argument);
	if (!taken || taken > left)
		return false;
	*place += taken;
	uint64_t near = (uint64_t)at[1] * WORD, far = at[1] | (uint32_t)at[2] << 16;
	*out = (struct nt_unwind_op){ .kind = NT_UNWIND_VECTOR, .end = (uint8_t)at[0], .reg = register_of(argument) };
	switch (operation) {
	case PUSH:
		out->kind = NT_UNWIND_PUSH;
		break;
	case ALLOC_SMALL:
	case ALLOC_LARGE:
		out->kind = NT_UNWIND_ALLOC;
		out->bytes = operation == ALLOC_SMALL ? (uint64_t)argument * WORD + WORD : argument ? far : near;
		break;
	case SET_FRAME:
	case SET_FRAME_LARGE:
		out->kind = NT_UNWIND_SET_FRAME;
		out->reg = ops->frame;
		out->bytes = operation == SET_FRAME ? ops->frame_bytes : far * FRAME_UNIT;
		break;
	case SAVE:
	case SAVE_FAR:
		out->kind = NT_UNWIND_SAVE;
		out->bytes = operation == SAVE ? near : far;
		break;
	default:
		break;
	}
	return true;
}
