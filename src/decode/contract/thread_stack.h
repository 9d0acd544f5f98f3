/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The managed call stack of a thread that waits, from its memory alone. Such a thread has left managed code through a frame that it put on its stack and linked to itself (an "explicit frame"),
 * which has the registers of its caller; from there the stack is unwound, up to native code and the next explicit frame.
 */
#ifndef NT_DECODE_CONTRACT_THREAD_STACK_H
#define NT_DECODE_CONTRACT_THREAD_STACK_H

#include "decode/contract/code_at.h"
#include "decode/contract/contract_threads.h"

enum { NT_THREAD_STACK_FRAMES = 512, NT_THREAD_STACK_BYTES = 256 << 10 };

struct nt_thread_frame {
	uint64_t pc; /* where its callee returns to */
	struct nt_contract_code code;
};

struct nt_thread_stack {
	struct nt_thread_frame frames[NT_THREAD_STACK_FRAMES]; /* innermost first; managed ones only */
	unsigned count;
	bool complete;                        /* up to where the thread began; else callers are missing */
	uint64_t from;                        /* of the innermost frame: its stack pointer; 0 = there is none */
	uint64_t from_pointer;                /* and its frame pointer */
	uint8_t bytes[NT_THREAD_STACK_BYTES]; /* the copy of the stack that this was made from, */
	size_t byte_count;
	uint64_t bytes_start; /* and its address */
};

/*
 * Whoever calls knows that the thread did not run meanwhile, or throws the result away. False: the thread is in managed code, or what its stack holds is no list of frames.
 * Needs NT_CONTRACT_STACKS, NT_CONTRACT_CODE and the list of sections.
 */
bool nt_thread_stack_read(struct nt_contract *contract, const struct nt_contract_thread *thread, struct nt_thread_stack *out);

#endif
