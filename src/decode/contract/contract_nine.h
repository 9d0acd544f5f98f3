/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What .NET 9 does not describe of itself and .NET 10 does: where code lies, what names it, its tiers. These offsets are those of 9.0 (9.0.20 on x86-64), and hold only where all that
 * 9.0 does describe lies as it does there. Not where threads wait: its explicit frames are of other kinds.
 */
#ifndef NT_DECODE_CONTRACT_NINE_H
#define NT_DECODE_CONTRACT_NINE_H

#include "decode/contract/contract_layout.h"

#include <jansson.h>

/* Is this description, `root`, that of .NET 9.0? */
bool nt_contract_is_nine(const json_t *root);

/* The rest of it. False: not known of .NET 9 either. */
bool nt_contract_nine_version(enum nt_contract_feature feature, uint64_t *out);
bool nt_contract_nine_offset(enum nt_layout_field field, uint32_t *out);
/* `code_ranges`: as in struct nt_descriptor. */
bool nt_contract_nine_global(enum nt_layout_global global, uint64_t code_ranges, uint64_t *out);

#endif
