/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Is the stack of the thread that runs the one that was walked before? As instructions of a BPF program, for some tenth of what the walk costs: the return addresses of the frames nearest to the leaf
 * (struct nt_stack_slots) must lie where they lay. The caller has compared the registers.
 */
#ifndef NT_SOURCE_STACK_AGAIN_H
#define NT_SOURCE_STACK_AGAIN_H

#include "source/perf/stack_program.h"

enum { NT_STACK_AGAIN_LABELS = 2, NT_STACK_COPY_BYTES = 1024 + 8 };

/* What it may use of the program's. */
struct nt_stack_again {
	int walked; /* register: memory, */
	int slots;  /* with the struct nt_stack_slots from here on, */
	int words;  /* and what was walked from here on: NT_STACK_SLOTS words are there */
	int room;   /* register: memory for NT_STACK_COPY_BYTES, */
	int copy;   /* from here on */
	int other;  /* the label to go on at when it is not; else it goes on behind */
	int labels; /* the first of NT_STACK_AGAIN_LABELS of its own */
};

/* R3: the stack pointer. Takes R0 to R5 and R8. */
void nt_stack_again_write(struct nt_bpf_builder *b, const struct nt_stack_again *again);

#endif
