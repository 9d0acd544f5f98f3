/* SPDX-License-Identifier: GPL-2.0-only */
/* The runtime's list of its threads. */
#ifndef NT_DECODE_CONTRACT_THREADS_H
#define NT_DECODE_CONTRACT_THREADS_H

#include "decode/contract/contract.h"

/* The runtime's values (Thread::ThreadState), as far as they are used. */
enum nt_contract_thread_state {
	NT_CLR_THREAD_BACKGROUND = 0x200,
	NT_CLR_THREAD_UNSTARTED = 0x400,
	NT_CLR_THREAD_DEAD = 0x800,
	NT_CLR_THREAD_POOL_WORKER = 0x1000000,
	NT_CLR_THREAD_WAIT_SLEEP_JOIN = 0x2000000,
};

struct nt_contract_thread {
	uint64_t address;    /* of its Thread */
	uint32_t os_id;      /* tid in the target's innermost pid namespace; 0 = not started, or gone */
	uint32_t managed_id; /* Environment.CurrentManagedThreadId */
	uint32_t state;      /* enum nt_contract_thread_state bits, and others */
	bool cooperative;    /* it is in managed code now, or in the runtime's own that must not be interrupted */
	bool finalizer;
};

enum { NT_CONTRACT_THREADS_MAX = 1 << 16 };

/*
 * Appends all threads to *threads (*capacity as in nt_grow()), which the caller frees. False: memory is missing or the list is none; those that could be read are there. Needs
 * NT_CONTRACT_THREADS.
 */
bool nt_contract_threads(struct nt_contract *contract, struct nt_contract_thread **threads, size_t *count, size_t *capacity);

#endif
