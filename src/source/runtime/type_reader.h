/* SPDX-License-Identifier: GPL-2.0-only */
/* Names of many types at once, read in the target's memory by a reader of its own: for who has the runtime's numbers of them and no session in which they could be asked about. */
#ifndef NT_SOURCE_TYPE_READER_H
#define NT_SOURCE_TYPE_READER_H

#include "target/process/target.h"

/*
 * Calls `take` for each of types[0..count) whose name can be read, with its place there and the name, whole and in the words of C# (decode/names/type_full.h), free of control characters, borrowed for the call. Waits for it, a second at most: what has not come by then has
 * none. Nothing happens where the memory may not be read, or does not describe types.
 */
void nt_type_reader_read(const struct nt_target *target, const uint64_t *types, size_t count,
			 void (*take)(void *context, size_t place, const char *name), void *context);

/* Where a static field lies, and its own name. */
struct nt_static_slot {
	uint64_t address;
	const char *field; /* as the runtime has it; borrowed */
};

/*
 * Calls `take` for each of slots[0..count) of which it is certain whose static field it is, with its place there and that type's name, as above: a type of one of these modules has a field of that name at that very address. Addresses
 * differ from each other. Waits for it, a second at most. Instances of generic types are not found, nor anything where the memory may not be read or is not that of .NET 10.
 */
void nt_type_reader_statics(const struct nt_target *target, const uint64_t *modules, size_t module_count,
			    const struct nt_static_slot *slots, size_t count, void (*take)(void *context, size_t place, const char *type),
			    void *context);

#endif
