/* SPDX-License-Identifier: GPL-2.0-only */
/* What a type is called that the runtime has loaded, as its perf map has it: System.Collections.Generic.List`1[System.Int32][]. */
#ifndef NT_DECODE_CONTRACT_TYPES_H
#define NT_DECODE_CONTRACT_TYPES_H

#include "decode/contract/contract_modules.h"
#include "decode/names/text_out.h"

/*
 * Put the type of a TypeHandle. What cannot be read, or is deeper or longer than any that people write, is "?": a program may make types of types without end.
 */
void nt_contract_put_type(struct nt_contract_modules *modules, uint64_t handle, struct nt_text_out *out);

/* Put "[A,B]" of `count` TypeHandles at `handles`. */
void nt_contract_put_arguments(struct nt_contract_modules *modules, uint64_t handles, uint32_t count, struct nt_text_out *out);

#endif
