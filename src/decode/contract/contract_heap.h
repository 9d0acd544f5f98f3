/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The objects of a heap, by the runtime's memory alone, of a process that does not go on: its collector's regions (contract_collector.h), gone through object by object. What the collector says is believed when the objects stand where it
 * says: each region is objects from its begin to its end, without a gap, or it is told as a part.
 */
#ifndef NT_DECODE_CONTRACT_HEAP_H
#define NT_DECODE_CONTRACT_HEAP_H

#include "decode/contract/contract_threads.h"
#include "decode/contract/reference_map.h"

enum nt_contract_heap_result {
	NT_CONTRACT_HEAP_READ,
	NT_CONTRACT_HEAP_UNDESCRIBED, /* the runtime does not describe what it takes: contract->layout.lacks[NT_CONTRACT_HEAP] */
	NT_CONTRACT_HEAP_NOT_FOUND,   /* the collector's word is not there, or of another version */
	NT_CONTRACT_HEAP_SEGMENTS,    /* a collector without regions (clrgc.so) */
	NT_CONTRACT_HEAP_IN_MOTION,   /* a collection was at work: objects are not in order */
	NT_CONTRACT_HEAP_MISSING,     /* memory of the heap is not there */
	NT_CONTRACT_HEAP_RESULTS
};

struct nt_contract_heap_type {
	uint64_t table; /* its MethodTable */
	uint64_t count, bytes;
	uint32_t base_bytes, component_bytes; /* of each object, and of each element besides */
	struct nt_reference_map references;   /* owned; read only for a sink */
};

/* What an object of the type takes, with so many elements if it has any. */
uint64_t nt_contract_heap_object_bytes(const struct nt_contract_heap_type *type, uint32_t elements);

struct nt_contract_region {
	uint64_t begin, end; /* addresses; begin first: nt_starts_up_to() */
};

/* An object, behind its references. */
struct nt_contract_object {
	uint64_t address, bytes;
	size_t type;         /* its place among the types; they get no other one */
	uint64_t references; /* that lead somewhere */
};

/* Who wants more than counts. An object whose references are not within it is none, and neither is what lies behind it in its region; some of its references may have been told then. */
struct nt_contract_heap_sink {
	void *context;
	void (*reference)(void *context, uint64_t to);
	void (*object)(void *context, const struct nt_contract_object *object);
};

struct nt_contract_heap {
	struct nt_contract_heap_type *types; /* owned */
	size_t type_count, type_capacity;
	struct nt_index type_of;            /* by table */
	struct nt_contract_region *regions; /* owned; in the order of addresses, when it was READ */
	size_t region_count, region_capacity;
	uint64_t objects, bytes;       /* without what is free */
	uint64_t read_bytes, of_bytes; /* of the regions: gone through, in all */
};

/*
 * All that is in the heap, whether somebody holds it or not: what no collection has taken away yet is among it. `threads` may have room that they were given and do not use yet, which is stepped over. `most_bytes`: of memory, at most,
 * that is read. `sink`: NULL = types are enough. READ: read_bytes may be less than of_bytes. *out is the caller's in any case, for nt_contract_heap_fini(). Sets the memory's budget.
 */
enum nt_contract_heap_result nt_contract_heap_read(struct nt_contract *contract, const struct nt_contract_thread *threads,
						   size_t thread_count, uint64_t most_bytes, const struct nt_contract_heap_sink *sink,
						   struct nt_contract_heap *out);

/* Is the address in one of its regions? */
bool nt_contract_heap_has(const struct nt_contract_heap *heap, uint64_t address);

void nt_contract_heap_fini(struct nt_contract_heap *heap);

#endif
