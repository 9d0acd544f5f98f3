// SPDX-License-Identifier: GPL-2.0-only
#include "source/common/bpf_build.h"

#include "nettop/status.h"

void nt_bpf_add(struct nt_bpf_builder *b, struct bpf_insn instruction)
{
	nt_assert(b->count < NT_BPF_PROGRAM_MAX);
	b->program[b->count++] = instruction;
}

void nt_bpf_number(struct nt_bpf_builder *b, int reg, uint64_t value, int kind)
{
	nt_bpf_add(b, (struct bpf_insn){ .code = BPF_LD | BPF_IMM | BPF_DW,
					 .dst_reg = (uint8_t)reg & 15,
					 .src_reg = (uint8_t)kind & 15,
					 .imm = (int32_t)value });
	nt_bpf_add(b, (struct bpf_insn){ .imm = (int32_t)(value >> 32) });
}

static void leads_to(struct nt_bpf_builder *b, int label, bool address)
{
	nt_assert(b->jump_count < NT_BPF_JUMPS_MAX && label < NT_BPF_LABELS_MAX);
	b->jumps[b->jump_count].at = b->count;
	b->jumps[b->jump_count].to = label;
	b->jumps[b->jump_count++].address = address;
}

void nt_bpf_function(struct nt_bpf_builder *b, int reg, int label)
{
	leads_to(b, label, true);
	nt_bpf_number(b, reg, 0, BPF_PSEUDO_FUNC);
}

void nt_bpf_by_number(struct nt_bpf_builder *b, int operation, int reg, int32_t value)
{
	nt_bpf_add(b, (struct bpf_insn){ .code = (uint8_t)(BPF_ALU64 | operation | BPF_K), .dst_reg = (uint8_t)reg & 15, .imm = value });
}

void nt_bpf_by_register(struct nt_bpf_builder *b, int operation, int reg, int from)
{
	nt_bpf_add(b, (struct bpf_insn){ .code = (uint8_t)(BPF_ALU64 | operation | BPF_X),
					 .dst_reg = (uint8_t)reg & 15,
					 .src_reg = (uint8_t)from & 15 });
}

void nt_bpf_place(struct nt_bpf_builder *b, int reg, int base, int32_t offset)
{
	nt_bpf_by_register(b, BPF_MOV, reg, base);
	nt_bpf_by_number(b, BPF_ADD, reg, offset);
}

void nt_bpf_load(struct nt_bpf_builder *b, int size, int reg, int from, int offset)
{
	nt_assert(offset >= INT16_MIN && offset <= INT16_MAX);
	nt_bpf_add(b, (struct bpf_insn){ .code = (uint8_t)(BPF_LDX | BPF_MEM | size),
					 .dst_reg = (uint8_t)reg & 15,
					 .src_reg = (uint8_t)from & 15,
					 .off = (int16_t)offset });
}

void nt_bpf_store(struct nt_bpf_builder *b, int size, int to, int offset, int reg)
{
	nt_assert(offset >= INT16_MIN && offset <= INT16_MAX);
	nt_bpf_add(b, (struct bpf_insn){ .code = (uint8_t)(BPF_STX | BPF_MEM | size),
					 .dst_reg = (uint8_t)to & 15,
					 .src_reg = (uint8_t)reg & 15,
					 .off = (int16_t)offset });
}

void nt_bpf_store_number(struct nt_bpf_builder *b, int size, int to, int offset, int32_t value)
{
	nt_assert(offset >= INT16_MIN && offset <= INT16_MAX);
	nt_bpf_add(b,
		   (struct bpf_insn){
			   .code = (uint8_t)(BPF_ST | BPF_MEM | size), .dst_reg = (uint8_t)to & 15, .off = (int16_t)offset, .imm = value });
}

void nt_bpf_helper(struct nt_bpf_builder *b, int function)
{
	nt_bpf_add(b, (struct bpf_insn){ .code = BPF_JMP | BPF_CALL, .imm = function });
}

void nt_bpf_jump_if(struct nt_bpf_builder *b, int condition, int reg, int32_t value, int label)
{
	leads_to(b, label, false);
	nt_bpf_add(b, (struct bpf_insn){ .code = (uint8_t)(BPF_JMP | condition | BPF_K), .dst_reg = (uint8_t)reg & 15, .imm = value });
}

void nt_bpf_label(struct nt_bpf_builder *b, int label)
{
	nt_assert(label < NT_BPF_LABELS_MAX);
	b->labels[label] = b->count;
}

void nt_bpf_leave(struct nt_bpf_builder *b, int32_t value)
{
	nt_bpf_by_number(b, BPF_MOV, BPF_REG_0, value);
	nt_bpf_add(b, (struct bpf_insn){ .code = BPF_JMP | BPF_EXIT });
}

void nt_bpf_close(struct nt_bpf_builder *b)
{
	for (int i = 0; i < b->jump_count; i++) {
		int at = b->jumps[i].at, distance = b->labels[b->jumps[i].to] - at - 1;
		if (b->jumps[i].address)
			b->program[at].imm = distance;
		else
			b->program[at].off = (int16_t)distance;
	}
}
