/* SPDX-License-Identifier: GPL-2.0-only */
/* What a figure was in the last intervals, oldest first: the last cell is this interval. */
#ifndef NETTOP_TREND_H
#define NETTOP_TREND_H

#include "nettop/known.h"

enum { NT_SERIES_CELLS = 12, NT_TREND_CELLS = 8 };

/*
 * Of a tile's headline. CPU: % of one CPU; threads: number blocked; GC: % of the interval paused; allocation: bytes/s; JIT and locks: ms/s; pool: items queued;
 * exceptions: per second.
 */
struct nt_series {
	struct nt_f64 cells[NT_SERIES_CELLS];
};

/* The same for a row. Only its form matters, so it is held short. Bit i of `known`: cells[i] is known. */
struct nt_trend {
	float cells[NT_TREND_CELLS];
	uint8_t known;
};

#endif
