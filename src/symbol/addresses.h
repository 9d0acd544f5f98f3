/* SPDX-License-Identifier: GPL-2.0-only */
/* How far around an address something is the same: so what was found there need not be looked for at its neighbours. */
#ifndef NT_SYMBOL_ADDRESSES_H
#define NT_SYMBOL_ADDRESSES_H

#include <stdint.h>

/* The addresses [low, high). */
struct nt_extent {
	uint64_t low, high;
};

#define NT_EXTENT_ALL ((struct nt_extent){ 0, UINT64_MAX })

/* Leave of `extent`, which has `address`, what [start, end) has entirely or not at all. */
static inline void nt_extent_cut(struct nt_extent *extent, uint64_t address, uint64_t start, uint64_t end)
{
	if (start <= address && extent->low < start)
		extent->low = start;
	if (end <= address && extent->low < end)
		extent->low = end;
	if (start > address && extent->high > start)
		extent->high = start;
	if (end > address && extent->high > end)
		extent->high = end;
}

#endif
