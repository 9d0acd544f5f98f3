/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the runtime's collector says of itself. The runtime's description has no collector; what is read is what that tells the runtime's debugger (GcDacVars, gcinterface.dac.h, which has a version of its own), found among the addresses
 * of g_dacTable by what it looks like.
 */
#ifndef NT_DECODE_CONTRACT_COLLECTOR_H
#define NT_DECODE_CONTRACT_COLLECTOR_H

#include "decode/contract/contract.h"

/* Where things stand in what is told (gcinterface.dacvars.def); but for the first three each is the address of a variable, or of an array. */
enum nt_collector_told {
	NT_COLLECTOR_GENERATION_BYTES = 8,
	NT_COLLECTOR_GENERATION_COUNT = 16,
	NT_COLLECTOR_VARIANT = 24,
	NT_COLLECTOR_TABLE = 48,
	NT_COLLECTOR_EPHEMERAL = 80,
	NT_COLLECTOR_ALLOCATED = 120,
	NT_COLLECTOR_FINALIZABLE = 144,
	NT_COLLECTOR_HEAP_COUNT = 176,
	NT_COLLECTOR_HEAPS = 184,
	NT_COLLECTOR_IN_MOTION = 192,
	NT_COLLECTOR_HANDLES = 232,
	NT_COLLECTOR_HEAP_FIELDS = 240,
	NT_COLLECTOR_GENERATION_FIELDS = 248,
	NT_COLLECTOR_TOLD_BYTES = 256
};

enum { NT_COLLECTOR_GENERATIONS = 5 /* three, large objects, pinned ones */ };

struct nt_collector {
	struct nt_contract *contract; /* borrowed */
	uint8_t told[NT_COLLECTOR_TOLD_BYTES];
};

/* False: it is not there, of another version than that of .NET 10, or two things look like it. */
bool nt_collector_find(struct nt_contract *contract, struct nt_collector *out);

/* A word of it, and the value of the variable that it is the address of. */
uint64_t nt_collector_told(const struct nt_collector *collector, enum nt_collector_told at);
uint64_t nt_collector_u64(const struct nt_collector *collector, enum nt_collector_told at, bool *bad);

/* The offset of a field, of those of heaps (dac_gcheap_fields.h) or of generations (dac_generation_fields.h). */
uint64_t nt_collector_offset(const struct nt_collector *collector, enum nt_collector_told fields, unsigned place, bool *bad);

struct nt_collector_heap {
	uint64_t generations;          /* the first of NT_COLLECTOR_GENERATIONS */
	uint64_t ephemeral, allocated; /* the region in which is allocated, and how far */
	uint64_t finalizable;          /* objects that have a finalizer (CFinalize) */
};

/* Calls `take` for each heap: the only one of a workstation's collector, those of a server's. False: what leads to them cannot be read, or `take` said so. */
typedef bool nt_collector_take(void *context, const struct nt_collector_heap *heap);
bool nt_collector_each_heap(const struct nt_collector *collector, nt_collector_take *take, void *context);

#endif
