/* SPDX-License-Identifier: GPL-2.0-only */
/* Locks: who holds the one that a thread waits for, and of what it is. */
#ifndef NT_DECODE_CONTRACT_LOCKS_H
#define NT_DECODE_CONTRACT_LOCKS_H

#include "decode/contract/contract_modules.h"
#include "decode/contract/thread_stack.h"

struct nt_contract_lock {
	uint64_t object;      /* whose monitor it is, or a System.Threading.Lock; 0 = none was found */
	uint64_t type;        /* its type: a TypeHandle */
	uint32_t owner_os_id; /* tid in the target's innermost pid namespace; 0 = nobody holds it now */
	uint32_t waiters;     /* that want to have it */
};

/*
 * The first that others hold and that is waited for, of those that the innermost part of the stack of thread `tid` knows: what a thread that is in Monitor.Enter or Lock.Enter waits for. (A thread that waits for something else may know such an
 * object, too, so whoever asks knows what it waits for.) `threads`: all of the runtime. What a monitor and a Lock look like inside is in no description: they are read of .NET 10 only, and only when all that they say of
 * themselves agrees. Needs NT_CONTRACT_MONITORS, and NT_CONTRACT_NAMES for Locks.
 */
struct nt_contract_lock nt_contract_lock_of(struct nt_contract_modules *modules, const struct nt_contract_thread *threads,
					    size_t thread_count, uint32_t tid, const struct nt_thread_stack *stack);

#endif
