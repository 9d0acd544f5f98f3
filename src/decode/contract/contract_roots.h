/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What keeps objects alive that is no object itself, and no stack: handles, objects that wait for their finalizer, static fields of threads; of a process that does not go on. Tables of handles (handletablepriv.h) and queues of finalizers
 * (CFinalize) are in no description: they are read of .NET 10 only, and only where they have the form that they have there.
 */
#ifndef NT_DECODE_CONTRACT_ROOTS_H
#define NT_DECODE_CONTRACT_ROOTS_H

#include "decode/contract/contract_threads.h"

enum nt_contract_root { NT_CONTRACT_ROOT_HANDLE, NT_CONTRACT_ROOT_FINALIZER, NT_CONTRACT_ROOT_THREAD };

struct nt_contract_root_sink {
	void *context;
	void (*root)(void *context, enum nt_contract_root kind, uint64_t object);
	void (*pair)(void *context, uint64_t key, uint64_t value); /* a handle that keeps one object as long as another one lives */
};

/*
 * All of them, but weak handles. An address is as it is in memory: it may be of no object. False: some are missing, as something cannot be read or has not that form. Sets the memory's budget.
 */
bool nt_contract_roots_read(struct nt_contract *contract, const struct nt_contract_thread *threads, size_t thread_count,
			    const struct nt_contract_root_sink *sink);

/*
 * Where on its stack a thread's references begin, at the stack pointer or further out. A thread that is in native code has told the collector where it left managed code, and no reference is in a register then; what native code of the
 * runtime's keeps below that is not among them. Needs NT_CONTRACT_STACKS.
 */
uint64_t nt_contract_stack_begin(const struct nt_contract *contract, const struct nt_contract_thread *thread, uint64_t stack_pointer);

#endif
