// SPDX-License-Identifier: GPL-2.0-only
/*
 * Input: a byte with the number of rules and whether to walk far, the registers, the rules (each with the size of its code), the number of the kernel's frames; the
 * rest is stack, of which the first words are these frames too.
 */
#include "fuzz.h"

#include "decode/common/reader.h"
#include "decode/unwind/stack_walk.h"
#include "decode/unwind/wait_walk.h"

#include <string.h>

static void read_rule(struct nt_reader *reader, uint64_t *at, struct nt_frame_rules *rules)
{
	struct nt_frame_rule rule = { .way = nt_reader_u8(reader),
				      .cfa_reg = nt_reader_u8(reader),
				      .cfa_is_word_there = nt_reader_u8(reader) & 1 };
	rule.cfa_offset = nt_reader_i32(reader);
	for (unsigned i = 0; i < NT_REG_COUNT; i++)
		rule.saved[i] = (int16_t)nt_reader_u16(reader);
	uint64_t size = 1 + (uint64_t)nt_reader_u16(reader);
	nt_frame_rules_add(rules, *at, *at, *at + size, &rule);
	*at += size;
}

/* The same as the stack of a thread that waits: two of the registers; others are those of managed code, the kernel's frames what the runtime says. */
static void walk_waiting(const struct nt_frame_rules *rules, const struct nt_stack_sample *sample)
{
	const uint64_t *regs = sample->regs.value;
	const struct nt_wait_anchor anchor = { regs[NT_REG_R12], regs[NT_REG_R13], regs[NT_REG_R14] };
	uint64_t managed[UINT8_MAX], out[UINT8_MAX];
	struct nt_wait_walk walk;
	bool whole;
	nt_wait_walk(rules, regs[NT_REG_PC], regs[NT_REG_SP], &sample->dump, &anchor, &walk);
	FUZZ_CHECK(walk.count <= NT_WAIT_WALK_MAX && walk.anchored <= walk.count);
	memcpy(managed, sample->chain, sample->chain_count * sizeof(*managed));
	FUZZ_CHECK(nt_wait_walk_merge(&walk, managed, sample->chain_count, out, UINT8_MAX, &whole) <= UINT8_MAX);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct nt_reader reader = nt_reader_of(data, size);
	struct nt_frame_rules rules = { 0 };
	struct nt_stack_sample sample = { .regs.known = NT_REGS_ALL };
	uint8_t head = nt_reader_u8(&reader);
	for (unsigned i = 0; i < NT_REG_COUNT; i++)
		sample.regs.value[i] = nt_reader_u64(&reader);
	uint64_t at = 0;
	for (unsigned i = 0; i < head >> 1; i++)
		read_rule(&reader, &at, &rules);
	uint8_t frames = nt_reader_u8(&reader);
	size_t left = nt_reader_left(&reader);
	if (!reader.bad && frames <= left / sizeof(uint64_t)) {
		sample.dump = (struct nt_stack_dump){ reader.at, left, sample.regs.value[NT_REG_SP] };
		sample.chain = reader.at;
		sample.chain_count = frames;
		struct nt_stack_walk walk;
		nt_stack_walk(&rules, &sample, head & 1, &walk);
		FUZZ_CHECK(walk.count <= NT_WALK_MAX);
		walk_waiting(&rules, &sample);
		nt_frame_rules_forget(&rules, at / 3, at / 2);
	}
	nt_frame_rules_fini(&rules);
	return 0;
}
