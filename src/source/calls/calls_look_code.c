// SPDX-License-Identifier: GPL-2.0-only
/*
 * In C, at the end of the program at sys_exit:
 *
 *	if (sum->turn != shared->turn) {
 *		sum->turn = shared->turn;
 *		sum->base += sum->looked >> NT_CALLS_LOOKS_STEP_BITS;
 *		sum->base = min(max(sum->base, 1) - 1, NT_CALLS_LOOKS_BASE_MOST) >> (sum->looked < NT_CALLS_LOOKS_FEW);
 *		sum->looked = 0;
 *	}
 *	if (sum->looked >= NT_CALLS_LOOKS_OF_ONE)
 *		return 0;
 *	weight = 1 << (sum->base + (sum->looked >> NT_CALLS_LOOKS_STEP_BITS));
 *	if (bpf_get_prandom_u32() & (weight - 1))
 *		return 0;
 *	sum->looked++;
 *	if (shared->looks++ >= NT_CALLS_LOOKS)
 *		return 0;
 *	look = { key, bpf_ktime_get_ns(), weight, walk() };      stack_program.h; elsewhere than on x86-64 bpf_get_stack()
 *	bpf_ringbuf_output(&ring, &look, HEAD + length, BPF_RB_NO_WAKEUP);
 */
#include "source/calls/calls_code_parts.h"
#include "source/perf/stack_program.h"

#define IN_LOOK(member) ((int)offsetof(struct nt_calls_room, look) + (int)offsetof(struct nt_calls_look, member))

enum { HEAD = offsetof(struct nt_calls_look, stack), STACK_MASK = 511 };
_Static_assert((int)NT_CALLS_FRAMES * 8 <= (int)STACK_MASK, "a stack's length survives the mask");

/* The next instruction is for those only of which this does not hold. */
static void over_next(struct nt_bpf_builder *b, int condition, int reg, int32_t value)
{
	nt_bpf_add(b, (struct bpf_insn){
			      .code = (uint8_t)(BPF_JMP | condition | BPF_K), .dst_reg = (uint8_t)reg & 15, .off = 1, .imm = value });
}

/* Is the call one to look at? Leaves when it is not. WEIGHT: for how many it stands. */
static void choose(struct nt_bpf_builder *b)
{
	nt_bpf_load(b, BPF_W, R1, SHARED, offsetof(struct nt_calls_shared, turn));
	nt_bpf_load(b, BPF_W, R2, SUM, offsetof(struct nt_calls_sum, turn));
	nt_bpf_load(b, BPF_W, R3, SUM, offsetof(struct nt_calls_sum, base));
	nt_bpf_load(b, BPF_W, THREAD, SUM, offsetof(struct nt_calls_sum, looked));
	nt_bpf_by_register(b, BPF_XOR, R2, R1);
	nt_bpf_jump_if(b, BPF_JEQ, R2, 0, SAME_TURN);
	nt_bpf_store(b, BPF_W, SUM, offsetof(struct nt_calls_sum, turn), R1);
	nt_bpf_by_register(b, BPF_MOV, R1, THREAD);
	nt_bpf_by_number(b, BPF_RSH, R1, NT_CALLS_LOOKS_STEP_BITS);
	nt_bpf_by_register(b, BPF_ADD, R3, R1);
	over_next(b, BPF_JEQ, R3, 0);
	nt_bpf_by_number(b, BPF_SUB, R3, 1);
	over_next(b, BPF_JLE, R3, NT_CALLS_LOOKS_BASE_MOST);
	nt_bpf_by_number(b, BPF_MOV, R3, NT_CALLS_LOOKS_BASE_MOST);
	over_next(b, BPF_JGE, THREAD, NT_CALLS_LOOKS_FEW);
	nt_bpf_by_number(b, BPF_RSH, R3, 1);
	nt_bpf_store(b, BPF_W, SUM, offsetof(struct nt_calls_sum, base), R3);
	nt_bpf_by_number(b, BPF_MOV, THREAD, 0);
	nt_bpf_store(b, BPF_W, SUM, offsetof(struct nt_calls_sum, looked), THREAD);
	nt_bpf_label(b, SAME_TURN);
	nt_bpf_jump_if(b, BPF_JGE, THREAD, NT_CALLS_LOOKS_OF_ONE, OUT);
	nt_bpf_by_register(b, BPF_MOV, R1, THREAD);
	nt_bpf_by_number(b, BPF_RSH, R1, NT_CALLS_LOOKS_STEP_BITS);
	nt_bpf_by_register(b, BPF_ADD, R1, R3);
	nt_bpf_by_number(b, BPF_MOV, R2, 1);
	nt_bpf_by_register(b, BPF_LSH, R2, R1);
	nt_bpf_store(b, BPF_DW, FRAME, WEIGHT, R2);
	nt_bpf_jump_if(b, BPF_JEQ, R1, 0, CHOSEN);
	nt_bpf_helper(b, BPF_FUNC_get_prandom_u32);
	nt_bpf_load(b, BPF_DW, R1, FRAME, WEIGHT);
	nt_bpf_by_number(b, BPF_SUB, R1, 1);
	nt_bpf_by_register(b, BPF_AND, R0, R1);
	nt_bpf_jump_if(b, BPF_JNE, R0, 0, OUT);
	nt_bpf_label(b, CHOSEN);
	nt_bpf_by_number(b, BPF_ADD, THREAD, 1);
	nt_bpf_store(b, BPF_W, SUM, offsetof(struct nt_calls_sum, looked), THREAD);
	nt_bpf_by_number(b, BPF_MOV, R1, 1);
	nt_bpf_add(b, (struct bpf_insn){ .code = BPF_STX | BPF_ATOMIC | BPF_DW,
					 .dst_reg = SHARED,
					 .src_reg = R1,
					 .off = offsetof(struct nt_calls_shared, looks),
					 .imm = BPF_ADD | BPF_FETCH });
	nt_bpf_jump_if(b, BPF_JGE, R1, NT_CALLS_LOOKS, OUT);
}

/* R0: so many bytes of user stack are in the room. */
static void walk(struct nt_bpf_builder *b, const struct nt_calls_programs *maps, int room)
{
	if (maps->rules >= 0) {
		nt_stack_program_write(b, &(struct nt_stack_program){ .rules = maps->rules,
								      .room = room,
								      .at = IN_LOOK(stack),
								      .frames = NT_CALLS_FRAMES,
								      .ip = IP,
								      .sp = SP,
								      .pair = PAIR,
								      .noted = -1,
								      .labels = OF_WALK });
		return;
	}
	nt_bpf_by_register(b, BPF_MOV, R1, CONTEXT);
	nt_bpf_place(b, R2, room, IN_LOOK(stack));
	nt_bpf_by_number(b, BPF_MOV, R3, NT_CALLS_FRAMES * 8);
	nt_bpf_by_number(b, BPF_MOV, R4, BPF_F_USER_STACK);
	nt_bpf_helper(b, BPF_FUNC_get_stack);
	nt_bpf_jump_if(b, BPF_JSGE, R0, 0, WALKED);
	nt_bpf_by_number(b, BPF_MOV, R0, 0);
	nt_bpf_label(b, WALKED);
}

/* Tell where the call came from. One for which there is no room in the ring was not looked at. */
static void look(struct nt_bpf_builder *b, const struct nt_calls_programs *maps)
{
	int room = maps->rules >= 0 ? CONTEXT : THREAD; /* the walk of our own takes the latter, the kernel's wants the former */
	nt_calls_code_only(b, maps->rooms);
	nt_bpf_by_register(b, BPF_MOV, room, R0);
	for (int at = 0; at < (int)sizeof(struct nt_calls_key); at += 8) {
		nt_bpf_load(b, BPF_DW, R1, FRAME, SUM_KEY + at);
		nt_bpf_store(b, BPF_DW, room, IN_LOOK(key) + at, R1);
	}
	nt_bpf_load(b, BPF_DW, R1, FRAME, WEIGHT);
	nt_bpf_store(b, BPF_DW, room, IN_LOOK(weight), R1);
	nt_bpf_helper(b, BPF_FUNC_ktime_get_ns);
	nt_bpf_store(b, BPF_DW, room, IN_LOOK(time), R0);
	walk(b, maps, room);
	nt_bpf_by_number(b, BPF_AND, R0, STACK_MASK);
	nt_bpf_number(b, R1, (uint64_t)maps->ring, BPF_PSEUDO_MAP_FD);
	nt_bpf_place(b, R2, room, IN_LOOK(key));
	nt_bpf_by_register(b, BPF_MOV, R3, R0);
	nt_bpf_by_number(b, BPF_ADD, R3, HEAD);
	nt_bpf_by_number(b, BPF_MOV, R4, BPF_RB_NO_WAKEUP);
	nt_bpf_helper(b, BPF_FUNC_ringbuf_output);
}

void nt_calls_write_look(struct nt_bpf_builder *b, const struct nt_calls_programs *maps)
{
	choose(b);
	look(b, maps);
}
