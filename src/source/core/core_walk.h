/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The call stack of a thread of a core: from its registers, by what the runtime says of its code, and in native code by call frame information of images; where the latter is missing, what the runtime's explicit frames
 * lead to. Inside the process that reads cores only.
 */
#ifndef NT_SOURCE_CORE_WALK_H
#define NT_SOURCE_CORE_WALK_H

#include "decode/contract/contract_threads.h"
#include "decode/contract/thread_stack.h"
#include "source/core/core_view.h"
#include "source/image/cfi_images.h"

struct nt_core_walker {
	struct nt_core_view *view;    /* borrowed */
	struct nt_contract *contract; /* borrowed; NULL = nothing is known of managed code */
	struct nt_memory *memory;     /* borrowed */
	struct nt_cfi_images *rules;  /* borrowed */
	bool code_whole;              /* what says where managed code lies can be read; else such code is taken for native code */
	struct nt_thread_stack explicit_frames;
	uint8_t *stack; /* owned: the part of the stack that was copied last */
	size_t stack_size;
	uint64_t stack_start;
};

struct nt_core_stack {
	uint64_t frames[NT_READER_STACK_MOST]; /* innermost first */
	unsigned count;
	uint8_t managed[NT_READER_STACK_MOST / 8]; /* a bit for each: it is managed code */
	bool whole, managed_whole;                 /* up to where the thread began, of all frames and of managed ones */
};

void nt_core_walker_fini(struct nt_core_walker *walker);

/* `managed`: what the runtime says of the thread; NULL = it is none of its threads. */
void nt_core_walk(struct nt_core_walker *walker, const struct nt_core_thread *thread, const struct nt_contract_thread *managed,
		  struct nt_core_stack *out);

#endif
