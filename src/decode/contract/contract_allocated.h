/* SPDX-License-Identifier: GPL-2.0-only */
/* What a thread has allocated, as GC.GetAllocatedBytesForCurrentThread() would tell it. */
#ifndef NT_DECODE_CONTRACT_ALLOCATED_H
#define NT_DECODE_CONTRACT_ALLOCATED_H

#include "decode/contract/contract.h"

/* The version of the runtime whose counters lie where this looks for them: behind what is described (gc_alloc_context). */
enum { NT_CONTRACT_ALLOCATED_MAJOR = 10 };

/*
 * Bytes since the thread of this Thread began: what was given to it, 8 KB at a time, without what it has not used yet; a collection takes that away, and counts it. It may allocate meanwhile: then it is off by such a piece. False: memory is missing, or what lies
 * there are no such counters. Needs NT_CONTRACT_ALLOCATED.
 */
bool nt_contract_allocated(struct nt_contract *contract, uint64_t thread, uint64_t *bytes);

#endif
