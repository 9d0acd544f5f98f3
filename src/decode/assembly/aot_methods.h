/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which methods a Native AOT executable has, and where their code begins: from the table that its own stack traces are made of
 * (ILCompiler, StackTraceMethodMappingNode.cs), and, of those that reflection finds and that are therefore not in it, from the table that
 * it calls them by (ReflectionInvokeMapNode.cs). Pure.
 */
#ifndef NT_DECODE_AOT_METHODS_H
#define NT_DECODE_AOT_METHODS_H

#include "decode/assembly/aot_metadata.h"

/* A part of the executable, by its virtual address; length 0 = it has none. Borrowed. */
struct nt_aot_blob {
	const uint8_t *bytes;
	size_t size;
	uint64_t address;
};

/* Once finished, sorted by address, one for each. All zero is an empty list. */
struct nt_aot_methods {
	struct nt_aot_method *items; /* owned: end with free() */
	size_t count, capacity;
};

/* Add those of the table for stack traces. It is read as far as it makes sense. */
void nt_aot_methods_read_traced(const struct nt_aot_blob *table, struct nt_aot_methods *out);

/*
 * Add those that reflection finds: `invoked` is a hash table of them, `references` the distances to what it refers to, `metadata` where
 * their types are.
 */
void nt_aot_methods_read_reflected(const struct nt_aot_metadata *metadata, const struct nt_aot_blob *invoked,
				   const struct nt_aot_blob *references, struct nt_aot_methods *out);

/* Sort. Of several methods with the same code nobody knows which one runs: none is kept. */
void nt_aot_methods_finish(struct nt_aot_methods *methods);

/* The method whose code begins at the address; NULL = none is said to. */
const struct nt_aot_method *nt_aot_methods_at(const struct nt_aot_methods *methods, uint64_t address);

#endif
