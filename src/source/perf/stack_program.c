// SPDX-License-Identifier: GPL-2.0-only
/*
 * In C:
 *
 *	registers = bpf_task_pt_regs(bpf_get_current_task_btf());
 *	ip = registers->ip, sp = registers->sp, bp = registers->bp;
 *	for (room[0] = ip, count = 1; count < frames; room[count++] = ip) {
 *		if (count <= NT_STACK_LOOKUPS && (rule = bpf_map_lookup_elem(&rules, &ip))) {
 *			sp += rule->cfa_offset;
 *			if (bpf_probe_read_user(&ip, 8, sp - 8) != 0)
 *				break;
 *			if (rule->bp_below && bpf_probe_read_user(&bp, 8, sp - rule->bp_below) != 0)
 *				break;
 *		} else {
 *			if (bp - sp >= STACK_MOST || bpf_probe_read_user(&pair, 16, bp) != 0)
 *				break;
 *			sp = bp + 16, bp = pair.bp, ip = pair.address;
 *		}
 *		if (!ip)
 *			break;
 *	}
 *	return 8 * count;
 */
#include "source/perf/stack_program.h"

#include <stddef.h>

enum { R0, R1, R2, R3, R4, R5, COUNT = 8, BP = 9, FRAME = 10 };
enum { REGS_BP = 4 * 8, REGS_IP = 16 * 8, REGS_SP = 19 * 8, STACK_MOST = 8 << 20 };
enum label { LOOP, BY_POINTER, BP_KNOWN, KEEP, NOTED, DONE, LABELS };
_Static_assert((int)LABELS == (int)NT_STACK_PROGRAM_LABELS, "the header says how many");

/* `bytes` bytes at the address in R3, to a place on the program's stack; what cannot be read ends the walk. */
static void read_user(struct nt_bpf_builder *b, const struct nt_stack_program *walk, int place, int bytes)
{
	nt_bpf_place(b, R1, FRAME, place);
	nt_bpf_by_number(b, BPF_MOV, R2, bytes);
	nt_bpf_helper(b, BPF_FUNC_probe_read_user);
	nt_bpf_jump_if(b, BPF_JNE, R0, 0, walk->labels + DONE);
}

static void begin(struct nt_bpf_builder *b, const struct nt_stack_program *walk)
{
	nt_bpf_helper(b, BPF_FUNC_get_current_task_btf);
	nt_bpf_by_register(b, BPF_MOV, R1, R0);
	nt_bpf_helper(b, BPF_FUNC_task_pt_regs);
	nt_bpf_load(b, BPF_DW, BP, R0, REGS_BP);
	nt_bpf_load(b, BPF_DW, R1, R0, REGS_SP);
	nt_bpf_store(b, BPF_DW, FRAME, walk->sp, R1);
	if (walk->noted >= 0) {
		nt_bpf_store(b, BPF_DW, FRAME, walk->first_sp, R1);
		nt_bpf_store_number(b, BPF_W, walk->room, walk->noted + (int)offsetof(struct nt_stack_slots, count), 1);
		nt_bpf_store_number(b, BPF_W, walk->room, walk->noted + (int)offsetof(struct nt_stack_slots, bytes), 0);
	}
	nt_bpf_load(b, BPF_DW, R1, R0, REGS_IP);
	nt_bpf_store(b, BPF_DW, FRAME, walk->ip, R1);
	nt_bpf_store(b, BPF_DW, walk->room, walk->at, R1);
	nt_bpf_by_number(b, BPF_MOV, COUNT, 1);
}

/* R3: where the return address lies that is read next. */
static void note_slot(struct nt_bpf_builder *b, const struct nt_stack_program *walk)
{
	if (walk->noted >= 0)
		nt_bpf_store(b, BPF_DW, FRAME, walk->slot, R3);
}

/* To the caller of the code at ip, if there is a rule. */
static void step_by_rule(struct nt_bpf_builder *b, const struct nt_stack_program *walk)
{
	nt_bpf_jump_if(b, BPF_JGT, COUNT, NT_STACK_LOOKUPS, walk->labels + BY_POINTER);
	nt_bpf_number(b, R1, (uint64_t)walk->rules, BPF_PSEUDO_MAP_FD);
	nt_bpf_place(b, R2, FRAME, walk->ip);
	nt_bpf_helper(b, BPF_FUNC_map_lookup_elem);
	nt_bpf_jump_if(b, BPF_JEQ, R0, 0, walk->labels + BY_POINTER);
	nt_bpf_load(b, BPF_W, R1, R0, offsetof(struct nt_stack_rule, cfa_offset));
	nt_bpf_load(b, BPF_DW, R3, FRAME, walk->sp);
	nt_bpf_by_register(b, BPF_ADD, R3, R1);
	nt_bpf_store(b, BPF_DW, FRAME, walk->sp, R3);
	nt_bpf_load(b, BPF_W, R1, R0, offsetof(struct nt_stack_rule, bp_below));
	nt_bpf_store(b, BPF_DW, FRAME, walk->pair + 8, R1);
	nt_bpf_by_number(b, BPF_SUB, R3, 8);
	note_slot(b, walk);
	read_user(b, walk, walk->ip, 8);
	nt_bpf_load(b, BPF_DW, R1, FRAME, walk->pair + 8);
	nt_bpf_jump_if(b, BPF_JEQ, R1, 0, walk->labels + BP_KNOWN);
	nt_bpf_load(b, BPF_DW, R3, FRAME, walk->sp);
	nt_bpf_by_register(b, BPF_SUB, R3, R1);
	read_user(b, walk, walk->pair, 8);
	nt_bpf_load(b, BPF_DW, BP, FRAME, walk->pair);
	nt_bpf_label(b, walk->labels + BP_KNOWN);
	nt_bpf_load(b, BPF_DW, R1, FRAME, walk->ip);
}

/* R1 has the next address, here and there. */
static void step_by_pointer(struct nt_bpf_builder *b, const struct nt_stack_program *walk)
{
	nt_bpf_by_register(b, BPF_MOV, R3, BP);
	nt_bpf_load(b, BPF_DW, R1, FRAME, walk->sp);
	nt_bpf_by_register(b, BPF_SUB, R3, R1);
	nt_bpf_jump_if(b, BPF_JGE, R3, STACK_MOST, walk->labels + DONE);
	nt_bpf_place(b, R3, BP, 8);
	note_slot(b, walk);
	nt_bpf_by_register(b, BPF_MOV, R3, BP);
	read_user(b, walk, walk->pair, 16);
	nt_bpf_by_number(b, BPF_ADD, BP, 16);
	nt_bpf_store(b, BPF_DW, FRAME, walk->sp, BP);
	nt_bpf_load(b, BPF_DW, BP, FRAME, walk->pair);
	nt_bpf_load(b, BPF_DW, R1, FRAME, walk->pair + 8);
	nt_bpf_store(b, BPF_DW, FRAME, walk->ip, R1);
}

/* Where word COUNT was found. R1 stays. */
static void keep_slot(struct nt_bpf_builder *b, const struct nt_stack_program *walk)
{
	if (walk->noted < 0)
		return;
	nt_bpf_jump_if(b, BPF_JGE, COUNT, NT_STACK_SLOTS, walk->labels + NOTED);
	nt_bpf_load(b, BPF_DW, R4, FRAME, walk->slot);
	nt_bpf_load(b, BPF_DW, R5, FRAME, walk->first_sp);
	nt_bpf_by_register(b, BPF_SUB, R4, R5);
	nt_bpf_jump_if(b, BPF_JGT, R4, NT_STACK_SLOTS_BYTES - 8, walk->labels + NOTED);
	nt_bpf_by_register(b, BPF_MOV, R2, COUNT);
	nt_bpf_by_number(b, BPF_LSH, R2, 2);
	nt_bpf_by_register(b, BPF_MOV, R3, walk->room);
	nt_bpf_by_register(b, BPF_ADD, R3, R2);
	nt_bpf_store(b, BPF_W, R3, walk->noted + (int)offsetof(struct nt_stack_slots, at), R4);
	nt_bpf_by_number(b, BPF_ADD, R4, 8);
	nt_bpf_store(b, BPF_W, walk->room, walk->noted + (int)offsetof(struct nt_stack_slots, bytes), R4);
	nt_bpf_by_register(b, BPF_MOV, R2, COUNT);
	nt_bpf_by_number(b, BPF_ADD, R2, 1);
	nt_bpf_store(b, BPF_W, walk->room, walk->noted + (int)offsetof(struct nt_stack_slots, count), R2);
	nt_bpf_label(b, walk->labels + NOTED);
}

/* R1 into the room. */
static void keep(struct nt_bpf_builder *b, const struct nt_stack_program *walk)
{
	nt_bpf_jump_if(b, BPF_JEQ, R1, 0, walk->labels + DONE);
	keep_slot(b, walk);
	nt_bpf_by_register(b, BPF_MOV, R2, COUNT);
	nt_bpf_by_number(b, BPF_LSH, R2, 3);
	nt_bpf_by_register(b, BPF_MOV, R3, walk->room);
	nt_bpf_by_register(b, BPF_ADD, R3, R2);
	nt_bpf_store(b, BPF_DW, R3, walk->at, R1);
	nt_bpf_by_number(b, BPF_ADD, COUNT, 1);
	nt_bpf_jump_if(b, BPF_JLT, COUNT, walk->frames, walk->labels + LOOP);
}

void nt_stack_program_write(struct nt_bpf_builder *b, const struct nt_stack_program *walk)
{
	begin(b, walk);
	nt_bpf_label(b, walk->labels + LOOP);
	step_by_rule(b, walk);
	nt_bpf_jump_if(b, BPF_JNE, COUNT, 0, walk->labels + KEEP); /* always */
	nt_bpf_label(b, walk->labels + BY_POINTER);
	step_by_pointer(b, walk);
	nt_bpf_label(b, walk->labels + KEEP);
	keep(b, walk);
	nt_bpf_label(b, walk->labels + DONE);
	nt_bpf_by_register(b, BPF_MOV, R0, COUNT);
	nt_bpf_by_number(b, BPF_LSH, R0, 3);
}
