/* SPDX-License-Identifier: GPL-2.0-only */
/* All static fields that have an object, of a process that does not go on. */
#ifndef NT_DECODE_CONTRACT_STATIC_LIST_H
#define NT_DECODE_CONTRACT_STATIC_LIST_H

#include "decode/contract/contract_statics.h"

struct nt_contract_static {
	struct nt_contract_slot slot; /* where it lies, whose it is */
	uint64_t object;              /* address of its object, as it is in memory */
};

/*
 * Calls `take` for each: of all modules those of the types that they define, then those of the instances of generic types that they have. Types that live until they are unloaded, and fields of threads, are not among them. False: some
 * are missing, as something cannot be read. Needs NT_CONTRACT_MODULES, NT_CONTRACT_FIELDS and NT_CONTRACT_NAMES.
 */
typedef void nt_contract_take_static(void *context, const struct nt_contract_static *found);
bool nt_contract_each_static_object(struct nt_contract_modules *modules, nt_contract_take_static *take, void *context);

#endif
