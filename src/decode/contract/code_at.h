/* SPDX-License-Identifier: GPL-2.0-only */
/* Which method's code lies at an address, and how its stack is unwound. */
#ifndef NT_DECODE_CONTRACT_CODE_AT_H
#define NT_DECODE_CONTRACT_CODE_AT_H

#include "decode/contract/contract.h"

enum nt_contract_code_kind { NT_CONTRACT_JIT, NT_CONTRACT_R2R, NT_CONTRACT_STUB };

struct nt_contract_code {
	enum nt_contract_code_kind kind;
	bool collectible;   /* it may be freed, and something else be there at the next look */
	uint32_t stub_kind; /* of a stub: the runtime's StubCodeBlockKind; 0 = not said */
	uint64_t start,
		size; /* of the method's code with all its funclets; of precompiled code: of its first function alone. Of a stub both are 0 */
	uint64_t method;         /* its MethodDesc; 0 = not known */
	uint64_t function_start; /* of the function that the address is in */
	uint64_t function_end;
	bool funclet;    /* that is a handler or a filter, not the method's own begin */
	uint64_t unwind; /* address of that function's UNWIND_INFO; of a stub 0 */
	uint64_t image;  /* addresses in unwind information are relative to this */
};

/* False: the runtime has no code there, or what says so cannot be read. Needs NT_CONTRACT_CODE and the list of sections. */
bool nt_contract_code_at(struct nt_contract *contract, uint64_t address, struct nt_contract_code *out);

#endif
