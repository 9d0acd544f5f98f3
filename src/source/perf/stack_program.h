/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A walk up the user stack of the thread that runs, as instructions of a BPF program. The kernel's own walk knows frame pointers alone, and threads wait in code that keeps none (libc): for
 * the places where they do, which are few, and precompiled methods that keep none there are rules (switch_rules.h). Everywhere else it goes by frame pointers. x86-64.
 */
#ifndef NT_SOURCE_STACK_PROGRAM_H
#define NT_SOURCE_STACK_PROGRAM_H

#include "source/common/bpf_build.h"

#include <stdint.h>

/* Of code at an address, the key of its map: where the caller's registers are. Its stack pointer is that of the code and cfa_offset; the return address lies below that. */
struct nt_stack_rule {
	uint32_t cfa_offset;
	uint32_t bp_below; /* the caller's rbp lies so far below the caller's stack pointer; 0: it is in the register still */
};

enum { NT_STACK_RULES_MAX = 8192, NT_STACK_LOOKUPS = 32 /* frames, from the leaf on, that may have a rule */, NT_STACK_PROGRAM_LABELS = 6 };

/*
 * Where on the stack a walk has found the first of its return addresses: word i lies at[i] bytes above the stack pointer; at[0] is not used, the first word is where the thread is. What
 * lies there still, with the same registers, is the same stack (stack_again.h).
 */
enum { NT_STACK_SLOTS = 16, NT_STACK_SLOTS_BYTES = 1016 };
struct nt_stack_slots {
	uint32_t count; /* words, the first included; those beyond are deeper than that */
	uint32_t bytes; /* above the stack pointer, that hold them: up to NT_STACK_SLOTS_BYTES */
	uint32_t at[NT_STACK_SLOTS];
};

/* What the walk may use of the program's. */
struct nt_stack_program {
	int rules; /* the map: uint64_t -> struct nt_stack_rule */
	int room;  /* register: memory for `frames` words, */
	int at;    /* from here on */
	int frames;
	int ip, sp;         /* 8 bytes each of the program's stack */
	int pair;           /* 16 */
	int noted;          /* struct nt_stack_slots in the room, from here on; -1 = not noted */
	int slot, first_sp; /* 8 bytes each of the program's stack; where they are noted */
	int labels;         /* the first of NT_STACK_PROGRAM_LABELS of its own */
};

/* Leaves in R0 how many bytes there are: at least 8, the first word is where the thread is. Takes R0 to R5, R8 and R9. */
void nt_stack_program_write(struct nt_bpf_builder *b, const struct nt_stack_program *walk);

#endif
