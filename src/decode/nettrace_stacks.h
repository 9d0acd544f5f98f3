/* SPDX-License-Identifier: GPL-2.0-only */
/* The call stacks of a nettrace stream: blocks of them, numbered in order, that events refer to until the next sequence point. */
#ifndef NT_DECODE_NETTRACE_STACKS_H
#define NT_DECODE_NETTRACE_STACKS_H

#include "decode/nettrace_order.h"

struct nt_nettrace_stack {
	const uint8_t *addresses; /* leaf first, 8 bytes each; in a block */
	uint32_t count;
};

struct nt_nettrace_stacks {
	uint32_t first;                  /* number of stacks[0] */
	struct nt_nettrace_stack *items; /* owned */
	size_t count, capacity;
	struct nt_nettrace_block *blocks; /* owned */
	size_t block_bytes;
};

void nt_nettrace_stacks_fini(struct nt_nettrace_stacks *stacks); /* leaves an empty one */

/* A StackBlock. It is kept in any case; what is whole of a malformed one counts. */
enum nt_status nt_nettrace_stacks_add(struct nt_nettrace_stacks *stacks, struct nt_nettrace_block *take);

/* Would another block be beyond what a stream may need? Then everything is to be delivered that waits, and all stacks forgotten. */
bool nt_nettrace_stacks_full(const struct nt_nettrace_stacks *stacks);

/* The stack of that number; an empty one when there is none. */
struct nt_nettrace_stack nt_nettrace_stacks_get(const struct nt_nettrace_stacks *stacks, uint32_t number);

#endif
