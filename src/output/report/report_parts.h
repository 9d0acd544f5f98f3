/* SPDX-License-Identifier: GPL-2.0-only */
/* What stands under the headings of a report. Inside src/output/report/ only. Each writes whole lines, and nothing where there is nothing. */
#ifndef NT_OUTPUT_REPORT_PARTS_H
#define NT_OUTPUT_REPORT_PARTS_H

#include "nettop/column.h"
#include "output/report/report_write.h"

static inline const struct nt_process_snapshot *nt_report_process(const struct nt_report *report)
{
	return &report->whole->processes[0];
}

/* What a finding rests on, without an end of line: since when and for how long, value and threshold, the key of its screen. No text of the target is in it. */
void nt_report_put_evidence(FILE *out, const struct nt_report *report, const struct nt_finding *finding);

/* All tiles: of the span; else of the whole time where that is known, and of the last interval where it is not. Which one is said. */
void nt_report_put_tiles(FILE *out, const struct nt_report *report);

/* What the resident memory consisted of at last; nothing where it is not known. */
void nt_report_put_memory(FILE *out, const struct nt_report *report);
void nt_report_put_gc_settings(FILE *out, const struct nt_report *report);

/* The first rows of a table since attach, or of the span; how many it has in *count, and how many of them are there in *shown. */
void nt_report_put_table(FILE *out, const struct nt_report *report, const struct nt_table *table, size_t *count, size_t *shown);

/* What each thread did at last; or why nobody could look. */
void nt_report_put_threads(FILE *out, const struct nt_report *report);

/* The sources as they were at last, what keeps them from telling, which subjects that leaves out, and the fix of each. */
void nt_report_put_sources(FILE *out, const struct nt_report *report);

void nt_report_put_settings(FILE *out, const struct nt_report *report);

/* What was lost, whether all was read to its end, and what watching cost. Of a span only the first, since attach. */
void nt_report_put_loss(FILE *out, const struct nt_report *report);

#endif
