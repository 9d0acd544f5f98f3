/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Native frames of threads that wait, from copies of their stacks: a thread of ours walks (decode/unwind/wait_walk.h), because the files that say how may hang. Copies are given and results taken when looks are made;
 * what was known when it was given holds for the thread as long as that does not run. Inside src/source/runtime/ only.
 */
#ifndef NT_SOURCE_NATIVE_STACKS_H
#define NT_SOURCE_NATIVE_STACKS_H

#include "decode/unwind/wait_walk.h"
#include "nettop/source.h"

enum { NT_NATIVE_STACKS_WAITING = 512 }; /* copies that are kept until they are walked, at most */

struct nt_native_stacks;

/* `target` and `config` are borrowed for the call. NULL: there is no thread to be had. */
struct nt_native_stacks *nt_native_stacks_new(const struct nt_target *target, const struct nt_source_config *config);
void nt_native_stacks_free(struct nt_native_stacks *stacks); /* not later than a file that hangs; NULL is allowed */

/* A stack: where the thread is, what lies from its stack pointer up, and what the runtime's data say of it. Borrowed for the call. */
struct nt_native_stack {
	uint64_t pc;
	struct nt_stack_dump dump; /* from the stack pointer */
	struct nt_wait_anchor anchor;
	const uint64_t *managed;
	uint32_t managed_count;
};

/* Have it walked. Returns the number that the result will have; 0: there are too many already. */
uint64_t nt_native_stacks_give(struct nt_native_stacks *stacks, const struct nt_native_stack *stack);

struct nt_native_result {
	uint64_t number;
	bool later; /* not now: give it again */
	bool whole; /* no frame is missing */
	uint32_t count;
	uint64_t *frames; /* the caller's to free */
};

/* False: nothing more has been walked. */
bool nt_native_stacks_take(struct nt_native_stacks *stacks, struct nt_native_result *out);

/* Add what its threads and their helper have used. */
void nt_native_stacks_cost(struct nt_native_stacks *stacks, struct nt_source_stats *out);

#endif
