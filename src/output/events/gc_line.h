/* SPDX-License-Identifier: GPL-2.0-only */
/* Collections, a line each as they end: what GC logs of other runtimes are read for. */
#ifndef NT_OUTPUT_GC_LINE_H
#define NT_OUTPUT_GC_LINE_H

#include <stdio.h>

#include "nettop/column.h"

/*
 * `2026-11-27T04:31:37.250+0100 gc 12 gen1 eph compact gen0 budget pause 2.1ms (0.1ms to stop) 14.2M -> 9.81M gen0 4.50M->0 gen1 1.10M->1.00M gen2 6.50M->6.71M loh
 * 2.10M->2.10M poh 8.00K->8.00K promoted 1.31M by Shop.Cart.Add`: when it ended; what is not known is left out. `context`: of
 * the snapshot that has the row. Write errors stay in the stream.
 */
void nt_gc_line_text(FILE *out, const struct nt_gc_row *row, const struct nt_column_context *context, int64_t realtime_offset_ns);

/* One JSON object: type (collection), time_unix_ns (of its end), and the columns of the collections. */
void nt_gc_line_json(FILE *out, const struct nt_gc_row *row, const struct nt_column_context *context, int64_t realtime_offset_ns);

/* Events are missing, not known how many when `count` is not: collections may be, too, or parts of them. JSON: type (lost), count, time_unix_ns. */
void nt_gc_line_lost(FILE *out, bool as_json, struct nt_u64 count, nt_time time, int64_t realtime_offset_ns);

#endif
