/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The thread pool of .NET 10: how many workers it has and wants, and how many items wait, from the fields of its objects (System.Threading.PortableThreadPool and ThreadPoolWorkQueue). These are in no description but
 * the runtime's own names and types, and are believed only as far as all that they say of themselves agrees.
 */
#ifndef NT_DECODE_CONTRACT_POOL_H
#define NT_DECODE_CONTRACT_POOL_H

#include "decode/contract/contract_fields.h"

enum nt_pool_type {
	NT_POOL_TYPE_POOL,
	NT_POOL_TYPE_COUNTS, /* a structure in it */
	NT_POOL_TYPE_PUBLIC, /* ThreadPool, which leads to the queue */
	NT_POOL_TYPE_QUEUE,  /* what waits: lists that all workers take from, */
	NT_POOL_TYPE_LOCALS, /* and one of each worker, */
	NT_POOL_TYPE_LOCAL,  /* which is of this type; */
	NT_POOL_TYPE_LIST,   /* those of all are of this one, */
	NT_POOL_TYPE_PART,   /* made of parts, */
	NT_POOL_TYPE_ENDS,   /* each with a structure that says how much is in it */
	NT_POOL_TYPES
};

enum nt_pool_field {
	NT_POOL_INSTANCE,
	NT_POOL_MIN,
	NT_POOL_MAX,
	NT_POOL_PADDED,
	NT_POOL_COUNTS,
	NT_POOL_QUEUE,
	NT_POOL_QUEUE_USUAL,
	NT_POOL_QUEUE_HIGH,
	NT_POOL_QUEUE_LOW,
	NT_POOL_QUEUE_FURTHER,
	NT_POOL_LOCALS,
	NT_POOL_LOCAL_ITEMS,
	NT_POOL_LOCAL_HEAD,
	NT_POOL_LOCAL_TAIL,
	NT_POOL_LIST_HEAD,
	NT_POOL_LIST_TAIL,
	NT_POOL_PART_SLOTS,
	NT_POOL_PART_MASK,
	NT_POOL_PART_ENDS,
	NT_POOL_PART_NEXT,
	NT_POOL_PART_HEAD,
	NT_POOL_PART_TAIL,
	NT_POOL_FIELDS
};

/* What is found once and stays: types and where their fields are. All zero: nothing was looked for. */
struct nt_contract_pool {
	bool sought;     /* among the names of types */
	uint64_t module; /* of all of them; 0 = not one of them is known */
	uint32_t rids[NT_POOL_TYPES];
	uint64_t tables[NT_POOL_TYPES]; /* 0 = not loaded yet, or of no instance yet */
	uint32_t offsets[NT_POOL_FIELDS];
	bool has[NT_POOL_FIELDS];
};

struct nt_contract_pool_counts {
	uint32_t working, existing, goal; /* workers: that have work, that there are, that it aims at */
	uint32_t min, max;
	bool queued_known; /* else some list changed meanwhile, or is none */
	uint64_t queued;   /* as ThreadPool.PendingWorkItemCount */
};

/*
 * False: the program has no pool yet, this runtime's is another one, or it changed while it was looked at. Forgets what `modules` has kept of the memory (nt_memory_forget()). Needs NT_CONTRACT_FIELDS and
 * NT_CONTRACT_NAMES.
 */
bool nt_contract_pool_read(struct nt_contract_pool *pool, struct nt_contract_modules *modules, struct nt_contract_pool_counts *out);

#endif
