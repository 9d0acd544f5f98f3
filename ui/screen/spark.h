/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sparklines: one cell per interval, the newest at the right. The lowest sign, _, is a measured 0, a blank one is not known.
 */
#ifndef NT_UI_SPARK_H
#define NT_UI_SPARK_H

#include "nettop/snapshot.h"

/* Bytes for the most cells there are: each up to 3 bytes, and the NUL. */
enum { NT_SPARK_BYTES = 3 * NT_SERIES_CELLS + 1 };

/* The last `cells` cells of a series; `cells` is at most NT_SERIES_CELLS. A full one is the largest shown, or `least`, whichever is more. Returns out. */
const char *nt_spark_series(const struct nt_series *series, int cells, double least, char out[NT_SPARK_BYTES]);

/* A row's trend, NT_TREND_CELLS cells, likewise. Returns out. */
const char *nt_spark_trend(const struct nt_trend *trend, double least, char out[NT_SPARK_BYTES]);

#endif
