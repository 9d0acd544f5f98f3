/* SPDX-License-Identifier: GPL-2.0-only */
/* Where all generated code begins. */
#ifndef NT_DECODE_CONTRACT_METHODS_H
#define NT_DECODE_CONTRACT_METHODS_H

#include "decode/contract/contract.h"

/* Code begins at `start`: a method's, or a stub's. False: go no further. */
typedef bool nt_contract_begin(void *context, uint64_t start);

/*
 * Goes through the nibble maps of all heaps, section by section, each from its lowest address on. False: a map could not be read to its end, the memory's budget is spent, or `begin` said so. Needs
 * NT_CONTRACT_CODE and the list of sections, which `begin` leaves as it is.
 */
bool nt_contract_begins(struct nt_contract *contract, nt_contract_begin *begin, void *context);

#endif
