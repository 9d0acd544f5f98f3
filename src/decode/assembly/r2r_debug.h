/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which IL the precompiled code of a method was made of: the debug information of an image (CoreCLR: readytorun-format.md, READYTORUN_SECTION_DEBUG_INFO;
 * docs/design/datacontracts/DebugInfo.md).
 */
#ifndef NT_DECODE_R2R_DEBUG_H
#define NT_DECODE_R2R_DEBUG_H

#include "decode/assembly/r2r.h"
#include "decode/clr/il_map.h"

/*
 * The map of the method that begins with function `function` (nt_r2r_find), whose offsets count from its begin. `il` and `native` have room for NT_IL_MAP_MAX each,
 * and stay the caller's; *out refers to them. False: there is none, or it is broken.
 */
bool nt_r2r_il_map(const struct nt_r2r *r2r, uint32_t function, uint32_t *il, uint32_t *native, struct nt_il_map *out);

#endif
