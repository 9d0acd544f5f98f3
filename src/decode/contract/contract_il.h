/* SPDX-License-Identifier: GPL-2.0-only */
/* Which IL the code that the JIT made of a method was made of, by the runtime's memory alone. */
#ifndef NT_DECODE_CONTRACT_IL_H
#define NT_DECODE_CONTRACT_IL_H

#include "decode/assembly/debug_bounds.h"
#include "decode/contract/code_at.h"

/* Of whose runtime it is known where and how it keeps that: no description says it. */
enum { NT_CONTRACT_IL_MAJOR = 10 };

enum nt_contract_il {
	NT_CONTRACT_IL_READ,
	NT_CONTRACT_IL_NO_CODE, /* the JIT's code is not there, or what says so cannot be read */
	NT_CONTRACT_IL_NONE,    /* there is no map: of a dynamic method */
	NT_CONTRACT_IL_BROKEN,  /* it is of no form that we know; or of code that may be freed, and was while it was looked at */
};

/*
 * The map of the method whose code is at `address`; offsets count from code->start, and all are within the code. `il` and `native` have room for NT_IL_MAP_MAX each, and stay the caller's; *out refers to them.
 * Needs NT_CONTRACT_CODE, the list of sections, and a runtime of NT_CONTRACT_IL_MAJOR.
 */
enum nt_contract_il nt_contract_il_at(struct nt_contract *contract, uint64_t address, struct nt_contract_code *code, uint32_t *il,
				      uint32_t *native, struct nt_il_map *out);

/* The same of what a header of .NET 10 leads to, at `info`, for code of `size` bytes. False: it is of no form that we know, or cannot be read. */
bool nt_contract_il_read(struct nt_memory *memory, uint64_t info, uint64_t size, uint32_t *il, uint32_t *native, struct nt_il_map *out);

#endif
