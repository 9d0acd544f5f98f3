/* SPDX-License-Identifier: GPL-2.0-only */
/* The call stacks of a nettrace stream: blocks of them, numbered in order, that events refer to until the next sequence point. */
#ifndef NT_DECODE_NETTRACE_STACKS_H
#define NT_DECODE_NETTRACE_STACKS_H

#include "decode/eventpipe/nettrace.h"
#include "decode/eventpipe/nettrace_blocks.h"

struct nt_nettrace_stacks {
	struct nt_nettrace_blocks *memory; /* borrowed: where blocks come from and go to */
	uint32_t first;                    /* number of the first of them */
	struct nt_nettrace_stack **pages;  /* owned, of a fixed number of stacks each: those stay in their place */
	size_t page_count, page_capacity;
	size_t count;                     /* of stacks */
	struct nt_nettrace_block *blocks; /* owned */
	size_t block_bytes;
};

void nt_nettrace_stacks_init(struct nt_nettrace_stacks *stacks, struct nt_nettrace_blocks *memory);
void nt_nettrace_stacks_fini(struct nt_nettrace_stacks *stacks);

/* No event refers to those that came until now. */
void nt_nettrace_stacks_forget(struct nt_nettrace_stacks *stacks);

/* A StackBlock. It is kept in any case; what is whole of a malformed one counts. */
enum nt_status nt_nettrace_stacks_add(struct nt_nettrace_stacks *stacks, struct nt_nettrace_block *take);

/* Would another block be beyond what a stream may need? Then everything is to be delivered that waits, and all stacks forgotten. */
bool nt_nettrace_stacks_full(const struct nt_nettrace_stacks *stacks);

/* Bytes that it holds. */
size_t nt_nettrace_stacks_bytes(const struct nt_nettrace_stacks *stacks);

/* The stack of that number, in its place until they are forgotten; NULL when there is none, or an empty one. */
struct nt_nettrace_stack *nt_nettrace_stacks_get(const struct nt_nettrace_stacks *stacks, uint32_t number);

/* Return to the system what a flood has left behind. */
void nt_nettrace_stacks_trim(struct nt_nettrace_stacks *stacks);

#endif
