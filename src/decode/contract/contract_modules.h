/* SPDX-License-Identifier: GPL-2.0-only */
/* The metadata of the runtime's modules, where they lie in its memory: a file's image, or what a program made of itself. */
#ifndef NT_DECODE_CONTRACT_MODULES_H
#define NT_DECODE_CONTRACT_MODULES_H

#include "decode/assembly/metadata.h"
#include "decode/contract/contract.h"

/* Those that were asked for. What was read of one stays: metadata do not change while they are there, and others have another id. */
struct nt_contract_modules {
	struct nt_contract *contract;      /* borrowed */
	struct nt_contract_module **items; /* owned */
	size_t count, capacity;
	struct nt_index places; /* by the address of the Module */
};

void nt_contract_modules_fini(struct nt_contract_modules *modules);

/* Give back what was read of them; where they are stays. */
void nt_contract_modules_rest(struct nt_contract_modules *modules);

/* NULL: they cannot be read, or are broken. Borrowed until the next call. Needs NT_CONTRACT_NAMES. */
const struct nt_metadata *nt_contract_metadata(struct nt_contract_modules *modules, uint64_t module);

#endif
