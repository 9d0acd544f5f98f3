/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Stubs of the .NET runtime, known by their machine code: most of them are in no perf map, above all those that were made before it was switched on. The
 * table is stub_code.def. It is x86-64's; in another machine's code nothing is found.
 */
#ifndef NT_DECODE_STUB_CODE_H
#define NT_DECODE_STUB_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* No stub is longer, bytes: whoever wants to know what is at an address needs so many on either side. */
enum { NT_STUB_CODE_MAX = 288 };

struct nt_stub_code {
	const char *kind;  /* static: "VSD_DispatchStub" */
	size_t start, end; /* in the code that was given: of all stubs of this form that lie around the place without a gap */
};

/* Which stub code[at] belongs to, where code[0] is at `address` in the target. False: none that is known, or not all of it is in code[0..length). */
bool nt_stub_code_find(const uint8_t *code, size_t length, uint64_t address, size_t at, struct nt_stub_code *out);

#endif
