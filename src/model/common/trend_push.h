/* SPDX-License-Identifier: GPL-2.0-only */
/* The last values of a row: the newest is the last cell. */
#ifndef NT_MODEL_TREND_PUSH_H
#define NT_MODEL_TREND_PUSH_H

#include "nettop/snapshot.h"

#include <string.h>

static inline uint8_t nt_trend_known_next(uint8_t known, bool newest)
{
	return (uint8_t)(known >> 1 | (unsigned)newest << (NT_TREND_CELLS - 1));
}

static inline void nt_trend_push(struct nt_trend *trend, struct nt_f64 value)
{
	memmove(trend->cells, trend->cells + 1, (NT_TREND_CELLS - 1) * sizeof(trend->cells[0]));
	trend->cells[NT_TREND_CELLS - 1] = value.known ? (float)value.v : 0;
	trend->known = nt_trend_known_next(trend->known, value.known);
}

#endif
