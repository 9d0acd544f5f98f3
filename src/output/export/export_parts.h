/* SPDX-License-Identifier: GPL-2.0-only */
/* The writers of the table in export_formats.c, one a format. */
#ifndef NT_OUTPUT_EXPORT_PARTS_H
#define NT_OUTPUT_EXPORT_PARTS_H

#include <stdio.h>

#include "output/export/export_timeline.h"

void nt_export_write_speedscope(FILE *out, const struct nt_export_timeline *timeline);
void nt_export_write_chrome(FILE *out, const struct nt_export_timeline *timeline);
void nt_export_write_firefox(FILE *out, const struct nt_export_timeline *timeline);
void nt_export_write_perf_script(FILE *out, const struct nt_export_timeline *timeline);
void nt_export_write_nettrace(FILE *out, const struct nt_export_timeline *timeline);
void nt_export_write_perfcollect(FILE *out, const struct nt_export_timeline *timeline);
void nt_export_write_csv(FILE *out, const struct nt_export_timeline *timeline);

#endif
