/* SPDX-License-Identifier: GPL-2.0-only */
/* Where the runtime's description of its data is: the symbol DotNetRuntimeContractDescriptor of libcoreclr.so, or of a single file's executable. */
#ifndef NT_DECODE_CONTRACT_DESCRIPTOR_H
#define NT_DECODE_CONTRACT_DESCRIPTOR_H

#include "decode/contract/memory.h"

/* More than these are not believed: 10.0.12 has 10 563 bytes and 24 pointers. */
enum { NT_DESCRIPTOR_BYTES_MAX = 1 << 20, NT_DESCRIPTOR_POINTERS_MAX = 4096 };

struct nt_descriptor {
	char *json; /* owned; `length` bytes and a NUL */
	size_t length;
	uint64_t *pointers; /* owned */
	size_t pointer_count;
	uint64_t debugger_table; /* the addresses that the runtime has for its debugger; 0 = not known */
	uint64_t code_ranges;    /* the first of the addresses that the runtime has for its debugger: of where code lies; 0 = not known */
};

enum nt_descriptor_result {
	NT_DESCRIPTOR_FOUND,
	NT_DESCRIPTOR_NONE,   /* the image has no such symbol: a runtime before .NET 9, or no runtime */
	NT_DESCRIPTOR_BROKEN, /* there is one that is none, or memory that cannot be read */
};

/* Of the ELF image whose header is mapped at `image`. Found: *out is the caller's, who ends it with nt_descriptor_fini(). Else it is empty. */
enum nt_descriptor_result nt_descriptor_find(struct nt_memory *memory, uint64_t image, struct nt_descriptor *out);
void nt_descriptor_fini(struct nt_descriptor *descriptor);

#endif
