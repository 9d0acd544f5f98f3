/* SPDX-License-Identifier: GPL-2.0-only */
/* Which static field lies at an address: for who was told the address, and not whose it is. */
#ifndef NT_DECODE_CONTRACT_STATICS_H
#define NT_DECODE_CONTRACT_STATICS_H

#include "decode/contract/contract_fields.h"
#include "decode/names/text_out.h"

struct nt_contract_slot {
	uint64_t address;
	uint64_t table; /* the type whose static field it is; 0 = not found */
	uint32_t field; /* row of Field in the metadata of that type's module */
};

/*
 * Finds those of `slots`, which are in the order of their addresses, that are static fields of the types that `module` defines; the others are left as they are. Each type that is loaded is gone through; instances of generic
 * types are not among them. False: that could not be done to the end. Needs NT_CONTRACT_FIELDS and NT_CONTRACT_NAMES.
 */
bool nt_contract_find_statics(struct nt_contract_modules *modules, uint64_t module, struct nt_contract_slot *slots, size_t count);

/* Puts Namespace.Outer+Inner.field of one that was found; "?" in the place of what cannot be read. */
void nt_contract_put_static(struct nt_contract_modules *modules, const struct nt_contract_slot *slot, struct nt_text_out *out);

/* Its own name alone; nothing, when that cannot be read. */
void nt_contract_put_field(struct nt_contract_modules *modules, const struct nt_contract_slot *slot, struct nt_text_out *out);

#endif
