/* SPDX-License-Identifier: GPL-2.0-only */
/* Monitors: who holds the one that a thread waits for. */
#ifndef NT_DECODE_CONTRACT_LOCKS_H
#define NT_DECODE_CONTRACT_LOCKS_H

#include "decode/contract/thread_stack.h"

struct nt_contract_monitor {
	uint64_t object;      /* that it is of; 0 = none was found */
	uint32_t owner_os_id; /* tid in the target's innermost pid namespace; 0 = nobody holds it now */
	uint32_t waiters;     /* that want to have it */
};

/*
 * A monitor that is held and waited for, of an object that the innermost part of the stack knows: what a thread that is in Monitor.Enter waits for. (A thread that waits for something else may know such an
 * object, too, so whoever asks knows what it waits for.) What a monitor looks like inside is in no description: it is read of .NET 10 only, and only when all that it says of itself agrees. Needs
 * NT_CONTRACT_MONITORS.
 */
struct nt_contract_monitor nt_contract_monitor_of(struct nt_contract *contract, const struct nt_thread_stack *stack);

#endif
