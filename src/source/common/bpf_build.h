/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A BPF program of ours while it is written, instruction by instruction. Each has a few dozen of them: a compiler for them would be another language to build with. Jumps lead to labels, numbers
 * that each program gives its places; they are filled in when all is written.
 */
#ifndef NT_SOURCE_BPF_BUILD_H
#define NT_SOURCE_BPF_BUILD_H

#include <linux/bpf.h>
#include <stdbool.h>
#include <stdint.h>

enum { NT_BPF_PROGRAM_MAX = 640, NT_BPF_JUMPS_MAX = 128, NT_BPF_LABELS_MAX = 48 };

struct nt_bpf_builder {
	struct bpf_insn program[NT_BPF_PROGRAM_MAX];
	int count;
	int labels[NT_BPF_LABELS_MAX]; /* where they are put */
	struct {
		int at, to;
		bool address; /* it is no jump: the label's address goes into a register */
	} jumps[NT_BPF_JUMPS_MAX];
	int jump_count;
};

/* One as it is. */
void nt_bpf_add(struct nt_bpf_builder *b, struct bpf_insn instruction);

/* reg = value, of 64 bits. `kind`: 0, or BPF_PSEUDO_MAP_FD: the map of that descriptor. */
void nt_bpf_number(struct nt_bpf_builder *b, int reg, uint64_t value, int kind);

/* reg = the address of the function that begins at a label. */
void nt_bpf_function(struct nt_bpf_builder *b, int reg, int label);

/* `operation` is BPF_MOV, BPF_ADD, ... */
void nt_bpf_by_number(struct nt_bpf_builder *b, int operation, int reg, int32_t value);
void nt_bpf_by_register(struct nt_bpf_builder *b, int operation, int reg, int from);

/* reg = base + offset */
void nt_bpf_place(struct nt_bpf_builder *b, int reg, int base, int32_t offset);

/* `size` is BPF_B, BPF_H, BPF_W, BPF_DW. */
void nt_bpf_load(struct nt_bpf_builder *b, int size, int reg, int from, int offset);
void nt_bpf_store(struct nt_bpf_builder *b, int size, int to, int offset, int reg);
void nt_bpf_store_number(struct nt_bpf_builder *b, int size, int to, int offset, int32_t value);

/* A helper of the kernel's, BPF_FUNC_... */
void nt_bpf_helper(struct nt_bpf_builder *b, int function);

/* `condition` is BPF_JEQ, ... */
void nt_bpf_jump_if(struct nt_bpf_builder *b, int condition, int reg, int32_t value, int label);
void nt_bpf_label(struct nt_bpf_builder *b, int label);

/* Return from the program, or from one of its functions. */
void nt_bpf_leave(struct nt_bpf_builder *b, int32_t value);

/* All is written: fill in where jumps lead. */
void nt_bpf_close(struct nt_bpf_builder *b);

#endif
