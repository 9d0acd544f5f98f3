/* SPDX-License-Identifier: GPL-2.0-only */
/* A heap as a .gcdump file, for PerfView, Visual Studio and dotnet-gcdump report. The format is that of decode/heap/gcdump_read.h. */
#ifndef NT_OUTPUT_GCDUMP_WRITE_H
#define NT_OUTPUT_GCDUMP_WRITE_H

#include "output/heap/heap_report.h"

/* Why it cannot be written: it has no graph, or one that is too large for the format (2 GB of references). Half a sentence, static; NULL = it can. */
const char *nt_gcdump_refusal(const struct nt_heap_report *report);

/* Write errors stay in the stream. */
void nt_gcdump_write(FILE *out, const struct nt_heap_report *report);

#endif
