/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which IL code was made of, as the runtime keeps it compressed: the same in a precompiled image and in its memory (CoreCLR: docs/design/datacontracts/DebugInfo.md, debuginfostore.cpp).
 */
#ifndef NT_DECODE_DEBUG_BOUNDS_H
#define NT_DECODE_DEBUG_BOUNDS_H

#include "decode/clr/il_map.h"
#include "decode/common/window.h"

/*
 * What lies at [at, end) of the window: first how long the bounds are, then they. `packed`: in bits, as since .NET 10; else in nibbles. Native offsets count from the begin of the method. `il` and `native` have
 * room for NT_IL_MAP_MAX each, and stay the caller's; *out refers to them. False: it is broken.
 */
bool nt_debug_bounds_read(struct nt_window *window, uint64_t at, uint64_t end, bool packed, uint32_t *il, uint32_t *native,
			  struct nt_il_map *out);

#endif
