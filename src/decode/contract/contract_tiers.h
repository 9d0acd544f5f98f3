/* SPDX-License-Identifier: GPL-2.0-only */
/* How well the code of a method was optimized. */
#ifndef NT_DECODE_CONTRACT_TIERS_H
#define NT_DECODE_CONTRACT_TIERS_H

#include "decode/contract/code_at.h"
#include "nettop/code_event.h"

/* Of a method's code as nt_contract_code_at() has it. UNKNOWN: it is precompiled, or what says so is not described, or cannot be read. */
enum nt_tier nt_contract_tier(const struct nt_contract *contract, const struct nt_contract_code *code, bool dynamic);

#endif
