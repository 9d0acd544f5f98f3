// SPDX-License-Identifier: GPL-2.0-only
/*
 * Of a stack overflow: the frames, from the thread's stack pointer on by their frame pointers, as the last part of the program in last_look_program.c. A method without a
 * frame pointer of its own is not among them.
 */
#include "source/crash/last_look_frames.h"

#include "source/crash/last_look.h"
#include "source/crash/last_look_parts.h"

#include <linux/bpf.h>
#include <stddef.h>

/* COR_E_STACKOVERFLOW, with which the runtime ends after one. */
#define OVERFLOW_CODE UINT64_C(0x800703e9)

enum {
	CHAIN = 4,           /* frames, so many are no chance */
	OVERFLOW_NEAR = 128, /* words above the stack pointer, within which is the exit code */
	LEAST_ADDRESS = 1 << 16,
	ADDRESS_BITS = 47,
};

/* For each of the first words above the stack pointer: does one say that it is a stack overflow? */
static void overflow_callback(struct nt_bpf_builder *b)
{
	nt_bpf_label(b, OVERFLOW_CALLBACK);
	nt_last_look_nth_word(b, OVERFLOW_NEAR, NOT_THE_CODE);
	nt_bpf_load(b, BPF_DW, R1, WORD, offsetof(struct nt_last_look_record, above));
	nt_bpf_number(b, R2, OVERFLOW_CODE, 0);
	nt_bpf_by_register(b, BPF_XOR, R1, R2);
	nt_bpf_jump_if(b, BPF_JNE, R1, 0, NOT_THE_CODE);
	nt_bpf_store_number(b, BPF_W, RECORD, offsetof(struct nt_last_look_record, overflowed), 1);
	nt_bpf_leave(b, 1);
	nt_bpf_label(b, NOT_THE_CODE);
	nt_bpf_leave(b, 0);
}

/* POINTER: a frame. Its two words, those of the next frame's address and of the return address, come to HEADER and LENGTH. */
static void read_frame(struct nt_bpf_builder *b, enum nt_last_look_label none)
{
	nt_bpf_place(b, R1, FRAME, HEADER);
	nt_bpf_by_number(b, BPF_MOV, R2, 16);
	nt_bpf_by_register(b, BPF_MOV, R3, POINTER);
	nt_bpf_helper(b, BPF_FUNC_probe_read_user);
	nt_bpf_jump_if(b, BPF_JNE, R0, 0, none);
}

/* The return address of that frame: some may be one. Leaves it in R1. */
static void must_be_code(struct nt_bpf_builder *b, enum nt_last_look_label none)
{
	nt_bpf_load(b, BPF_DW, R1, FRAME, LENGTH);
	nt_bpf_jump_if(b, BPF_JLT, R1, LEAST_ADDRESS, none);
	nt_bpf_by_register(b, BPF_MOV, R2, R1);
	nt_bpf_by_number(b, BPF_RSH, R2, ADDRESS_BITS);
	nt_bpf_jump_if(b, BPF_JNE, R2, 0, none);
}

/* The same for each word above the stack pointer: is it a frame, the first of a chain? What nt_frame_chain() looks for. */
static void chain_callback(struct nt_bpf_builder *b)
{
	nt_bpf_label(b, CHAIN_CALLBACK);
	nt_bpf_load(b, BPF_DW, RECORD, R2, 0);
	nt_bpf_by_number(b, BPF_LSH, R1, 3);
	nt_bpf_load(b, BPF_DW, POINTER, RECORD, offsetof(struct nt_last_look_record, stack_pointer));
	nt_bpf_by_register(b, BPF_ADD, POINTER, R1);
	nt_bpf_by_register(b, BPF_MOV, WORD, POINTER);
	for (int i = 0; i < CHAIN; i++) {
		read_frame(b, CHAIN_NEXT);
		if (i)
			must_be_code(b, CHAIN_NEXT);
		nt_bpf_load(b, BPF_DW, R1, FRAME, HEADER);
		nt_bpf_jump_if(b, BPF_JSET, R1, 7, CHAIN_NEXT);
		nt_bpf_by_register(b, BPF_MOV, R2, R1);
		nt_bpf_by_register(b, BPF_SUB, R2, POINTER);
		nt_bpf_jump_if(b, BPF_JEQ, R2, 0, CHAIN_NEXT);
		nt_bpf_jump_if(b, BPF_JGT, R2, NT_LAST_LOOK_ABOVE, CHAIN_NEXT);
		nt_bpf_by_register(b, BPF_MOV, POINTER, R1);
	}
	read_frame(b, CHAIN_NEXT);
	must_be_code(b, CHAIN_NEXT);
	nt_bpf_store(b, BPF_DW, RECORD, offsetof(struct nt_last_look_record, frame), WORD);
	nt_bpf_leave(b, 1);
	nt_bpf_label(b, CHAIN_NEXT);
	nt_bpf_leave(b, 0);
}

/* The next frame further out. The stack may be left once for another one, that lies below: the runtime handles an overflow on a stack of its own. */
static void walk_callback(struct nt_bpf_builder *b)
{
	nt_bpf_label(b, WALK_CALLBACK);
	nt_bpf_load(b, BPF_DW, RECORD, R2, 0);
	nt_bpf_load(b, BPF_DW, POINTER, RECORD, offsetof(struct nt_last_look_record, frame));
	read_frame(b, WALK_OUT);
	nt_bpf_load(b, BPF_W, WORD, RECORD, offsetof(struct nt_last_look_record, frame_count));
	nt_bpf_jump_if(b, BPF_JEQ, WORD, 0, WALK_ON); /* what is behind the first may be no address */
	must_be_code(b, WALK_OUT);
	nt_bpf_label(b, WALK_ON);
	nt_bpf_load(b, BPF_DW, R1, FRAME, LENGTH);
	nt_bpf_jump_if(b, BPF_JGE, WORD, NT_LAST_LOOK_INNER, NOT_INNER);
	nt_bpf_by_register(b, BPF_MOV, R2, WORD);
	nt_bpf_by_number(b, BPF_LSH, R2, 3);
	nt_bpf_by_register(b, BPF_ADD, R2, RECORD);
	nt_bpf_store(b, BPF_DW, R2, offsetof(struct nt_last_look_record, inner), R1);
	nt_bpf_label(b, NOT_INNER);
	nt_bpf_by_register(b, BPF_MOV, R2, WORD);
	nt_bpf_by_number(b, BPF_AND, R2, NT_LAST_LOOK_OUTER - 1);
	nt_bpf_by_number(b, BPF_LSH, R2, 3);
	nt_bpf_by_register(b, BPF_ADD, R2, RECORD);
	nt_bpf_store(b, BPF_DW, R2, offsetof(struct nt_last_look_record, outer), R1);
	nt_bpf_by_number(b, BPF_ADD, WORD, 1);
	nt_bpf_store(b, BPF_W, RECORD, offsetof(struct nt_last_look_record, frame_count), WORD);
	nt_bpf_load(b, BPF_DW, R1, FRAME, HEADER);
	nt_bpf_store(b, BPF_DW, RECORD, offsetof(struct nt_last_look_record, frame), R1);
	nt_bpf_jump_if(b, BPF_JSET, R1, 7, WALK_OUT);
	nt_bpf_by_register(b, BPF_SUB, POINTER, R1);
	nt_bpf_by_number(b, BPF_ARSH, POINTER, 63); /* all ones: further out */
	nt_bpf_jump_if(b, BPF_JNE, POINTER, 0, WALK_UP);
	nt_bpf_load(b, BPF_W, R2, RECORD, offsetof(struct nt_last_look_record, turns));
	nt_bpf_jump_if(b, BPF_JNE, R2, 0, WALK_OUT);
	nt_bpf_store_number(b, BPF_W, RECORD, offsetof(struct nt_last_look_record, turns), 1);
	nt_bpf_label(b, WALK_UP);
	nt_bpf_leave(b, 0);
	nt_bpf_label(b, WALK_OUT);
	nt_bpf_leave(b, 1);
}

void nt_last_look_follow_frames(struct nt_bpf_builder *b)
{
	nt_last_look_loop(b, OVERFLOW_NEAR, OVERFLOW_CALLBACK);
	nt_bpf_load(b, BPF_W, R1, RECORD, offsetof(struct nt_last_look_record, overflowed));
	nt_bpf_jump_if(b, BPF_JEQ, R1, 0, NO_OVERFLOW);
	nt_last_look_loop(b, NT_LAST_LOOK_ABOVE / 8, CHAIN_CALLBACK);
	nt_bpf_load(b, BPF_DW, R1, RECORD, offsetof(struct nt_last_look_record, frame));
	nt_bpf_jump_if(b, BPF_JEQ, R1, 0, NO_OVERFLOW);
	nt_last_look_loop(b, NT_LAST_LOOK_FRAMES, WALK_CALLBACK);
	nt_bpf_label(b, NO_OVERFLOW);
}

void nt_last_look_frame_callbacks(struct nt_bpf_builder *b)
{
	overflow_callback(b);
	chain_callback(b);
	walk_callback(b);
}
