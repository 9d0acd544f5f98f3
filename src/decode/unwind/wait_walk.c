// SPDX-License-Identifier: GPL-2.0-only
#include "decode/unwind/wait_walk.h"

enum { WORD = 8, CALL_BYTES = 256 };

/* Is that where a call returns to, of a frame that the runtime has as at `place`? */
static bool is_at(uint64_t address, uint64_t place)
{
	return address >= place && address - place < CALL_BYTES;
}

static bool needs_pointer(const struct nt_frame_rule *rule)
{
	return rule->way == NT_FRAME_POINTER || (rule->way == NT_FRAME_CFI && rule->cfa_reg == NT_REG_BP);
}

/*
 * What managed code calls puts the frame pointer of that just below where it returns to. A function further in has put the place of this record on the stack in turn; if that is nowhere, the present one has
 * made the record itself, and its own frame pointer is there.
 */
static bool pointer_below(const struct nt_stack_dump *dump, uint64_t sp, const struct nt_wait_anchor *anchor, uint64_t *bp)
{
	uint64_t record = anchor->sp - 2 * (uint64_t)WORD, saved, pc;
	if (!anchor->pc || record < sp || !nt_stack_word(dump, record, &saved) || !nt_stack_word(dump, record + WORD, &pc) ||
	    saved != anchor->bp || !is_at(pc, anchor->pc))
		return false;
	for (uint64_t at = sp; at < record; at += WORD)
		if (!nt_stack_word(dump, at, &saved) || saved == record)
			return false;
	*bp = record;
	return true;
}

static void know_pointer(struct nt_frame_regs *regs, uint64_t bp)
{
	regs->value[NT_REG_BP] = bp;
	regs->known |= 1 << NT_REG_BP;
}

void nt_wait_walk(const struct nt_frame_rules *rules, uint64_t pc, uint64_t sp, const struct nt_stack_dump *dump,
		  const struct nt_wait_anchor *anchor, struct nt_wait_walk *out)
{
	struct nt_frame_regs regs = { .known = 1 << NT_REG_PC | 1 << NT_REG_SP };
	regs.value[NT_REG_PC] = pc;
	regs.value[NT_REG_SP] = sp;
	bool met = false, called = false;
	out->count = out->anchored = 0;
	out->whole = false;
	out->missing = 0;
	while (out->count < NT_WAIT_WALK_MAX) {
		bool there = !met && anchor->pc && regs.value[NT_REG_SP] == anchor->sp && is_at(regs.value[NT_REG_PC], anchor->pc);
		if (!met && !there && anchor->pc && regs.value[NT_REG_SP] >= anchor->sp)
			break; /* past it: what led here is not certain */
		if (there) {
			met = true;
			out->anchored = out->count;
			know_pointer(&regs, anchor->bp);
		}
		out->frames[out->count++] = regs.value[NT_REG_PC];
		/* A return address is behind the call, which may have been the function's last instruction. */
		const struct nt_frame_rule *rule = nt_frame_rules_find(rules, regs.value[NT_REG_PC] - called);
		if (!rule) {
			out->missing = regs.value[NT_REG_PC] - called;
			break;
		}
		uint64_t bp;
		if (!met && needs_pointer(rule) && !(regs.known & 1 << NT_REG_BP) &&
		    pointer_below(dump, regs.value[NT_REG_SP], anchor, &bp))
			know_pointer(&regs, bp);
		enum nt_frame_step step = nt_frame_step(rule, dump, &regs);
		out->whole = step == NT_STEP_OUTERMOST || (step == NT_STEP_DONE && !regs.value[NT_REG_PC]);
		/* Where threads begin (clone3, _start) nothing happens, and other stacks do not have it. */
		if (step == NT_STEP_OUTERMOST && out->count > 1)
			out->count--;
		if (step != NT_STEP_DONE || out->whole)
			break;
		called = rule->way != NT_FRAME_SIGNAL;
	}
	if (!met) {
		out->anchored = out->count;
		out->whole = out->whole && !anchor->pc;
	}
}

static unsigned copy(const uint64_t *from, unsigned count, uint64_t *out, unsigned at, unsigned max)
{
	for (unsigned i = 0; i < count && at < max; i++)
		out[at++] = from[i];
	return at;
}

unsigned nt_wait_walk_merge(const struct nt_wait_walk *walk, const uint64_t *managed, unsigned count, uint64_t *out, unsigned max,
			    bool *whole)
{
	unsigned matched = 0, behind = walk->anchored;
	for (unsigned i = walk->anchored; i < walk->count && matched < count; i++) {
		if (!is_at(walk->frames[i], managed[matched]))
			continue;
		matched++;
		behind = i + 1;
	}
	/* Behind the last one that both have it has lost its way, or its copy of the stack ends: the others are known all the same. */
	unsigned walked = matched == count ? walk->count : behind;
	unsigned at = copy(walk->frames, walked, out, 0, max);
	at = copy(managed + matched, count - matched, out, at, max);
	*whole = walk->whole && matched == count && walked <= max;
	return at;
}
