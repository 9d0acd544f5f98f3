// SPDX-License-Identifier: GPL-2.0-only
/*
 * In C:
 *
 *	if (bpf_probe_read_user(copy, slots.bytes, sp) != 0)
 *		goto other;
 *	for (i = 1; i < slots.count; i++)
 *		if (*(uint64_t *)(copy + slots.at[i]) != words[i])
 *			goto other;
 */
#include "source/perf/stack_again.h"

#include <stddef.h>

enum { R0, R1, R2, R3, R4, R5, INDEX = 8, MASK = 1023 };
enum label { LOOP, SAME, LABELS };
_Static_assert((int)LABELS == (int)NT_STACK_AGAIN_LABELS, "the header says how many");
_Static_assert((int)NT_STACK_SLOTS_BYTES <= MASK && MASK + 8 <= (int)NT_STACK_COPY_BYTES,
	       "the mask, without which the kernel does not believe it, changes nothing");

/* to = base + INDEX * 2^shift */
static void place_of_index(struct nt_bpf_builder *b, int to, int base, int shift)
{
	nt_bpf_by_register(b, BPF_MOV, to, INDEX);
	nt_bpf_by_number(b, BPF_LSH, to, shift);
	nt_bpf_by_register(b, BPF_ADD, to, base);
}

void nt_stack_again_write(struct nt_bpf_builder *b, const struct nt_stack_again *again)
{
	nt_bpf_place(b, R1, again->room, again->copy);
	nt_bpf_load(b, BPF_W, R2, again->walked, again->slots + (int)offsetof(struct nt_stack_slots, bytes));
	nt_bpf_by_number(b, BPF_AND, R2, MASK);
	nt_bpf_helper(b, BPF_FUNC_probe_read_user);
	nt_bpf_jump_if(b, BPF_JNE, R0, 0, again->other);
	nt_bpf_by_number(b, BPF_MOV, INDEX, 1);
	nt_bpf_label(b, again->labels + LOOP);
	nt_bpf_load(b, BPF_W, R1, again->walked, again->slots + (int)offsetof(struct nt_stack_slots, count));
	nt_bpf_by_register(b, BPF_SUB, R1, INDEX);
	nt_bpf_jump_if(b, BPF_JSLE, R1, 0, again->labels + SAME);
	place_of_index(b, R2, again->walked, 2);
	nt_bpf_load(b, BPF_W, R3, R2, again->slots + (int)offsetof(struct nt_stack_slots, at));
	nt_bpf_by_number(b, BPF_AND, R3, MASK);
	nt_bpf_by_register(b, BPF_ADD, R3, again->room);
	nt_bpf_load(b, BPF_DW, R4, R3, again->copy);
	place_of_index(b, R2, again->walked, 3);
	nt_bpf_load(b, BPF_DW, R5, R2, again->words);
	nt_bpf_by_register(b, BPF_XOR, R4, R5);
	nt_bpf_jump_if(b, BPF_JNE, R4, 0, again->other);
	nt_bpf_by_number(b, BPF_ADD, INDEX, 1);
	nt_bpf_jump_if(b, BPF_JLT, INDEX, NT_STACK_SLOTS, again->labels + LOOP);
	nt_bpf_label(b, again->labels + SAME);
}
