// SPDX-License-Identifier: GPL-2.0-only
#include "decode/unwind/unwind_codes.h"

#include "decode/unwind/unwind_ops.h"

enum { WORD = 8, DEPTH_MAX = 16 << 20 };

static void put(struct nt_unwind_codes *codes, unsigned reg, int64_t at)
{
	if (reg == NT_REG_COUNT)
		return;
	codes->saved[reg] = at;
	codes->known |= (uint8_t)(1U << reg);
}

/* The stack pointer was so far below the frame pointer when that was set: from there on it tells where all is, whatever was allocated since. */
static bool set_frame(struct nt_unwind_codes *codes, const struct nt_unwind_op *op)
{
	if (op->reg == NT_REG_COUNT || codes->base != NT_REG_SP || codes->known || op->bytes > DEPTH_MAX)
		return false;
	codes->base = op->reg;
	codes->depth = -(int64_t)op->bytes;
	return true;
}

static bool undo(struct nt_unwind_codes *codes, const struct nt_unwind_op *op)
{
	switch (op->kind) {
	case NT_UNWIND_PUSH:
		put(codes, op->reg, codes->depth);
		codes->depth += WORD;
		break;
	case NT_UNWIND_ALLOC:
		codes->depth += (int64_t)op->bytes;
		break;
	case NT_UNWIND_SET_FRAME:
		return set_frame(codes, op);
	case NT_UNWIND_SAVE:
		put(codes, op->reg, codes->depth + (int64_t)op->bytes);
		break;
	case NT_UNWIND_VECTOR:
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
	struct nt_unwind_ops ops;
	*chained = 0;
	if (!nt_unwind_ops_read(bytes, size, &ops))
		return false;
	for (unsigned place = 0; place < ops.count;) {
		struct nt_unwind_op op;
		if (!nt_unwind_ops_next(&ops, &place, &op) || (is_done(codes, op.end, offset) && !undo(codes, &op)))
			return false;
	}
	*chained = ops.next;
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
