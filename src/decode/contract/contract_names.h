/* SPDX-License-Identifier: GPL-2.0-only */
/* What the method is called whose code lies at an address, by the runtime's memory alone. */
#ifndef NT_DECODE_CONTRACT_NAMES_H
#define NT_DECODE_CONTRACT_NAMES_H

#include "decode/contract/code_at.h"
#include "decode/contract/contract_modules.h"
#include "nettop/code_event.h"

enum { NT_CONTRACT_NAME_MAX = 4096 }; /* bytes with NUL; longer ones are cut */

enum nt_contract_naming {
	NT_CONTRACT_NAMED,
	NT_CONTRACT_NO_CODE,   /* the runtime has none there, or what says so cannot be read */
	NT_CONTRACT_NAME_STUB, /* code of the runtime's own, of no method */
	NT_CONTRACT_NAMELESS,  /* precompiled code of no known method; a method of an array; what says its name cannot be read */
	NT_CONTRACT_CHANGED,   /* code that may be freed, and was while it was looked at */
};

struct nt_contract_name {
	struct nt_contract_code code;
	enum nt_tier tier; /* UNKNOWN: of precompiled code; or it is not described */
	/*
	 * As the perf map would have it, without tier: `RET [Assembly] Type::Method(ARGS)`, and `Method[System.Int32]` of an instance of a generic method, which the perf map
	 * does not tell. "?" stands for what cannot be read; of dynamic methods for their signature. Without control characters.
	 */
	char text[NT_CONTRACT_NAME_MAX];
	size_t length;
};

/*
 * Code that may be freed is looked at twice, both times with nothing that was kept: what it was named by may be another method's by now (nt_memory_forget()). All else is taken from what is
 * kept. Needs NT_CONTRACT_CODE, NT_CONTRACT_NAMES and the list of sections.
 */
enum nt_contract_naming nt_contract_name_at(struct nt_contract_modules *modules, uint64_t address, struct nt_contract_name *out);

#endif
