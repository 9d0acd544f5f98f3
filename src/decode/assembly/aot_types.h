/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which type each method of Native AOT's metadata is in: a method's record does not say, so all assemblies, namespaces and types are gone
 * through once. The records are those of aot_metadata.h. Pure; more handles than there are bytes are not followed.
 */
#ifndef NT_DECODE_AOT_TYPES_H
#define NT_DECODE_AOT_TYPES_H

#include "decode/assembly/aot_metadata.h"

struct nt_aot_owner {
	uint32_t method, type; /* where their records lie */
};

/* Sorted by method. All zero is an empty list. */
struct nt_aot_types {
	struct nt_aot_owner *owners; /* owned */
	size_t count, capacity;
};

/* End with nt_aot_types_fini(). */
void nt_aot_types_read(const struct nt_aot_metadata *metadata, struct nt_aot_types *out);
void nt_aot_types_fini(struct nt_aot_types *types);

/* The method whose record lies at `record`, without its address. False: it is in no type, or broken. */
bool nt_aot_types_method(const struct nt_aot_types *types, const struct nt_aot_metadata *metadata, uint32_t record,
			 struct nt_aot_method *out);

#endif
