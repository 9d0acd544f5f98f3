// SPDX-License-Identifier: GPL-2.0-only
#include "decode/unwind/stack_walk.h"

#include <string.h>

/* The kernel's chain of code that uses rbp for something else: the leaf, and mostly one frame more. */
enum { FOUND_NOTHING = 2 };

/* Where the kernel's chain is: its frame `number` + 1 has the return address that stands above `record`. */
struct track {
	uint64_t record;
	unsigned number;
};

static uint64_t kernels(const struct nt_stack_sample *sample, unsigned number)
{
	uint64_t address;
	memcpy(&address, sample->chain + number * sizeof(address), sizeof(address));
	return address;
}

static void push(struct nt_stack_walk *out, uint64_t address)
{
	if (out->count < NT_WALK_MAX)
		out->frames[out->count++] = address;
}

static void take_kernels(const struct nt_stack_sample *sample, unsigned first, struct nt_stack_walk *out)
{
	for (unsigned i = first; i < sample->chain_count; i++)
		push(out, kernels(sample, i));
}

/* Has the kernel followed the record that rbp points to as well? Then *track is there. */
static bool meets(const struct nt_stack_sample *sample, const struct nt_frame_regs *regs, struct track *track)
{
	uint64_t bp = regs->value[NT_REG_BP];
	if (!(regs->known & 1 << NT_REG_BP) || bp < regs->value[NT_REG_SP])
		return false;
	while (track->record < bp && track->number + 1 < sample->chain_count) {
		uint64_t next;
		if (!nt_stack_word(&sample->dump, track->record, &next) || next <= track->record)
			return false;
		track->record = next;
		track->number++;
	}
	return track->record == bp && track->number + 1 < sample->chain_count;
}

void nt_stack_walk(const struct nt_frame_rules *rules, const struct nt_stack_sample *sample, bool far, struct nt_stack_walk *out)
{
	struct nt_frame_regs regs = sample->regs;
	struct track track = { regs.value[NT_REG_BP], 0 };
	bool whole = false, called = false;
	out->count = 0;
	out->missing = 0;
	push(out, regs.value[NT_REG_PC]);
	while (out->count < NT_WALK_MAX) {
		/* A return address is behind the call, which may have been the function's last instruction. */
		const struct nt_frame_rule *rule = nt_frame_rules_find(rules, regs.value[NT_REG_PC] - called);
		if (!rule) {
			out->missing = regs.value[NT_REG_PC] - called;
			break;
		}
		if (!far && rule->way == NT_FRAME_POINTER)
			break;
		enum nt_frame_step step = nt_frame_step(rule, &sample->dump, &regs);
		whole = step == NT_STEP_OUTERMOST || (step == NT_STEP_DONE && !regs.value[NT_REG_PC]);
		/* Where threads begin (clone3, _start) nothing happens, and the kernel's chains do not have it. */
		if (step == NT_STEP_OUTERMOST && out->count > 1)
			out->count--;
		if (step != NT_STEP_DONE || whole)
			break;
		push(out, regs.value[NT_REG_PC]);
		called = rule->way != NT_FRAME_SIGNAL;
	}
	if (!whole && !out->missing && meets(sample, &regs, &track)) {
		take_kernels(sample, track.number + 1, out);
		whole = true;
	}
	bool better = whole || (sample->chain_count <= FOUND_NOTHING && out->count > sample->chain_count);
	if (out->missing || !better) {
		out->count = 0;
		take_kernels(sample, 0, out);
	}
}
